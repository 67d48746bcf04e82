/* The goal of fences, and the question whether a program meets it: robust, safe, or free of triangular races.
 *
 * If it does not, the answer has executions that show it.  Each was run on the machine before. */
#ifndef PICKET_FENCE_QUESTION_H
#define PICKET_FENCE_QUESTION_H

#include "reach/search.h"
#include "robust/answer.h"

enum fence_goal { GOAL_ROBUST, GOAL_SAFETY, GOAL_TRIANGULAR, GOAL_COUNT };
extern const char *const goal_names[GOAL_COUNT]; /* as the option has them */

/* Answers by a search of states: what it finds is the execution.  The caller deletes the result. */
void answer_search(struct answer *answer, const struct task *task, const struct search_task *search,
                   struct search_result *result);

/* Errors under TSO may be hard to decide.  If that fails, and there are none under SC, robustness is decided instead: a
 * robust program is safe; another one may be safe too, and the executions then only show that it is not robust.
 *
 * The task has program, machine, limits, progress, unroll and jobs.  `answer` is initialised. */
void question_ask(enum fence_goal goal, const struct task *task, struct answer *answer);

/* Does the execution still show that the program does not meet the goal? */
bool question_is_shown(enum fence_goal goal, const struct program *program, const struct execution *execution);

#endif
