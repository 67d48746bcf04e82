/* The store buffer of one thread.  The caller has saved the thread's cells (thread_touch); entries are saved here. */
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

void store_buffer_push(struct machine *machine, struct thread *thread, const struct buffer_entry *entry) {
    struct thread_state *now = &thread->now;
    if (now->buffer_count == 0) {
        now->buffer_first = 0;
    }
    uint64_t index = now->buffer_first + now->buffer_count;
    if (index >= MAX_BUFFER) {
        /* Moves the entries to the front.  A store is not enabled if the buffer is full, so there is room. */
        save(machine, thread->buffer, now->buffer_count * sizeof *entry);
        memmove(thread->buffer, thread->buffer + now->buffer_first, now->buffer_count * sizeof *entry);
        now->buffer_first = 0;
        index = now->buffer_count;
    }
    assert(index < MAX_BUFFER && "a store is enabled only if the buffer has room");
    save(machine, &thread->buffer[index], sizeof *entry);
    thread->buffer[index] = *entry;
    now->buffer_count++;
    if (entry->is_end) {
        struct object *object = object_at(machine, entry->address);
        save(machine, &object->life, sizeof object->life);
        object->life.pending++;
    }
    if (machine->options.abstract) {
        store_buffer_abstract(machine, thread);
    }
    store_buffer_check(machine, thread);
}

void store_buffer_drain(struct machine *machine, struct thread *thread, size_t index) {
    struct thread_state *now = &thread->now;
    struct buffer_entry *entries = &thread->buffer[now->buffer_first];
    struct buffer_entry entry = entries[index];
    if (index == 0) {
        now->buffer_first++;
    } else {
        size_t younger = now->buffer_count - index - 1;
        save(machine, &entries[index], (younger + 1) * sizeof entry);
        memmove(&entries[index], &entries[index + 1], younger * sizeof entry);
    }
    now->buffer_count--;
    if (entry.is_end) {
        struct object *object = object_at(machine, entry.address);
        save(machine, &object->life, sizeof object->life);
        object->life.pending--;
    }
    store_buffer_check(machine, thread);
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
        memory_note_end(machine, object);
        return;
    }
    object_write(machine, object, entry->address, (unsigned)entry->size, entry->value);
}
