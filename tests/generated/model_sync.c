/* Written from pthread_mutex_lock(3p), pthread_mutex_timedlock(3p), pthread_rwlock_rdlock(3p), pthread_cond_wait(3p),
 * pthread_barrier_wait(3p), pthread_once(3p), sem_wait(3), pthread_join(3), pthread_tryjoin_np(3), pthread_detach(3).
 *
 * What these leave open is as DESIGN.md has it: a timed operation may time out at any moment, also if it need not wait,
 * but not where the mutex is the thread's own; readers and writers have no precedence; of several joins of one thread
 * the first to see its end succeeds; what was destroyed must not be used, nor what is in use be destroyed.  A recursive
 * or error-checking mutex tells the wrong owner, a normal one and a reader-writer lock make that an error. */
#include <errno.h>

#include "model_sync.h"
#include "whole.h"

enum model_mutex_kind { NORMAL, RECURSIVE, ERROR_CHECKING };
enum mode { WAITS, TRIES, TIMED };

/* For those who find the object taken. */
static enum model_answer refuse(enum mode mode, unsigned choice, uint64_t busy, uint64_t *result) {
    *result = mode == TRIES ? busy : ETIMEDOUT;
    return mode == WAITS || choice > 0 ? ANSWER_WAITS : ANSWER_RETURNS;
}

/* For those who find it free: the second choice is to time out all the same. */
static bool takes(enum mode mode, unsigned choice, uint64_t *result, enum model_answer *answer) {
    *result = choice == 0 ? 0 : ETIMEDOUT;
    *answer = choice == 0 || (choice == 1 && mode == TIMED) ? ANSWER_RETURNS : ANSWER_WAITS;
    return choice == 0;
}

static enum model_answer returns(uint64_t code, unsigned choice, uint64_t *result) {
    *result = code;
    return choice == 0 ? ANSWER_RETURNS : ANSWER_WAITS;
}

static enum model_answer mutex_lock(struct model_mutex *mutex, unsigned kind, unsigned thread, enum mode mode,
                                    unsigned choice, uint64_t *result) {
    enum model_answer answer;
    if (mutex->owner == 0) {
        if (takes(mode, choice, result, &answer)) {
            mutex->owner = thread + 1;
            mutex->depth = 1;
        }
        return answer;
    }
    if (mutex->owner == thread + 1 && kind == RECURSIVE) {
        mutex->depth += choice == 0;
        return returns(0, choice, result);
    }
    if (mutex->owner == thread + 1 && kind == ERROR_CHECKING && mode != TRIES) {
        return returns(EDEADLK, choice, result);
    }
    return refuse(mode, choice, EBUSY, result);
}

static enum model_answer mutex_unlock(struct model_mutex *mutex, unsigned kind, unsigned thread, unsigned choice,
                                      uint64_t *result) {
    if (mutex->owner != thread + 1) {
        return kind == NORMAL ? ANSWER_FAILS : returns(EPERM, choice, result);
    }
    if (choice == 0 && --mutex->depth == 0) {
        mutex->owner = 0;
    }
    return returns(0, choice, result);
}

static bool has_readers(const struct model_rwlock *lock) {
    for (unsigned t = 0; t < MODEL_THREADS; t++) {
        if (lock->readers[t] > 0) {
            return true;
        }
    }
    return false;
}

static enum model_answer rw_lock(struct model_rwlock *lock, unsigned thread, bool writes, enum mode mode,
                                 unsigned choice, uint64_t *result) {
    enum model_answer answer;
    if (lock->writer == thread + 1 && mode != TRIES) {
        *result = choice == 0 ? EDEADLK : ETIMEDOUT;
        return choice == 0 || (choice == 1 && mode == TIMED) ? ANSWER_RETURNS : ANSWER_WAITS;
    }
    if (lock->writer != 0 || (writes && has_readers(lock))) {
        return refuse(mode, choice, EBUSY, result);
    }
    if (takes(mode, choice, result, &answer)) {
        lock->writer = writes ? thread + 1 : 0;
        lock->readers[thread] += !writes;
    }
    return answer;
}

static enum model_answer rw_unlock(struct model_rwlock *lock, unsigned thread, unsigned choice, uint64_t *result) {
    if (lock->writer != thread + 1 && lock->readers[thread] == 0) {
        return ANSWER_FAILS;
    }
    if (choice == 0 && lock->writer == thread + 1) {
        lock->writer = 0;
    } else if (choice == 0) {
        lock->readers[thread]--;
    }
    return returns(0, choice, result);
}

static enum model_answer spin_lock(uint8_t *spin, enum mode mode, unsigned choice, uint64_t *result) {
    enum model_answer answer;
    if (*spin != 0) {
        return refuse(mode, choice, EBUSY, result);
    }
    *spin = takes(mode, choice, result, &answer);
    return answer;
}

static enum model_answer sem_wait(struct model_objects *objects, enum mode mode, unsigned choice, uint64_t *result) {
    enum model_answer answer;
    if (objects->semaphore == 0) {
        return refuse(mode, choice, EAGAIN, result);
    }
    objects->semaphore -= takes(mode, choice, result, &answer);
    return answer;
}

/* Gives up the mutex and waits; ends by a signal, or when time is up; takes the mutex again. */
static enum model_answer cond_wait(struct model_objects *objects, unsigned thread, enum mode mode, unsigned choice,
                                   uint64_t *result) {
    struct model_record *own = &objects->records[thread];
    struct model_mutex *mutex = &objects->mutexes[0];
    if (choice > 0) {
        return ANSWER_WAITS;
    }
    switch (own->wait) {
    case WAIT_NONE:
        if (mutex->owner != thread + 1) {
            return ANSWER_FAILS;
        }
        own->depth = mutex->depth;
        own->wait = WAIT_FOR_SIGNAL;
        *mutex = (struct model_mutex){0};
        return ANSWER_GOES_ON;
    case WAIT_FOR_SIGNAL:
        if (mode != TIMED) {
            return ANSWER_WAITS;
        }
        own->code = ETIMEDOUT;
        own->wait = WAIT_FOR_MUTEX;
        return ANSWER_GOES_ON;
    default:
        if (mutex->owner != 0) {
            return ANSWER_WAITS;
        }
        *mutex = (struct model_mutex){.owner = thread + 1, .depth = own->depth};
        *result = own->code;
        own->wait = WAIT_NONE;
        own->code = 0;
        own->depth = 0;
        return ANSWER_RETURNS;
    }
}

/* Wakes the waiter that is chosen, or all; if no thread waits, nothing happens. */
static enum model_answer wake(struct model_objects *objects, bool all, unsigned choice, uint64_t *result) {
    unsigned waiters = 0;
    bool chosen = all && choice == 0;
    for (unsigned t = 0; t < MODEL_THREADS; t++) {
        struct model_record *record = &objects->records[t];
        if (record->wait == WAIT_FOR_SIGNAL && ((all && choice == 0) || (!all && waiters++ == choice))) {
            record->wait = WAIT_FOR_MUTEX;
            record->code = 0;
            chosen = true;
        }
    }
    *result = 0;
    return chosen || (choice == 0 && waiters == 0) ? ANSWER_RETURNS : ANSWER_WAITS;
}

static enum model_answer barrier_wait(const struct generated *generated, struct model_objects *objects, unsigned thread,
                                      unsigned choice, uint64_t *result) {
    struct model_record *own = &objects->records[thread];
    if (choice > 0 || own->wait == WAIT_AT_BARRIER) {
        return ANSWER_WAITS;
    }
    *result = 0;
    if (own->wait == WAIT_OVER) {
        own->wait = WAIT_NONE;
        return ANSWER_RETURNS;
    }
    if (++objects->arrived < generated->parties) {
        own->wait = WAIT_AT_BARRIER;
        return ANSWER_GOES_ON;
    }
    objects->arrived = 0;
    for (unsigned t = 0; t < MODEL_THREADS; t++) {
        if (objects->records[t].wait == WAIT_AT_BARRIER) {
            objects->records[t].wait = WAIT_OVER;
        }
    }
    *result = UINT32_MAX; /* PTHREAD_BARRIER_SERIAL_THREAD, an int */
    return ANSWER_RETURNS;
}

static enum model_answer once_begin(struct model_objects *objects, unsigned choice, uint64_t *result) {
    if (objects->once == 1) {
        return ANSWER_WAITS;
    }
    bool first = objects->once == 0;
    objects->once = first ? 1 : 2;
    return returns(first, choice, result);
}

/* Main has number 0, its children 1, 3, ... */
static enum model_answer thread_operation(const struct generated *generated, struct model_objects *objects,
                                          unsigned thread, const struct operation *operation, unsigned choice,
                                          uint64_t *result) {
    uint64_t index = (operation->value + 1) / 2;
    struct model_record *target = &objects->records[index % MODEL_THREADS];
    if (operation->value % 2 == 0 || index >= generated->threads) {
        return returns(ESRCH, choice, result);
    }
    if (target->joined || target->detached) {
        return returns(EINVAL, choice, result);
    }
    if (operation->sync == SYNC_THREAD_DETACH) {
        target->detached = choice == 0;
        return returns(0, choice, result);
    }
    if (index == thread) {
        return returns(EDEADLK, choice, result);
    }
    if (!target->ended) {
        return operation->sync == SYNC_THREAD_TRYJOIN ? returns(EBUSY, choice, result) : ANSWER_WAITS;
    }
    target->joined = choice == 0;
    return returns(0, choice, result);
}

/* The sort of the object that an operation is on; SORT_COUNT: one that cannot be destroyed. */
static enum model_sort sort_of(unsigned sync) {
    switch (sync) {
    case SYNC_MUTEX_LOCK:
    case SYNC_MUTEX_TRYLOCK:
    case SYNC_MUTEX_TIMEDLOCK:
    case SYNC_MUTEX_UNLOCK:
        return SORT_MUTEX;
    case SYNC_READ_LOCK:
    case SYNC_READ_TRYLOCK:
    case SYNC_READ_TIMEDLOCK:
    case SYNC_WRITE_LOCK:
    case SYNC_WRITE_TRYLOCK:
    case SYNC_WRITE_TIMEDLOCK:
    case WHOLE_RW_UNLOCK:
        return SORT_RWLOCK;
    case SYNC_SEM_WAIT:
    case SYNC_SEM_TRYWAIT:
    case SYNC_SEM_TIMEDWAIT:
    case SYNC_SEM_POST:
        return SORT_SEMAPHORE;
    case SYNC_COND_SIGNAL:
    case SYNC_COND_BROADCAST:
        return SORT_CONDITION;
    default:
        return SORT_COUNT;
    }
}

static bool is_destroyed(const struct model_objects *objects, enum model_sort sort, unsigned object) {
    return sort < SORT_COUNT && objects->destroyed[sort] & UINT64_C(1) << object;
}

/* Is the operation, at its next step, on something that was destroyed?  Who has been woken no longer needs the
 * condition variable or barrier, but takes the mutex again. */
static bool uses_destroyed(const struct model_objects *objects, unsigned thread, const struct operation *operation) {
    enum model_wait wait = (enum model_wait)objects->records[thread].wait;
    switch (operation->sync) {
    case WHOLE_COND_WAIT:
    case WHOLE_COND_TIMEDWAIT:
        return is_destroyed(objects, SORT_CONDITION, 0) * (wait == WAIT_NONE) +
               is_destroyed(objects, SORT_MUTEX, 0) * (wait != WAIT_FOR_SIGNAL);
    case WHOLE_BARRIER_WAIT:
        return wait == WAIT_NONE && is_destroyed(objects, SORT_BARRIER, 0);
    default:
        return is_destroyed(objects, sort_of(operation->sync), operation->object);
    }
}

static bool is_in_use(const struct model_objects *objects, enum model_sort sort, unsigned object) {
    bool awaited = false;
    switch (sort) {
    case SORT_MUTEX:
        return objects->mutexes[object].owner != 0;
    case SORT_RWLOCK:
        return objects->rwlocks[object].writer != 0 || has_readers(&objects->rwlocks[object]);
    case SORT_CONDITION:
        for (unsigned t = 0; t < MODEL_THREADS; t++) {
            awaited = awaited || objects->records[t].wait == WAIT_FOR_SIGNAL;
        }
        return awaited;
    case SORT_BARRIER:
        return objects->arrived > 0;
    default:
        return false;
    }
}

static enum model_answer destroy(struct model_objects *objects, const struct operation *operation, unsigned choice,
                                 uint64_t *result) {
    enum model_sort sort = (enum model_sort)operation->value;
    if (is_destroyed(objects, sort, operation->object) || is_in_use(objects, sort, operation->object)) {
        return ANSWER_FAILS;
    }
    objects->destroyed[sort] |= UINT64_C(1) << operation->object;
    return returns(0, choice, result);
}

enum model_answer model_sync(const struct generated *generated, struct model_objects *objects, uint8_t *spin,
                             unsigned thread, const struct operation *operation, unsigned choice, uint64_t *result) {
    struct model_mutex *mutex = &objects->mutexes[operation->object % MODEL_MUTEXES];
    struct model_rwlock *rwlock = &objects->rwlocks[operation->object % MODEL_RWLOCKS];
    unsigned kind = generated->mutex_kinds[operation->object % MODEL_MUTEXES];
    if (uses_destroyed(objects, thread, operation)) {
        return ANSWER_FAILS;
    }
    switch (operation->sync) {
    case WHOLE_DESTROY:
        return destroy(objects, operation, choice, result);
    case SYNC_MUTEX_LOCK:
        return mutex_lock(mutex, kind, thread, WAITS, choice, result);
    case SYNC_MUTEX_TRYLOCK:
        return mutex_lock(mutex, kind, thread, TRIES, choice, result);
    case SYNC_MUTEX_TIMEDLOCK:
        return mutex_lock(mutex, kind, thread, TIMED, choice, result);
    case SYNC_MUTEX_UNLOCK:
        return mutex_unlock(mutex, kind, thread, choice, result);
    case SYNC_READ_LOCK:
    case SYNC_WRITE_LOCK:
        return rw_lock(rwlock, thread, operation->sync == SYNC_WRITE_LOCK, WAITS, choice, result);
    case SYNC_READ_TRYLOCK:
    case SYNC_WRITE_TRYLOCK:
        return rw_lock(rwlock, thread, operation->sync == SYNC_WRITE_TRYLOCK, TRIES, choice, result);
    case SYNC_READ_TIMEDLOCK:
    case SYNC_WRITE_TIMEDLOCK:
        return rw_lock(rwlock, thread, operation->sync == SYNC_WRITE_TIMEDLOCK, TIMED, choice, result);
    case WHOLE_RW_UNLOCK:
        return rw_unlock(rwlock, thread, choice, result);
    case SYNC_SPIN_LOCK:
        return spin_lock(spin, WAITS, choice, result);
    case SYNC_SPIN_TRYLOCK:
        return spin_lock(spin, TRIES, choice, result);
    case SYNC_SEM_WAIT:
        return sem_wait(objects, WAITS, choice, result);
    case SYNC_SEM_TRYWAIT:
        return sem_wait(objects, TRIES, choice, result);
    case SYNC_SEM_TIMEDWAIT:
        return sem_wait(objects, TIMED, choice, result);
    case SYNC_SEM_POST:
        objects->semaphore++;
        return returns(0, choice, result);
    case WHOLE_COND_WAIT:
        return cond_wait(objects, thread, WAITS, choice, result);
    case WHOLE_COND_TIMEDWAIT:
        return cond_wait(objects, thread, TIMED, choice, result);
    case SYNC_COND_SIGNAL:
    case SYNC_COND_BROADCAST:
        return wake(objects, operation->sync == SYNC_COND_BROADCAST, choice, result);
    case WHOLE_BARRIER_WAIT:
        return barrier_wait(generated, objects, thread, choice, result);
    case SYNC_ONCE_BEGIN:
        return once_begin(objects, choice, result);
    case SYNC_ONCE_END:
        objects->once = 2;
        return returns(0, choice, result);
    default:
        return thread_operation(generated, objects, thread, operation, choice, result);
    }
}
