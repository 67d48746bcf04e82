/* Chains: for every 8-byte word of memory the events that access it, newest first.  Following a chain with the set of
 * bytes that are still open finds what an event depends on; the search ends when each byte has met a write. */
#ifndef PICKET_EXPLORE_CHAINS_H
#define PICKET_EXPLORE_CHAINS_H

#include "engine/label.h"
#include "util/vector.h"

#define NO_LINK UINT32_MAX

struct chain_link {
    uint32_t event;
    uint32_t previous; /* index of a link, or NO_LINK */
    uint32_t slot;     /* of the link's word */
    uint8_t bytes;     /* of the word */
    bool writes;
    bool adds;
    bool undoable; /* `old` is set; not for the end of an object, which leaves its bytes as they are */
    uint64_t old;  /* the word before a write; of an add: the number added */
};

/* A change of bytes by an event. */
struct change {
    uint64_t address;
    uint32_t size;
    uint64_t before[2]; /* the old bytes; 0 beyond the size */
    uint64_t added;
};

struct chains {
    struct vector links; /* of struct chain_link */
    uint64_t *keys;      /* by slot: its word + 1; 0: free */
    uint32_t *heads;     /* by slot: the newest link */
    size_t capacity;
    size_t count;
    uint32_t latest; /* the slot found last */
};

void chains_init(struct chains *chains);
void chains_delete(struct chains *chains);

/* The slot of a word. */
uint32_t chains_find(struct chains *chains, uint64_t word);

static inline uint32_t chains_slot(struct chains *chains, uint64_t word) {
    return chains->keys[chains->latest] == word + 1 ? chains->latest : chains_find(chains, word);
}

/* The newest link of a word, or NO_LINK. */
static inline uint32_t chains_head(struct chains *chains, uint64_t word) {
    uint32_t slot = chains_slot(chains, word); /* before the heads are read, since it may move them */
    return chains->heads[slot];
}

static inline const struct chain_link *chains_at(const struct chains *chains, uint32_t link) {
    return vector_at(&chains->links, link);
}

/* Adds an access of an event; `change` may be NULL if the access changes nothing, or if the old bytes are not needed.
 * chains_cut removes all links but the first `count`. */
void chains_add(struct chains *chains, uint32_t event, const struct access *access, const struct change *change);
void chains_cut(struct chains *chains, size_t count);

/* The bytes of a word that an access accesses. */
static inline uint8_t bytes_in_word(const struct access *access, uint64_t word) {
    uint64_t base = word * 8;
    uint64_t from = access->address > base ? access->address - base : 0;
    uint64_t end = access->address + access->size - base;
    end = end > 8 ? 8 : end;
    return (uint8_t)((0xffu << from) & (0xffu >> (8 - end)));
}

#endif
