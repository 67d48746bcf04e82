// check --model sc --engine brute => safe assuming malloc
// check --model tso --engine brute => safe assuming malloc
// check --model pso --engine brute => violation assertion:32
// check --model pso --engine brute -DRELEASE => safe assuming malloc
// A structure is filled and then published by a pointer; under PSO the pointer may come first.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct message {
    int number;
    int check;
};

static struct message *published;

static void *writer(void *unused) {
    struct message *m = malloc(sizeof *m);
    m->number = 7;
    m->check = 8;
#ifdef RELEASE
    __atomic_store_n(&published, m, __ATOMIC_RELEASE);
#else
    published = m;
#endif
    return unused;
}

static void *reader(void *unused) {
    struct message *m = published;
    if (m)
        assert(m->number + 1 == m->check); // here
    return unused;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    free(published);
    return 0;
}
