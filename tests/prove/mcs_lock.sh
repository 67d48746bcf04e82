# Of the MCS lock as it is written two abstractions are found, and that of the flag only adds waiting; the facts about
# fields hold in all states of two and of three threads.
source=$(cd "$(dirname "$0")" && pwd)/mcs_lock.c
"$PICKET" prove "$source" >report || true
grep -q 'load of node->locked .* might return any value with which the thread continues to wait (idle)$' report
grep -q 'load of node->next .* might return 0$' report
for threads in 2 3; do
    "$PICKET" show --threads $threads --save program.picket "$source"
    "$(dirname "$PICKET")/tests/prove/unit_prove_facts" --saved program.picket
done
