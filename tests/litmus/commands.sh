# A litmus test is a program like any other: it can be shown, saved and checked.
. "$(dirname "$0")/../bad_input/refuse"
here=$(dirname "$0")

expect 0 "store.4 plain &x, 1" "$PICKET" show "$here/sb.litmus"
expect 0 "" "$PICKET" check --engine brute "$here/sb.litmus"
refuse "cannot be read together" "$PICKET" show "$here/sb.litmus" "$here/mp.litmus"

# A loop that is no waiting loop is cut, and the report says so.
expect 0 "Loop Ok" "$PICKET" litmus --unroll 1 "$here/spin_lock.litmus"
