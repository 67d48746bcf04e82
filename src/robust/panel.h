/* One question about a program for several engines at once, each in a child process (auto/portfolio.h). */
#ifndef PICKET_ROBUST_PANEL_H
#define PICKET_ROBUST_PANEL_H

#include "auto/portfolio.h"
#include "robust/answer.h"

/* An engine that answers with executions. */
struct answerer {
    const char *name;
    /* With `several`, as many executions as are cheap to find. */
    void (*run)(const struct task *task, bool several, struct answer *answer);
    double after; /* seconds after which it starts, or as soon as a processor is free */
    bool shares;  /* it searches with several threads */
};

struct panel {
    const struct task *task;
    const struct answerer *answerers;
    size_t count;
    bool several;
    /* Classifies an answer; if it is impossible, *defect says why. */
    enum answer_class (*classify)(const struct program *program, const struct answer *answer, const char **defect);
};

/* Runs the engines.  Keeps the conclusive answer, or else the last one that is no refusal; `answer` is initialised.  If
 * none is conclusive, the caller sets the reason for PORTFOLIO_LIMIT and PORTFOLIO_NONE; for PORTFOLIO_EXHAUSTED it is
 * in the verdict. */
enum portfolio_end panel_ask(const struct panel *panel, struct answer *answer);

#endif
