# The dialects of CBMC and of Picket itself, printed and read back, behave as they did.
. "$(dirname "$0")/round_trip"
tests=$(dirname "$0")/..
for dialect in cbmc picket; do
    round_trip "$dialect" "$tests/explore" "$tests/errors/assertion" "$tests/errors/abort" "$tests/errors/reach_error" \
        "$tests/errors/control" "$tests/errors/leaks" "$tests/library/sync" "$tests/models/atomic_section.c"
done
round_trip_end 40
