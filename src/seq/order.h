/* The encoding without rounds: one total order `<` over all events, in which a store has the position at which it
 * reaches memory.
 *
 * docs/seq.md states the rules and proves that they are exact: the models are the executions of the machine, up to the
 * order of steps that no thread can distinguish. */
#ifndef PICKET_SEQ_ORDER_H
#define PICKET_SEQ_ORDER_H

#include "seq/bit_matrix.h"
#include "seq/symbolic.h"

/* An event that writes a cell. */
struct cell_writer {
    uint32_t position; /* in the order's events */
    uint32_t access;   /* of the execution */
};

struct total_order {
    struct symbolic *execution;
    uint32_t count;          /* events in the order */
    uint32_t *events;        /* their indices in the execution, in program order, thread by thread */
    uint32_t *positions;     /* by event of the execution: its index here, UINT32_MAX: left out */
    struct bit_matrix fixed; /* row before column, whatever the model */
    struct bit_matrix edges; /* symmetric: something depends on which of the two is first */
    literal *pairs;          /* by row and column, row < column: before; 0: no literal yet */
    struct vector *writers;  /* by cell, of struct cell_writer */
    bool eager;              /* transitivity is in the clauses; otherwise cycles are excluded as they turn up */
    uint64_t cycles;
};

/* Gives the solver everything but the question.  False if a limit was reached. */
bool order_init(struct total_order *order, struct symbolic *execution);
void order_delete(struct total_order *order);

/* The literal for: one comes before the other (events of the execution, both in the order). */
literal order_before(struct total_order *order, uint32_t one, uint32_t other);

/* The same of events by their positions in the order; neither is fixed before the other. */
literal order_pair(struct total_order *order, uint32_t one, uint32_t other);

/* Requires that the events which write a cell of an object finally come before this one's reads: for threads that are
 * blocked for ever. */
void order_read_last(struct total_order *order, uint32_t event, literal condition);

/* Gives the solver what it means that a read finds what nobody has written. */
void order_bind_initial(struct total_order *order);

/* Excludes cycles of the model; true if there was one. */
bool order_exclude_cycles(struct total_order *order);

/* The executed events of the model, in their order. */
void order_sequence(struct total_order *order, struct vector *sequence);

#endif
