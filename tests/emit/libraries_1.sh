# The programs of tests/libraries, part 1 of 2, printed as C and read back, behave as they did.
. "$(dirname "$0")/round_trip"
part 1 2
round_trip svcomp "$(dirname "$0")/../libraries"
round_trip_end 20
