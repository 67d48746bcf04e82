/* What all engines share: the task they get and the verdict they give.
 *
 * An engine decides whether an error is reachable.  It runs the program on the machine only, stops when a limit is
 * reached, and hands over a witness with every violation; engine_run replays the witness before anybody sees it. */
#ifndef PICKET_ENGINE_ENGINE_H
#define PICKET_ENGINE_ENGINE_H

#include "engine/limits.h"
#include "engine/progress.h"
#include "engine/restriction.h"
#include "engine/witness.h"
#include "machine/machine.h"

enum verdict_word {
    VERDICT_SAFE,
    VERDICT_VIOLATION,
    VERDICT_UNDECIDED,
    VERDICT_DEFECT,  /* a witness that does not replay: a bug in Picket */
    VERDICT_REFUSED, /* the program has something that the engine cannot do */
};

enum scheduler { SCHEDULER_BOTH, SCHEDULER_UNIFORM, SCHEDULER_PCT };
enum dpor { DPOR_OPTIMAL, DPOR_SOURCE };
enum collect { COLLECT_NOTHING, COLLECT_STATES, COLLECT_TRACES };

struct chronological;

struct task {
    const struct program *program;
    struct machine_options machine;
    struct limits *limits;
    struct progress *progress;
    uint32_t unroll; /* the bound that was put into the program, 0: none */
    /* engines that bound loops themselves: how often each may iterate; 0: as often as is needed */
    uint32_t iterations;
    /* random */
    uint64_t runs;
    uint64_t seed;
    uint64_t steps; /* of one run */
    enum scheduler scheduler;
    /* explore */
    enum dpor dpor;
    /* explore, in debug builds: explore/check.h on every execution whose number is divided by this; 0: a few of them */
    uint32_t check_every;
    /* explore, reach */
    uint32_t jobs; /* threads to search with; 0 is 1 */
    bool shortest; /* a shortest execution */
    /* brute, explore */
    enum collect collect;
    /* brute: only executions within it; rounds, age: the bound, if one was given */
    struct restriction restriction;
    /* brute, if not NULL: may this transition be taken?  Where not, its execution would end without a result anyway. */
    bool (*allows)(void *data, struct machine *machine, struct transition transition);
    void *allows_data;
    /* brute, if final states are collected and it is not NULL: is this final state an error?  It is one of kind
     * ERROR_STATE.  A state is final also if all threads have ended but for some that stand at a HALT. */
    bool (*unwanted)(void *data, struct machine *machine);
    void *unwanted_data;
    bool deadlocks_pass; /* brute: a deadlock ends its execution, and the search goes on */
    /* brute: how many globals count as shared state; 0: all */
    size_t shared_globals;
    /* rounds, age: how many words may have pending stores in one thread; 0: the default */
    uint32_t copies;
    /* explore, if not NULL: called at the end of every maximal execution, complete or not; true ends the search. Errors
     * then end only the thread that meets them. */
    bool (*maximal)(void *data, struct chronological *execution);
    void *maximal_data;
    /* If not NULL: called at the end of every complete execution that is new; of every trace, if those are collected.
     */
    void (*final)(void *data, struct machine *machine);
    void *final_data;
};

/* A set of results that an engine was asked to collect: each one a text or a 128-bit name. */
struct collected {
    struct vector texts; /* of char *: final shared states */
    uint64_t states;     /* of the set of final shared states, with the heap: equal for equal sets */
    uint64_t traces;     /* different Shasha-Snir traces of complete executions */
    uint64_t blocked;    /* the same of blocked ones */
    uint64_t digest;     /* of the set of complete traces: equal for equal sets */
};

/* What an engine gave to a solver, the largest time. */
struct formula {
    bool given; /* there is a solver */
    uint64_t events;
    uint64_t variables;
    uint64_t clauses;
    double encode_s;
    double solve_s;
};

struct verdict {
    enum verdict_word word;
    bool bounded;
    char bounds[256]; /* within what, if bounded */
    char reason[256]; /* why undecided or refused */
    char *file;       /* refused: where; NULL otherwise */
    uint32_t line;
    uint64_t traces;  /* complete executions */
    uint64_t blocked; /* executions that wait for ever or fail an assume */
    uint64_t cut;     /* executions cut by the loop bound */
    uint64_t redundant;
    uint64_t states;
    uint64_t queries;
    struct formula formula;
    double time_s;
    struct machine_error error; /* violation */
    struct witness witness;     /* violation */
    struct collected collected;
};

struct engine {
    const char *name;
    const char *what; /* one line for --help */
    void (*run)(const struct task *task, struct verdict *verdict);
    /* If not NULL: why the engine cannot do this task at all, with what to do instead; NULL if it can. */
    const char *(*refuses)(const struct task *task);
    const char *omits; /* errors found by default that it does not look for; NULL: none */
    bool bounds_loops; /* it bounds loops itself: the program comes without counters, the bound as `iterations` */
    enum restriction_kind keeps_to; /* which restrictions it can be given; RESTRICTION_ANY: all */
};

extern const struct engine engine_random;
extern const struct engine engine_brute;

void verdict_init(struct verdict *verdict);
void verdict_delete(struct verdict *verdict);

/* Says within which bounds the verdict holds; several are joined. */
void verdict_add_bound(struct verdict *verdict, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Safe, within the bounds that executions have met: bits of enum met. */
void verdict_set_safe(struct verdict *verdict, const struct task *task, unsigned met);
/* Undecided: all executions have met a bound. */
void verdict_set_incomplete(struct verdict *verdict, const struct task *task, unsigned met);

/* What the engine cannot do, and where it stands. */
void verdict_refuse(struct verdict *verdict, const char *file, uint32_t line, const char *message);

/* Turns an error of the machine into a violation whose witness is the steps that led there. */
void verdict_set_violation(struct verdict *verdict, const struct task *task, const struct machine *machine,
                           const struct machine_error *error, const struct transition *steps, size_t count);

/* Runs the engine, times it, and replays what it found. */
void engine_run(const struct engine *engine, const struct task *task, struct verdict *verdict);

#endif
