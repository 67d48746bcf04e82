/* A set of byte strings: what a candidate says, with addresses for places. */
#include "prove/refuted.h"

#include <stdlib.h>

#include "util/hash_table.h"
#include "util/memory.h"

struct refuted {
    struct hash_table *keys;
};

struct refuted *refuted_new(void) {
    struct refuted *refuted = memory_allocate(sizeof *refuted);
    refuted->keys = hash_table_new();
    return refuted;
}

void refuted_free(struct refuted *refuted) {
    if (refuted) {
        hash_table_free(refuted->keys);
        free(refuted);
    }
}

void refuted_add(struct refuted *refuted, const struct refuted *less) {
    size_t cursor = 0;
    const void *key;
    uint64_t size;
    while (hash_table_each(less->keys, &cursor, &key, &size)) {
        *hash_table_slot(refuted->keys, key, size, NULL) = size;
    }
}

/* What a candidate says; all bytes are set. */
struct key {
    uint64_t words[20];
};

static void key_place(const struct inferred *inferred, uint32_t number, uint64_t words[2]) {
    if (number < inferred->places.count) {
        const struct fact_place *place = vector_at(&inferred->places, number);
        words[0] = place->address;
        words[1] = place->size;
    }
}

static struct key fact_key(const struct inferred *inferred, const struct fact *fact) {
    struct key key = {{fact->kind, fact->relation, fact->size, fact->class, fact->point, fact->reg, fact->second_reg,
                       fact->number, fact->other_number}};
    key_place(inferred, fact->place, key.words + 10);
    key_place(inferred, fact->other, key.words + 12);
    key_place(inferred, fact->second, key.words + 14);
    if (fact_has_target(fact)) {
        const struct fact_target *target = vector_at(&inferred->targets, fact->target);
        key.words[16] = target->offset;
        key.words[17] = target->size;
    } else if (fact_has_array(fact)) {
        const struct array *array = vector_at(&inferred->arrays, fact->array);
        key.words[16] = array->address;
        key.words[17] = array->stride;
        key.words[18] = array->size;
    }
    return key;
}

static struct key pair_key(const struct fact_pair *pair) {
    struct key key = {{UINT64_MAX, pair->differ}};
    for (int end = 0; end < 2; end++) {
        uint64_t *words = key.words + 2 + 4 * end;
        words[0] = pair->class[end];
        words[1] = pair->point[end];
        words[2] = pair->reg[end];
        words[3] = pair->plus[end];
    }
    return key;
}

static bool has(const struct refuted *refuted, struct key key) {
    return hash_table_find(refuted->keys, &key, sizeof key) != NULL;
}

static void add(struct refuted *refuted, struct key key) {
    *hash_table_slot(refuted->keys, &key, sizeof key, NULL) = sizeof key;
}

void refuted_apply(const struct refuted *refuted, struct inferred *inferred) {
    for (size_t i = 0; i < inferred->facts.count; i++) {
        struct fact *fact = vector_at(&inferred->facts, i);
        fact->dropped = fact->dropped || has(refuted, fact_key(inferred, fact));
    }
    for (size_t i = 0; i < inferred->pairs.count; i++) {
        struct fact_pair *pair = vector_at(&inferred->pairs, i);
        pair->dropped = pair->dropped || has(refuted, pair_key(pair));
    }
}

void refuted_learn(struct refuted *refuted, const struct inferred *inferred) {
    for (size_t i = 0; inferred->complete && i < inferred->facts.count; i++) {
        const struct fact *fact = vector_at(&inferred->facts, i);
        if (fact->dropped) {
            add(refuted, fact_key(inferred, fact));
        }
    }
    for (size_t i = 0; inferred->complete && i < inferred->pairs.count; i++) {
        const struct fact_pair *pair = vector_at(&inferred->pairs, i);
        if (pair->dropped) {
            add(refuted, pair_key(pair));
        }
    }
}
