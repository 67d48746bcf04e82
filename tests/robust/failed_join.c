// robust --engine explore --model tso -DNOBODY => safe
// robust --engine oracle --model tso -DNOBODY => safe
// robust --engine explore --model pso -DNOBODY => safe
// robust --engine explore --model tso -DITSELF => safe
// robust --engine oracle --model tso -DITSELF => safe
// robust --engine explore --model tso -DDETACHED => safe
// robust --engine oracle --model tso -DDETACHED => safe
// robust --engine explore --model tso -DRUNNING => safe
// robust --engine oracle --model tso -DRUNNING => safe
//
// A join that fails comes after nothing of another thread, in particular not after main's store.
#define _GNU_SOURCE
#include <pthread.h>

static volatile int x;
static volatile int seen;
static pthread_t other;

static void *wait(void *unused) {
    return unused;
}

static void *run(void *unused) {
#if defined NOBODY
    pthread_join(pthread_self() + 6, NULL); // numbers follow the creation tree
#elif defined ITSELF
    pthread_join(pthread_self(), NULL);
#elif defined DETACHED
    pthread_join(other, NULL);
#else
    pthread_tryjoin_np(other, NULL);
#endif
    seen = x;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&other, NULL, wait, NULL);
#ifdef DETACHED
    pthread_detach(other);
#endif
    pthread_create(&thread, NULL, run, NULL);
    x = 2;
    return 0;
}
