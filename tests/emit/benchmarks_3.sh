# Part 3 of 3.
. "$(dirname "$0")/round_trip"
part 3 3
. "$(dirname "$0")/benchmarks"
