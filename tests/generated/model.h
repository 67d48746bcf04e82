/* Generated programs: what they consist of, and a second, independent definition of SC, TSO and PSO for them.
 *
 * The definition here knows nothing of src/machine.  It is as plain as can be: memory is an array of bytes, a store
 * buffer is a list of items, oldest first, and a store barrier is an item among them.  What operations on locks and
 * threads do (model_sync.c) is taken from the manual pages of pthreads and semaphores and from DESIGN.md. */
#ifndef PICKET_TESTS_GENERATED_MODEL_H
#define PICKET_TESTS_GENERATED_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"
#include "util/vector.h"

#define MODEL_THREADS 3
#define MODEL_OPERATIONS 12
#define MODEL_MUTEXES 2
#define MODEL_RWLOCKS 2
#define MODEL_MEMORY 8

/* Behind the program's memory: the word of the spin lock, whose unlocking is a store. */
#define MODEL_SPIN MODEL_MEMORY
#define MODEL_BYTES (MODEL_SPIN + 4)

enum operation_kind {
    OPERATION_LOAD,
    OPERATION_STORE,
    OPERATION_ADD,
    OPERATION_EXCHANGE,
    OPERATION_CAS,
    OPERATION_FENCE,
    OPERATION_BARRIER,
    OPERATION_SYNC, /* `sync` on object `object` of its kind, or on thread number `value`; WHOLE_DESTROY: of sort
                       `value` */
    OPERATION_SPIN_UNLOCK,
    OPERATION_ATOMIC_BEGIN,
    OPERATION_ATOMIC_END,
    OPERATION_KINDS
};

/* What can be destroyed. */
enum model_sort { SORT_MUTEX, SORT_RWLOCK, SORT_SEMAPHORE, SORT_CONDITION, SORT_BARRIER, SORT_COUNT };

/* What a thread reads, it mixes into its accumulator, which becomes its result when it ends. */
struct operation {
    enum operation_kind kind;
    bool conditional; /* skipped unless the value read last is odd */
    bool if_got;      /* skipped unless the last OPERATION_SYNC returned 0 (SYNC_ONCE_BEGIN: 1) */
    bool relative;    /* store: `value` is added to the value read last */
    unsigned sync;    /* SYNC_*, or enum whole */
    unsigned object;
    unsigned offset;
    unsigned size;
    enum order order;
    uint64_t value;
    uint64_t expected;
};

struct generated {
    uint64_t seed;
    unsigned threads;
    unsigned counts[MODEL_THREADS];
    struct operation operations[MODEL_THREADS][MODEL_OPERATIONS];
    unsigned mutex_kinds[MODEL_MUTEXES]; /* 0 normal, 1 recursive, 2 error-checking */
    unsigned semaphore;
    unsigned parties; /* of the barrier */
    bool asserts;     /* thread `asserting` asserts that its accumulator is not `forbidden` */
    unsigned asserting;
    uint64_t forbidden;
};

static inline uint64_t model_mix(uint64_t accumulator, uint64_t value) {
    return accumulator * 31 + value + 1;
}

/* Appends the texts (char *, owned by the caller) of all final states, each once; in `results` (uint64_t) likewise the
 * results of the asserting thread.  Returns false if an error can be reached: then they are not all. */
bool model_final_states(const struct generated *generated, enum memory_model model, struct vector *texts,
                        struct vector *results);

#endif
