# The programs of tests/language, printed as C and read back, behave as they did.
. "$(dirname "$0")/round_trip"
round_trip svcomp "$(dirname "$0")/../language"
round_trip_end 40
