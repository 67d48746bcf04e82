# Programs that no search of states ends on: at the time limit `lazy` says what it has tried, with exit code 3.
undecided() {
    code=0
    "$PICKET" check --engine lazy --timeout 2 "$@" >report 2>message || code=$?
    cat report message
    [ $code -eq 3 ]
    grep -q '^undecided' report
    grep -q 'tried: ' report
}

# Figure 12 of the paper, rebuilt from its text: safe, since no thread ever leaves the first state, but there are stores
# upon stores that a load may overtake.
cat >figure_12.aut <<'AUT'
thread one
initial a
final b
transition a a write - 1 r 0
transition a a read r 1
transition a b check == r 2
end
thread two
initial a
final b
transition a a write - 1 r 1
transition a a read r 0
transition a b check == r 2
end
AUT
undecided figure_12.aut

# Tickets that count up.
programs=$(dirname "$0")/../../bench/programs
undecided -DENDLESS -DFENCES=TSO "$programs/bakery.c"
undecided -DENDLESS "$programs/ticket_lock.c"

# A list that grows.
cat >heap.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
    struct node *next;
};
static _Atomic(struct node *) head;
static atomic_int x;
static void *grow(void *unused) {
    for (;;) {
        struct node *node = malloc(sizeof *node);
        node->next = atomic_load_explicit(&head, memory_order_relaxed);
        atomic_store_explicit(&head, node, memory_order_release);
        atomic_store_explicit(&x, 1 - atomic_load_explicit(&x, memory_order_relaxed), memory_order_relaxed);
    }
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, grow, NULL);
    pthread_create(&threads[1], NULL, grow, NULL);
    pthread_join(threads[0], NULL);
    return 0;
}
C
undecided heap.c

# A memory limit and a small time limit end it as well.
code=0
"$PICKET" check --engine lazy --memory 60 --timeout 20 -DENDLESS "$programs/ticket_lock.c" >report || code=$?
[ $code -eq 3 ]
code=0
"$PICKET" robust --timeout 2 -DENDLESS "$programs/bakery.c" >report || code=$?
[ $code -eq 3 ] || [ $code -eq 1 ]
