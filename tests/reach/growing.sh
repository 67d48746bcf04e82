# Programs whose loops fill the store buffers without end: proved safe for buffers of any length, or found in error.
. "$(dirname "$0")/../lazy/verdicts"
automata=$(dirname "$0")/../../bench/automata

# both COMMAND...: safe under TSO and under PSO
both() {
    safe "$@" --model tso
    safe "$@" --model pso
}

# A store in a loop that never ends.
cat >one_value.aut <<'AUT'
thread one
initial a
final c
transition a a write 1 0
transition a b read r 1
transition b c check == r 2
end
thread two
initial a
final b
transition a b read r 0
end
AUT
both "$PICKET" check --engine reach one_value.aut
safe "$PICKET" check --engine reach --shortest one_value.aut

# A flag that is set and cleared for ever; the other thread never sees a third value, but sees it set.
toggle() {
    cat <<AUT
thread one
initial a
transition a b write 1 0
transition b a write 0 0
end
thread two
initial a
final c
transition a b read r 0
transition b c check == r $1
end
AUT
}
toggle 2 >toggle.aut
toggle 1 >toggle_fails.aut
both "$PICKET" check --engine reach toggle.aut
fails "$PICKET" check --engine reach toggle_fails.aut
fails "$PICKET" check --engine reach --model pso toggle_fails.aut

# The threads store what they have read, without end.
exchange() {
    cat <<AUT
thread one
initial a
final b
transition a a write - 1 r 0
transition a a read r 1
transition a b check == r $1
end
thread two
initial a
final b
transition a a write - 1 r 1
transition a a read r 0
transition a b check == r $1
end
AUT
}
exchange 2 >exchange.aut
exchange 1 >exchange_fails.aut
both "$PICKET" check --engine reach exchange.aut
fails "$PICKET" check --engine reach exchange_fails.aut

# In C: a thread that marks each iteration as waiting.
cat >spinner.c <<'C'
#include <assert.h>
#include <pthread.h>
static volatile int waits, ready, data;
static void *spinner(void *unused) {
    while (!ready) {
        waits = 1;
    }
    assert(data == VALUE);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, spinner, 0);
    data = 1;
    ready = 1;
    assert(waits <= 1);
    pthread_join(thread, 0);
    assert(data == 1);
    return 0;
}
C
safe "$PICKET" check --engine reach -DVALUE=1 spinner.c
fails "$PICKET" check --engine reach -DVALUE=2 spinner.c
fails "$PICKET" check --engine reach --model pso -DVALUE=1 spinner.c

# Four stores in a circle: the order in which they reach memory is what keeps the second from being set without the
# first, under TSO.
circle() {
    cat <<AUT
thread writer
initial a
transition a b write 1 0
transition b c write 1 1
transition c d write 0 1
transition d a write 0 0
end
thread reader
initial a
final g
transition a b lock
transition b c read second 1
transition c d read first 0
transition d e unlock
transition e a check ! $1
transition e g check $1
end
AUT
}
circle '&& second ! first' >circle.aut
circle '&& first ! second' >circle_fails.aut
safe "$PICKET" check --engine reach circle.aut
fails "$PICKET" check --engine reach --model pso circle.aut
fails "$PICKET" check --engine reach circle_fails.aut

# The same values are stored to 1 and 2, now 0, now 1, with a store between them that does not tell which: what follows a
# store has to be known to distinguish the two iterations.
rounds() {
    cat <<AUT
thread writer
initial a
transition a b write 1 0
transition b c write p 1
transition c d write 1 3
transition d e write p 2
transition e f write 0 0
transition f g local p - 1 p
transition g a read q 4
end
thread reader
initial a
final g
transition a b write 1 4
transition b c lock
transition c d read busy 0
transition d e read one 1
transition e f read two 2
transition f h unlock
transition h a check ! $1
transition h g check $1
end
AUT
}
rounds '&& ! busy != one two' >rounds.aut
rounds '&& busy != one two' >rounds_fails.aut
safe "$PICKET" check --engine reach rounds.aut
fails "$PICKET" check --engine reach --model pso rounds.aut
fails "$PICKET" check --engine reach rounds_fails.aut

# Under PSO the order of a circle of stores is that of store barriers, which is not known of old stores: not decided, but
# no error is said to be found.
cat >barriers.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static atomic_int first, second;
static void *writer(void *unused) {
    for (;;) {
        atomic_store_explicit(&first, 1, memory_order_relaxed);
        atomic_store_explicit(&second, 1, memory_order_release);
        atomic_store_explicit(&second, 0, memory_order_release);
        atomic_store_explicit(&first, 0, memory_order_release);
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    for (;;) {
        __VERIFIER_atomic_begin();
        assert(!second || first);
        __VERIFIER_atomic_end();
    }
}
C
safe "$PICKET" check --engine reach barriers.c
code=0
"$PICKET" check --engine reach --model pso --timeout 2 barriers.c >report || code=$?
[ $code -eq 3 ]
grep -q '^undecided' report

# Several threads search the same states, with exact buffers and with abstract ones.
for jobs in 2 3; do
    both "$PICKET" check --engine reach -j $jobs exchange.aut
    fails "$PICKET" check --engine reach -j $jobs exchange_fails.aut
    safe "$PICKET" check --engine reach -j $jobs circle.aut
    fails "$PICKET" check --engine reach -j $jobs --model pso circle.aut
done

# Burns' and Dijkstra's locks with the fewest fences.
for name in burns dijkstra; do
    fails "$PICKET" check --engine reach "$automata/$name.aut"
    both "$PICKET" check --engine reach "$automata/${name}_fenced.aut"
done
sed 's/^transition outside waits write 1 0/transition outside f write 1 0\ntransition f waits mfence/
    s/^transition free looks_again write 1 1/transition free f write 1 1\ntransition f looks_again mfence/' \
    "$automata/burns.aut" >burns.aut
both "$PICKET" check --engine reach burns.aut
