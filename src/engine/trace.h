/* Shasha-Snir traces: what two executions have in common that differ only in the order of independent steps.
 *
 * A trace is, for each thread, the sequence of its events in program order; for each byte that is read, the store it
 * comes from; and for each byte of memory, the order in which stores reach it.  Events are loads, stores, read-modify-
 * writes, operations on threads and synchronisation objects, with the accesses of their effect, and ends of objects.
 * Fences and drains are none.  Adds of the same bytes between two writes are a set; a read follows those before it.
 *
 * The trace of an unfinished execution has no order for the stores that have not reached memory yet.
 *
 * The recorder follows an execution step by step and undoes steps; trace_name returns the execution's trace as a
 * 128-bit hash. */
#ifndef PICKET_ENGINE_TRACE_H
#define PICKET_ENGINE_TRACE_H

#include <xxhash.h>

#include "machine/machine.h"
#include "util/vector.h"

struct trace {
    struct vector steps;    /* of struct step, in the order of the execution; `thread` is the thread's number */
    struct vector accesses; /* of struct effect_access: of the operations among them ... */
    struct vector ends;     /* ... of size_t: by step, where its accesses end */
    bool noticed;           /* the program may notice when threads are created, end and are joined */
    bool buffered;          /* stores reach memory when they are drained, not at once */
};

void trace_init(struct trace *trace, const struct program *program);
void trace_delete(struct trace *trace);

/* Adds the step that the machine has just taken, which must have been described before; trace_cut returns to the first
 * `count` steps. */
void trace_add(struct trace *trace, const struct machine *machine);
void trace_cut(struct trace *trace, size_t count);

XXH128_hash_t trace_name(const struct trace *trace);

#endif
