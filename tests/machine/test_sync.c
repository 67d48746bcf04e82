/* Locks and similar objects: which threads are enabled, results, choices. */
#include <errno.h>

#include "small_program.h"

#define MUTEX_KIND 16

/* Both threads run the same list of operations, each on `object`; results go to registers 2, 3, ... and are asserted
 * nowhere: tests read machine_last. */
static void build_same(struct program *program, uint64_t *object, const enum sync_kind *kinds, size_t count) {
    struct small_program small;
    small_init(&small, 2);
    *object = small_variable(&small, "object", 40);
    for (uint32_t t = 1; t <= 2; t++) {
        small_thread(&small, t);
        for (size_t i = 0; i < count; i++) {
            small_sync(&small, 2, kinds[i], *object, 0);
        }
    }
    small_finish(&small, program);
}

/* Main sets a word of the object before it creates the threads. */
static void build_with_word(struct program *program, uint64_t *object, unsigned offset, uint32_t word,
                            const enum sync_kind *kinds, size_t count) {
    struct small_program small;
    small_init(&small, 2);
    *object = small_variable(&small, "object", 40);
    small_main(&small);
    small_store(&small, *object + offset, word, 4, ORDER_PLAIN);
    small_fence(&small, ORDER_SEQ_CST);
    for (uint32_t t = 1; t <= 2; t++) {
        small_thread(&small, t);
        for (size_t i = 0; i < count; i++) {
            small_sync(&small, 2, kinds[i], *object, 0);
        }
    }
    small_finish(&small, program);
}

static struct machine *start_drained(const struct program *program) {
    struct machine *machine = machine_new(program, &(struct machine_options){.model = MODEL_TSO});
    take(machine, 0);
    take_drain(machine, 0, 0);
    small_start(machine);
    return machine;
}

static void mutex_excludes(void **state) {
    (void)state;
    static const enum sync_kind kinds[] = {SYNC_MUTEX_LOCK, SYNC_MUTEX_UNLOCK};
    struct program program;
    uint64_t mutex;
    build_same(&program, &mutex, kinds, 2);
    for (int model = 0; model < MODEL_COUNT; model++) {
        struct machine *machine = small_machine(&program, (enum memory_model)model);
        assert_int_equal(take(machine, 1)->result, 0);
        assert_int_equal(memory(machine, mutex, 4), machine_thread_number(machine, 1) + 1);
        assert_false(can_step(machine, 2));
        assert_int_equal(take(machine, 1)->result, 0);
        assert_int_equal(memory(machine, mutex, 4), 0);
        assert_int_equal(take(machine, 2)->result, 0);
        take(machine, 2);
        take(machine, 1);
        take(machine, 2);
        assert_int_equal(machine_outcome(machine), OUTCOME_COMPLETE);
        machine_free(machine);
    }
    program_delete(&program);
}

static void normal_mutex_locked_twice_is_a_deadlock(void **state) {
    (void)state;
    static const enum sync_kind kinds[] = {SYNC_MUTEX_LOCK, SYNC_MUTEX_LOCK};
    struct program program;
    uint64_t mutex;
    build_same(&program, &mutex, kinds, 2);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    assert_false(can_step(machine, 1));
    assert_false(can_step(machine, 2));
    assert_int_equal(machine_outcome(machine), OUTCOME_ERROR);
    assert_int_equal(error_kind(machine), ERROR_DEADLOCK);
    machine_free(machine);
    program_delete(&program);
}

static void recursive_mutex_counts(void **state) {
    (void)state;
    static const enum sync_kind kinds[] = {SYNC_MUTEX_LOCK, SYNC_MUTEX_TRYLOCK, SYNC_MUTEX_UNLOCK, SYNC_MUTEX_UNLOCK,
                                           SYNC_MUTEX_UNLOCK};
    struct program program;
    uint64_t mutex;
    build_with_word(&program, &mutex, MUTEX_KIND, 1, kinds, 5);
    struct machine *machine = start_drained(&program);
    take(machine, 1);
    assert_int_equal(take(machine, 1)->result, 0);
    assert_int_equal(memory(machine, mutex + 4, 4), 2);
    assert_false(can_step(machine, 2));
    take(machine, 1);
    assert_false(can_step(machine, 2));
    take(machine, 1);
    assert_true(can_step(machine, 2));
    /* One unlock too many: refused, since the kind checks its owner. */
    assert_int_equal(take(machine, 1)->result, EPERM);
    assert_int_equal(error_kind(machine), ERROR_NONE);
    machine_free(machine);
    program_delete(&program);
}

static void error_checking_mutex_refuses(void **state) {
    (void)state;
    static const enum sync_kind kinds[] = {SYNC_MUTEX_UNLOCK, SYNC_MUTEX_LOCK, SYNC_MUTEX_LOCK, SYNC_MUTEX_TRYLOCK,
                                           SYNC_MUTEX_UNLOCK};
    struct program program;
    uint64_t mutex;
    build_with_word(&program, &mutex, MUTEX_KIND, 2, kinds, 5);
    struct machine *machine = start_drained(&program);
    assert_int_equal(take(machine, 1)->result, EPERM);
    assert_int_equal(take(machine, 1)->result, 0);
    assert_int_equal(take(machine, 1)->result, EDEADLK);
    assert_int_equal(take(machine, 1)->result, EBUSY);
    assert_int_equal(take(machine, 2)->result, EPERM);
    assert_int_equal(take(machine, 1)->result, 0);
    assert_int_equal(memory(machine, mutex, 4), 0);
    assert_int_equal(error_kind(machine), ERROR_NONE);
    machine_free(machine);
    program_delete(&program);
}

static void normal_mutex_must_be_unlocked_by_its_owner(void **state) {
    (void)state;
    static const enum sync_kind kinds[] = {SYNC_MUTEX_UNLOCK};
    struct program program;
    uint64_t mutex;
    build_same(&program, &mutex, kinds, 1);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    assert_int_equal(error_kind(machine), ERROR_NOT_OWNER);
    machine_free(machine);
    program_delete(&program);
}

static void trylock_never_waits(void **state) {
    (void)state;
    static const enum sync_kind kinds[][2] = {
        {SYNC_MUTEX_TRYLOCK, SYNC_MUTEX_UNLOCK},
        {SYNC_WRITE_TRYLOCK, SYNC_WRITE_UNLOCK},
        {SYNC_SPIN_TRYLOCK, SYNC_SPIN_TRYLOCK},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct program program;
        uint64_t lock;
        build_same(&program, &lock, kinds[i], 2);
        struct machine *machine = small_machine(&program, MODEL_TSO);
        assert_int_equal(machine_choices(machine, 1), 1);
        assert_int_equal(take(machine, 1)->result, 0);
        assert_true(machine_last(machine)->changes);
        assert_int_equal(take(machine, 2)->result, EBUSY);
        assert_false(machine_last(machine)->changes);
        machine_free(machine);
        program_delete(&program);
    }
}

static void timed_locks_may_time_out_at_any_moment(void **state) {
    (void)state;
    static const enum sync_kind kinds[] = {SYNC_MUTEX_TIMEDLOCK, SYNC_WRITE_TIMEDLOCK, SYNC_READ_TIMEDLOCK};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct small_program small;
        struct program program;
        small_init(&small, 2);
        uint64_t lock = small_variable(&small, "lock", 40);
        small_thread(&small, 1);
        small_sync(&small, 2, kinds[i], lock, 0);
        small_thread(&small, 2);
        small_sync(&small, 2, i == 0 ? SYNC_MUTEX_LOCK : SYNC_WRITE_LOCK, lock, 0);
        small_finish(&small, &program);
        struct machine *machine = small_machine(&program, MODEL_TSO);
        assert_int_equal(machine_choices(machine, 1), 2);
        machine_mark mark = machine_set_mark(machine);
        assert_int_equal(take_choice(machine, 1, 0)->result, 0);
        machine_undo(machine, mark);
        assert_int_equal(take_choice(machine, 1, 1)->result, ETIMEDOUT);
        assert_int_equal(memory(machine, lock, 4), 0);
        machine_undo(machine, mark);
        /* Taken by the other: the only way on is the time-out. */
        take(machine, 2);
        assert_int_equal(machine_choices(machine, 1), 1);
        assert_int_equal(take(machine, 1)->result, ETIMEDOUT);
        machine_free(machine);
        program_delete(&program);
    }
}

static void readers_share_writers_exclude(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 3);
    uint64_t lock = small_variable(&small, "lock", 56);
    for (uint32_t t = 1; t <= 2; t++) {
        small_thread(&small, t);
        small_sync(&small, 2, SYNC_READ_LOCK, lock, 0);
        small_sync(&small, 2, SYNC_READ_UNLOCK, lock, 0);
    }
    small_thread(&small, 3);
    small_sync(&small, 2, SYNC_WRITE_LOCK, lock, 0);
    small_sync(&small, 2, SYNC_READ_TRYLOCK, lock, 0);
    small_sync(&small, 2, SYNC_WRITE_LOCK, lock, 0);
    small_sync(&small, 2, SYNC_WRITE_UNLOCK, lock, 0);
    small_sync(&small, 2, SYNC_WRITE_UNLOCK, lock, 0);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    take(machine, 2);
    assert_int_equal(memory(machine, lock + 4, 4), 2);
    assert_false(can_step(machine, 3));
    take(machine, 1);
    assert_false(can_step(machine, 3));
    take(machine, 2);
    take(machine, 3);
    assert_int_equal(take(machine, 3)->result, EBUSY);
    assert_int_equal(take(machine, 3)->result, EDEADLK);
    take(machine, 3);
    assert_int_equal(memory(machine, lock, 8), 0);
    take(machine, 3);
    assert_int_equal(error_kind(machine), ERROR_NOT_OWNER);
    machine_free(machine);
    program_delete(&program);
}

static void writer_keeps_readers_out(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    uint64_t lock = small_variable(&small, "lock", 56);
    small_thread(&small, 1);
    small_sync(&small, 2, SYNC_WRITE_LOCK, lock, 0);
    small_sync(&small, 2, SYNC_WRITE_UNLOCK, lock, 0);
    small_thread(&small, 2);
    small_sync(&small, 2, SYNC_READ_LOCK, lock, 0);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    assert_false(can_step(machine, 2));
    take(machine, 1);
    assert_int_equal(take(machine, 2)->result, 0);
    machine_free(machine);
    program_delete(&program);
}

static void spin_lock_waits(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    uint64_t lock = small_variable(&small, "lock", 4);
    for (uint32_t t = 1; t <= 2; t++) {
        small_thread(&small, t);
        small_sync(&small, 2, SYNC_SPIN_LOCK, lock, 0);
        small_store(&small, lock, 0, 4, ORDER_RELEASE);
    }
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    assert_false(can_step(machine, 2));
    take(machine, 1);
    assert_false(can_step(machine, 2));
    take_drain(machine, 1, 0);
    take(machine, 2);
    machine_free(machine);
    program_delete(&program);
}

static void semaphores_count(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    uint64_t semaphore = small_variable(&small, "semaphore", 32);
    small_thread(&small, 1);
    small_sync(&small, 2, SYNC_SEM_TRYWAIT, semaphore, 0);
    small_sync(&small, 2, SYNC_SEM_TIMEDWAIT, semaphore, 0);
    small_sync(&small, 2, SYNC_SEM_WAIT, semaphore, 0);
    small_sync(&small, 2, SYNC_SEM_TIMEDWAIT, semaphore, 0);
    small_sync(&small, 2, SYNC_SEM_TRYWAIT, semaphore, 0);
    small_thread(&small, 2);
    for (int i = 0; i < 3; i++) {
        small_sync(&small, 2, SYNC_SEM_POST, semaphore, 0);
    }
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    assert_int_equal(take(machine, 1)->result, EAGAIN);
    assert_int_equal(machine_choices(machine, 1), 1);
    assert_int_equal(take(machine, 1)->result, ETIMEDOUT);
    assert_false(can_step(machine, 1));
    for (int i = 0; i < 3; i++) {
        take(machine, 2);
    }
    assert_int_equal(take(machine, 1)->result, 0);
    assert_int_equal(machine_choices(machine, 1), 2);
    assert_int_equal(take_choice(machine, 1, 0)->result, 0);
    assert_int_equal(take(machine, 1)->result, 0);
    assert_int_equal(memory(machine, semaphore, 4), 0);
    machine_free(machine);
    program_delete(&program);
}

/* Threads 1 and 2 wait at a condition variable, thread 3 signals or broadcasts. */
static void build_condition(struct program *program, uint64_t *mutex, enum sync_kind sleep, enum sync_kind wake) {
    struct small_program small;
    small_init(&small, 3);
    uint64_t condition = small_variable(&small, "condition", 48);
    *mutex = small_variable(&small, "mutex", 40);
    for (uint32_t t = 1; t <= 2; t++) {
        small_thread(&small, t);
        small_sync(&small, 2, SYNC_MUTEX_LOCK, *mutex, 0);
        small_sync(&small, 3, SYNC_COND_RELEASE, condition, *mutex);
        small_sync(&small, 2, sleep, condition, 0);
        small_sync(&small, 2, SYNC_MUTEX_RETAKE, *mutex, 1);
        small_sync(&small, 2, SYNC_MUTEX_UNLOCK, *mutex, 0);
    }
    small_thread(&small, 3);
    small_sync(&small, 2, wake, condition, 0);
    small_sync(&small, 2, wake, condition, 0);
    small_finish(&small, program);
}

static void signal_wakes_any_one_waiter(void **state) {
    (void)state;
    struct program program;
    uint64_t mutex;
    build_condition(&program, &mutex, SYNC_COND_SLEEP, SYNC_COND_SIGNAL);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    assert_int_equal(machine_choices(machine, 3), 1);
    for (uint32_t t = 1; t <= 2; t++) {
        take(machine, t);
        take(machine, t);
        assert_int_equal(memory(machine, mutex, 4), 0);
        assert_false(can_step(machine, t));
    }
    assert_int_equal(machine_choices(machine, 3), 2);
    machine_mark mark = machine_set_mark(machine);
    for (uint32_t chosen = 1; chosen <= 2; chosen++) {
        assert_int_equal(take_choice(machine, 3, chosen - 1)->other, chosen);
        assert_true(can_step(machine, chosen));
        assert_false(can_step(machine, 3 - chosen));
        assert_int_equal(take(machine, chosen)->result, 0);
        assert_int_equal(memory(machine, mutex, 4), 0);
        take(machine, chosen);
        assert_int_equal(memory(machine, mutex, 4), machine_thread_number(machine, chosen) + 1);
        machine_undo(machine, mark);
    }
    /* The woken one has to wait for the mutex. */
    take_choice(machine, 3, 0);
    take_choice(machine, 3, 0);
    take(machine, 1);
    take(machine, 2);
    take(machine, 1);
    assert_false(can_step(machine, 2));
    take(machine, 1);
    take(machine, 2);
    machine_free(machine);
    program_delete(&program);
}

static void signal_without_waiter_is_lost(void **state) {
    (void)state;
    struct program program;
    uint64_t mutex;
    build_condition(&program, &mutex, SYNC_COND_SLEEP, SYNC_COND_SIGNAL);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 3);
    take(machine, 3);
    take(machine, 3);
    for (uint32_t t = 1; t <= 2; t++) {
        take(machine, t);
        take(machine, t);
    }
    assert_int_equal(error_kind(machine), ERROR_DEADLOCK);
    machine_free(machine);
    program_delete(&program);
}

static void broadcast_wakes_all(void **state) {
    (void)state;
    struct program program;
    uint64_t mutex;
    build_condition(&program, &mutex, SYNC_COND_SLEEP, SYNC_COND_BROADCAST);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    for (uint32_t t = 1; t <= 2; t++) {
        take(machine, t);
        take(machine, t);
    }
    assert_int_equal(machine_choices(machine, 3), 1);
    take(machine, 3);
    assert_true(can_step(machine, 1));
    assert_true(can_step(machine, 2));
    machine_free(machine);
    program_delete(&program);
}

static void timed_wait_may_give_up(void **state) {
    (void)state;
    struct program program;
    uint64_t mutex;
    build_condition(&program, &mutex, SYNC_COND_TIMEDSLEEP, SYNC_COND_SIGNAL);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    take(machine, 1);
    assert_int_equal(take(machine, 1)->result, ETIMEDOUT);
    take(machine, 1);
    assert_int_equal(memory(machine, mutex, 4), machine_thread_number(machine, 1) + 1);
    machine_free(machine);
    program_delete(&program);
}

static void spurious_wake_ups_only_on_request(void **state) {
    (void)state;
    struct program program;
    uint64_t mutex;
    build_condition(&program, &mutex, SYNC_COND_SLEEP, SYNC_COND_SIGNAL);
    struct machine *machine = machine_new(&program, &(struct machine_options){.model = MODEL_TSO, .spurious = true});
    small_start(machine);
    take(machine, 1);
    take(machine, 1);
    assert_int_equal(take(machine, 1)->result, 0);
    take(machine, 1);
    machine_free(machine);
    program_delete(&program);
}

static void waiting_without_the_mutex_is_an_error(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 1);
    uint64_t condition = small_variable(&small, "condition", 48);
    uint64_t mutex = small_variable(&small, "mutex", 40);
    small_thread(&small, 1);
    small_sync(&small, 2, SYNC_COND_RELEASE, condition, mutex);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    take(machine, 1);
    assert_int_equal(error_kind(machine), ERROR_NOT_OWNER);
    machine_free(machine);
    program_delete(&program);
}

static void barrier_lets_all_pass_together(void **state) {
    (void)state;
    static const enum sync_kind kinds[] = {SYNC_BARRIER_ARRIVE, SYNC_BARRIER_SLEEP, SYNC_BARRIER_ARRIVE,
                                           SYNC_BARRIER_SLEEP};
    struct program program;
    uint64_t barrier;
    build_with_word(&program, &barrier, 0, 2, kinds, 4);
    struct machine *machine = start_drained(&program);
    for (int round = 0; round < 2; round++) {
        take(machine, 1);
        assert_false(can_step(machine, 1));
        assert_int_equal((uint32_t)take(machine, 2)->result, UINT32_MAX);
        assert_int_equal(take(machine, 2)->result, 0); /* it does not wait */
        assert_int_equal(take(machine, 1)->result, 0);
    }
    take(machine, 1);
    take(machine, 2);
    assert_int_equal(machine_outcome(machine), OUTCOME_COMPLETE);
    machine_free(machine);
    program_delete(&program);
}

static void once_runs_once(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    uint64_t once = small_variable(&small, "once", 4);
    for (uint32_t t = 1; t <= 2; t++) {
        small_thread(&small, t);
        small_sync(&small, 2, SYNC_ONCE_BEGIN, once, 0);
        uint32_t branch = small_here(&small);
        small_emit(&small, (struct instruction){.op = OP_BR, .a = 2, .b = branch + 1, .c = branch + 2});
        small_sync(&small, NO_REGISTER, SYNC_ONCE_END, once, 0);
    }
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    assert_int_equal(take(machine, 1)->result, 1);
    assert_false(can_step(machine, 2));
    take(machine, 1);
    assert_int_equal(take(machine, 2)->result, 0);
    take(machine, 1);
    take(machine, 2);
    assert_int_equal(machine_outcome(machine), OUTCOME_COMPLETE);
    machine_free(machine);
    program_delete(&program);
}

static void joining(void **state) {
    (void)state;
    struct small_program small;
    struct program program;
    small_init(&small, 2);
    small_thread(&small, 1);
    uint32_t value = small_number(&small, 77);
    small_emit(&small,
               (struct instruction){
                   .op = OP_SYNC, .width = SYNC_THREAD_EXIT, .dst = NO_REGISTER, .a = value, .b = value, .c = value});
    small_thread(&small, 2);
    small_sync(&small, 2, SYNC_THREAD_JOIN, 999, 0);  /* no thread */
    small_sync(&small, 2, SYNC_THREAD_TRYJOIN, 1, 0); /* thread 1 has number 1 */
    small_sync(&small, 2, SYNC_THREAD_JOIN, 1, 0);
    small_assert_equal(&small, 3, 77, 4);
    small_sync(&small, 2, SYNC_THREAD_JOIN, 1, 0); /* again */
    small_sync(&small, 2, SYNC_THREAD_JOIN, 3, 0); /* itself */
    small_sync(&small, 2, SYNC_THREAD_DETACH, 3, 0);
    small_sync(&small, 2, SYNC_THREAD_DETACH, 3, 0);
    small_finish(&small, &program);
    struct machine *machine = small_machine(&program, MODEL_TSO);
    assert_int_equal(machine_thread_number(machine, 1), 1);
    assert_int_equal(machine_thread_number(machine, 2), 3);
    assert_int_equal(take(machine, 2)->result, ESRCH);
    assert_int_equal(take(machine, 2)->result, EBUSY);
    assert_false(can_step(machine, 2));
    take(machine, 1);
    assert_int_equal(take(machine, 2)->result, 0);
    assert_int_equal(take(machine, 2)->result, EINVAL);
    assert_int_equal(take(machine, 2)->result, EDEADLK);
    assert_int_equal(take(machine, 2)->result, 0);
    assert_int_equal(take(machine, 2)->result, EINVAL);
    assert_int_equal(error_kind(machine), ERROR_NONE);
    machine_free(machine);
    program_delete(&program);
}

static void synchronisation_objects_must_exist(void **state) {
    (void)state;
    for (unsigned kind = SYNC_MUTEX_LOCK; kind <= SYNC_ONCE_END; kind++) {
        struct small_program small;
        struct program program;
        small_init(&small, 1);
        small_thread(&small, 1);
        small_sync(&small, 2, (enum sync_kind)kind, 0, 0);
        small_finish(&small, &program);
        struct machine *machine = small_machine(&program, MODEL_TSO);
        take(machine, 1);
        assert_int_equal(error_kind(machine), ERROR_NULL_POINTER);
        machine_free(machine);
        program_delete(&program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutex_excludes),
        cmocka_unit_test(normal_mutex_locked_twice_is_a_deadlock),
        cmocka_unit_test(recursive_mutex_counts),
        cmocka_unit_test(error_checking_mutex_refuses),
        cmocka_unit_test(normal_mutex_must_be_unlocked_by_its_owner),
        cmocka_unit_test(trylock_never_waits),
        cmocka_unit_test(timed_locks_may_time_out_at_any_moment),
        cmocka_unit_test(readers_share_writers_exclude),
        cmocka_unit_test(writer_keeps_readers_out),
        cmocka_unit_test(spin_lock_waits),
        cmocka_unit_test(semaphores_count),
        cmocka_unit_test(signal_wakes_any_one_waiter),
        cmocka_unit_test(signal_without_waiter_is_lost),
        cmocka_unit_test(broadcast_wakes_all),
        cmocka_unit_test(timed_wait_may_give_up),
        cmocka_unit_test(spurious_wake_ups_only_on_request),
        cmocka_unit_test(waiting_without_the_mutex_is_an_error),
        cmocka_unit_test(barrier_lets_all_pass_together),
        cmocka_unit_test(once_runs_once),
        cmocka_unit_test(joining),
        cmocka_unit_test(synchronisation_objects_must_exist),
    };
    return cmocka_run_group_tests_name("synchronisation", tests, NULL, NULL);
}
