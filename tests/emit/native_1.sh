# Part 1 of 2.
. "$(dirname "$0")/round_trip"
part 1 2
. "$(dirname "$0")/native"
