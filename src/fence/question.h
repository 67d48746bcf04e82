/* What a program with fences is to be, and the question whether it is: robust, safe, or free of triangular races.
 *
 * If it is not, the answer has executions that show it.  Each was run on the machine before it is handed over. */
#ifndef PICKET_FENCE_QUESTION_H
#define PICKET_FENCE_QUESTION_H

#include "engine/engine.h"
#include "fence/robustness.h"
#include "reach/search.h"

enum fence_goal { GOAL_ROBUST, GOAL_SAFETY, GOAL_TRIANGULAR, GOAL_COUNT };
extern const char *const goal_names[GOAL_COUNT]; /* as the option has them */

struct answer {
    struct verdict verdict;
    struct vector executions; /* of struct execution: a violation has at least one */
    const char *engine;       /* that answered */
    bool by_robustness;       /* whether an error is reachable was not decided: this is the answer for robustness */
};

void answer_init(struct answer *answer);
void answer_delete(struct answer *answer);

/* Answers by a search of states: what it finds is the execution.  The caller deletes the result. */
void answer_search(struct answer *answer, const struct task *task, const struct search_task *search,
                   struct search_result *result);

/* Errors under TSO may be hard to decide.  If that is given up, and there are none under SC, robustness is asked for
 * instead: a robust program is safe; one that is not may be, and the executions then show only that it is not robust.
 *
 * The task says program, machine, limits, progress, unroll and jobs.  `answer` was initialised. */
void question_ask(enum fence_goal goal, const struct task *task, struct answer *answer);

/* Does the execution still show that the program is not what it is to be? */
bool question_is_shown(enum fence_goal goal, const struct program *program, const struct execution *execution);

#endif
