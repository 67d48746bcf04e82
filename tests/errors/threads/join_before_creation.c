// check --check no-misuse --engine brute --model sc -DJOIN => violation assertion:61
// check --check no-misuse --engine explore --model sc -DJOIN => violation assertion:61
// check --check no-misuse --engine explore --model tso -DJOIN => violation assertion:61
// check --check no-misuse --engine explore --model pso -DJOIN => violation assertion:61
// check --check no-misuse --engine explore --dpor source --model sc -DJOIN => violation assertion:61
// check --check no-misuse --engine reach --model sc -DJOIN => violation assertion:61
// check --check no-misuse --engine reach --model tso -DJOIN => violation assertion:61
// check --check no-misuse --engine lazy -DJOIN => violation assertion:61
// check --check no-misuse --engine rounds --rounds 3 -DJOIN => violation assertion:61
// check --check no-misuse --engine brute --model sc -DTRYJOIN => violation assertion:61
// check --check no-misuse --engine explore --model sc -DTRYJOIN => violation assertion:61
// check --check no-misuse --engine reach --model sc -DTRYJOIN => violation assertion:61
// check --check no-misuse --engine lazy -DTRYJOIN => violation assertion:61
// check --check no-misuse --engine brute --model sc -DDETACH => violation assertion:61
// check --check no-misuse --engine explore --model sc -DDETACH => violation assertion:61
// check --check no-misuse --engine explore --model tso -DDETACH => violation assertion:61
// check --check no-misuse --engine reach --model sc -DDETACH => violation assertion:61
// check --check no-misuse --engine rounds --rounds 3 -DDETACH => violation assertion:61
// check --check no-misuse --engine brute --model sc -DJOIN -DAWAITED => violation assertion:61
// check --check no-misuse --engine explore --model sc -DJOIN -DAWAITED => violation assertion:61
// check --check no-misuse --engine reach --model sc -DJOIN -DAWAITED => violation assertion:61
// check --check no-misuse --engine brute --model sc -DDETACH -DAWAITED => violation assertion:61
// check --check no-misuse --engine explore --model pso -DDETACH -DAWAITED => violation assertion:61
// check --check no-misuse --engine brute --model sc -DJOIN -DGUESSED => violation assertion:61
// check --check no-misuse --engine explore --model sc -DJOIN -DGUESSED => violation assertion:61
// check --check no-misuse --engine reach --model sc -DJOIN -DGUESSED => violation assertion:61
// check --check no-misuse --engine lazy -DJOIN -DGUESSED => violation assertion:61
//
// pthread_create stores the number of the thread before the thread is there: who joins it too early gets ESRCH.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static volatile pthread_t x;

static void *run(void *unused) {
    return unused;
}

static void *early(void *unused) {
#if defined AWAITED
    while (!x) {
    }
    pthread_t number = x;
#elif defined GUESSED
    pthread_t number = pthread_self() + 2; // numbers follow the creation tree
#else
    pthread_t number = x;
#endif
    int code = 0;
    if (number) {
#if defined JOIN
        code = pthread_join(number, NULL);
#elif defined TRYJOIN
        code = pthread_tryjoin_np(number, NULL);
#else
        code = pthread_detach(number);
#endif
    }
    assert(code != ESRCH); // here
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, early, NULL);
    pthread_create((pthread_t *)&x, NULL, run, NULL);
    return 0;
}
