# Part 1 of 2.
part=1
parts=2
. "$(dirname "$0")/exact_litmus"
