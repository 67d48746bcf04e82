# Programs with locks and threads that go wrong.
errors=$(dirname "$0")/../errors
files=$(find "$errors/deadlock" "$errors/assertion" "$errors/locks" "$errors/threads" -name '*.c' | sort)
. "$(dirname "$0")/c_programs"
