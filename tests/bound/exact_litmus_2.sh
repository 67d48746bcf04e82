# Part 2 of 2.
part=2
parts=2
. "$(dirname "$0")/exact_litmus"
