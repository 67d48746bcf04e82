// check --engine explore -DREAD => safe assuming uninitialised
// check --engine reach -DREAD => safe assuming uninitialised
// check --engine brute -DREAD => safe assuming uninitialised
// check --engine lazy -DREAD => safe assuming uninitialised
// check --engine rounds -DREAD => safe assuming uninitialised
// check --engine seq -DREAD => safe assuming uninitialised
// check --engine explore -DSET => safe
// check --engine reach -DSET => safe
// check --engine brute -DSET => safe
// check --engine lazy -DSET => safe
// check --engine rounds -DSET => safe
// check --engine seq -DSET => safe
// check --engine explore -DBRANCH => safe assuming uninitialised
// check --engine seq -DBRANCH => safe assuming uninitialised
// check --check uninit -DBRANCH => violation uninitialised:27
// A local that is read before it is set is 0 here, and need not be.
#include <assert.h>
#include <pthread.h>

static int shared;

static void *work(void *unused) {
    int value;
#ifdef SET
    value = 0;
#endif
    shared = value;
#ifdef BRANCH
    if (value != 0) {
        assert(0);
    }
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
