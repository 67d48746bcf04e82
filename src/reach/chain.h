/* The monitor of an attack: what must be known, besides the machine's state, to decide whether an execution becomes a
 * witness (oracle.h).  Its phases:
 *
 *     ATTACK_NONE    everything drains at once;
 *     ATTACK_DELAYS  the attacker has executed the store, and its buffer does not drain;
 *     ATTACK_CHAIN   the load is done; only steps that happen after it are taken;
 *     ATTACK_CLOSED  a step in the chain has accessed the bytes of the store: a cycle, once no thread is in an atomic
 *                    section, so that the buffer can drain.
 *
 * The chain is a set of threads and of the bytes that they have read and written since they joined it.  A thread joins
 * the chain by a step that conflicts with one of those bytes, or by a join of a thread in the chain.  A step of another
 * thread that does not join could as well have come before the load, so it is not taken, with two exceptions: steps
 * that access nothing, and reads of a waiting loop, which the machine does not take earlier.  An atomic section is one
 * event: its accesses before it joins count too. */
#ifndef PICKET_REACH_CHAIN_H
#define PICKET_REACH_CHAIN_H

#include "engine/label.h"
#include "machine/machine.h"

#define MAX_BYTES 64       /* greatest number of ranges of bytes in a chain */
#define MAX_NEWEST 64      /* greatest number of entries of the attacker's buffer that a load may read */
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
    uint32_t node;  /* node in the known sequences, see sequences.h */
    uint32_t count; /* of `newest` in phase ATTACK_DELAYS, of `bytes` afterwards */
    uint32_t section_count;
    uint64_t store_address;
    uint64_t store_size;
    uint64_t chain; /* set of slots */
    /* Not part of the state: indices of the store and the load in the path. */
    size_t store_at;
    size_t load_at;
    struct access section[MAX_SECTION];
    union { /* the last field, so that only its elements in use are stored */
        struct newest newest[MAX_NEWEST];
        struct access bytes[MAX_BYTES];
    };
};

/* Number of bytes that have to be stored. */
size_t monitor_size(const struct monitor *monitor);

/* Appends the monitor's part of the state to a key of `size` bytes in `*key` (grown with realloc); returns the new
 * size. With `with_load` that includes the load.  The phase is not ATTACK_NONE.  Sorts the monitor's sets. */
size_t monitor_append(struct monitor *monitor, bool with_load, uint8_t **key, size_t *capacity, size_t size);

/* The attacker has put an entry into its buffer, which does not drain; a load reads only the newest entry for each
 * byte.  False if there are too many entries. */
bool monitor_delay(struct monitor *monitor, const struct machine *machine);

/* Follows a step of another thread after the load.  False if the step need not be taken.  Sets `overflow` to a text if
 * a table is full. */
bool monitor_follow(struct monitor *monitor, const struct step *step, const struct label *label, bool in_section,
                    bool in_await, const char **overflow);

#endif
