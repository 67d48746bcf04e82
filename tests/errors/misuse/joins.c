// check -DTWICE => violation bad-join:34
// check -DTWICE --engine brute => violation bad-join:34
// check -DTWICE --engine reach => violation bad-join:34
// check -DTWICE --engine seq => violation bad-join:34
// check -DTWICE --engine rounds => violation bad-join:34
// check -DTWICE --check no-misuse => safe
// check -DDETACHED => violation bad-join:38
// check -DATTRIBUTE => violation bad-join:47
// check -DRACING => violation bad-join
// check -DRACING --engine brute => violation bad-join
// check -DRACING --check no-misuse => safe
// check -DDETACHED_TWICE => violation bad-join:52
// check => safe
// A thread is joined twice, or was detached before.
#include <pthread.h>

static pthread_t thread;

static void *work(void *unused) {
    return unused;
}

static void *joiner(void *unused) {
    pthread_join(thread, NULL);
    return unused;
}

int main(void) {
    pthread_t second;
    pthread_attr_t attributes;
#ifdef TWICE
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_join(thread, NULL);
#elif defined DETACHED
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    pthread_join(thread, NULL);
#elif defined RACING
    pthread_create(&thread, NULL, work, NULL);
    pthread_create(&second, NULL, joiner, NULL);
    pthread_join(thread, NULL);
#elif defined ATTRIBUTE
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, NULL);
    pthread_join(thread, NULL);
#elif defined DETACHED_TWICE

    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    pthread_detach(thread);
#else
    pthread_create(&thread, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_join(second, NULL);
#endif
    return 0;
}
