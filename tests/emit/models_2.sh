# The programs of tests/models, part 2 of 2, printed as C and read back, behave as they did.
. "$(dirname "$0")/round_trip"
part 2 2
round_trip svcomp "$(dirname "$0")/../models"
round_trip_end 40
