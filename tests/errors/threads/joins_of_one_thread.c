// check --check no-misuse --engine brute --model sc -DJOIN => violation assertion:75
// check --check no-misuse --engine explore --model sc -DJOIN => violation assertion:75
// check --check no-misuse --engine explore --model tso -DJOIN => violation assertion:75
// check --check no-misuse --engine explore --model pso -DJOIN => violation assertion:75
// check --check no-misuse --engine explore --dpor source --model sc -DJOIN => violation assertion:75
// check --check no-misuse --engine explore -j 2 --model sc -DJOIN => violation assertion:75
// check --check no-misuse --engine reach --model sc -DJOIN => violation assertion:75
// check --check no-misuse --engine reach --model tso -DJOIN => violation assertion:75
// check --check no-misuse --engine lazy -DJOIN => violation assertion:75
// check --check no-misuse --engine rounds --rounds 3 -DJOIN => violation assertion:75
// check --check no-misuse --engine brute --model sc -DDETACH => violation assertion:75
// check --check no-misuse --engine explore --model sc -DDETACH => violation assertion:75
// check --check no-misuse --engine explore --model tso -DDETACH => violation assertion:75
// check --check no-misuse --engine reach --model sc -DDETACH => violation assertion:75
// check --check no-misuse --engine lazy -DDETACH => violation assertion:75
// check --check no-misuse --engine rounds --rounds 3 -DDETACH => violation assertion:75
// check --check no-misuse --engine brute --model sc -DTRYJOIN => violation assertion:75
// check --check no-misuse --engine explore --model sc -DTRYJOIN => violation assertion:75
// check --check no-misuse --engine reach --model sc -DTRYJOIN => violation assertion:75
// check --check no-misuse --engine brute --model sc -DDETACH -DMAIN_DETACHES => violation assertion:75
// check --check no-misuse --engine explore --model sc -DDETACH -DMAIN_DETACHES => violation assertion:75
// check --check no-misuse --engine brute --model sc -DJOIN -DMAIN_DETACHES => violation assertion:75
// check --check no-misuse --engine explore --model sc -DJOIN -DMAIN_DETACHES => violation assertion:75
// check --check no-misuse --engine brute --model sc -DTRYJOIN -DMAIN_DETACHES => violation assertion:75
// check --check no-misuse --engine explore --model pso -DTRYJOIN -DMAIN_DETACHES => violation assertion:75
// check --check no-misuse --engine brute --model sc -DDETACH -DMAIN_TRIES => violation assertion:75
// check --check no-misuse --engine explore --model sc -DDETACH -DMAIN_TRIES => violation assertion:75
// check --check no-misuse --engine brute --model sc -DJOIN -DMAIN_TRIES => violation assertion:75
// check --check no-misuse --engine explore --model sc -DJOIN -DMAIN_TRIES => violation assertion:75
// check --check no-misuse --engine brute --model sc -DJOIN -DTHIRD => violation assertion:75
// check --check no-misuse --engine explore --model sc -DJOIN -DTHIRD => violation assertion:75
// check --check no-misuse --engine brute --model sc -DSELF => violation assertion:75
// check --check no-misuse --engine explore --model sc -DSELF => violation assertion:75
//
// Only one of several joins of a thread returns 0, and none after its detachment.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_t target;

static void *run(void *unused) {
#ifdef SELF
    pthread_detach(pthread_self());
#endif
    return unused;
}

static void *other(void *unused) {
#if defined JOIN
    pthread_join(target, NULL);
#elif defined DETACH
    pthread_detach(target);
#elif defined TRYJOIN
    pthread_tryjoin_np(target, NULL);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&target, NULL, run, NULL);
    pthread_create(&threads[0], NULL, other, NULL);
#ifdef THIRD
    pthread_create(&threads[1], NULL, other, NULL);
#endif
#if defined MAIN_DETACHES
    int code = pthread_detach(target);
#elif defined MAIN_TRIES
    int code = pthread_tryjoin_np(target, NULL);
#else
    int code = pthread_join(target, NULL);
#endif
    assert(code != EINVAL); // here
    return 0;
}
