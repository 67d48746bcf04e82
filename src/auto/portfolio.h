/* One question, several engines: a portfolio of child processes.
 *
 * Each member runs in a child of its own and sends answers.  The portfolio knows of an answer only its class, which the
 * caller determines: a conclusive one ends the work of all.  Only the parent checks the limits: it decides which
 * children run, and at the end asks them for their results.  A child that crashes costs only itself. */
#ifndef PICKET_AUTO_PORTFOLIO_H
#define PICKET_AUTO_PORTFOLIO_H

#include "engine/engine.h"
#include "util/vector.h"

#define MOST_MEMBERS 16

/* In ascending order of strength. */
enum answer_class { ANSWER_NOTHING, ANSWER_REFUSED, ANSWER_BOUNDED, ANSWER_CONCLUSIVE };

/* The child's part of a member: its limits, its progress, and the connection to the parent. */
struct child {
    struct limits limits;
    struct progress progress;
    int pipe;
};

/* Sends an answer, as bytes that the caller's `judge` understands. */
void child_send(struct child *child, const struct vector *bytes);

struct member {
    const char *name;
    double after;     /* seconds after the start at which it begins, or as soon as a processor is free */
    unsigned threads; /* it runs with at most this many */
    /* Runs in the child; whatever it returns from ends the child. */
    void (*run)(void *data, struct child *child);
    void *data;
};

enum member_state {
    MEMBER_WAITS, /* it was not needed */
    MEMBER_RUNS,
    MEMBER_ENDED,   /* it came to its end */
    MEMBER_STOPPED, /* another has answered, or a limit was reached */
    MEMBER_FULL,    /* it had to end because memory was full */
    MEMBER_FAILED,  /* a defect: it crashed, or what it sent makes no sense */
};
extern const char *const member_states[];

struct member_result {
    enum member_state state;
    enum answer_class best; /* of its answers */
    double cpu_s;
    uint64_t memory_mb;
    char text[160];   /* its last progress */
    char defect[120]; /* MEMBER_FAILED: what is wrong */
    char *complaint;  /* likewise: what it has written to stderr; NULL: nothing */
};

struct portfolio {
    const struct member *members;
    size_t count;
    unsigned jobs;   /* threads that may run at once */
    bool all_finish; /* a conclusive answer ends only its own member */
    bool verbose;    /* starts and ends are shown on stderr */
    struct limits *limits;
    struct progress *progress;
    /* Classifies an answer.  If it is impossible, *defect says why, and the member has failed. */
    enum answer_class (*judge)(void *data, size_t member, const void *bytes, size_t size, const char **defect);
    void *data;
    struct member_result results[MOST_MEMBERS];
};

enum portfolio_end {
    PORTFOLIO_WON,       /* some answer is conclusive */
    PORTFOLIO_EXHAUSTED, /* all members have ended */
    PORTFOLIO_LIMIT,     /* see limits_reason */
    PORTFOLIO_NONE,      /* no child could be made: no engine has run */
};

enum portfolio_end portfolio_run(struct portfolio *portfolio);
/* All have ended without a conclusive answer: the verdict says if one has failed, or if memory was full. */
void portfolio_explain(const struct portfolio *portfolio, struct verdict *verdict);

void portfolio_delete(struct portfolio *portfolio); /* what portfolio_run has filled in */

/* The default number of threads that may run: the available cores, at most 4. */
unsigned portfolio_default_jobs(void);

#endif
