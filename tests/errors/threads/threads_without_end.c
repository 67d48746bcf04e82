// check --engine explore --thread-depth 6 => safe within bounds
// check --engine reach --thread-depth 6 => safe within bounds
// check --engine lazy --thread-depth 6 => safe within bounds
// check --engine brute --thread-depth 6 => safe within bounds
// check --engine seq --thread-depth 6 => safe within bounds
// check --engine seq --model pso --thread-depth 6 => safe within bounds
// check --engine rounds --thread-depth 3 => safe within bounds
// check --engine age --thread-depth 3 => safe within bounds
// check --engine explore --thread-depth 6 -DWRONG => violation assertion:44
// check --engine reach --thread-depth 6 -DWRONG => violation assertion:44
// check --engine lazy --thread-depth 6 -DWRONG => violation assertion:44
// check --engine brute --thread-depth 6 -DWRONG => violation assertion:44
// check --engine seq --thread-depth 6 -DWRONG => violation assertion:44
// check --engine seq --model sc --thread-depth 6 -DWRONG => violation assertion:44
// check --engine rounds --thread-depth 3 -DWRONG => violation assertion:44
// check --engine age --thread-depth 3 -DWRONG => violation assertion:44
// robust --thread-depth 6 => output "robust within bounds under TSO (threads create threads at most 6 deep"
// A detached thread creates another one and ends, and so on: what cannot be created stops its creator alone, and main
// and the other thread do all that they can do.
#include <assert.h>
#include <pthread.h>

static int written;

static void *go_on(void *unused) {
    pthread_t next;
    pthread_create(&next, NULL, go_on, NULL);
    pthread_detach(next);
    return unused;
}

static void *write_it(void *unused) {
    written = 1;
    return unused;
}

int main(void) {
    pthread_t endless, writer;
    pthread_create(&endless, NULL, go_on, NULL);
    pthread_detach(endless);
    pthread_create(&writer, NULL, write_it, NULL);
    pthread_join(writer, NULL);
#ifdef WRONG
    assert(!written);
#endif
    return 0;
}
