// check --engine explore -DDEPTH=6 => violation assertion:22
// check --engine reach -DDEPTH=6 => violation assertion:22
// check --engine lazy -DDEPTH=6 => violation assertion:22
// check --engine seq -DDEPTH=6 => violation assertion:22
// check --engine rounds -DDEPTH=6 => violation assertion:22
// check --engine brute -DDEPTH=6 => violation assertion:22
// check --engine explore --model sc -DDEPTH=100 => violation assertion:22
// check --engine reach --model sc -DDEPTH=100 => violation assertion:22
// check --engine reach --model pso -DDEPTH=31 => violation assertion:22
// check --engine brute --model pso -DDEPTH=100 => violation assertion:22
// check --engine explore -DDEPTH=100 --thread-depth 99 => undecided
// check --engine explore -DDEPTH=100 --thread-depth 100 => violation assertion:22
// check --engine explore => undecided
// check --engine reach --thread-depth 50 => undecided
// Each thread creates the next one and joins it: in the end one fails, or there is no end.
#include <assert.h>
#include <pthread.h>

static void *work(void *depth) {
    pthread_t next;
#ifdef DEPTH
    assert((long)depth < DEPTH);
#endif
    pthread_create(&next, NULL, work, (char *)depth + 1);
    pthread_join(next, NULL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)1);
    pthread_join(thread, NULL);
    return 0;
}
