/* Bounded executions: at most K rounds per thread, stores of at most a certain age, or at most K context switches.
 *
 * A round of a thread is a maximal block of consecutive transitions that are its own steps or drains of its own buffer.
 *
 *   RESTRICTION_ROUNDS  every thread has at most `bound` rounds
 *   RESTRICTION_AGE     a store executed in its thread's round j drains in one of the rounds j .. j + bound, so round
 *                       j + bound + 1 does not begin before it has drained; 0 is sequential consistency
 *   RESTRICTION_SWITCHES  all threads together have at most `bound` + 1 rounds
 *
 * `round_count` follows an execution step by step and undoes steps.  Tests compare the translations of src/bound/ with
 * it. */
#ifndef PICKET_ENGINE_RESTRICTION_H
#define PICKET_ENGINE_RESTRICTION_H

#include "machine/machine.h"
#include "util/vector.h"

enum restriction_kind { RESTRICTION_NONE, RESTRICTION_ROUNDS, RESTRICTION_AGE, RESTRICTION_SWITCHES, RESTRICTION_ANY };

struct restriction {
    enum restriction_kind kind;
    uint32_t bound;
};

struct round_count {
    struct restriction restriction;
    uint32_t begun;        /* rounds of all threads */
    uint32_t last;         /* slot of the thread of the present round; NO_SLOT before the first transition */
    struct vector threads; /* of struct thread_rounds, by slot */
    struct vector history; /* of struct round_change: for undoing */
};

void round_count_init(struct round_count *count, struct restriction restriction);
void round_count_delete(struct round_count *count);

/* Does the restriction allow the transition? */
bool round_count_allows(struct round_count *count, struct transition transition);

/* The machine has taken the transition. */
void round_count_follow(struct round_count *count, const struct machine *machine, struct transition transition);

/* Undoes the last transition that was followed. */
void round_count_back(struct round_count *count);

/* Appends what the future depends on to the buffer, which grows with realloc. */
size_t round_count_serialise(const struct round_count *count, size_t used, uint8_t **buffer, size_t *capacity);

#endif
