// Memory pools after the Apache Portable Runtime: an allocator with a lock keeps freed blocks; pools take their blocks
// from it, hand out memory from them, have child pools and functions to call when they are destroyed. Each thread makes
// a pool below the root pool, uses it and destroys it.
#include "harness.h"

#ifndef THREADS
#define THREADS 2
#endif
#define BLOCK_WORDS 4

struct block {
    struct block *next;
    int used;
    int words[BLOCK_WORDS];
};

struct allocator {
    pthread_mutex_t lock;
    struct block *free;
    int handed_out;
};

struct cleanup {
    void (*call)(int *argument);
    int *argument;
};

struct pool {
    struct pool *parent, *child, *sibling;
    struct allocator *allocator;
    struct block *blocks;
    struct cleanup cleanup;
};

static struct allocator allocator = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t tree_lock = PTHREAD_MUTEX_INITIALIZER;
static struct pool *root;
static int cleaned[THREADS];

static struct block *block_take(struct allocator *from) {
    pthread_mutex_lock(&from->lock);
    struct block *block = from->free;
    if (block) {
        from->free = block->next;
    }
    from->handed_out++;
    pthread_mutex_unlock(&from->lock);
    if (!block) {
        block = malloc(sizeof *block);
    }
    block->next = NULL;
    block->used = 0;
    return block;
}

static void blocks_return(struct allocator *to, struct block *block) {
    pthread_mutex_lock(&to->lock);
    while (block) {
        struct block *next = block->next;
        block->next = to->free;
        to->free = block;
        to->handed_out--;
        block = next;
    }
    pthread_mutex_unlock(&to->lock);
}

static struct pool *pool_create(struct pool *parent) {
    struct pool *pool = calloc(1, sizeof *pool);
    pool->allocator = &allocator;
    pool->blocks = block_take(&allocator);
    pool->parent = parent;
    if (parent) {
        pthread_mutex_lock(&tree_lock);
        pool->sibling = parent->child;
        parent->child = pool;
        pthread_mutex_unlock(&tree_lock);
    }
    return pool;
}

static int *pool_words(struct pool *pool, int count) {
    if (pool->blocks->used + count > BLOCK_WORDS) {
        struct block *block = block_take(pool->allocator);
        block->next = pool->blocks;
        pool->blocks = block;
    }
    int *words = &pool->blocks->words[pool->blocks->used];
    pool->blocks->used += count;
    return words;
}

static void pool_unlink(struct pool *pool) {
    pthread_mutex_lock(&tree_lock);
    struct pool **link = &pool->parent->child;
    while (*link != pool) {
        link = &(*link)->sibling;
    }
    *link = pool->sibling;
    pthread_mutex_unlock(&tree_lock);
}

static void pool_destroy(struct pool *pool) {
    if (pool->parent) {
        pool_unlink(pool);
    }
    if (pool->cleanup.call) {
        pool->cleanup.call(pool->cleanup.argument);
    }
    blocks_return(pool->allocator, pool->blocks);
    free(pool);
}

static void set(int *word) {
    *word = 1;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    struct pool *pool = pool_create(root);
    pool->cleanup = (struct cleanup){set, &cleaned[me]};
    int *first = pool_words(pool, 3);
    int *second = pool_words(pool, 2);
    *first = me;
    *second = me + THREADS;
    assert(*first == me && *second == me + THREADS);
    pool_destroy(pool);
    return NULL;
}

int main(void) {
    root = pool_create(NULL);
    run_threads(THREADS, work);
    assert(!root->child);
    for (int i = 0; i < THREADS; i++) {
        assert(cleaned[i]);
    }
    pool_destroy(root);
    assert(allocator.handed_out == 0);
    return 0;
}
