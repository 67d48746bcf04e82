// prove => safe assuming malloc
// prove -DSHARED => safe assuming malloc
/* Each thread gets an object that was made for it in the same iteration of the creating loop.  With SHARED they all get
 * the same one: then the proof needs the fact that a thread that reads `first` again has itself stored there. */
#include <pthread.h>
#include <stdlib.h>

struct box {
    int first;
    int second;
};

static int other;

static void *work(void *argument) {
    struct box *box = argument;
    box->first = 1;
    int seen = box->second;
    box->second = seen + 1;
    other = 1;
    seen = box->first;
    box->second = seen + 2;
    return NULL;
}

int main(void) {
#ifdef SHARED
    struct box *box = calloc(1, sizeof *box);
#endif
    for (int i = 0; i < 3; i++) {
#ifndef SHARED
        struct box *box = calloc(1, sizeof *box);
#endif
        pthread_t thread;
        pthread_create(&thread, NULL, work, box);
    }
    return 0;
}
