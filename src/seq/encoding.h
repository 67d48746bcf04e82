/* What the encodings `order` and `rounds` share: which events matter, and which of them have bytes in common. */
#ifndef PICKET_SEQ_ENCODING_H
#define PICKET_SEQ_ENCODING_H

#include "seq/symbolic.h"

/* Sets `chosen` (with room for all) to the indices of the events that matter; returns their number.  Loads of what
 * never changes, and stores that are never read, are left out. */
uint32_t encoding_events(struct symbolic *execution, uint32_t *chosen);

/* PSO: have the two stores a byte in common?  The end of an object has all of its bytes. */
literal encoding_stores_overlap(struct symbolic *execution, const struct event *one, const struct event *other);

/* Has the store a byte of the load?  `partial`: and not all of them. */
literal encoding_load_overlap(struct symbolic *execution, const struct event *load, const struct event *store,
                              literal *partial);

/* The condition makes the terms equal. */
void encoding_equal_if(struct symbolic *execution, literal condition, term_id one, term_id other);

#endif
