/* What the solver is asked about the executions of an encoding: each question is a literal that implies what it is
 * about, or FALSE if that cannot be. */
#ifndef PICKET_SEQ_QUESTIONS_H
#define PICKET_SEQ_QUESTIONS_H

#include "seq/order.h"
#include "seq/rounds.h"

struct encoded {
    struct symbolic *execution;
    struct total_order *order;
    struct rounds *rounds; /* NULL: it is encoded by `order` */
};

/* One of the literals holds; `literals` (of literal) gets one more. */
literal question_one_of(struct gates *gates, struct vector *literals);

literal question_error(struct symbolic *execution);

/* Every thread has ended or is stuck, one of them at an operation (or, for liveness, in a loop). */
literal question_deadlock(const struct encoded *encoded, bool in_loops);

/* An execution comes to its end in which no assumption fails.  A thread that waits for something that will come is not
 * at its end. */
literal question_undropped(const struct encoded *encoded);

/* The process ends, by the end of main or by a thread that ends it. */
literal question_end(struct symbolic *execution);

/* Every thread has ended, but for at most one that ends the process. */
literal question_complete(struct symbolic *execution);

/* An execution is cut, by something else than these loops; `except` may be NULL. */
literal question_cut(struct symbolic *execution, const struct vector *except);

#endif
