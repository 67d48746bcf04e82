/* The circumstances of an error: for a deadlock, the threads that each thread waits for, and since when they hold what
 * it waits for; for an object that was destroyed or has ended, the line that did that; for a race, the other access.
 * Found by running the witness once more. */
#ifndef PICKET_EXPLAIN_CIRCUMSTANCES_H
#define PICKET_EXPLAIN_CIRCUMSTANCES_H

#include "engine/witness.h"

struct circumstance {
    char *text; /* a sentence without its full stop */
    char *thread;
    char *file; /* of that thread, or of what was done */
    uint32_t line;
    char *holder;     /* deadlock: the thread that holds what this thread waits for; NULL if unknown */
    char *since_file; /* and since where; NULL likewise */
    uint32_t since_line;
    char *note;          /* the same as the text of a note, whose position is `pos` */
    bool joins;          /* it waits for the end of a thread */
    uint32_t slot;       /* of the thread */
    uint32_t pos;        /* of file and line */
    uint32_t since_pos;  /* of since_file and since_line */
    int64_t holder_slot; /* -1: not known */
};

/* Fills `list` (of struct circumstance), which the caller has initialised. */
void circumstances_find(const struct witness *witness, const struct program *program, struct vector *list);
void circumstances_delete(struct vector *list);

/* The first of the threads that wait for each other in a circle; NULL if there is none. */
const struct circumstance *circumstances_cycle(const struct vector *list);

/* What is known of the thread with this slot; NULL if there is nothing. */
const struct circumstance *circumstances_of_thread(const struct vector *list, int64_t slot);

#endif
