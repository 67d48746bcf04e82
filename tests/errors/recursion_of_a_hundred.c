// check --engine explore -DDEPTH=100 => safe
// check --engine reach -DDEPTH=100 => safe
// check --engine brute -DDEPTH=100 => safe
// check --engine lazy -DDEPTH=100 => safe
// check --engine rounds -DDEPTH=100 => safe
// check --engine seq -DDEPTH=100 => safe
// check --engine seq -DDEPTH=600 => undecided
// check --engine seq -DDEPTH=600 --recursion 700 => safe
// check --engine explore -DDEPTH=100 -DWRONG => violation assertion:33
// check --engine lazy -DDEPTH=100 -DWRONG => violation assertion:33
// check --engine seq -DDEPTH=100 -DWRONG => violation assertion:33
// robust -DDEPTH=100 => safe
// Functions that call themselves a hundred deep meet no bound.
#include <assert.h>
#include <pthread.h>

static int x;

static int descend(int depth) {
    return depth == 0 ? x : descend(depth - 1) + 1;
}

static void *store(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, store, NULL);
    int seen = descend(DEPTH);
#ifdef WRONG
    assert(seen == DEPTH);
#else
    assert(seen == DEPTH || seen == DEPTH + 1);
#endif
    pthread_join(thread, NULL);
    return 0;
}
