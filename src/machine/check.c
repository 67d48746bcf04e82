/* The machine's invariants, as state.h numbers them.  All of this runs in debug builds only. */
#include <assert.h>

#include "machine/memory_model.h"

#define MOST_ENTRIES 32u /* of a store buffer that are looked at after a change */

#ifdef NDEBUG

void store_buffer_check(const struct machine *machine, const struct thread *thread) {
    (void)machine;
    (void)thread;
}

void machine_check(const struct machine *machine) {
    (void)machine;
}

#else

/* M5, M8: is the entry where a store can be? */
static bool entry_is_placed(const struct machine *machine, const struct buffer_entry *entry) {
    const struct object *object = object_at(machine, entry->address);
    if (!object || object->private || object->constant) {
        return false;
    }
    uint64_t offset = entry->address - object->base;
    return entry->is_end ? offset == 0
                         : entry->size <= 16 && offset <= object->size && entry->size <= object->size - offset;
}

/* M8, from this entry on. */
static void check_entries(const struct machine *machine, const struct thread *thread, size_t first) {
    const struct thread_state *now = &thread->now;
    assert((now->buffer_count == 0 || machine->model->buffers) && "SC has no entries (M8)");
    assert(now->buffer_abstract <= now->buffer_count && "abstract entries are entries (M8)");
    assert(now->buffer_first + now->buffer_count <= MAX_BUFFER && "the buffer is within its memory (M2)");
    for (size_t i = first; i < now->buffer_count; i++) {
        const struct buffer_entry *entry = store_buffer_entry(thread, i);
        assert(entry_is_placed(machine, entry) && "an entry lies within an object that others may know (M5, M8)");
        assert((entry->abstract != 0) == (i < now->buffer_abstract) && "abstract entries come first (M8)");
        if (i > now->buffer_abstract && i > first) {
            const struct buffer_entry *before = store_buffer_entry(thread, i - 1);
            assert(before->serial < entry->serial && "serial numbers ascend (M8)");
            assert(before->barrier <= entry->barrier && "barriers ascend (M8)");
        }
        assert(entry->serial <= now->serial && entry->barrier <= now->barriers && "the newest is the thread's (M8)");
    }
}

void store_buffer_check(const struct machine *machine, const struct thread *thread) {
    size_t count = thread->now.buffer_count;
    check_entries(machine, thread, count > MOST_ENTRIES ? count - MOST_ENTRIES : 0);
}

/* M4. */
static void check_region(const struct region *region) {
    assert(region->extent.count <= region->capacity && "objects that exist have room (M4)");
    for (uint64_t i = 1; i < region->extent.count; i++) {
        const struct object *before = region->objects[i - 1];
        const struct object *object = region->objects[i];
        assert(before->base + before->size <= object->base && "objects ascend and do not overlap (M4)");
    }
    if (region->extent.count > 0) {
        const struct object *last = region->objects[region->extent.count - 1];
        assert(last->base + last->size <= region->extent.next && "the next object comes after the last (M4)");
    }
}

/* M9: ends of the object that wait. */
static uint32_t ends_waiting(const struct machine *machine, const struct object *object) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < machine->threads_count; t++) {
        const struct thread *thread = machine->threads[t];
        for (uint64_t i = 0; i < thread->now.buffer_count; i++) {
            const struct buffer_entry *entry = store_buffer_entry(thread, i);
            count += entry->is_end && object_at(machine, entry->address) == object;
        }
    }
    return count;
}

static void check_ends(const struct machine *machine, const struct thread *thread) {
    for (uint64_t i = 0; i < thread->now.buffer_count; i++) {
        const struct buffer_entry *entry = store_buffer_entry(thread, i);
        const struct object *object = entry->is_end ? object_at(machine, entry->address) : NULL;
        assert((!object || object->life.pending == ends_waiting(machine, object)) && "ends that wait are counted (M9)");
    }
}

static bool runs(const struct machine *machine, uint32_t slot) {
    return slot < machine->threads_count && machine->threads[slot]->now.status == THREAD_RUNNING;
}

void machine_check(const struct machine *machine) {
    const struct machine_state *now = &machine->now;
    for (size_t i = 0; i < machine->regions_count; i++) {
        if (machine->regions[i]) {
            check_region(machine->regions[i]);
        }
    }
    for (uint32_t t = 0; t < machine->threads_count; t++) {
        const struct thread *thread = machine->threads[t];
        assert(thread->slot == t && "threads stand in their slots");
        if (thread->now.status != THREAD_ABSENT) {
            check_entries(machine, thread, 0);
            check_ends(machine, thread);
        }
        if (runs(machine, t) && now->outcome == OUTCOME_RUNNING && thread->now.stopped == STOP_NONE) {
            enum op op = (enum op)thread->frames[thread->now.depth - 1].pc->op;
            bool leaves = op == OP_ASSUME || op == OP_CUT || (op == OP_MALLOC && machine->options.malloc_fail) ||
                          (op == OP_RET && thread->now.depth == 1);
            assert((leaves || op_table[op].class == OP_VISIBLE) && "a thread stands at a visible instruction (M3)");
        }
    }
    assert((now->atomic_owner == NO_THREAD) == (now->atomic_depth == 0) && "a section has an owner (M10)");
    assert((now->bus_owner == NO_THREAD) == (now->bus_depth == 0) && "the bus has an owner (M10)");
    assert((now->atomic_owner == NO_THREAD || now->outcome != OUTCOME_RUNNING || runs(machine, now->atomic_owner)) &&
           "the owner of a section runs (M10)");
}

#endif
