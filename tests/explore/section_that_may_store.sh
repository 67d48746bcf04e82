# An atomic section that stores something in one of its outcomes only: the store after it has one serial number or
# another, and the drain that a thread's end waits for happens before that end under PSO in both.  Every execution is
# checked.
cat >program.c <<'C'
#include <pthread.h>

#include "picket.h"

static volatile int x, y;

static void *run(void *unused) {
    (void)y;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    picket_atomic_begin();
    if (picket_nondet_int(0, 1)) {
        x = 2;
    }
    picket_atomic_end();
    y = 1;
    pthread_exit(NULL);
}
C
for model in tso pso; do
    PICKET_CHECK_EVERY=1 "$PICKET" check --engine explore --model $model program.c >out
    grep -q '4 executions complete' out || { cat out; exit 1; }
done
