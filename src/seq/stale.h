/* Comparisons of addresses of objects that have ended: on a real machine a new object could have such an address.
 *
 * A comparison is no step of its own.  The machine executes it together with the step before it, its *moment*, and it
 * is stale if at that moment the object has ended for the thread.  So with `--check stale` a path knows its moments
 * (one for each path that has been merged into it), and a comparison makes their events read whether the object has
 * ended.  What the thread itself has ended is known without an event. */
#ifndef PICKET_SEQ_STALE_H
#define PICKET_SEQ_STALE_H

#include "seq/run.h"

/* The path's last step is this event, if `condition` holds; NO_EVENT: one that no thread notices.  A store is issued at
 * an event of its own, before the one that is its drain. */
void stale_moment(struct run *run, struct state *state, const struct instruction *instruction, uint32_t event,
                  literal condition);
/* Does the execution need moments? */
bool stale_is_checked(const struct run *run);

/* The thread begins with the local code that its creator's step executes. */
void stale_begin(struct run *run, struct state *state);
/* The thread ends an object of the heap. */
void stale_end(struct run *run, struct shared_object *object, literal condition);

/* An ICMP is executed. */
void stale_compare(struct run *run, struct state *state, const struct instruction *instruction);
/* A compare-and-swap, an event unless the path is in a section or alone, compares these. */
void stale_swap(struct run *run, struct state *state, uint32_t event, struct value old, struct value expected);

#endif
