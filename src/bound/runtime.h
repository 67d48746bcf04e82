/* The bookkeeping of a translated program: its variables, and the functions that sites of the program call. */
#ifndef PICKET_BOUND_RUNTIME_H
#define PICKET_BOUND_RUNTIME_H

#include "bound/assembler.h"
#include "bound/bound.h"

/* Variables of each thread, 8 bytes each: X(NAME, what it holds).  "bound_" stands before the name in the program. */
#define BOUND_CELLS(X)                                                                                                 \
    X(round)    /* the paper's r_SC: the round of this thread that runs, from 0; for --age modulo the slots */         \
    X(distance) /* r_TSO - r_SC: in how many rounds the next store drains at the earliest; 0: nothing is pending */    \
    X(acted)    /* this round has executed a statement or drained a store */                                           \
    X(section)  /* depth of the user's atomic sections */                                                              \
    X(company)  /* other threads may exist */                                                                          \
    X(dirty)    /* the round of the waiting loop has done something */                                                 \
    X(await)    /* which waiting loop */                                                                               \
    X(rows)     /* of the table of words with pending stores */                                                        \
    X(ends)     /* pending ends of objects */                                                                          \
    X(wish)     /* --age, probing: rounds until a store drains that is older than the bound; 0: none */                \
    X(locals)   /* shared locals alive */                                                                              \
    X(entry)    /* index + 1 of the thread's entry in the table of waiters, which a waker frees; 0: none */

/* Arrays of each thread: X(NAME, element size, elements per row). */
#define BOUND_ARRAYS(X)                                                                                                \
    X(row_address, 8)                                                                                                  \
    X(row_view, 8)    /* newest pending value of each byte */                                                          \
    X(row_pending, 1) /* bit per byte */                                                                               \
    X(row_joined, 1)  /* bit per byte: written by the store that wrote the byte before it */                           \
    X(row_mask, 1)    /* by row and slot: bit per byte that drains in that round */                                    \
    X(row_queue, 8)   /* by row and slot: what it will be then */                                                      \
    X(end_address, 8)                                                                                                  \
    X(end_size, 8)                                                                                                     \
    X(end_slot, 8)                                                                                                     \
    X(local_address, 8)

/* Variables that threads share. */
#define BOUND_SHARED(X)                                                                                                \
    X(last, 8)                    /* whose round it is: number + 1 */                                                  \
    X(changed, 8)                 /* bit per thread: memory has changed since its waiting loop looked */               \
    X(waiting, 8 * BOUND_WAITERS) /* at which object, 0: the entry is free */                                          \
    X(waiter, 8 * BOUND_WAITERS)  /* number + 1 of the thread */

#define BOUND_WAITERS 16u
#define BOUND_LOCALS 256u

/* Functions: X(NAME, parameters, results). */
#define BOUND_FUNCTIONS(X)                                                                                             \
    X(find, 1, 1)       /* row of an aligned word, or the number of copies */                                          \
    X(write, 3, 0)      /* bytes of a word (address, mask, value) to memory */                                         \
    X(drain, 1, 1)      /* all that is kept for a slot; was there anything? */                                         \
    X(next_round, 0, 0) /* ends the round and begins the next one */                                                   \
    X(point, 0, 0)      /* before a statement: the round may end here */                                               \
    X(settle, 0, 0)     /* rounds until nothing is pending */                                                          \
    X(delay, 0, 1)      /* chooses in how many rounds a store drains */                                                \
    X(slot, 1, 1)       /* slot of the round that comes in so many rounds */                                           \
    X(get, 2, 3)        /* of an address and size: bits pending, bits joined, value */                                 \
    X(put_word, 5, 0)   /* address, mask, value, joined, slot */                                                       \
    X(put, 5, 0)        /* address, size, value, is it joined to the byte before, slot */                              \
    X(part, 1, 0)       /* the byte at the address is not joined to the byte before */                                 \
    X(meet_ends, 1, 0)  /* an access: if the thread itself has ended the object, it ends now */                        \
    X(load_1, 1, 1)                                                                                                    \
    X(load_2, 1, 1)                                                                                                    \
    X(load_4, 1, 1)                                                                                                    \
    X(load_8, 1, 1)                                                                                                    \
    X(load_16, 1, 2)                                                                                                   \
    X(store_1, 3, 0) /* address, value, does it count as nothing done */                                               \
    X(store_2, 3, 0)                                                                                                   \
    X(store_4, 3, 0)                                                                                                   \
    X(store_8, 3, 0)                                                                                                   \
    X(store_16, 4, 0)                                                                                                  \
    X(before, 1, 0)      /* before an operation on memory itself, at this address */                                   \
    X(after, 2, 0)       /* behind it: address, did it write? */                                                       \
    X(end, 1, 0)         /* the end of an object */                                                                    \
    X(free, 1, 0)        /* the same, called by the user */                                                            \
    X(local, 1, 0)       /* a new shared local */                                                                      \
    X(leave, 1, 0)       /* ends the locals beyond so many */                                                          \
    X(abandon, 0, 0)     /* a thread ends: its locals end at once */                                                   \
    X(await_begin, 1, 0) /* a round of a waiting loop */                                                               \
    X(await_again, 1, 1) /* did it do nothing?  Then it has waited. */                                                 \
    X(waits, 0, 1)       /* where this thread waits to be woken: address of the object, 0 if nowhere */                \
    X(set_waits, 1, 0)                                                                                                 \
    X(wake_one, 1, 0) /* of those that wait at the address */                                                          \
    X(wake_all, 1, 0)                                                                                                  \
    X(format, 0, 0) /* before text is formatted */                                                                     \
    X(thread_begin, 0, 0)                                                                                              \
    X(thread_end, 0, 0)

enum bound_cell {
#define X(name) CELL_##name,
    BOUND_CELLS(X)
#undef X
        CELL_COUNT
};

enum bound_array {
#define X(name, size) ARRAY_##name,
    BOUND_ARRAYS(X)
#undef X
        ARRAY_COUNT
};

enum bound_shared {
#define X(name, size) SHARED_##name,
    BOUND_SHARED(X)
#undef X
        SHARED_COUNT
};

enum bound_function {
#define X(name, parameters, results) FUNCTION_##name,
    BOUND_FUNCTIONS(X)
#undef X
        BOUND_FUNCTION_COUNT
};

struct runtime {
    struct assembler out;
    struct bound_options options;
    uint32_t slots;
    uint32_t copies;
    uint32_t rounds;  /* how many a thread may have; 0: any number */
    bool has_awaits;  /* the program has waiting loops */
    bool has_tryjoin; /* threads may look whether another one has ended */
    bool has_locals;  /* it has locals that threads share */
    uint32_t cells[CELL_COUNT];
    uint32_t arrays[ARRAY_COUNT];
    uint32_t shared[SHARED_COUNT];
    uint32_t functions[BOUND_FUNCTION_COUNT];
};

/* Declares variables and functions.  The options and what the program has are filled in. */
void runtime_declare(struct runtime *runtime, struct builder *builder);

/* Emits the functions. */
void runtime_emit(struct runtime *runtime);
void runtime_emit_waiting(struct runtime *runtime); /* those of the table of waiters */

/* Pieces that functions and sites share. */
uint32_t cell_get(struct runtime *runtime, enum bound_cell cell);
void cell_set(struct runtime *runtime, enum bound_cell cell, uint32_t value);
uint32_t shared_address(struct runtime *runtime, enum bound_shared shared);
uint32_t call_1(struct runtime *runtime, enum bound_function function, uint32_t argument);
void call_0(struct runtime *runtime, enum bound_function function);
void emit_marker(struct runtime *runtime, enum bound_marker marker, uint32_t value);
void emit_dirty(struct runtime *runtime);
void emit_changed(struct runtime *runtime);
void begin_function(struct runtime *runtime, enum bound_function function);
void end_function(struct runtime *runtime); /* behind a RET or a jump */
void return_nothing(struct runtime *runtime);
/* Error "blocked in an atomic section" if the thread is in one. */
void emit_not_in_section(struct runtime *runtime);

/* An operation on an object, after the rounds it takes until nothing is pending: its code.  Returns an operand: did it
 * write? */
uint32_t emit_inlined(struct runtime *runtime, const struct instruction *sync);

/* An operand. */
uint32_t number(struct runtime *runtime, uint64_t value);

uint32_t array_get(struct runtime *runtime, enum bound_array array, uint32_t index);
void array_set(struct runtime *runtime, enum bound_array array, uint32_t index, uint32_t value);
uint32_t slot_index(struct runtime *runtime, uint32_t row, uint32_t slot);
uint32_t spread(struct runtime *runtime, uint32_t mask);
uint32_t inverted(struct runtime *runtime, uint32_t value);
uint32_t plus(struct runtime *runtime, uint32_t value, uint64_t more);

/* for (counter = 0; counter < limit; counter++): between loop_begin and loop_end. */
struct loop_code {
    uint32_t counter;
    struct label top;
    struct label next;
    struct label done;
};

void loop_begin(struct runtime *runtime, struct loop_code *loop, uint32_t limit);
void loop_end(struct runtime *runtime, struct loop_code *loop);

/* Jumps if the address is in memory that only this thread can reach. */
void jump_if_private(struct runtime *runtime, uint32_t address, struct label *label);
void emit_real_free(struct runtime *runtime, uint32_t address);
/* An error with the message unless there is room for one more. */
void emit_refusal(struct runtime *runtime, uint32_t used, uint32_t limit, const char *message);

/* Functions of the table, in table.c. */
void emit_find(struct runtime *runtime);
void emit_write(struct runtime *runtime);
void emit_drain(struct runtime *runtime);
void emit_get(struct runtime *runtime);
void emit_put_word(struct runtime *runtime);
void emit_put(struct runtime *runtime);
void emit_part(struct runtime *runtime);

#endif
