# Part 1 of 3.
. "$(dirname "$0")/round_trip"
part 1 3
. "$(dirname "$0")/benchmarks"
