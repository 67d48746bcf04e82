# Part 1 of 3.
part=1
parts=3
. "$(dirname "$0")/table"
