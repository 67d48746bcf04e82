// check --engine seq --model sc => violation dangling-pointer
// check --engine seq --model tso => violation dangling-pointer
// check --engine seq --model pso => violation dangling-pointer
// check --engine seq --model sc -DLOCKED => safe assuming malloc
// check --engine seq --model tso -DLOCKED => safe assuming malloc
// check --engine seq --model pso -DLOCKED => safe assuming malloc
// check --engine explore --model pso -DLOCKED => safe assuming malloc
// An object is freed while another thread uses it, unless a lock keeps the two apart.
#include <pthread.h>
#include <stdlib.h>

static int *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
}

static void leave(void) {
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
}

static void *user(void *unused) {
    enter();
    int *mine = shared;
    if (mine) {
        *mine = 1;
    }
    leave();
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
    pthread_create(&thread, NULL, user, NULL);
    enter();
    int *mine = shared;
    shared = NULL;
    leave();
    free(mine);
    pthread_join(thread, NULL);
}
