# The programs of tests/library, printed as C and read back, behave as they did.
. "$(dirname "$0")/round_trip"
round_trip svcomp "$(dirname "$0")/../library"
round_trip_end 40
