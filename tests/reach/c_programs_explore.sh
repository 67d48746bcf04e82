# The programs of tests/explore.
files=$(find "$(dirname "$0")/../explore" -name '*.c' ! -name 'test_clocks.c' | sort)
. "$(dirname "$0")/c_programs"
