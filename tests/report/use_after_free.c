/* One thread frees what another one still uses. */
#include <pthread.h>
#include <stdlib.h>
struct node {
    int refs;
    struct node *next;
};
static struct node *shared;
static void *run(void *unused) {
    struct node *mine = shared;
    mine->refs++;
    return unused;
}
int main(void) {
    pthread_t a;
    shared = malloc(sizeof *shared);
    shared->refs = 1;
    pthread_create(&a, 0, run, 0);
    free(shared);
    pthread_join(a, 0);
    return 0;
}
