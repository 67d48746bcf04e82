/* Computes the trace of an execution from its steps.
 *
 * Each byte of memory that is touched has a chain of writers.  The chains and the threads' event sequences are hashed
 * each for itself, and the hashes are added up, so that the order in which they were met does not count. */
#include "engine/trace.h"

#include <stdlib.h>
#include <string.h>

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
    struct hash_table *stores;  /* (thread, serial) -> event number of the store */
    struct hash_table *counts;  /* thread -> events so far */
    struct hash_table *lines;   /* thread -> running hash of its events */
};

void trace_init(struct trace *trace) {
    vector_init(&trace->steps, sizeof(struct step));
    trace->buffered = false;
}

void trace_delete(struct trace *trace) {
    vector_delete(&trace->steps);
}

void trace_add(struct trace *trace, const struct machine *machine) {
    struct step *step = vector_grow(&trace->steps, 1);
    *step = *machine_last(machine);
    trace->buffered = machine_model(machine) != MODEL_SC;
    step->thread = machine_thread_number(machine, step->thread);
    if (step->kind == STEP_SYNC && (step->sub == SYNC_THREAD_CREATE || step->sub == SYNC_THREAD_JOIN ||
                                    step->sub == SYNC_COND_SIGNAL || step->sub == SYNC_COND_BROADCAST)) {
        step->other = machine_thread_number(machine, (uint32_t)step->other);
    }
}

static uint64_t mixed(uint64_t hash, uint64_t value) {
    const uint64_t both[] = {hash, value};
    return XXH3_64bits(both, sizeof both);
}

static uint64_t packed(struct event event) {
    return (uint64_t)event.thread << 32 | event.number;
}

static void write_byte(struct replayed *replayed, uint64_t address, struct event event) {
    *hash_table_slot(replayed->writers, &address, sizeof address, NULL) = packed(event);
    uint64_t *chain = hash_table_slot(replayed->chains, &address, sizeof address, NULL);
    *chain = mixed(*chain, packed(event));
}

static uint64_t last_writer(const struct replayed *replayed, uint64_t address) {
    const uint64_t *writer = hash_table_find(replayed->writers, &address, sizeof address);
    return writer ? *writer : 0;
}

static uint64_t *store_slot(struct replayed *replayed, const struct step *step) {
    const uint64_t key[] = {step->thread, step->serial};
    return hash_table_slot(replayed->stores, key, sizeof key, NULL);
}

/* Bytes that an end of an object stands for: its first one is enough, every access is inside some object's range, so
 * all bytes are written. */
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

static bool is_wait(const struct step *step) {
    return step->kind == STEP_SYNC && (step->sub == SYNC_COND_WAIT || step->sub == SYNC_COND_TIMEDWAIT);
}

static void replay_event(struct replayed *replayed, const struct step *step, bool buffered) {
    uint64_t thread = step->thread;
    uint64_t *count = hash_table_slot(replayed->counts, &thread, sizeof thread, NULL);
    struct event event = {.thread = step->thread, .number = (uint32_t)++*count};
    const uint64_t label[] = {
        step->kind, step->sub,    step->phase, step->address,
        step->size, step->writes, step->pos,   step->kind == STEP_NONDET || step->kind == STEP_SYNC ? step->result : 0};
    uint64_t hash = XXH3_64bits(label, sizeof label);
    if (step->kind == STEP_SYNC) {
        hash = mixed(hash, step->other);
    }
    bool touches = !is_wait(step) || step->phase == PHASE_NONE || step->phase == PHASE_COND_WAITING;
    for (unsigned i = 0; step->reads && touches && i < step->size; i++) {
        const uint64_t key[] = {step->thread, step->serial};
        const uint64_t *own = step->forwarded ? hash_table_find(replayed->stores, key, sizeof key) : NULL;
        struct event source = {.thread = step->thread, .number = own ? (uint32_t)*own : 0};
        hash = mixed(hash, own ? packed(source) : last_writer(replayed, step->address + i));
    }
    uint64_t *line = hash_table_slot(replayed->lines, &thread, sizeof thread, NULL);
    *line = mixed(*line, hash);
    if (step->kind == STEP_STORE || step->kind == STEP_FREE || step->kind == STEP_LEAVE) {
        *store_slot(replayed, step) = event.number;
    }
    if (writes_now(step, buffered) && touches) {
        for (uint64_t i = 0; i < written_bytes(step); i++) {
            write_byte(replayed, step->address + i, event);
        }
    }
    /* A wait at a condition variable is an operation on its mutex too, except while it waits. */
    if (is_wait(step) && step->phase != PHASE_COND_WAITING) {
        for (unsigned i = 0; i < 4; i++) {
            uint64_t *at = hash_table_slot(replayed->lines, &thread, sizeof thread, NULL);
            *at = mixed(*at, last_writer(replayed, step->other + i));
            write_byte(replayed, step->other + i, event);
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
    struct replayed replayed = {hash_table_new(), hash_table_new(), hash_table_new(), hash_table_new(),
                                hash_table_new()};
    const struct step *steps = trace->steps.data;
    XXH128_hash_t name = {0, 0};
    for (size_t i = 0; i < trace->steps.count; i++) {
        if (steps[i].kind == STEP_DRAIN) {
            replay_drain(&replayed, &steps[i]);
        } else if (is_event(&steps[i])) {
            replay_event(&replayed, &steps[i], trace->buffered);
        }
    }
    const struct hash_table *tables[] = {replayed.lines, replayed.chains};
    for (int t = 0; t < 2; t++) {
        size_t cursor = 0;
        const void *key;
        uint64_t value;
        while (hash_table_each(tables[t], &cursor, &key, &value)) {
            uint64_t number;
            memcpy(&number, key, sizeof number);
            const uint64_t item[] = {(uint64_t)t, number, value};
            XXH128_hash_t hash = XXH3_128bits(item, sizeof item);
            name.low64 += hash.low64;
            name.high64 += hash.high64;
        }
    }
    hash_table_free(replayed.writers);
    hash_table_free(replayed.chains);
    hash_table_free(replayed.stores);
    hash_table_free(replayed.counts);
    hash_table_free(replayed.lines);
    return name;
}
