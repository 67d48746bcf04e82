# The programs of tests/errors, part 2 of 4, printed as C and read back, behave as they did.
. "$(dirname "$0")/round_trip"
part 2 4
round_trip svcomp "$(dirname "$0")/../errors"
round_trip_end 40
