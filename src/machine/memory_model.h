/* What the machine needs from a memory model: how a store reaches memory, when an entry may drain, what a fence waits
 * for.  One file each: sc.c, tso.c, pso.c.  Store buffers themselves are in store_buffer.c. */
#ifndef PICKET_MACHINE_MEMORY_MODEL_H
#define PICKET_MACHINE_MEMORY_MODEL_H

#include "machine/state.h"

struct memory_model_operations {
    bool buffers; /* does it have store buffers at all */

    /* Executes a store (or the end of an object) of the thread; `order` is the store's.  Sets its serial number. */
    void (*store)(struct machine *machine, struct thread *thread, struct buffer_entry *entry, enum order order);

    /* May the entry with this index in the thread's buffer (0 is the oldest) drain now? */
    bool (*may_drain)(const struct thread *thread, size_t index);

    /* Must a fence of this order wait for the thread's buffer to be empty? */
    bool (*fence_waits)(enum order order);

    /* Executes a fence that does not wait, or a store barrier. */
    void (*barrier)(struct machine *machine, struct thread *thread, enum order order);
};

extern const struct memory_model_operations model_sc;
extern const struct memory_model_operations model_tso;
extern const struct memory_model_operations model_pso;

/* Writes an entry to memory; reports a dangling access if the object's end has reached memory before. */
void entry_apply(struct machine *machine, struct thread *thread, const struct buffer_entry *entry);

/* Store buffers.  The entries of a thread lie in buffer[first .. first + count), oldest first. */
enum forward { FORWARD_NONE, FORWARD_COVERED, FORWARD_PARTIAL };

/* Finds the newest own entry that overlaps the load. */
enum forward store_buffer_forward(const struct thread *thread, uint64_t address, unsigned size, uint64_t value[2],
                                  uint64_t *serial);
void store_buffer_push(struct machine *machine, struct thread *thread, const struct buffer_entry *entry);
/* Removes the entry and applies it. */
void store_buffer_drain(struct machine *machine, struct thread *thread, size_t index);
/* Abstract buffers (abstract_buffer.c).  Makes all entries but the newest `exact` ones abstract, as far as possible. */
void store_buffer_abstract(struct machine *machine, struct thread *thread);
/* An abstract entry reaches memory; TRANSITION_ABSTRACT has the meaning of the choice. */
bool store_buffer_may_advance(const struct machine *machine, const struct thread *thread, uint64_t choice);
void store_buffer_advance(struct machine *machine, struct thread *thread, uint64_t choice);
bool entries_overlap(const struct buffer_entry *one, const struct buffer_entry *other);

static inline const struct buffer_entry *store_buffer_entry(const struct thread *thread, size_t index) {
    return &thread->buffer[thread->now.buffer_first + index];
}

#endif
