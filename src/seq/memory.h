/* Accesses of one path: which objects an address can mean, and reading and writing them.
 *
 * Private memory, and shared memory while there is one thread or in an atomic section, is in the path's own words.
 * Everything else becomes accesses of an event. */
#ifndef PICKET_SEQ_MEMORY_H
#define PICKET_SEQ_MEMORY_H

#include "seq/state.h"

#define LIFE_OFFSET (UINT64_MAX - 7) /* of the hidden cell, from its object's base */

/* One object that an address may point into. */
struct target {
    literal condition; /* the address is this one */
    uint64_t address;
    struct shared_object *object; /* NULL: private memory */
};

struct targets {
    struct vector list; /* of struct target */
    literal bad;        /* none of them, or an access that its object does not allow */
    bool too_many;
};

void targets_init(struct targets *targets);
void targets_delete(struct targets *targets);

/* The targets of an access of `size` bytes. */
void memory_resolve(struct symbolic *execution, const struct state *state, struct value address, unsigned size,
                    bool writes, struct targets *targets);

/* The private object there, or NULL. */
const struct local *local_at_address(const struct state *state, uint64_t address);

/* Is the target accessed without an event? */
bool target_is_local(const struct state *state, const struct target *target, bool writes);

/* Reads the target, at most 8 bytes, on the path or, if it is not local, as part of the event. */
struct content memory_read(struct symbolic *execution, struct state *state, const struct target *target, unsigned size,
                           uint32_t event, literal condition);
/* Writes likewise, where the condition holds. */
void memory_write(struct symbolic *execution, struct state *state, const struct target *target, unsigned size,
                  uint32_t event, literal condition, struct value value);

/* Has the object ended?  Read as part of the event; `reached`: where the store reaches memory. */
literal memory_ended(struct symbolic *execution, struct state *state, struct shared_object *object, uint32_t event,
                     literal condition, bool reached);
/* Ends it. */
void memory_end(struct symbolic *execution, struct state *state, struct shared_object *object, uint32_t event,
                literal condition);

/* An atomic section ends: what it has written becomes writes of its event, where the path's guard holds. */
void memory_publish(struct symbolic *execution, struct state *state);

/* Words of objects and records, for codes of operations: parts of an event, or of the section that the path is in. */
struct content event_read(struct symbolic *execution, uint32_t event, struct shared_object *object, uint64_t offset,
                          unsigned size, literal condition);
void event_write(struct symbolic *execution, uint32_t event, struct shared_object *object, uint64_t offset,
                 unsigned size, literal condition, struct value value);

/* What the bytes are before the second thread comes. */
struct content initial_read(struct symbolic *execution, struct shared_object *object, uint64_t offset, unsigned size);

#endif
