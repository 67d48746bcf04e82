// run => native
// A binary search tree with insertion through pointers to pointers, deletion and traversal.
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static void insert(struct tree **t, int key) {
    while (*t) {
        if (key == (*t)->key)
            return;
        t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    }
    *t = calloc(1, sizeof **t);
    (*t)->key = key;
}

static void delete(struct tree **t, int key) {
    while (*t && (*t)->key != key)
        t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    struct tree *victim = *t;
    if (!victim)
        return;
    if (victim->left && victim->right) {
        struct tree **s = &victim->right;
        while ((*s)->left)
            s = &(*s)->left;
        struct tree *successor = *s;
        victim->key = successor->key;
        *s = successor->right;
        free(successor);
    } else {
        *t = victim->left ? victim->left : victim->right;
        free(victim);
    }
}

static int height(const struct tree *t) {
    if (!t)
        return 0;
    int l = height(t->left), r = height(t->right);
    return 1 + (l > r ? l : r);
}

static void walk(const struct tree *t) {
    if (t) {
        walk(t->left);
        printf("%d ", t->key);
        walk(t->right);
    }
}

int main(void) {
    struct tree *root = NULL;
    unsigned seed = 7;
    for (int i = 0; i < 40; i++) {
        seed = seed * 1103515245u + 12345u;
        insert(&root, (int)(seed >> 16) % 100);
    }
    walk(root);
    printf("\n%d\n", height(root));
    for (int i = 0; i < 100; i += 3)
        delete (&root, i);
    walk(root);
    printf("\n%d\n", height(root));
    while (root)
        delete (&root, root->key);
    return 0;
}
