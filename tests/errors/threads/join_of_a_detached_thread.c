// check --check no-misuse --engine brute --model sc => violation assertion:51
// check --check no-misuse --engine explore --model sc => violation assertion:51
// check --check no-misuse --engine explore --model tso => violation assertion:51
// check --check no-misuse --engine reach --model sc => violation assertion:51
// check --check no-misuse --engine reach --model tso => violation assertion:51
// check --check no-misuse --engine reach --model pso => violation assertion:51
// check --check no-misuse --engine reach -j 2 --model sc => violation assertion:51
// check --check no-misuse --engine reach --shortest --model sc => violation assertion:51
// check --check no-misuse --engine lazy => violation assertion:51
// check --check no-misuse --engine rounds --rounds 3 => violation assertion:51
// check --check no-misuse --engine brute --model sc -DSAFE => safe
// check --check no-misuse --engine explore --model sc -DSAFE => safe
// check --check no-misuse --engine reach --model sc -DSAFE => safe
// check --check no-misuse --engine reach --model tso -DSAFE => safe
// check --check no-misuse --engine lazy -DSAFE => safe
// check --check no-misuse --engine brute --model sc -DSAFE -DTHREAD_DETACHES => safe
// check --check no-misuse --engine reach --model sc -DSAFE -DTHREAD_DETACHES => safe
// check --check no-misuse --engine brute --model sc -DTHREAD_DETACHES => violation assertion:51
// check --check no-misuse --engine reach --model sc -DTHREAD_DETACHES => violation assertion:51
//
// A join of a detached thread fails at once: it does not wait for that thread, which continues only afterwards.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go;
static sem_t detached;

static void *run(void *unused) {
#ifdef THREAD_DETACHES
    pthread_detach(pthread_self());
#endif
    sem_post(&detached);
    sem_wait(&go);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
#ifndef THREAD_DETACHES
    pthread_detach(thread);
#endif
    sem_wait(&detached);
    int code = pthread_join(thread, NULL);
    sem_post(&go);
#ifdef SAFE
    code = code == EINVAL ? 0 : EINVAL;
#endif
    assert(code != EINVAL); // here
    return 0;
}
