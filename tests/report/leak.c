/* Each of two threads leaves one object that no thread can free. */
#include <pthread.h>
#include <stdlib.h>
struct node {
    int refs;
    struct node *next;
};
static struct node *_Atomic shared;
static void *run(void *unused) {
    struct node *mine = malloc(sizeof *mine);
    mine->refs = 1;
    mine->next = 0;
    shared = mine;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(shared);
    return 0;
}
