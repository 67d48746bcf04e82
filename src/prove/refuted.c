/* A set of byte strings: what a candidate says, with addresses for places. */
#include "prove/refuted.h"

#include <stdlib.h>

#include "util/hash_table.h"
#include "util/memory.h"

struct refuted {
    struct hash_table *keys;
    struct hash_table *observed; /* keys of candidates that were left after executions */
};

struct refuted *refuted_new(void) {
    struct refuted *refuted = memory_allocate(sizeof *refuted);
    refuted->keys = hash_table_new();
    refuted->observed = hash_table_new();
    return refuted;
}

void refuted_free(struct refuted *refuted) {
    if (refuted) {
        hash_table_free(refuted->keys);
        hash_table_free(refuted->observed);
        free(refuted);
    }
}

static void add_all(struct hash_table *keys, const struct hash_table *others) {
    size_t cursor = 0;
    const void *key;
    uint64_t size;
    while (hash_table_each(others, &cursor, &key, &size)) {
        *hash_table_slot(keys, key, size, NULL) = size;
    }
}

void refuted_add(struct refuted *refuted, const struct refuted *less) {
    add_all(refuted->keys, less->keys);
    add_all(refuted->observed, less->observed);
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

static bool has(const struct hash_table *keys, struct key key) {
    return hash_table_find(keys, &key, sizeof key) != NULL;
}

static void add(struct hash_table *keys, struct key key) {
    *hash_table_slot(keys, &key, sizeof key, NULL) = sizeof key;
}

/* Drops the candidate if it is in the set; if not, is it new to executions? */
static bool apply(const struct refuted *refuted, struct key key, bool *dropped) {
    *dropped = *dropped || has(refuted->keys, key);
    return !*dropped && !has(refuted->observed, key);
}

bool refuted_apply(const struct refuted *refuted, struct inferred *inferred) {
    bool some_new = false;
    for (size_t i = 0; i < inferred->facts.count; i++) {
        struct fact *fact = vector_at(&inferred->facts, i);
        some_new = apply(refuted, fact_key(inferred, fact), &fact->dropped) || some_new;
    }
    for (size_t i = 0; i < inferred->pairs.count; i++) {
        struct fact_pair *pair = vector_at(&inferred->pairs, i);
        some_new = apply(refuted, pair_key(pair), &pair->dropped) || some_new;
    }
    return some_new;
}

void refuted_learn(struct refuted *refuted, const struct inferred *inferred) {
    for (size_t i = 0; inferred->complete && i < inferred->facts.count; i++) {
        const struct fact *fact = vector_at(&inferred->facts, i);
        add(fact->dropped ? refuted->keys : refuted->observed, fact_key(inferred, fact));
    }
    for (size_t i = 0; inferred->complete && i < inferred->pairs.count; i++) {
        const struct fact_pair *pair = vector_at(&inferred->pairs, i);
        add(pair->dropped ? refuted->keys : refuted->observed, pair_key(pair));
    }
}
