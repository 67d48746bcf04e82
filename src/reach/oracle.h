/* The robustness oracle: does the store buffer add any behaviour under TSO, and if so, by which attacks?
 *
 * A program is not robust exactly if it has a witness (Bouajjani, Calin, Derevenetc, Meyer: Lazy TSO Reachability,
 * Section 4, and the earlier work cited there): an execution in which a single thread, the attacker, delays stores.
 *
 *     before · store · between · load · chain · the attacker's buffer drains
 *
 * Before the store everything is SC.  From the store on the attacker's buffer does not drain; the attacker continues,
 * reads its own stores early, and executes nothing that waits for the empty buffer; the other threads take SC steps.
 * The load reads memory, not the buffer, and is the attacker's last step.  Every step of the chain is another thread's
 * and happens after the load; the last one accesses bytes of the store, which closes a cycle.
 *
 * The search runs the TSO machine itself: stores of the other threads drain at once, and so do the attacker's before
 * the attack; during the attack they never drain.  Then only the newest entries of the buffer matter, so attackers with
 * loops have finitely many states.  All attacks share one search of the prefixes before them.  An attack is a pair of a
 * store and a load; pairs that cannot succeed are discarded before the search (attacks.h). */
#ifndef PICKET_REACH_ORACLE_H
#define PICKET_REACH_ORACLE_H

#include "engine/limits.h"
#include "engine/progress.h"
#include "machine/machine.h"
#include "util/vector.h"

enum oracle_answer {
    ORACLE_ROBUST,
    ORACLE_NOT_ROBUST, /* see witnesses */
    ORACLE_KNOWN,      /* every witness has a sequence that is known already */
    ORACLE_UNDECIDED,  /* see reason */
};

/* A witness, and the sequence of instructions (in the paper σ) that the attacker executes from the store to the load,
 * both included, with local ones. */
struct oracle_witness {
    uint32_t thread;        /* slot of the attacker */
    uint32_t store;         /* index into the program's code */
    uint32_t load;          /* likewise */
    struct vector sequence; /* of uint32_t: indices into the program's code */
    struct vector path;     /* of struct transition: an execution up to the drain of the last delayed store */
    size_t before;          /* number of its transitions before the store */
};

struct oracle_task {
    const struct program *program;
    struct machine_options machine; /* errors and possible outcomes; model and awaits are the oracle's own */
    struct limits *limits;
    struct progress *progress; /* may be NULL */
    uint32_t jobs;             /* number of parallel searches, each for its share of the stores; 0: 1 */
    bool every_pair;           /* witnesses for several pairs of a store and a load, instead of a single witness */
    bool exhaustive;           /* ... for every such pair that has one, without a limit of time */
    const struct vector
        *known;              /* of struct vector (of uint32_t): sequences that must not be found again; may be NULL */
    const uint32_t *origins; /* by instruction: its name in `known`, 0 if it is ignored there */
};

struct oracle_result {
    enum oracle_answer answer;
    char reason[160];        /* undecided: the reason */
    bool cut;                /* some execution was cut by a loop bound: robust within it */
    bool frontier;           /* some execution was cut at the end of the program's unfolding */
    unsigned met;            /* what executions met: bits of enum met */
    struct vector witnesses; /* of struct oracle_witness */
    uint64_t queries;        /* number of searches; one that is repeated with more patience counts once */
    uint64_t states;
    uint64_t attacks;   /* pairs of a store and a load in one thread */
    uint64_t discarded; /* of these, before any search */
};

void oracle_result_init(struct oracle_result *result);
void oracle_result_delete(struct oracle_result *result);

/* The options of a machine on which the path of a witness runs. */
struct machine_options oracle_machine_options(const struct machine_options *options);

/* `result` is initialised. */
void oracle_run(const struct oracle_task *task, struct oracle_result *result);

#endif
