# Mutual exclusion algorithms that run for ever: with fences they are proved safe without any bound, those that make them
# right as well as those that make them robust; without fences two threads are in the critical section at once.  The
# locks on read-modify-writes need no fence under TSO.
. "$(dirname "$0")/verdicts"
programs=$(dirname "$0")/../../bench/programs

for name in peterson dekker lamport szymanski burns dijkstra bakery; do
    # Of the bakery a version whose numbers do not count up without end.
    set -- -DENDLESS -DTICKETS=3 "$programs/$name.c"
    fails "$PICKET" check --engine lazy "$@"
    fails "$PICKET" replay picket-witness.json
    safe "$PICKET" check --engine lazy -DFENCES=TSO "$@"
    safe "$PICKET" check --engine lazy -DFENCES=ROBUST "$@"
    fails "$PICKET" robust "$@"
    "$PICKET" robust -DFENCES=ROBUST "$@" >report
done
for name in clh_lock mcs_lock ttas_lock reader_writer_lock ticket_lock; do
    set -- -DENDLESS -DTICKET=uint8_t "$programs/$name.c"
    safe "$PICKET" check --engine lazy "$@"
    "$PICKET" robust "$@" >report
done
