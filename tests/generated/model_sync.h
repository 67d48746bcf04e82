/* Locks, condition variables, barriers and threads of the independent model. */
#ifndef PICKET_TESTS_GENERATED_MODEL_SYNC_H
#define PICKET_TESTS_GENERATED_MODEL_SYNC_H

#include "model.h"

/* Where a thread is within a wait. */
enum model_wait { WAIT_NONE, WAIT_FOR_SIGNAL, WAIT_FOR_MUTEX, WAIT_AT_BARRIER, WAIT_OVER };

struct model_objects {
    struct model_mutex {
        uint64_t owner; /* thread + 1 */
        uint64_t depth;
    } mutexes[MODEL_MUTEXES];
    struct model_rwlock {
        uint64_t writer;                 /* thread + 1 */
        uint64_t readers[MODEL_THREADS]; /* how often each holds it */
    } rwlocks[MODEL_RWLOCKS];
    uint64_t semaphore;
    uint64_t arrived;               /* at the barrier */
    uint64_t once;                  /* 0 not begun, 1 running, 2 done */
    uint64_t destroyed[SORT_COUNT]; /* bits: which of the sort */
    struct model_record {
        uint64_t ended;
        uint64_t joined;
        uint64_t detached;
        uint64_t wait;  /* enum model_wait */
        uint64_t code;  /* what the wait will return */
        uint64_t depth; /* of the mutex that is to be retaken */
    } records[MODEL_THREADS];
};

enum model_answer { ANSWER_WAITS, ANSWER_GOES_ON, ANSWER_RETURNS, ANSWER_FAILS };

/* One step of the operation: it waits; or one more step follows; or it returns `result`; or it is an error.  If it can
 * have several outcomes, `choice` counts them; one that is too large waits. */
enum model_answer model_sync(const struct generated *generated, struct model_objects *objects, uint8_t *spin,
                             unsigned thread, const struct operation *operation, unsigned choice, uint64_t *result);

#endif
