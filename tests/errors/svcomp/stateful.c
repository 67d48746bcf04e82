// check --model sc --engine brute => violation reach_error:35
// check --model sc --engine brute -DSAFE => safe
// Two threads under two mutexes, in the manner of the SV-COMP programs.
extern void abort(void);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
typedef unsigned long pthread_t;
typedef union {
    char size[40];
    long align;
} pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);

pthread_mutex_t ma, mb;
int data1 = 10, data2 = 10;

void *thread1(void *arg) {
    pthread_mutex_lock(&ma);
    data1++;
#ifndef SAFE
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&ma);
#endif
    data2++;
    pthread_mutex_unlock(&ma);
    return 0;
}

void *thread2(void *arg) {
    pthread_mutex_lock(&ma);
    if (data1 != data2) {
        reach_error(); // here
        abort();
    }
    pthread_mutex_unlock(&ma);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
