# Mutual exclusion algorithms that run for ever: with fences they are proved safe without any bound, without fences two
# threads are in the critical section at once.  The locks on read-modify-writes need no fence under TSO.
programs=$(dirname "$0")/../../bench/programs
for name in peterson dekker lamport szymanski burns dijkstra; do
    code=0
    "$PICKET" check --engine lazy --format json -DENDLESS "$programs/$name.c" >"$name.json" || code=$?
    [ $code -eq 1 ] || { echo "$name: exit code $code"; exit 1; }
    "$PICKET" replay picket-witness.json >"$name.replay" || [ $? -eq 1 ]
    "$PICKET" check --engine lazy --format json -DENDLESS -DFENCES=ROBUST "$programs/$name.c" >"$name.json"
    grep -q '"verdict": "safe"' "$name.json"
    grep -q '"bounded": false' "$name.json"
    code=0
    "$PICKET" robust -DENDLESS "$programs/$name.c" >"$name.robust" || code=$?
    [ $code -eq 1 ] || { echo "$name: robust has exit code $code"; exit 1; }
    "$PICKET" robust -DENDLESS -DFENCES=ROBUST "$programs/$name.c" >"$name.robust"
done
for name in clh_lock mcs_lock ttas_lock; do
    "$PICKET" check --engine lazy --format json -DENDLESS "$programs/$name.c" >"$name.json"
    grep -q '"verdict": "safe"' "$name.json"
    grep -q '"bounded": false' "$name.json"
    "$PICKET" robust -DENDLESS "$programs/$name.c" >"$name.robust"
done
