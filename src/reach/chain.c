/* Following the steps of an attack. */
#include "reach/chain.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "util/memory.h"
#include "util/range.h"

/* --- The key of a state ---------------------------------------------------------------------------------------- */

struct key {
    uint8_t **bytes;
    size_t *capacity;
    size_t size;
};

static int compare_newest(const void *one, const void *other) {
    const struct newest *a = one;
    const struct newest *b = other;
    return a->address < b->address ? -1 : a->address > b->address;
}

static void key_append(struct key *key, const void *bytes, size_t count) {
    if (key->size + count > *key->capacity) {
        *key->capacity = (key->size + count) * 2;
        *key->bytes = memory_resize(*key->bytes, *key->capacity);
    }
    memcpy(*key->bytes + key->size, bytes, count);
    key->size += count;
}

static bool newest_overlap(const struct newest *one, const struct newest *other) {
    return ranges_overlap(one->address, one->size, other->address, other->size);
}

/* The order of entries matters only if some overlap. */
static void append_newest(struct key *key, const struct monitor *monitor) {
    struct newest sorted[MAX_NEWEST];
    bool overlap = false;
    memcpy(sorted, monitor->newest, monitor->count * sizeof *sorted);
    for (uint32_t i = 0; i < monitor->count && !overlap; i++) {
        for (uint32_t k = 0; k < i && !overlap; k++) {
            overlap = newest_overlap(&sorted[i], &sorted[k]);
        }
    }
    if (!overlap) {
        qsort(sorted, monitor->count, sizeof *sorted, compare_newest);
    }
    key_append(key, sorted, monitor->count * sizeof *sorted);
}

static int compare_accesses(const void *one, const void *other) {
    const struct access *a = one;
    const struct access *b = other;
    return a->address != b->address ? (a->address < b->address ? -1 : 1)
           : a->size != b->size     ? (a->size < b->size ? -1 : 1)
                                    : (int)a->writes - (int)b->writes;
}

static void append_accesses(struct key *key, const struct access *accesses, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t words[] = {accesses[i].address, (uint64_t)accesses[i].size << 1 | accesses[i].writes};
        key_append(key, words, sizeof words);
    }
}

size_t monitor_append(struct monitor *monitor, bool with_load, uint8_t **key, size_t *capacity, size_t size) {
    struct key to = {key, capacity, size};
    const uint64_t words[] = {monitor->phase,         monitor->attacker,
                              monitor->store,         with_load ? monitor->load : 0,
                              monitor->node,          monitor->chain,
                              monitor->store_address, monitor->count | (uint64_t)monitor->section_count << 32};
    if (monitor->phase == ATTACK_DELAYS) {
        append_newest(&to, monitor);
    } else {
        qsort(monitor->bytes, monitor->count, sizeof *monitor->bytes, compare_accesses);
        append_accesses(&to, monitor->bytes, monitor->count);
    }
    append_accesses(&to, monitor->section, monitor->section_count);
    key_append(&to, words, sizeof words);
    return to.size;
}

size_t monitor_size(const struct monitor *monitor) {
    size_t one = monitor->phase == ATTACK_DELAYS ? sizeof *monitor->newest : sizeof *monitor->bytes;
    return monitor->phase == ATTACK_NONE ? 0 : offsetof(struct monitor, newest) + monitor->count * one;
}

/* --- The attacker's buffer ------------------------------------------------------------------------------------- */

/* Do newer entries cover every byte of this one? */
static bool is_covered(const struct newest *entries, uint32_t count, uint32_t index) {
    const struct newest *entry = &entries[index];
    uint64_t covered = 0;
    if (entry->is_end || entry->size > 16) {
        return false;
    }
    for (uint32_t i = index + 1; i < count; i++) {
        for (uint64_t b = 0; b < entry->size; b++) {
            covered |= (uint64_t)(entry->address + b - entries[i].address < entries[i].size) << b;
        }
    }
    return covered == (UINT64_C(1) << entry->size) - 1;
}

bool monitor_delay(struct monitor *monitor, const struct machine *machine) {
    const struct buffer_entry *entries;
    size_t count = machine_buffer(machine, monitor->attacker, &entries);
    const struct buffer_entry *last = &entries[count - 1];
    if (monitor->count == MAX_NEWEST) {
        return false;
    }
    monitor->newest[monitor->count++] = (struct newest){
        .address = last->address,
        .size = last->size,
        .value = {last->value[0], last->size > 8 ? last->value[1] : 0},
        .is_end = last->is_end,
    };
    for (uint32_t i = monitor->count - 1; i-- > 0;) {
        if (newest_overlap(&monitor->newest[i], &monitor->newest[monitor->count - 1]) &&
            is_covered(monitor->newest, monitor->count, i)) {
            memmove(&monitor->newest[i], &monitor->newest[i + 1], (monitor->count - i - 1) * sizeof *monitor->newest);
            monitor->count--;
        }
    }
    return true;
}

/* --- The chain ------------------------------------------------------------------------------------------------- */

/* Adds bytes to a set of ranges; false if there are too many. */
static bool add_access(struct access *accesses, uint32_t *count, uint32_t most, const struct access *access) {
    for (uint32_t i = 0; i < *count; i++) {
        struct access *known = &accesses[i];
        if (known->address <= access->address && access->address + access->size <= known->address + known->size &&
            (known->writes || (!access->writes && known->adds == access->adds))) {
            return true;
        }
        if (known->address == access->address && known->size == access->size) {
            known->writes = known->writes || access->writes || known->adds != access->adds;
            return true;
        }
    }
    if (*count == most) {
        return false;
    }
    accesses[(*count)++] = *access;
    return true;
}

static bool conflicts(const struct monitor *monitor, const struct access *access) {
    for (uint32_t i = 0; i < monitor->count; i++) {
        if (accesses_conflict(&monitor->bytes[i], access)) {
            return true;
        }
    }
    return false;
}

static bool touches_store(const struct monitor *monitor, const struct access *access) {
    return ranges_overlap(access->address, access->size, monitor->store_address, monitor->store_size);
}

/* Adds another thread's access to the chain. */
static void chain_access(struct monitor *monitor, const struct access *access, const char **overflow) {
    if (touches_store(monitor, access)) {
        monitor->phase = ATTACK_CLOSED;
    }
    if (!add_access(monitor->bytes, &monitor->count, MAX_BYTES, access)) {
        *overflow = "a chain of steps accesses too many different locations";
    }
}

static bool only_reads(const struct label *label) {
    return !label_changes(label);
}

bool monitor_follow(struct monitor *monitor, const struct step *step, const struct label *label, bool in_section,
                    bool in_await, const char **overflow) {
    uint64_t self = UINT64_C(1) << step->thread;
    bool joins = monitor->chain & self;
    bool thread_joined = step->kind == STEP_SYNC &&
                         (step->sub == SYNC_THREAD_JOIN || step->sub == SYNC_THREAD_TRYJOIN) && step->result == 0;
    joins = joins || (thread_joined && step->other < MAX_CHAIN_SLOTS && monitor->chain >> step->other & 1);
    for (uint32_t i = 0; i < label->accesses; i++) {
        joins = joins || conflicts(monitor, label_access(label, i));
    }
    if (joins) {
        monitor->chain |= self;
        for (uint32_t i = 0; i < monitor->section_count; i++) {
            chain_access(monitor, &monitor->section[i], overflow);
        }
        monitor->section_count = 0;
        for (uint32_t i = 0; i < label->accesses; i++) {
            chain_access(monitor, label_access(label, i), overflow);
        }
        if (step->kind == STEP_SYNC && step->sub == SYNC_THREAD_CREATE && step->other < MAX_CHAIN_SLOTS) {
            monitor->chain |= UINT64_C(1) << step->other;
        }
        return true;
    }
    if (in_section) {
        for (uint32_t i = 0; i < label->accesses; i++) {
            if (!add_access(monitor->section, &monitor->section_count, MAX_SECTION, label_access(label, i))) {
                *overflow = "an atomic section accesses too many different locations";
            }
        }
        return true;
    }
    if (step->kind == STEP_ATOMIC_END && monitor->section_count > 0) {
        return false;
    }
    return label->accesses == 0 || (in_await && only_reads(label));
}
