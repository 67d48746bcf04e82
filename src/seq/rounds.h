/* The encoding with rounds: in each of them the threads run one after the other, in the order of their numbers.
 *
 * An event guesses its round, not before that of its thread's event before it.  So the sequence of all events in all
 * rounds is known, and memory is passed along it: a write changes it if it is executed and in this round.  A store
 * reaches memory at once, or after its thread's part of a round that is not before its own: that round is the timestamp
 * of the paper's temporal lists, and the number of the round its clock.
 *
 * Every model is an execution (docs/seq.md states the rules), and every execution is a model if there are as many
 * rounds as it has changes of thread and separate drains; with fewer rounds this encoding can only find errors. */
#ifndef PICKET_SEQ_ROUNDS_H
#define PICKET_SEQ_ROUNDS_H

#include "seq/symbolic.h"

struct rounds {
    struct symbolic *execution;
    uint32_t rounds;     /* at present */
    uint32_t most;       /* no execution needs more: one for each event and each store that drains later */
    uint32_t count;      /* events */
    uint32_t *events;    /* their indices in the execution, in program order, thread by thread */
    uint32_t *after;     /* by event: the one here that it cannot come before, NO_EVENT: none */
    literal *from;       /* by number up to `rounds`, and event: its round is this or a later one */
    literal *drains;     /* likewise: where its stores reach memory */
    literal *at_once;    /* by event: they do when it is executed */
    struct vector rules; /* of struct buffer_rule: of buffers, for each round */
    literal *remote;     /* by access of the execution: the read is served by memory, not by an own store that waits */
    bool *read;          /* by cell: some event reads it */
    term_id *memory;     /* by cell: its content after the last round */
    bool *lives_read;    /* by thread and cell: a store of the thread reads this end of an object where it drains */
    term_id *lives;      /* likewise: the cell without the thread's own writes */
};

/* Gives the solver everything but rounds and the question.  False if a limit was reached. */
bool rounds_init(struct rounds *rounds, struct symbolic *execution);
void rounds_delete(struct rounds *rounds);

/* Appends a round.  False if a limit was reached. */
bool rounds_append(struct rounds *rounds);

/* The literal for: no event and no drain comes after the last round.  Every question assumes it. */
literal rounds_no_more(struct rounds *rounds);

/* If the condition holds, the event that reads all of memory finally does so after the last round. */
void rounds_read_final(struct rounds *rounds, literal condition);

/* If the condition holds, the event reads the final values: for threads that are blocked for ever. */
void rounds_read_last(struct rounds *rounds, uint32_t event, literal condition);

/* The executed events of the model, in the order in which they take effect. */
void rounds_sequence(struct rounds *rounds, struct vector *sequence);

#endif
