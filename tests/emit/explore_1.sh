# The programs of tests/explore, part 1 of 6, printed as C and read back, behave as they did.
. "$(dirname "$0")/round_trip"
part 1 6
round_trip svcomp "$(dirname "$0")/../explore"
round_trip_end 13
