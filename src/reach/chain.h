/* The monitor of an attack: what has to be known, beside the machine's state, to tell whether an execution is becoming
 * a witness (oracle.h).  Its phases:
 *
 *     ATTACK_NONE    everything drains at once;
 *     ATTACK_DELAYS  the attacker has executed the store, its buffer stands still;
 *     ATTACK_CHAIN   the load is done; only steps that happen after it are worth taking;
 *     ATTACK_CLOSED  a step in the chain has accessed the bytes of the store: a cycle, once nobody is in an atomic
 *                    section any more, so that the buffer can drain.
 *
 * The chain is a set of threads and of the bytes that they have read and written since they joined.  A step joins it if
 * its thread is in the chain, or it conflicts with one of those bytes, or it joins a thread of the chain.  Another
 * thread's step that does not join could as well have come before the load, so it is not taken, with two exceptions:
 * steps that access nothing, and reads of a waiting loop, which the machine does not let happen earlier.  An atomic
 * section is one event: what it has accessed before it joins counts too. */
#ifndef PICKET_REACH_CHAIN_H
#define PICKET_REACH_CHAIN_H

#include "engine/label.h"
#include "machine/machine.h"

#define MAX_BYTES 64       /* ranges of bytes that a chain may touch */
#define MAX_NEWEST 64      /* entries of the attacker's buffer that a load may notice */
#define MAX_SECTION 16     /* accesses of an atomic section before it joins the chain */
#define MAX_CHAIN_SLOTS 64 /* threads */

enum attack_phase { ATTACK_NONE, ATTACK_DELAYS, ATTACK_CHAIN, ATTACK_CLOSED };

/* An entry of the attacker's buffer. */
struct newest {
    uint64_t address;
    uint64_t size;
    uint64_t value[2];
    uint64_t is_end;
};

struct monitor {
    uint8_t phase;
    uint32_t attacker;
    uint32_t store; /* instruction */
    uint32_t load;
    uint32_t place; /* in the known sequences, see sequences.h */
    uint32_t count; /* of `newest` in phase ATTACK_DELAYS, of `bytes` afterwards */
    uint32_t section_count;
    uint64_t store_address;
    uint64_t store_size;
    uint64_t chain; /* set of slots */
    /* Not part of the state: where the store and the load stand in the path. */
    size_t store_at;
    size_t load_at;
    struct access section[MAX_SECTION];
    union { /* the last, so that only as many as there are need to be kept */
        struct newest newest[MAX_NEWEST];
        struct access bytes[MAX_BYTES];
    };
};

/* How many bytes of it have to be kept. */
size_t monitor_size(const struct monitor *monitor);

/* Appends what belongs to the state to a key of `size` bytes in `*key` (grown with realloc); returns the new size.  The
 * phase is not ATTACK_NONE.  The load does so only if `with_load`.  Puts its sets in order. */
size_t monitor_append(struct monitor *monitor, bool with_load, uint8_t **key, size_t *capacity, size_t size);

/* The attacker has put an entry into its buffer, which does not drain: of it a load notices only the newest entry for
 * each byte.  False if there are too many to remember. */
bool monitor_delay(struct monitor *monitor, const struct machine *machine);

/* Follows a step of another thread after the load.  False if it is not worth taking.  Sets `overflow` to a text if
 * there is too much to remember. */
bool monitor_follow(struct monitor *monitor, const struct step *step, const struct label *label, bool in_section,
                    bool in_await, const char **overflow);

#endif
