# The examples show what their comments say.
. "$(dirname "$0")/../bad_input/refuse"

examples=$(dirname "$0")/../../examples
expect 1 "dekker.c" "$PICKET" check --engine random --runs 1000 --model tso "$examples/dekker.c"
expect 3 "" "$PICKET" check --engine random --runs 1000 --model tso -DFENCED "$examples/dekker.c"
expect 1 "dekker.c" "$PICKET" check --engine brute "$examples/dekker.c"
expect 0 "" "$PICKET" check --engine brute -DFENCED "$examples/dekker.c"
expect 0 "" "$PICKET" check --engine brute --model sc "$examples/dekker.c"
expect 1 "" "$PICKET" check --engine brute "$examples/peterson.c"
expect 0 "" "$PICKET" check --engine brute -DFENCED "$examples/peterson.c"
expect 1 "" "$PICKET" check --engine brute --model pso -DFENCED "$examples/peterson.c"
expect 0 "" "$PICKET" check --engine brute --model pso -DFENCED -DORDERED "$examples/peterson.c"
expect 0 "" "$PICKET" check --engine brute "$examples/message_passing.c"
expect 1 "" "$PICKET" check --engine brute --model pso "$examples/message_passing.c"
expect 0 "" "$PICKET" check --engine brute --model pso -DRELEASE "$examples/message_passing.c"
expect 1 "deadlock" "$PICKET" check --engine brute "$examples/lost_wake_up.c"
expect 0 "" "$PICKET" check --engine brute --model sc "$examples/lost_wake_up.c"
expect 0 "" "$PICKET" check --engine brute -DFENCED "$examples/lost_wake_up.c"
