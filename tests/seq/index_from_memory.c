// check --engine seq --model sc => safe assuming malloc
// check --engine seq --model tso => safe assuming malloc
// check --engine seq --model pso => safe assuming malloc
// check --engine seq --model tso -DWRONG => violation out-of-bounds:30
// Two threads fill tables at indices that they read from memory: what the counters can be is known, so no other object
// is taken for a part of the tables.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef WRONG
#define SIZE 5
#else
#define SIZE 6
#endif

struct table {
    struct table *next;
    int used;
    int words[SIZE];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table *tables[2];

static void *fill(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        struct table *to = tables[i % 2 == 0];
        to->words[to->used++] = i;
        if (i % 2 == 0) {
            to->next = to;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    tables[0] = calloc(1, sizeof *tables[0]);
    tables[1] = tables[0];
    pthread_create(&threads[0], NULL, fill, NULL);
    pthread_create(&threads[1], NULL, fill, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(tables[0]->used == 6 && tables[0]->next == tables[0]);
    return 0;
}
