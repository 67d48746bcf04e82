// run => native
// A hash map with chaining that grows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *key;
    int value;
    struct entry *next;
};
struct map {
    struct entry **buckets;
    size_t size, count;
};

static unsigned long hash(const char *s) {
    unsigned long h = 14695981039346656037u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211u;
    return h;
}

static void grow(struct map *m) {
    size_t size = m->size ? m->size * 2 : 4;
    struct entry **buckets = calloc(size, sizeof *buckets);
    for (size_t i = 0; i < m->size; i++) {
        for (struct entry *e = m->buckets[i], *next; e; e = next) {
            next = e->next;
            e->next = buckets[hash(e->key) % size];
            buckets[hash(e->key) % size] = e;
        }
    }
    free(m->buckets);
    m->buckets = buckets;
    m->size = size;
}

static int *get(struct map *m, const char *key) {
    if (m->count >= m->size)
        grow(m);
    struct entry **b = &m->buckets[hash(key) % m->size];
    for (struct entry *e = *b; e; e = e->next) {
        if (strcmp(e->key, key) == 0)
            return &e->value;
    }
    struct entry *e = malloc(sizeof *e);
    *e = (struct entry){strdup(key), 0, *b};
    *b = e;
    m->count++;
    return &e->value;
}

int main(void) {
    struct map m = {0};
    const char *text = "the quick brown fox jumps over the lazy dog and the quick cat jumps over the dog";
    char *copy = strdup(text);
    for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
        ++*get(&m, w);
    const char *keys[] = {"the", "quick", "dog", "cat", "nothing", "over"};
    for (int i = 0; i < 6; i++)
        printf("%s %d\n", keys[i], *get(&m, keys[i]));
    printf("%zu %zu\n", m.count, m.size);
    for (size_t i = 0; i < m.size; i++) {
        for (struct entry *e = m.buckets[i], *next; e; e = next) {
            next = e->next;
            free(e->key);
            free(e);
        }
    }
    free(m.buckets);
    free(copy);
    return 0;
}
