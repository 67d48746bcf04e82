/* Words are found by hashing; a word keeps its place when its chain is empty again. */
#include "explore/chains.h"

#include <stdlib.h>

#include "util/memory.h"

#define FIRST_CAPACITY 256

void chains_init(struct chains *chains) {
    *chains = (struct chains){.capacity = FIRST_CAPACITY};
    vector_init(&chains->links, sizeof(struct chain_link));
    chains->keys = memory_allocate(chains->capacity * sizeof *chains->keys);
    chains->heads = memory_allocate(chains->capacity * sizeof *chains->heads);
}

void chains_delete(struct chains *chains) {
    vector_delete(&chains->links);
    free(chains->keys);
    free(chains->heads);
}

uint32_t *chains_head(struct chains *chains, uint64_t word) {
    uint64_t key = word + 1;
    size_t mask = chains->capacity - 1;
    for (size_t i = word * UINT64_C(0x9e3779b97f4a7c15) >> 20 & mask;; i = (i + 1) & mask) {
        if (chains->keys[i] == key) {
            return &chains->heads[i];
        }
        if (chains->keys[i] == 0) {
            if (chains->count * 2 >= chains->capacity) {
                break;
            }
            chains->count++;
            chains->keys[i] = key;
            chains->heads[i] = NO_LINK;
            return &chains->heads[i];
        }
    }
    uint64_t *keys = chains->keys;
    uint32_t *heads = chains->heads;
    size_t capacity = chains->capacity;
    chains->capacity *= 2;
    chains->count = 0;
    chains->keys = memory_allocate(chains->capacity * sizeof *keys);
    chains->heads = memory_allocate(chains->capacity * sizeof *heads);
    for (size_t i = 0; i < capacity; i++) {
        if (keys[i]) {
            *chains_head(chains, keys[i] - 1) = heads[i];
        }
    }
    free(keys);
    free(heads);
    return chains_head(chains, word);
}

void chains_add(struct chains *chains, uint32_t event, const struct access *access) {
    for (uint64_t word = access->address / 8; word <= (access->address + access->size - 1) / 8; word++) {
        uint32_t *head = chains_head(chains, word);
        struct chain_link link = {
            .event = event,
            .previous = *head,
            .word = word,
            .bytes = bytes_in_word(access, word),
            .writes = access->writes,
        };
        *head = (uint32_t)chains->links.count;
        vector_push(&chains->links, &link);
    }
}

void chains_cut(struct chains *chains, size_t count) {
    while (chains->links.count > count) {
        const struct chain_link *link = vector_at(&chains->links, --chains->links.count);
        *chains_head(chains, link->word) = link->previous;
    }
}
