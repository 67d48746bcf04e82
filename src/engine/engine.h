/* What all engines share: the task they receive and the verdict they return.
 *
 * An engine decides whether an error is reachable.  It runs the program only on the machine, stops when a limit is
 * reached, and returns a witness with every violation; engine_run replays the witness before it is shown. */
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
    VERDICT_REFUSED, /* the engine does not support the program */
};

enum collect { COLLECT_NOTHING, COLLECT_STATES, COLLECT_TRACES };

struct engine;

/* Options of one engine alone.  The header of an engine with options declares them as a struct whose first member is
 * this one, and a function that finds those of a task. */
struct engine_options {
    const struct engine *engine;       /* the engine that they are for */
    const struct engine_options *next; /* earlier options of the task; NULL: none */
};

/* The question, in the form that every engine receives. */
struct task {
    const struct program *program;
    struct machine_options machine;
    struct limits *limits;
    struct progress *progress;
    uint32_t jobs;                  /* number of threads that search, if the engine can use several; 0: 1 */
    uint32_t unroll;                /* the bound on loops that the program contains, 0: none */
    uint32_t recursion;             /* greatest depth of recursion; 0: the engine's default */
    struct restriction restriction; /* only executions within it, if the engine supports that kind */
    bool drops;                     /* executions also fail assumptions that are not the program's own */
    enum collect collect;
    /* If not NULL: called at the end of every complete execution that is new; of every trace, if those are collected.
     */
    void (*final)(void *data, struct machine *machine);
    void *final_data;
    const struct engine_options *options; /* the last ones added; NULL: engines have their defaults */
};

/* Adds options of an engine to the task, before those that it has.  The task does not own them. */
void task_give(struct task *task, const struct engine *engine, struct engine_options *options);

/* The engine's options, or its defaults. */
const struct engine_options *task_options(const struct task *task, const struct engine *engine);

/* A set of collected results: each one a text or a 128-bit name. */
struct collected {
    struct vector texts; /* of char *: final shared states */
    uint64_t states;     /* of the set of final shared states, with the heap: equal for equal sets */
    uint64_t traces;     /* different Shasha-Snir traces of complete executions */
    uint64_t blocked;    /* the same of blocked ones */
    uint64_t digest;     /* of the set of complete traces: equal for equal sets */
};

/* What an engine passed to a solver, the largest time. */
struct formula {
    bool given; /* there is a solver */
    uint64_t events;
    uint64_t variables;
    uint64_t clauses;
    double encode_s;
    double solve_s;
};

/* An assumption of a verdict about the outside, and the first position that depends on it. */
struct assumed {
    enum assumption kind;
    char *file; /* "" if unknown */
    uint32_t line;
};

struct verdict {
    enum verdict_word word;
    bool bounded;              /* safe, but within bounds or under assumptions */
    bool incomplete;           /* no execution is complete within the bounds */
    bool settled;              /* undecided, and more time would change nothing */
    bool may_be_vacuous;       /* safe, but perhaps every execution fails an assumption: the engine cannot tell */
    bool endless;              /* undecided because an execution seems to have no end */
    uint32_t unasked;          /* a bound among these that the engine chose itself; 0: none */
    char bounds[2048];         /* the bounds, if bounded; assumptions are separate */
    struct vector assumptions; /* of struct assumed, by kind */
    char reason[1024];         /* if undecided or refused: the reason */
    char *file;                /* refused: the position; NULL otherwise */
    uint32_t line;
    uint64_t traces;  /* complete executions */
    uint64_t blocked; /* blocked executions, and those that fail an assume */
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
    /* If not NULL: the reason why the engine cannot do this task at all, with what to do instead; NULL if it can. */
    const char *(*refuses)(const struct task *task);
    const char *unlooked; /* likewise, if errors are requested that it does not check (checks.h) */
    bool bounds_loops;    /* it bounds loops itself: the program has no counters, and the bound is an option */
    enum restriction_kind keeps_to; /* the restrictions that it supports; RESTRICTION_ANY: all */
    /* NULL: it has no options.  Engines with the same defaults share their options. */
    const struct engine_options *defaults;
};

void verdict_init(struct verdict *verdict);
void verdict_delete(struct verdict *verdict);

/* Adds a bound to those of the verdict. */
void verdict_add_bound(struct verdict *verdict, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the assumptions that were made to those of the verdict; if it is safe, they bound it. */
void verdict_add_assumptions(struct verdict *verdict, const struct program *program,
                             const struct assumptions *assumptions);
/* None is made yet; those that the options lift will not be recorded. */
void assumptions_init(struct assumptions *assumptions, const struct machine_options *options);

/* Safe, within the bounds that executions met: bits of enum met. */
void verdict_set_safe(struct verdict *verdict, const struct task *task, unsigned met);
/* Adds the restriction to the bounds of the verdict. */
void verdict_add_restriction(struct verdict *verdict, struct restriction restriction);
/* Undecided: all executions met a bound. */
bool verdict_lacks_executions(uint64_t complete, uint64_t cut, unsigned met);
void verdict_set_incomplete(struct verdict *verdict, const struct task *task, unsigned met);

/* Refuses the program for a construct at this position. */
void verdict_refuse(struct verdict *verdict, const char *file, uint32_t line, const char *message);

/* Turns an error of the machine into a violation, whose witness is the steps that led there. */
void verdict_set_violation(struct verdict *verdict, const struct task *task, const struct machine *machine,
                           const struct machine_error *error, const struct transition *steps, size_t count);

/* The machine is at the end of an execution with this outcome: counts it.  An error is a violation, whose witness is
 * the steps, of struct transition. */
void verdict_add_execution(struct verdict *verdict, const struct task *task, const struct machine *machine,
                           enum outcome outcome, const struct vector *steps);

/* All executions are counted, or a limit was reached; they met bits of enum met.  Unless a violation or a reason is
 * known, the verdict is safe: then true. */
bool verdict_conclude(struct verdict *verdict, const struct task *task, unsigned met);

/* The reason why the engine cannot do this task, NULL: it can. */
const char *engine_refusal(const struct engine *engine, const struct task *task);

/* Runs the engine, measures its time, and replays its violation. */
void engine_run(const struct engine *engine, const struct task *task, struct verdict *verdict);

#endif
