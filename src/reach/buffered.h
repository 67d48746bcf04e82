/* Reachability on a machine with store buffers: what is in the buffers is part of the state.
 *
 * Where the buffers of a program stay short, its states are finitely many if they are so under SC, and the search ends.
 * It is run with buffers up to a length, at which a store waits for a drain; if a store had to, the length grows.  So
 * an error that is found is one, and there is none if no store had to wait.
 *
 * Where buffers grow without end, there may still be a proof: on a machine whose buffers are loose (machine.h), which
 * has finitely many states for all of them.  If there is no error there, there is none.  If there is one, and the
 * machine of the task can follow that execution, it is one; otherwise more of the buffers has to be known. */
#ifndef PICKET_REACH_BUFFERED_H
#define PICKET_REACH_BUFFERED_H

#include "reach/search.h"

/* `task` has a model with buffers and no hooks; `result` was initialised. */
void buffered_run(const struct search_task *task, struct search_result *result);

/* What a search with loose buffers, of which the newest `exact` entries are known, has to say.  With `everything` its
 * final states are those of the machine of the task, and others. */
enum loose_answer {
    LOOSE_SAFE,     /* there is no error, however long the buffers */
    LOOSE_FOUND,    /* there is one, and the result has its execution on the machine of the task */
    LOOSE_SPURIOUS, /* it found one that the machine of the task does not follow */
    LOOSE_OPEN,     /* a limit was reached, or entries that cannot be loose */
};
enum loose_answer buffered_run_loose(const struct search_task *task, enum looseness loose, uint32_t exact,
                                     struct search_result *result);

#endif
