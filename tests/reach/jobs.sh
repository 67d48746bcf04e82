# Several threads search the same states: the set of states grows under their hands, and the verdict and the length of a
# shortest execution are those of one.
#
# Three threads that each take 24 steps: the goal is the last of some 15,000 states.
for thread in 1 2 3; do
    echo "thread t$thread"
    echo "initial s0"
    echo "final s24"
    step=0
    while [ $step -lt 24 ]; do
        echo "transition s$step s$((step + 1)) write $step $thread"
        step=$((step + 1))
    done
    echo end
done >steps.aut
for jobs in 1 2 3 8; do
    code=0
    "$PICKET" check --full --engine reach --model sc --shortest -j $jobs --witness witness.json steps.aut >report || code=$?
    [ $code -eq 1 ]
    writes=$(grep -c ' writes ' report)
    [ "$writes" -eq 72 ] || { echo "-j $jobs: $writes writes"; cat report; exit 1; }
    code=0
    "$PICKET" replay --full witness.json >report || code=$?
    [ $code -eq 1 ]
done
