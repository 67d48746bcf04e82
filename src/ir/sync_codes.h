/* The meaning of each operation on a synchronisation object or thread.  This file is included twice, so that one text
 * is both a list of instructions for engines and a function for the machine, which runs operations often: ir/sync.c
 * makes the instructions (ir/sync.h has their rules), machine/run_sync.c runs them.
 *
 * The file that includes this one defines:
 *
 *     RUN, VALUE, RECORD           types of the state of a run, of a value, and of a thread's record
 *     CODE                         declaration of a function; it returns true where the operation ends
 *     IF (value)                   the following code is executed if the value is not 0
 *     END_IF_DONE(call);           the function ends here if the call returns true
 *
 *     number(n), input(run, SYNC_SELF)         constants and inputs
 *     load(run, SYNC_A, offset), store(...)    4 bytes of the object at an input; add_to(run, offset, n) of that at A
 *     load_field(run, record, field), ...      a field of a record: own_record(run), record_of(run, number)
 *     equal, differ, less, either, plus_32, minus_32, next_64, same_record
 *     choose(run), wake(run, all)
 *     wait_unless(run, value, who), give(run, code, value), fail(run, text)      these return true at the end
 *
 * `mode` is known when the file is included: operations that differ only if they cannot succeed at once (lock, trylock,
 * timedlock) share one function.  Except in helpers, no path leads from inside a condition to the code after it. */

/* --- What operations have in common ------------------------------------------------------------------------------- */

CODE give_code(RUN run, uint64_t result) {
    return give(run, number(result), number(0));
}

/* Counts as a write of the word, but leaves it unchanged. */
static inline void touch(RUN run) {
    VALUE value = load(run, SYNC_A, 0);
    store(run, SYNC_A, 0, value);
}

/* The operation could succeed; but a timed one may also time out. */
CODE may_time_out(RUN run, unsigned mode) {
    if (mode == SYNC_MODE_TIMED) {
        IF (choose(run)) {
            END_IF_DONE(give_code(run, ETIMEDOUT));
        }
    }
    return false;
}

/* The operation cannot succeed now: it waits, for the thread with number who - 1 if that is known, or returns. */
CODE cannot(RUN run, unsigned mode, VALUE who, uint64_t busy) {
    if (mode == SYNC_MODE_WAIT) {
        END_IF_DONE(wait_unless(run, number(0), who));
    }
    return give_code(run, mode == SYNC_MODE_TIMED ? ETIMEDOUT : busy);
}

/* Fails if the object, whose first word this is, was destroyed. */
CODE fail_if_destroyed(RUN run, VALUE word) {
    IF (equal(run, word, number(SYNC_DESTROYED))) {
        END_IF_DONE(fail(run, TEXT_DESTROYED));
    }
    return false;
}

/* The thread itself holds the lock. */
CODE own_already(RUN run, unsigned mode) {
    return give_code(run, mode == SYNC_MODE_TRY ? EBUSY : EDEADLK);
}

/* --- Mutexes ------------------------------------------------------------------------------------------------------ */

CODE mutex_lock(RUN run, unsigned mode) {
    VALUE owner = load(run, SYNC_A, MUTEX_OWNER);
    IF (equal(run, owner, number(0))) {
        END_IF_DONE(may_time_out(run, mode));
        store(run, SYNC_A, MUTEX_OWNER, input(run, SYNC_SELF));
        store(run, SYNC_A, MUTEX_DEPTH, number(1));
        END_IF_DONE(give_code(run, 0));
    }
    IF (equal(run, owner, input(run, SYNC_SELF))) {
        VALUE kind = load(run, SYNC_A, MUTEX_KIND);
        IF (equal(run, kind, number(MUTEX_RECURSIVE))) {
            VALUE depth = load(run, SYNC_A, MUTEX_DEPTH);
            store(run, SYNC_A, MUTEX_DEPTH, plus_32(run, depth, number(1)));
            END_IF_DONE(give_code(run, 0));
        }
        IF (differ(run, kind, number(MUTEX_NORMAL))) {
            END_IF_DONE(own_already(run, mode));
        }
    }
    END_IF_DONE(fail_if_destroyed(run, owner));
    return cannot(run, mode, owner, EBUSY);
}

CODE mutex_unlock(RUN run, unsigned mode) {
    (void)mode;
    VALUE owner = load(run, SYNC_A, MUTEX_OWNER);
    IF (differ(run, owner, input(run, SYNC_SELF))) {
        END_IF_DONE(fail_if_destroyed(run, owner));
        IF (differ(run, load(run, SYNC_A, MUTEX_KIND), number(MUTEX_NORMAL))) {
            END_IF_DONE(give_code(run, EPERM));
        }
        IF (equal(run, owner, number(0))) {
            END_IF_DONE(fail(run, TEXT_MUTEX_FREE));
        }
        END_IF_DONE(fail(run, TEXT_MUTEX_OTHER));
    }
    VALUE depth = load(run, SYNC_A, MUTEX_DEPTH);
    store(run, SYNC_A, MUTEX_DEPTH, minus_32(run, depth, number(1)));
    IF (equal(run, depth, number(1))) {
        store(run, SYNC_A, MUTEX_OWNER, number(0));
        END_IF_DONE(give_code(run, 0));
    }
    return give_code(run, 0);
}

/* After a wait at a condition variable. */
CODE mutex_retake(RUN run, unsigned mode) {
    (void)mode;
    VALUE owner = load(run, SYNC_A, MUTEX_OWNER);
    END_IF_DONE(fail_if_destroyed(run, owner));
    END_IF_DONE(wait_unless(run, equal(run, owner, number(0)), owner));
    store(run, SYNC_A, MUTEX_OWNER, input(run, SYNC_SELF));
    store(run, SYNC_A, MUTEX_DEPTH, input(run, SYNC_B));
    return give_code(run, 0);
}

/* --- Condition variables ------------------------------------------------------------------------------------------ */

/* A wait is three operations: release the mutex and wait, sleep until woken, take the mutex again. */
CODE cond_release(RUN run, unsigned mode) {
    (void)mode;
    IF (differ(run, load(run, SYNC_B, MUTEX_OWNER), input(run, SYNC_SELF))) {
        END_IF_DONE(fail(run, TEXT_CONDITION));
    }
    END_IF_DONE(fail_if_destroyed(run, load(run, SYNC_A, 0)));
    VALUE waiting = load(run, SYNC_A, COND_WAITING);
    VALUE depth = load(run, SYNC_B, MUTEX_DEPTH);
    store(run, SYNC_B, MUTEX_OWNER, number(0));
    store(run, SYNC_B, MUTEX_DEPTH, number(0));
    touch(run);
    store(run, SYNC_A, COND_WAITING, plus_32(run, waiting, number(1)));
    store_field(run, own_record(run), RECORD_WAITS, input(run, SYNC_A));
    return give(run, depth, number(0));
}

/* A thread ends its wait without having been woken. */
static inline void leave_wait(RUN run, VALUE waiting) {
    store_field(run, own_record(run), RECORD_WAITS, number(0));
    touch(run);
    store(run, SYNC_A, COND_WAITING, minus_32(run, waiting, number(1)));
}

CODE cond_sleep(RUN run, unsigned mode) {
    IF (equal(run, load_field(run, own_record(run), RECORD_WAITS), number(0))) {
        END_IF_DONE(give_code(run, 0));
    }
    if (mode == SYNC_MODE_WAIT) {
        END_IF_DONE(wait_unless(run, input(run, SYNC_SPURIOUS), number(0)));
    }
    VALUE waiting = load(run, SYNC_A, COND_WAITING);
    if (mode != SYNC_MODE_WAIT) {
        IF (input(run, SYNC_SPURIOUS)) {
            IF (choose(run)) {
                leave_wait(run, waiting);
                END_IF_DONE(give_code(run, 0));
            }
        }
    }
    leave_wait(run, waiting);
    return give_code(run, mode == SYNC_MODE_WAIT ? 0 : ETIMEDOUT);
}

CODE cond_signal(RUN run, unsigned mode) {
    (void)mode;
    END_IF_DONE(fail_if_destroyed(run, load(run, SYNC_A, 0)));
    VALUE waiting = load(run, SYNC_A, COND_WAITING);
    touch(run);
    store(run, SYNC_A, COND_WAITING, minus_32(run, waiting, less(run, number(0), waiting)));
    wake(run, false);
    return give_code(run, 0);
}

CODE cond_broadcast(RUN run, unsigned mode) {
    (void)mode;
    END_IF_DONE(fail_if_destroyed(run, load(run, SYNC_A, 0)));
    touch(run);
    store(run, SYNC_A, COND_WAITING, number(0));
    wake(run, true);
    return give_code(run, 0);
}

/* --- Barriers ----------------------------------------------------------------------------------------------------- */

#define SERIAL_THREAD UINT32_MAX

CODE barrier_arrive(RUN run, unsigned mode) {
    (void)mode;
    VALUE count = load(run, SYNC_A, BARRIER_COUNT);
    END_IF_DONE(fail_if_destroyed(run, count));
    VALUE arrived = plus_32(run, load(run, SYNC_A, BARRIER_ARRIVED), number(1));
    IF (less(run, arrived, count)) {
        store(run, SYNC_A, BARRIER_ARRIVED, arrived);
        store_field(run, own_record(run), RECORD_WAITS, input(run, SYNC_A));
        END_IF_DONE(give_code(run, 0));
    }
    store(run, SYNC_A, BARRIER_ARRIVED, number(0));
    wake(run, true);
    return give_code(run, SERIAL_THREAD);
}

/* A sleep at a barrier never ends spuriously. */
CODE barrier_sleep(RUN run, unsigned mode) {
    (void)mode;
    VALUE waits = load_field(run, own_record(run), RECORD_WAITS);
    END_IF_DONE(wait_unless(run, equal(run, waits, number(0)), number(0)));
    return give_code(run, 0);
}

/* --- Reader-writer locks ------------------------------------------------------------------------------------------ */

/* The thread itself holds the lock for writing, or the lock was destroyed. */
CODE rwlock_is_own(RUN run, unsigned mode, VALUE writer) {
    END_IF_DONE(fail_if_destroyed(run, writer));
    IF (equal(run, writer, input(run, SYNC_SELF))) {
        END_IF_DONE(may_time_out(run, mode));
        END_IF_DONE(own_already(run, mode));
    }
    return false;
}

/* Readers are independent of each other: each adds itself to their number. */
CODE read_lock(RUN run, unsigned mode) {
    VALUE writer = load(run, SYNC_A, RWLOCK_WRITER);
    IF (equal(run, writer, number(0))) {
        END_IF_DONE(may_time_out(run, mode));
        add_to(run, RWLOCK_READERS, 1);
        END_IF_DONE(give_code(run, 0));
    }
    END_IF_DONE(rwlock_is_own(run, mode, writer));
    return cannot(run, mode, writer, EBUSY);
}

CODE write_lock(RUN run, unsigned mode) {
    VALUE writer = load(run, SYNC_A, RWLOCK_WRITER);
    VALUE first = mode == SYNC_MODE_WAIT ? load(run, SYNC_A, RWLOCK_READERS) : 0; /* S6 */
    IF (equal(run, writer, number(0))) {
        VALUE readers = mode == SYNC_MODE_WAIT ? first : load(run, SYNC_A, RWLOCK_READERS);
        IF (equal(run, readers, number(0))) {
            END_IF_DONE(may_time_out(run, mode));
            store(run, SYNC_A, RWLOCK_WRITER, input(run, SYNC_SELF));
            END_IF_DONE(give_code(run, 0));
        }
    }
    END_IF_DONE(rwlock_is_own(run, mode, writer));
    return cannot(run, mode, writer, EBUSY);
}

/* Only the thread itself knows which locks it holds for reading: the kind of the operation says so. */
CODE read_unlock(RUN run, unsigned mode) {
    (void)mode;
    add_to(run, RWLOCK_READERS, UINT32_MAX);
    return give_code(run, 0);
}

CODE write_unlock(RUN run, unsigned mode) {
    (void)mode;
    VALUE writer = load(run, SYNC_A, RWLOCK_WRITER);
    IF (equal(run, writer, input(run, SYNC_SELF))) {
        store(run, SYNC_A, RWLOCK_WRITER, number(0));
        END_IF_DONE(give_code(run, 0));
    }
    END_IF_DONE(fail_if_destroyed(run, writer));
    return fail(run, TEXT_RWLOCK);
}

/* --- Spin locks, semaphores, once --------------------------------------------------------------------------------- */

CODE spin_lock(RUN run, unsigned mode) {
    VALUE word = load(run, SYNC_A, 0);
    IF (equal(run, word, number(0))) {
        store(run, SYNC_A, 0, number(1));
        END_IF_DONE(give_code(run, 0));
    }
    END_IF_DONE(fail_if_destroyed(run, word));
    return cannot(run, mode, number(0), EBUSY);
}

CODE semaphore_wait(RUN run, unsigned mode) {
    VALUE value = load(run, SYNC_A, 0);
    END_IF_DONE(fail_if_destroyed(run, value));
    IF (differ(run, value, number(0))) {
        END_IF_DONE(may_time_out(run, mode));
        store(run, SYNC_A, 0, minus_32(run, value, number(1)));
        END_IF_DONE(give_code(run, 0));
    }
    return cannot(run, mode, number(0), EAGAIN);
}

CODE semaphore_post(RUN run, unsigned mode) {
    (void)mode;
    VALUE value = load(run, SYNC_A, 0);
    END_IF_DONE(fail_if_destroyed(run, value));
    store(run, SYNC_A, 0, plus_32(run, value, number(1)));
    return give_code(run, 0);
}

CODE once_begin(RUN run, unsigned mode) {
    (void)mode;
    VALUE state = load(run, SYNC_A, 0);
    END_IF_DONE(wait_unless(run, differ(run, state, number(ONCE_RUNNING)), number(0)));
    IF (equal(run, state, number(ONCE_NEW))) {
        store(run, SYNC_A, 0, number(ONCE_RUNNING));
        END_IF_DONE(give_code(run, 1));
    }
    return give_code(run, 0);
}

CODE once_end(RUN run, unsigned mode) {
    (void)mode;
    store(run, SYNC_A, 0, number(ONCE_DONE));
    return give_code(run, 0);
}

/* --- Threads ------------------------------------------------------------------------------------------------------ */

/* Fails if there is no thread with number A. */
CODE refuse_unless_created(RUN run, RECORD record) {
    IF (equal(run, load_field(run, record, RECORD_CREATED), number(0))) {
        END_IF_DONE(give_code(run, ESRCH));
    }
    return false;
}

CODE refuse_unless_joinable(RUN run, RECORD record) {
    VALUE joined = load_field(run, record, RECORD_JOINED);
    VALUE detached = load_field(run, record, RECORD_DETACHED);
    IF (either(run, detached, joined)) {
        END_IF_DONE(give_code(run, EINVAL));
    }
    return false;
}

CODE thread_join(RUN run, unsigned mode) {
    RECORD record = record_of(run, input(run, SYNC_A));
    END_IF_DONE(refuse_unless_created(run, record));
    VALUE ended = mode == SYNC_MODE_WAIT ? load_field(run, record, RECORD_ENDED) : 0; /* S6 */
    END_IF_DONE(refuse_unless_joinable(run, record));
    IF (same_record(run, record, own_record(run))) {
        END_IF_DONE(give_code(run, EDEADLK));
    }
    if (mode == SYNC_MODE_TRY) {
        IF (equal(run, load_field(run, record, RECORD_ENDED), number(0))) {
            END_IF_DONE(give_code(run, EBUSY));
        }
    } else {
        VALUE who = next_64(run, input(run, SYNC_A));
        END_IF_DONE(wait_unless(run, ended, who));
    }
    VALUE value = load_field(run, record, RECORD_RESULT);
    store_field(run, record, RECORD_JOINED, number(1));
    return give(run, number(0), value);
}

CODE thread_detach(RUN run, unsigned mode) {
    (void)mode;
    RECORD record = record_of(run, input(run, SYNC_A));
    END_IF_DONE(refuse_unless_created(run, record));
    END_IF_DONE(refuse_unless_joinable(run, record));
    store_field(run, record, RECORD_DETACHED, number(1));
    return give_code(run, 0);
}

/* --- All of them -------------------------------------------------------------------------------------------------- */

/* X(KIND, function) for every kind that has a code. */
#define SYNC_CODES(X)                                                                                                  \
    X(MUTEX_LOCK, mutex_lock)                                                                                          \
    X(MUTEX_TRYLOCK, mutex_lock)                                                                                       \
    X(MUTEX_TIMEDLOCK, mutex_lock)                                                                                     \
    X(MUTEX_UNLOCK, mutex_unlock)                                                                                      \
    X(MUTEX_RETAKE, mutex_retake)                                                                                      \
    X(COND_RELEASE, cond_release)                                                                                      \
    X(COND_SLEEP, cond_sleep)                                                                                          \
    X(COND_TIMEDSLEEP, cond_sleep)                                                                                     \
    X(COND_SIGNAL, cond_signal)                                                                                        \
    X(COND_BROADCAST, cond_broadcast)                                                                                  \
    X(BARRIER_ARRIVE, barrier_arrive)                                                                                  \
    X(BARRIER_SLEEP, barrier_sleep)                                                                                    \
    X(READ_LOCK, read_lock)                                                                                            \
    X(READ_TRYLOCK, read_lock)                                                                                         \
    X(READ_TIMEDLOCK, read_lock)                                                                                       \
    X(WRITE_LOCK, write_lock)                                                                                          \
    X(WRITE_TRYLOCK, write_lock)                                                                                       \
    X(WRITE_TIMEDLOCK, write_lock)                                                                                     \
    X(READ_UNLOCK, read_unlock)                                                                                        \
    X(WRITE_UNLOCK, write_unlock)                                                                                      \
    X(SPIN_LOCK, spin_lock)                                                                                            \
    X(SPIN_TRYLOCK, spin_lock)                                                                                         \
    X(SEM_WAIT, semaphore_wait)                                                                                        \
    X(SEM_TRYWAIT, semaphore_wait)                                                                                     \
    X(SEM_TIMEDWAIT, semaphore_wait)                                                                                   \
    X(SEM_POST, semaphore_post)                                                                                        \
    X(ONCE_BEGIN, once_begin)                                                                                          \
    X(ONCE_END, once_end)                                                                                              \
    X(THREAD_JOIN, thread_join)                                                                                        \
    X(THREAD_TRYJOIN, thread_join)                                                                                     \
    X(THREAD_DETACH, thread_detach)
