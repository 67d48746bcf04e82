/* The bookkeeping of a translated program: its variables, and its functions, which the translated code calls. */
#ifndef PICKET_BOUND_RUNTIME_H
#define PICKET_BOUND_RUNTIME_H

#include "bound/assembler.h"
#include "bound/bound.h"

/* Variables of each thread, 8 bytes each: X(NAME, meaning).  In the program the name has the prefix "bound_". */
#define BOUND_CELLS(X)                                                                                                 \
    X(round)    /* the paper's r_SC: the present round of this thread, from 0; for --age modulo the slots */           \
    X(distance) /* r_TSO - r_SC: least number of rounds until the next store drains; 0: nothing is pending */          \
    X(acted)    /* this round has executed a statement or drained a store */                                           \
    X(section)  /* depth of the user's atomic sections */                                                              \
    X(company)  /* other threads may exist */                                                                          \
    X(dirty)    /* the iteration of the waiting loop has changed something */                                          \
    X(await)    /* the present waiting loop */                                                                         \
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
    X(row_queue, 8)   /* by row and slot: the values after that round's drains */                                      \
    X(end_address, 8)                                                                                                  \
    X(end_size, 8)                                                                                                     \
    X(end_slot, 8)                                                                                                     \
    X(local_address, 8)

/* Variables that threads share. */
#define BOUND_SHARED(X)                                                                                                \
    X(last, 8)                    /* the thread of the present or last round: number + 1 */                            \
    X(changed, 8)                 /* bit per thread: memory has changed since its waiting loop has read it */          \
    X(waiting, 8 * BOUND_WAITERS) /* address of the object waited for, 0: the entry is free */                         \
    X(waiter, 8 * BOUND_WAITERS)  /* number + 1 of the thread */

#define BOUND_WAITERS 16u
#define BOUND_LOCALS 256u

/* Functions: X(NAME, parameters, results). */
#define BOUND_FUNCTIONS(X)                                                                                             \
    X(find, 1, 1)       /* row of an aligned word; the number of copies if there is none */                            \
    X(write, 3, 0)      /* writes bytes of a word (address, mask, value) to memory */                                  \
    X(drain, 1, 1)      /* writes all that is kept for a slot to memory; returns whether there was anything */         \
    X(next_round, 0, 0) /* ends the round and begins the next one */                                                   \
    X(point, 0, 0)      /* before a statement: the round may end here */                                               \
    X(settle, 0, 0)     /* rounds until nothing is pending */                                                          \
    X(delay, 0, 1)      /* chooses the number of rounds after which a store drains */                                  \
    X(slot, 1, 1)       /* slot of the round after this number of rounds */                                            \
    X(get, 2, 3)        /* of an address and size: bits pending, bits joined, value */                                 \
    X(put_word, 5, 0)   /* address, mask, value, joined, slot */                                                       \
    X(put, 5, 0)        /* address, size, value, is it joined to the byte before, slot */                              \
    X(part, 1, 0)       /* the byte at the address no longer belongs to the same store as the byte before */           \
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
    X(after, 2, 0)       /* after it: address, did it write? */                                                        \
    X(end, 1, 0)         /* the end of an object */                                                                    \
    X(free, 1, 0)        /* the same, called by the user */                                                            \
    X(local, 1, 0)       /* a new shared local */                                                                      \
    X(leave, 1, 0)       /* ends the locals beyond this number */                                                      \
    X(abandon, 0, 0)     /* a thread ends: its locals end at once */                                                   \
    X(await_begin, 1, 0) /* begins an iteration of a waiting loop */                                                   \
    X(await_again, 1, 1) /* has the iteration done nothing?  Then it has waited. */                                    \
    X(waits, 0, 1)       /* where this thread waits to be woken: address of the object, 0: nowhere */                  \
    X(set_waits, 1, 0)                                                                                                 \
    X(wake_one, 1, 0) /* wakes one of the threads that wait at the address */                                          \
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
    uint32_t rounds; /* greatest number of rounds of a thread; 0: no limit */
    bool has_awaits; /* the program has waiting loops */
    bool has_locals; /* it has locals that threads share */
    uint32_t cells[CELL_COUNT];
    uint32_t arrays[ARRAY_COUNT];
    uint32_t shared[SHARED_COUNT];
    uint32_t functions[BOUND_FUNCTION_COUNT];
};

/* Declares variables and functions.  The caller has set the options and the properties of the program. */
void runtime_declare(struct runtime *runtime, struct builder *builder);

/* Emits the functions. */
void runtime_emit(struct runtime *runtime);
void runtime_emit_waiting(struct runtime *runtime); /* the functions of the table of waiters */

/* Code that functions and translated statements share. */
uint32_t cell_get(struct runtime *runtime, enum bound_cell cell);
void cell_set(struct runtime *runtime, enum bound_cell cell, uint32_t value);
uint32_t shared_address(struct runtime *runtime, enum bound_shared shared);
uint32_t call_1(struct runtime *runtime, enum bound_function function, uint32_t argument);
void call_0(struct runtime *runtime, enum bound_function function);
void emit_marker(struct runtime *runtime, enum bound_marker marker, uint32_t value);
void emit_dirty(struct runtime *runtime);
void emit_changed(struct runtime *runtime);
void begin_function(struct runtime *runtime, enum bound_function function);
void end_function(struct runtime *runtime); /* after a RET or a jump */
void return_nothing(struct runtime *runtime);
/* Error "blocked in an atomic section" if the thread is in one. */
void emit_not_in_section(struct runtime *runtime);

/* Emits an operation on an object: first the rounds until nothing is pending, then its code.  Returns an operand: did
 * it write? */
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

/* Jumps if the address is in memory that only this thread can access. */
void jump_if_private(struct runtime *runtime, uint32_t address, struct label *label);
void emit_real_free(struct runtime *runtime, uint32_t address);

/* Messages of errors that are no errors of the program. */
#define BOUND_WANTS_ROUND "a thread wants a further round"
#define BOUND_NO_COPY "more words have pending stores than the translation has copies for"
#define BOUND_NO_LOCAL "more shared locals are alive than the translation can follow"
#define BOUND_NO_WAITER "more threads wait to be woken than the translation can follow"
#define BOUND_NO_FORMAT "text is formatted or read while own stores are pending, which cannot be translated"

/* Emits an error with the message if `used` is not below the limit. */
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
