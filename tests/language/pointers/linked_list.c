// run => native
// A doubly linked list and in-place reversal of a singly linked one.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next, *previous;
};
struct list {
    struct node head;
};

static void init(struct list *l) {
    l->head.next = l->head.previous = &l->head;
}

static void insert(struct node *after, int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = after->next;
    n->previous = after;
    after->next->previous = n;
    after->next = n;
}

static void delete(struct node *n) {
    n->next->previous = n->previous;
    n->previous->next = n->next;
    free(n);
}

struct single {
    int value;
    struct single *next;
};

static struct single *reverse(struct single *list) {
    struct single *result = NULL;
    while (list) {
        struct single *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

int main(void) {
    struct list l;
    init(&l);
    for (int i = 0; i < 10; i++) {
        insert(i % 2 ? &l.head : l.head.previous, i);
    }
    for (struct node *n = l.head.next; n != &l.head; n = n->next) {
        printf("%d ", n->value);
    }
    printf("\n");
    for (struct node *n = l.head.next, *next; n != &l.head; n = next) {
        next = n->next;
        if (n->value % 3 == 0)
            delete (n);
    }
    for (struct node *n = l.head.previous; n != &l.head; n = n->previous) {
        printf("%d ", n->value);
    }
    printf("\n");
    while (l.head.next != &l.head)
        delete (l.head.next);
    struct single nodes[5], *chain = NULL;
    for (int i = 0; i < 5; i++) {
        nodes[i] = (struct single){i, chain};
        chain = &nodes[i];
    }
    for (struct single *s = reverse(chain); s; s = s->next)
        printf("%d ", s->value);
    printf("\n");
    return 0;
}
