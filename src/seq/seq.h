/* The engine `seq`: bounded model checking by SAT.
 *
 * The program is executed symbolically (symbolic.h) and a solver decides the order of its events (order.h).  An error
 * that the solver finds is run on the machine before it is reported; if there is none, the solver searches for an
 * execution that a bound cuts.  If there is one, that bound is raised; if not, the program is safe. */
#ifndef PICKET_SEQ_SEQ_H
#define PICKET_SEQ_SEQ_H

#include "engine/engine.h"

struct seq_options {
    struct engine_options common;
    uint32_t iterations; /* greatest number of iterations of each loop; 0: no limit */
    /* If not NULL: called whenever there is no error within bounds that the engine chose itself; it raises them
     * next. */
    void (*bounded)(void *data, const struct verdict *verdict);
    void *bounded_data;
};

extern const struct engine engine_seq;

static inline const struct seq_options *seq_options(const struct task *task) {
    return (const struct seq_options *)task_options(task, &engine_seq);
}

#endif
