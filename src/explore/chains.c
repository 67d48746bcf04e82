/* Words are found by hashing; a word keeps its slot when its chain becomes empty. */
#include "explore/chains.h"

#include <stdlib.h>
#include <string.h>

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

/* Doubles the number of slots, and updates the slots of the links. */
static void grow(struct chains *chains) {
    uint64_t *keys = chains->keys;
    uint32_t *heads = chains->heads;
    size_t capacity = chains->capacity;
    chains->capacity *= 2;
    chains->count = 0;
    chains->latest = 0;
    chains->keys = memory_allocate(chains->capacity * sizeof *keys);
    chains->heads = memory_allocate(chains->capacity * sizeof *heads);
    for (size_t i = 0; i < capacity; i++) {
        if (keys[i]) {
            uint32_t slot = chains_find(chains, keys[i] - 1);
            chains->heads[slot] = heads[i];
            for (uint32_t link = heads[i]; link != NO_LINK;) {
                struct chain_link *at = vector_at(&chains->links, link);
                at->slot = slot;
                link = at->previous;
            }
        }
    }
    free(keys);
    free(heads);
}

uint32_t chains_find(struct chains *chains, uint64_t word) {
    uint64_t key = word + 1;
    if (chains->count * 2 >= chains->capacity) {
        grow(chains);
    }
    size_t mask = chains->capacity - 1;
    size_t i = word * UINT64_C(0x9e3779b97f4a7c15) >> 20 & mask;
    while (chains->keys[i] != key && chains->keys[i] != 0) {
        i = (i + 1) & mask;
    }
    if (chains->keys[i] == 0) {
        chains->count++;
        chains->keys[i] = key;
        chains->heads[i] = NO_LINK;
    }
    chains->latest = (uint32_t)i;
    return chains->latest;
}

/* The bytes of a word that a change of at most 16 bytes has overwritten. */
static uint64_t word_before(const struct change *change, uint64_t word) {
    uint64_t base = word * 8;
    if (change->address >= base) {
        return change->before[0] << 8 * (change->address - base);
    }
    unsigned __int128 before = (unsigned __int128)change->before[1] << 64 | change->before[0];
    return (uint64_t)(before >> 8 * (base - change->address));
}

/* Merges a write of other bytes of the word by the same event, which has the newest link, with that link. */
static bool join_link(struct chain_link *link, uint32_t event, const struct access *access, const struct change *change,
                      uint64_t word) {
    uint8_t bytes = bytes_in_word(access, word);
    if (link->event != event || !link->undoable || !link->writes || !access->writes || (link->bytes & bytes)) {
        return false;
    }
    link->bytes |= bytes;
    link->old |= word_before(change, word);
    return true;
}

void chains_add(struct chains *chains, uint32_t event, const struct access *access, const struct change *change) {
    bool known = change && access_changes(access) && access->size <= sizeof change->before;
    for (uint64_t word = access->address / 8; word <= (access->address + access->size - 1) / 8; word++) {
        uint32_t slot = chains_slot(chains, word);
        uint32_t *head = &chains->heads[slot];
        uint32_t previous = *head;
        if (known && previous != NO_LINK &&
            join_link(vector_at(&chains->links, previous), event, access, change, word)) {
            continue;
        }
        *head = (uint32_t)chains->links.count;
        *(struct chain_link *)vector_room(&chains->links) = (struct chain_link){
            .event = event,
            .previous = previous,
            .slot = slot,
            .bytes = bytes_in_word(access, word),
            .writes = access->writes,
            .adds = access->adds,
            .undoable = known,
            .old = !known         ? 0
                   : access->adds ? change->added
                                  : word_before(change, word),
        };
    }
}

void chains_cut(struct chains *chains, size_t count) {
    while (chains->links.count > count) {
        const struct chain_link *link = vector_at(&chains->links, --chains->links.count);
        chains->heads[link->slot] = link->previous;
    }
}
