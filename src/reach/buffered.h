/* Reachability of errors on a machine with store buffers, by a search of states that include the buffers.
 *
 * The search limits buffers to a length.  A store that would exceed the limit waits for a drain; if a store had to wait
 * in some state, the search is repeated with a greater limit.  An error found with a limit is an error without one, and
 * if no store had to wait, there are no other errors.  A program whose buffers stay short has finitely many states if
 * it has so under SC, so this search ends.
 *
 * A program whose buffers grow without end may still have a proof: on a machine with abstract buffers (machine.h),
 * which represents all buffers by finitely many states and has at least the executions of the task's machine.  If it
 * has no error, the program has none.  If it has one, the task's machine may follow that execution to an error, which
 * is then real; otherwise the abstraction is refined. */
#ifndef PICKET_REACH_BUFFERED_H
#define PICKET_REACH_BUFFERED_H

#include "reach/search.h"

/* `task` has a model with buffers and no hooks; `result` is initialised. */
void buffered_run(const struct search_task *task, struct search_result *result);

/* The result of a search with abstract buffers whose newest `exact` entries are exact.  With `everything` the final
 * states found are at least those of the task's machine. */
enum abstract_answer {
    ABSTRACT_SAFE,     /* no error is reachable, whatever the lengths of buffers */
    ABSTRACT_FOUND,    /* an error is reachable; the result has its execution on the task's machine */
    ABSTRACT_SPURIOUS, /* an error was found whose execution the task's machine does not have */
    ABSTRACT_OPEN,     /* undecided: a limit was reached, or too many entries could not become abstract */
};
enum abstract_answer buffered_run_abstract(const struct search_task *task, enum buffer_abstraction abstract,
                                           uint32_t exact, struct search_result *result);

#endif
