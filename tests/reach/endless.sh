# Mutual exclusion algorithms that run for ever, by their states with what the store buffers hold: with the fences for a
# model there is no error, without any bound; with fewer there is one.
. "$(dirname "$0")/../lazy/verdicts"
programs=$(dirname "$0")/../../bench/programs

for name in peterson dekker lamport szymanski burns dijkstra bakery; do
    set -- --engine reach -DENDLESS -DTICKETS=3 "$programs/$name.c"
    fails "$PICKET" check "$@"
    safe "$PICKET" check -DFENCES=TSO "$@"
    fails "$PICKET" check --model pso -DFENCES=TSO "$@"
    safe "$PICKET" check --model pso -DFENCES=PSO "$@"
done
for name in clh_lock mcs_lock ttas_lock reader_writer_lock ticket_lock; do
    set -- --engine reach -DENDLESS -DTICKET=uint8_t "$programs/$name.c"
    safe "$PICKET" check "$@"
    fails "$PICKET" check --model pso "$@"
    safe "$PICKET" check --model pso -DFENCES=PSO "$@"
done

# A limit.
code=0
"$PICKET" check --engine reach --timeout 0.2 -DENDLESS "$programs/bakery.c" >report || code=$?
[ $code -eq 3 ] || [ $code -eq 1 ]
