# Part 2 of 2.
. "$(dirname "$0")/round_trip"
part 2 2
. "$(dirname "$0")/native"
