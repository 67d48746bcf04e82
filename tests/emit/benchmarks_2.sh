# Part 2 of 3.
. "$(dirname "$0")/round_trip"
part 2 3
. "$(dirname "$0")/benchmarks"
