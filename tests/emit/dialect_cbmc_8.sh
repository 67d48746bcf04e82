# The dialect of CBMC, printed and read back: programs, part 8 of 8, behave as they did.
. "$(dirname "$0")/round_trip"
tests=$(dirname "$0")/..
part 8 8
round_trip cbmc "$tests/explore" "$tests/errors/assertion" "$tests/errors/abort" "$tests/errors/reach_error" \
    "$tests/errors/control" "$tests/errors/leaks" "$tests/library/sync" "$tests/models/atomic_section.c"
round_trip_end 11
