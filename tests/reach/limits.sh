# `reach` stops at its limits with what it has, finds shortest executions, and has the same verdict for any number of
# threads.
. "$(dirname "$0")/../bad_input/refuse"
root=$(dirname "$0")/../..
"$root/bench/lamport" 4 >lamport.aut
"$root/bench/lamport" 3 >lamport_3.aut
expect 3 "time-out" "$PICKET" check --model sc --engine reach --timeout 0.05 lamport.aut
expect 3 "memory limit" "$PICKET" check --model sc --engine reach --memory 8 lamport.aut
for jobs in 1 2 5; do
    expect 0 "safe under SC" "$PICKET" check --model sc --engine reach -j $jobs lamport_3.aut
done

# A thread may iterate its loop for long; the goal is two creations, a write, a choice and two reads away.
cat >goal.aut <<'AUT'
thread a
initial q0
final q2
transition q0 q0 write 1 0
transition q0 q1 read r 1
transition q1 q2 check == r 1
end
thread b
initial q0
final q2
transition q0 q1 write 1 1
transition q1 q2 read r 0
end
AUT
for jobs in 1 2 5; do
    expect 1 "all threads are in their final states [goal]" "$PICKET" check --model sc --engine reach -j $jobs goal.aut
    expect 1 "goal" "$PICKET" check --quiet --model sc --engine reach --shortest -j $jobs goal.aut
    [ "$(grep -c '"action"' picket-witness.json)" = 6 ]
done
