// check --engine explore --unroll 3 => safe within bounds
// check --engine explore --unroll 3 --model pso => safe within bounds
// check --engine reach --unroll 3 => safe within bounds
// check --engine lazy --unroll 3 => safe within bounds
// check --engine brute --unroll 3 => safe within bounds
// check --engine seq --unroll 3 => safe within bounds
// check --engine auto --unroll 3 => safe within bounds
// check --engine explore --unroll 3 -DSETUP => undecided
// check --engine reach --unroll 3 -DSETUP => undecided
// check --engine lazy --unroll 3 -DSETUP => undecided
// check --engine brute --unroll 3 -DSETUP => undecided
// check --engine seq --unroll 3 -DSETUP => safe within bounds
// check --engine explore --unroll 3 -DLAST => undecided
// check --engine reach --unroll 3 -DLAST => undecided
// check --engine seq --unroll 3 -DLAST => undecided
/* A server and its client, in loops without an exit: an execution is complete as far as it can be when only these are
 * cut.  With SETUP no execution gets to the server within the bound (`seq` does not count a loop that constants end),
 * with LAST main's loop has an exit that nobody reaches. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint handled, asked;
static atomic_int ready;

static void *client(void *unused) {
    for (;;) {
        atomic_fetch_add(&asked, 1);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
#ifdef SETUP
    for (int i = 0; i < 9; i++) {
        atomic_fetch_add(&ready, 1);
    }
#endif
    pthread_create(&thread, NULL, client, NULL);
    for (;;) {
        if (atomic_load(&asked) > atomic_load(&handled)) {
            atomic_fetch_add(&handled, 1);
            assert(atomic_load(&asked) >= atomic_load(&handled));
        }
#ifdef LAST
        if (atomic_load(&handled) == 1000) {
            break;
        }
#endif
    }
}
