# Part 2 of 3.
part=2
parts=3
. "$(dirname "$0")/table"
