/* Is a program robust, and if not, which executions show that?
 *
 * Two engines can decide.  `explore` tests the trace of every execution for a cycle; it ends if all executions do.  The
 * oracle searches states for a witness, TSO only; it ends if there are finitely many.  Unless one is named both run at
 * once (panel.h), beside an engine of the caller that may prove robustness, and the first conclusive answer counts.
 * Failed reads of waiting loops are events, but `explore` does not execute them: programs that wait are left to the
 * oracle, and the answer of `explore` under PSO, where there is no other engine, holds with that exception. */
#ifndef PICKET_ROBUST_ROBUST_H
#define PICKET_ROBUST_ROBUST_H

#include "robust/panel.h"

extern const struct answerer robust_by_traces;
extern const struct answerer robust_by_oracle;

/* The question: safe is robust, and a violation has executions whose traces have a cycle. */
struct robust_question {
    const struct task *task;       /* its jobs are the oracle's */
    const struct answerer *engine; /* NULL: both */
    const struct answerer *prover; /* under TSO one more: it answers robust or nothing; NULL: there is none */
    bool several; /* as many executions as are cheap to find, in which every read is a step if possible */
};

/* `answer` is initialised. */
void robust_ask(const struct robust_question *question, struct answer *answer);

/* Does the program have loops that need not end?  Then PSO is not decided: there is no engine but `explore`. */
bool robust_may_run_for_ever(const struct task *task);

/* Keeps the execution if it has its cycle when it is run again; otherwise the answer is a defect.  With `several` it
 * becomes one in which all reads are steps, if that is possible. */
void answer_add_cyclic(struct answer *answer, const struct program *program, const struct vector *path,
                       const struct machine_options *options, bool several);

#endif
