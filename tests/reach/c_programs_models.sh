# The programs of tests/models.
files=$(find "$(dirname "$0")/../models" -name '*.c' | sort)
. "$(dirname "$0")/c_programs"
