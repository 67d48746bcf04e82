# The programs of tests/explore, tests/robust and tests/libraries, printed as C and read back, behave as they did.
. "$(dirname "$0")/round_trip"
tests=$(dirname "$0")/..
round_trip svcomp "$tests/explore" "$tests/robust" "$tests/libraries"
round_trip_end 40
