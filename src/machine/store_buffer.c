/* The buffer of one thread.  The caller has saved the thread's cells (thread_touch); entries are saved here.
 *
 * Loose entries stand before the others: by address; at one address the newest last and the others by value, so that
 * forwarding finds the right one and equal buffers look the same.  They are stores to ranges of which no two overlap
 * without being the same: of stores that do the order would matter.  If an entry cannot be loose, it and those behind
 * it stay as they are.  Under PSO store barriers between loose entries are forgotten. */
#include <assert.h>
#include <string.h>

#include "machine/memory_model.h"
#include "util/range.h"

bool entries_overlap(const struct buffer_entry *one, const struct buffer_entry *other) {
    return ranges_overlap(one->address, one->size, other->address, other->size);
}

enum forward store_buffer_forward(const struct thread *thread, uint64_t address, unsigned size, uint64_t value[2],
                                  uint64_t *serial) {
    for (size_t i = thread->now.buffer_count; i-- > 0;) {
        const struct buffer_entry *entry = store_buffer_entry(thread, i);
        uint64_t offset = address - entry->address;
        bool starts_inside = address >= entry->address && offset < entry->size;
        if (starts_inside && size <= entry->size - offset && !entry->is_end) {
            uint8_t bytes[16];
            memcpy(bytes, entry->value, sizeof bytes);
            value[0] = value[1] = 0;
            memcpy(value, bytes + offset, size);
            *serial = entry->serial;
            return FORWARD_COVERED;
        }
        if (starts_inside || (address < entry->address && entry->address - address < size)) {
            *serial = entry->serial;
            return FORWARD_PARTIAL;
        }
    }
    return FORWARD_NONE;
}

/* --- Loose entries ------------------------------------------------------------------------------------------------ */

static bool is_same_range(const struct buffer_entry *one, const struct buffer_entry *other) {
    return one->address == other->address && one->size == other->size;
}

/* Does it come before the other among the older entries of an address? */
static int compare_stores(const struct buffer_entry *one, const struct buffer_entry *other) {
    for (int i = 1; i >= 0; i--) {
        if (one->value[i] != other->value[i]) {
            return one->value[i] < other->value[i] ? -1 : 1;
        }
    }
    return (int)one->atomic - (int)other->atomic;
}

static bool can_be_loose(const struct buffer_entry *entries, size_t loose, const struct buffer_entry *entry) {
    for (size_t i = 0; i < loose; i++) {
        if (entries_overlap(&entries[i], entry) && !is_same_range(&entries[i], entry)) {
            return false;
        }
    }
    return !entry->is_end;
}

/* The oldest entry that is not loose becomes so. */
static void loosen_next(struct thread *thread) {
    struct thread_state *now = &thread->now;
    struct buffer_entry *entries = &thread->buffer[now->buffer_first];
    struct buffer_entry entry = entries[now->buffer_loose];
    size_t place = 0; /* where it goes: behind all of its address */
    size_t first = 0; /* of its address */
    entry.loose = true;
    for (size_t i = 0; i < now->buffer_loose; i++) {
        if (is_same_range(&entries[i], &entry) && compare_stores(&entries[i], &entry) == 0) {
            memmove(&entries[i], &entries[i + 1], (now->buffer_count - i - 1) * sizeof entry);
            now->buffer_loose--;
            now->buffer_count--;
            break;
        }
    }
    while (place < now->buffer_loose && entries[place].address <= entry.address) {
        first += entries[place].address < entry.address;
        place++;
    }
    memmove(&entries[place + 1], &entries[place], (now->buffer_loose - place) * sizeof entry);
    entries[place] = entry;
    now->buffer_loose++;
    /* The one that was the newest so far takes its place among the older ones. */
    for (size_t i = place; i > first + 1 && compare_stores(&entries[i - 1], &entries[i - 2]) < 0; i--) {
        struct buffer_entry other = entries[i - 2];
        entries[i - 2] = entries[i - 1];
        entries[i - 1] = other;
    }
    for (size_t i = 0; i < now->buffer_loose; i++) {
        entries[i].barrier = entry.barrier;
    }
}

static void loosen(struct machine *machine, struct thread *thread) {
    struct thread_state *now = &thread->now;
    struct buffer_entry *entries = &thread->buffer[now->buffer_first];
    if (now->buffer_count - now->buffer_loose <= machine->options.exact) {
        return;
    }
    save(machine, entries, now->buffer_count * sizeof *entries);
    while (now->buffer_count - now->buffer_loose > machine->options.exact &&
           can_be_loose(entries, now->buffer_loose, &entries[now->buffer_loose])) {
        loosen_next(thread);
    }
}

/* --- Entries in and out ------------------------------------------------------------------------------------------- */

void store_buffer_push(struct machine *machine, struct thread *thread, const struct buffer_entry *entry) {
    struct thread_state *now = &thread->now;
    if (now->buffer_count == 0) {
        now->buffer_first = 0;
    }
    uint64_t place = now->buffer_first + now->buffer_count;
    if (place >= MAX_BUFFER) {
        /* Move what is there to the front; a step that finds the buffer really full is not enabled. */
        save(machine, thread->buffer, now->buffer_count * sizeof *entry);
        memmove(thread->buffer, thread->buffer + now->buffer_first, now->buffer_count * sizeof *entry);
        now->buffer_first = 0;
        place = now->buffer_count;
    }
    assert(place < MAX_BUFFER && "a store is enabled only if the buffer has room");
    save(machine, &thread->buffer[place], sizeof *entry);
    thread->buffer[place] = *entry;
    now->buffer_count++;
    if (entry->is_end) {
        struct object *object = object_at(machine, entry->address);
        save(machine, &object->life, sizeof object->life);
        object->life.pending++;
    }
    if (machine->options.loose) {
        loosen(machine, thread);
    }
}

bool store_buffer_may_drain(const struct machine *machine, const struct thread *thread, size_t index) {
    const struct buffer_entry *entry = store_buffer_entry(thread, index);
    if (entry->loose) {
        return index + 1 == thread->now.buffer_loose ||
               store_buffer_entry(thread, index + 1)->address != entry->address;
    }
    return machine->model->may_drain(thread, index);
}

void store_buffer_drain(struct machine *machine, struct thread *thread, size_t index) {
    struct thread_state *now = &thread->now;
    struct buffer_entry *entries = &thread->buffer[now->buffer_first];
    struct buffer_entry entry = entries[index];
    size_t first = index;
    while (entry.loose && first > 0 && entries[first - 1].address == entry.address) {
        first--;
    }
    uint32_t leaving = (uint32_t)(index + 1 - first);
    if (first == 0) {
        now->buffer_first += leaving;
    } else {
        size_t behind = now->buffer_count - index - 1;
        save(machine, &entries[first], (behind + leaving) * sizeof entry);
        memmove(&entries[first], &entries[index + 1], behind * sizeof entry);
    }
    now->buffer_count -= leaving;
    now->buffer_loose -= entry.loose ? leaving : 0;
    if (entry.is_end) {
        struct object *object = object_at(machine, entry.address);
        save(machine, &object->life, sizeof object->life);
        object->life.pending--;
    }
    entry_apply(machine, thread, &entry);
}

void entry_apply(struct machine *machine, struct thread *thread, const struct buffer_entry *entry) {
    struct object *object = object_at(machine, entry->address);
    char name[160];
    assert(object && "an entry was checked when its store was executed");
    save(machine, &machine->now.version, sizeof machine->now.version);
    machine->now.version++;
    if (object->life.ended_by && object->life.ended_by != thread->slot + 1) {
        machine_describe(machine, object->base, 0, name, sizeof name);
        if (entry->is_end) {
            machine_fail(machine, thread, entry->pos, ERROR_DOUBLE_FREE, "%s is ended a second time", name);
        } else {
            machine_fail(machine, thread, entry->pos, ERROR_DANGLING,
                         "this store reaches %s in memory after its life has ended", name);
        }
        return;
    }
    if (entry->is_end) {
        save(machine, &object->life, sizeof object->life);
        object->life.ended_by = thread->slot + 1;
        object->life.ended_pos = entry->pos;
        return;
    }
    object_write(machine, object, entry->address, (unsigned)entry->size, entry->value);
}
