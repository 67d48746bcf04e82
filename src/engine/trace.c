/* Computes the trace of an execution from its steps.
 *
 * Each byte of memory that is accessed has a chain of writers, and the sum of what was added since the last of them.
 * Each chain and each thread's sequence of events has a hash of its own, and the hashes are added up, so that their
 * order does not count. */
#include "engine/trace.h"

#include <stdlib.h>
#include <string.h>

#include "engine/noticing.h"
#include "ir/sync.h"
#include "util/hash_table.h"
#include "util/memory.h"

/* An event: its thread and its number in that thread; number 0 is the initial value. */
struct event {
    uint32_t thread;
    uint32_t number;
};

struct replayed {
    struct hash_table *writers; /* byte address -> struct event, the last to reach memory */
    struct hash_table *chains;  /* byte address -> running hash of its writers */
    struct hash_table *adds;    /* byte address -> sum of the hashes of the adds since then */
    struct hash_table *stores;  /* (thread, serial) -> event number of the store */
    struct hash_table *counts;  /* thread -> events so far */
    struct hash_table *lines;   /* thread -> running hash of its events */
};

void trace_init(struct trace *trace, const struct program *program) {
    trace->noticed = threads_are_noticed(program);
    vector_init(&trace->steps, sizeof(struct step));
    vector_init(&trace->accesses, sizeof(struct effect_access));
    vector_init(&trace->ends, sizeof(size_t));
    trace->buffered = false;
}

void trace_delete(struct trace *trace) {
    vector_delete(&trace->steps);
    vector_delete(&trace->accesses);
    vector_delete(&trace->ends);
}

void trace_add(struct trace *trace, const struct machine *machine) {
    struct step *step = vector_grow(&trace->steps, 1);
    *step = *machine_last(machine);
    trace->buffered = machine_model(machine) != MODEL_SC;
    step->thread = machine_thread_number(machine, step->thread);
    if (step->kind == STEP_SYNC && (trace->noticed || !sync_is_thread(step->sub))) {
        const struct effect_access *accesses = step->effect->accesses.data;
        for (size_t i = 0; i < step->effect->accesses.count; i++) {
            vector_push(&trace->accesses, &accesses[i]);
        }
    }
    vector_push(&trace->ends, &trace->accesses.count);
}

void trace_cut(struct trace *trace, size_t count) {
    trace->steps.count = trace->ends.count = count;
    trace->accesses.count = count > 0 ? *(size_t *)vector_at(&trace->ends, count - 1) : 0;
}

static uint64_t mixed(uint64_t hash, uint64_t value) {
    const uint64_t both[] = {hash, value};
    return XXH3_64bits(both, sizeof both);
}

static uint64_t packed(struct event event) {
    return (uint64_t)event.thread << 32 | event.number;
}

static uint64_t added_to(const struct replayed *replayed, uint64_t address) {
    const uint64_t *adds = hash_table_find(replayed->adds, &address, sizeof address);
    return adds ? *adds : 0;
}

static void write_byte(struct replayed *replayed, uint64_t address, struct event event) {
    *hash_table_slot(replayed->writers, &address, sizeof address, NULL) = packed(event);
    uint64_t *chain = hash_table_slot(replayed->chains, &address, sizeof address, NULL);
    uint64_t adds = added_to(replayed, address);
    if (adds) {
        *chain = mixed(*chain, adds);
        *hash_table_slot(replayed->adds, &address, sizeof address, NULL) = 0;
    }
    *chain = mixed(*chain, packed(event));
}

static void add_byte(struct replayed *replayed, uint64_t address, struct event event) {
    *hash_table_slot(replayed->adds, &address, sizeof address, NULL) += mixed(1, packed(event));
}

/* The source of a read of the byte: its last writer, and what was added since. */
static uint64_t last_writer(const struct replayed *replayed, uint64_t address) {
    const uint64_t *writer = hash_table_find(replayed->writers, &address, sizeof address);
    uint64_t adds = added_to(replayed, address);
    return adds ? mixed(adds, writer ? *writer : 0) : writer ? *writer : 0;
}

static uint64_t *store_slot(struct replayed *replayed, const struct step *step) {
    const uint64_t key[] = {step->thread, step->serial};
    return hash_table_slot(replayed->stores, key, sizeof key, NULL);
}

/* Bytes written by the end of an object: its first one suffices, since every access is inside some object's range. */
static uint64_t written_bytes(const struct step *step) {
    bool end = step->kind == STEP_FREE || step->kind == STEP_LEAVE || step->ends_object;
    return end ? step->other : step->size;
}

static bool is_event(const struct step *step) {
    return step->kind != STEP_FENCE && step->kind != STEP_DRAIN && step->kind != STEP_ATOMIC_BEGIN &&
           step->kind != STEP_ATOMIC_END;
}

/* A buffered store reaches memory with its drain; every other write at once. */
static bool writes_now(const struct step *step, bool buffered) {
    bool through_buffer = step->kind == STEP_STORE || step->kind == STEP_FREE || step->kind == STEP_LEAVE;
    return step->writes && (!through_buffer || !buffered);
}

/* The operation reads the old value before it changes it. */
static uint64_t replay_accesses(struct replayed *replayed, const struct effect_access *accesses, size_t count,
                                struct event event, uint64_t hash) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t access[] = {accesses[i].address, accesses[i].size, accesses[i].kind};
        hash = mixed(hash, XXH3_64bits(access, sizeof access));
        for (uint64_t byte = 0; byte < accesses[i].size && (accesses[i].kind & ACCESS_READ); byte++) {
            hash = mixed(hash, last_writer(replayed, accesses[i].address + byte));
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (uint64_t byte = 0; byte < accesses[i].size; byte++) {
            if (accesses[i].kind & ACCESS_WRITE) {
                write_byte(replayed, accesses[i].address + byte, event);
            } else if (accesses[i].kind & ACCESS_ADD) {
                add_byte(replayed, accesses[i].address + byte, event);
            }
        }
    }
    return hash;
}

static void replay_event(struct replayed *replayed, const struct step *step, bool buffered,
                         const struct effect_access *accesses, size_t accesses_count) {
    uint64_t thread = step->thread;
    uint64_t *count = hash_table_slot(replayed->counts, &thread, sizeof thread, NULL);
    struct event event = {.thread = step->thread, .number = (uint32_t)++*count};
    bool result = step->kind == STEP_NONDET || step->kind == STEP_SYNC;
    const uint64_t label[] = {
        step->kind, step->sub, step->address, step->size, step->writes, step->pos, result ? step->result : 0};
    uint64_t hash = XXH3_64bits(label, sizeof label);
    for (unsigned i = 0; step->reads && i < step->size; i++) {
        const uint64_t key[] = {step->thread, step->serial};
        const uint64_t *own = step->forwarded ? hash_table_find(replayed->stores, key, sizeof key) : NULL;
        struct event source = {.thread = step->thread, .number = own ? (uint32_t)*own : 0};
        hash = mixed(hash, own ? packed(source) : last_writer(replayed, step->address + i));
    }
    hash = replay_accesses(replayed, accesses, accesses_count, event, hash);
    uint64_t *line = hash_table_slot(replayed->lines, &thread, sizeof thread, NULL);
    *line = mixed(*line, hash);
    if (step->kind == STEP_STORE || step->kind == STEP_FREE || step->kind == STEP_LEAVE) {
        *store_slot(replayed, step) = event.number;
    }
    if (writes_now(step, buffered)) {
        for (uint64_t i = 0; i < written_bytes(step); i++) {
            write_byte(replayed, step->address + i, event);
        }
    }
}

static void replay_drain(struct replayed *replayed, const struct step *step) {
    struct event event = {.thread = step->thread, .number = (uint32_t)*store_slot(replayed, step)};
    for (uint64_t i = 0; i < written_bytes(step); i++) {
        write_byte(replayed, step->address + i, event);
    }
}

XXH128_hash_t trace_name(const struct trace *trace) {
    struct replayed replayed = {hash_table_new(), hash_table_new(), hash_table_new(),
                                hash_table_new(), hash_table_new(), hash_table_new()};
    const size_t *ends = trace->ends.data;
    const struct step *steps = trace->steps.data;
    XXH128_hash_t name = {0, 0};
    for (size_t i = 0; i < trace->steps.count; i++) {
        if (steps[i].kind == STEP_DRAIN) {
            replay_drain(&replayed, &steps[i]);
        } else if (is_event(&steps[i])) {
            size_t first = i > 0 ? ends[i - 1] : 0;
            const struct effect_access *accesses = trace->accesses.data;
            replay_event(&replayed, &steps[i], trace->buffered, accesses + first, ends[i] - first);
        }
    }
    const struct hash_table *tables[] = {replayed.lines, replayed.chains, replayed.adds};
    for (int t = 0; t < 3; t++) {
        size_t cursor = 0;
        const void *key;
        uint64_t value;
        while (hash_table_each(tables[t], &cursor, &key, &value)) {
            uint64_t number;
            memcpy(&number, key, sizeof number);
            if (t == 2 && value == 0) {
                continue; /* written since */
            }
            const uint64_t item[] = {(uint64_t)t, number, value};
            XXH128_hash_t hash = XXH3_128bits(item, sizeof item);
            name.low64 += hash.low64;
            name.high64 += hash.high64;
        }
    }
    hash_table_free(replayed.writers);
    hash_table_free(replayed.chains);
    hash_table_free(replayed.adds);
    hash_table_free(replayed.stores);
    hash_table_free(replayed.counts);
    hash_table_free(replayed.lines);
    return name;
}
