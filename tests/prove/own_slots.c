// prove => safe
// prove -DSAME => safe
/* Each thread has slots of its own, given by the counter of the loop that creates the threads.  With SAME they all have
 * the same ones: then the proof needs the fact that a thread that reads a slot has itself stored there. */
#include <picket.h>
#include <pthread.h>

#ifdef SAME
#define THREADS 2
#define SLOT(i) ((i) - (i) + 1)
#else
#define THREADS 64
#define SLOT(i) (i)
#endif

static int slots[THREADS];
static int marks[THREADS];
static int seen[THREADS];

static void *work(void *argument) {
    long i = (long)argument;
    long slot = SLOT(i);
    slots[slot] = 1;
    seen[i] = 2 * marks[slot];
    picket_fence();
    marks[slot] = 1;
    seen[i] += slots[slot];
    return NULL;
}

int main(void) {
    for (long i = 0; i < THREADS; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, (void *)i);
    }
    return 0;
}
