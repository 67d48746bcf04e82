/* The story of a violation: what a person must see of an execution, as rows.
 *
 * A row is a run of steps of one thread on one source line, or a store that reaches memory later than its step.  A
 * store that reaches memory at once is part of its step.  Where the execution allows, a store that reaches memory in
 * the middle of a row is moved in front of that row; the execution in this order is run on the machine, which must end
 * in the same error.
 *
 * A load is *outdated* if a store of another thread to the same bytes waits in a buffer, with another value. */
#ifndef PICKET_REPORT_STORY_H
#define PICKET_REPORT_STORY_H

#include "engine/witness.h"
#include "report/source.h"
#include "report/story_names.h"

struct story_row {
    uint32_t thread;     /* slot */
    uint32_t pos;        /* of the first access; 0: none */
    char *source;        /* NULL: not known */
    struct vector lines; /* of char * */
    size_t first;        /* step, from 0, in the order shown */
    size_t steps;
    size_t times;  /* how many such rows there were, one after the other */
    bool drain;    /* a store reaches memory */
    bool aside;    /* of main, before the first thread or at a join: its line is enough */
    bool outdated; /* its last access read outdated bytes */
    bool needed;   /* is never left out */
    bool waits;    /* in the end a store of the thread waits */
};

struct story_thread {
    uint32_t slot;
    char *title;      /* "thread 1: enter(&names[0])" */
    int64_t function; /* -1: not known */
    uint64_t argument;
};

struct story_note {
    uint32_t pos;
    char *text;
};

/* A load of an outdated value, and the store that it missed. */
struct story_outdated {
    uint32_t thread;
    uint32_t pos;
    uint32_t missed_thread;
    uint32_t missed_pos;
};

struct story_cause {
    const char *pattern;
    char *text;
};

struct story {
    struct machine *machine; /* in the end; NULL: the witness does not replay */
    struct story_names names;
    struct sources sources;
    struct vector rows;     /* of struct story_row */
    struct vector threads;  /* of struct story_thread, by slot */
    struct vector notes;    /* of struct story_note */
    struct vector why;      /* of char *: sentences about late stores */
    struct vector cycle;    /* of char *: accesses, each before the next, which SC does not have */
    struct vector causes;   /* of struct story_cause */
    struct vector calls;    /* of uint32_t: where the error is, and the calls that led there, innermost first */
    struct vector outdated; /* of struct story_outdated */
    uint32_t error_pos;
    char *message;
};

/* `inputs` as for sources_init; with `explain` its causes and its cycle are searched for.  False if the witness does
 * not replay.  The caller deletes the story in any case. */
bool story_build(struct story *story, const struct witness *witness, const struct program *program,
                 const struct vector *inputs, bool explain);
void story_delete(struct story *story);

#endif
