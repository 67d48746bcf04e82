/* The engine `brute`: all transitions, for small programs; the reference for other engines. */
#ifndef PICKET_ENGINE_BRUTE_H
#define PICKET_ENGINE_BRUTE_H

#include "engine/engine.h"

struct brute_options {
    struct engine_options common;
    /* If not NULL: may this transition be taken?  If not, its execution would end without a result anyway. */
    bool (*allows)(void *data, struct machine *machine, struct transition transition);
    void *allows_data;
    /* If final states are collected and it is not NULL: is this final state an error?  It is one of kind ERROR_STATE.
     * A state is final also if all threads have ended but for some at a HALT. */
    bool (*unwanted)(void *data, struct machine *machine);
    void *unwanted_data;
    bool deadlocks_pass;   /* a deadlock ends its execution, and the search continues */
    size_t shared_globals; /* number of globals that count as shared state; 0: all */
};

extern const struct engine engine_brute;

static inline const struct brute_options *brute_options(const struct task *task) {
    return (const struct brute_options *)task_options(task, &engine_brute);
}

#endif
