/* A list that is searched with the address of the pointer to each node: the field of a node has its name there, too. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct conn {
    int fd;
    struct conn *next;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct conn *list;
static void add(int fd) {
    struct conn *c = malloc(sizeof *c);
    c->fd = fd;
    pthread_mutex_lock(&lock);
    c->next = list;
    list = c;
    pthread_mutex_unlock(&lock);
}
static struct conn *find(int fd) {
    pthread_mutex_lock(&lock);
    struct conn *c = list;
    while (c && c->fd != fd)
        c = c->next;
    pthread_mutex_unlock(&lock);
    return c;
}
static void drop(int fd) {
    pthread_mutex_lock(&lock);
    for (struct conn **p = &list; *p; p = &(*p)->next)
        if ((*p)->fd == fd) {
            struct conn *c = *p;
            *p = c->next;
            free(c);
            break;
        }
    pthread_mutex_unlock(&lock);
}
static void *user(void *unused) {
    struct conn *c = find(4);
    if (c)
        printf("%d\n", c->fd);
    return unused;
}
static void *closer(void *unused) {
    drop(4);
    return unused;
}
int main(void) {
    pthread_t a, b;
    add(3);
    add(4);
    add(5);
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, closer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
