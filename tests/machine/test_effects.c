/* Effects: what a step would do, in memory as it is and in views of it; and the invariants about them, each with a
 * seeded defect. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/state.h"
#include "small_program.h"

static const struct transition second = {.thread = 2, .kind = TRANSITION_STEP};

/* Thread 1 locks and unlocks, thread 2 locks, thread 3 stores and adds. */
static struct machine *make(struct program *program, uint64_t *mutex, uint64_t *word) {
    struct small_program small;
    small_init(&small, 3);
    *mutex = small_variable(&small, "mutex", 40);
    *word = small_variable(&small, "word", 4);
    small_thread(&small, 1);
    small_sync(&small, 2, SYNC_MUTEX_LOCK, *mutex, 0);
    small_sync(&small, 2, SYNC_MUTEX_UNLOCK, *mutex, 0);
    small_thread(&small, 2);
    small_sync(&small, 2, SYNC_MUTEX_LOCK, *mutex, 0);
    small_thread(&small, 3);
    small_store(&small, *word, 1, 4, ORDER_PLAIN);
    small_rmw(&small, 2, RMW_ADD, *word, 5, 4);
    small_finish(&small, program);
    return small_machine(program, MODEL_SC);
}

static void step(struct machine *machine, uint32_t thread) {
    machine_take(machine, (struct transition){.thread = thread, .kind = TRANSITION_STEP});
}

static const struct effect_access *find(const struct effect *effect, uint64_t address) {
    const struct effect_access *accesses = effect->accesses.data;
    for (size_t i = 0; i < effect->accesses.count; i++) {
        if (accesses[i].address == address) {
            return &accesses[i];
        }
    }
    fail_msg("no access to the address");
    return NULL;
}

static void a_lock_says_what_it_does(void **state) {
    (void)state;
    struct program program;
    struct effect effect;
    uint64_t mutex;
    uint64_t word;
    struct machine *machine = make(&program, &mutex, &word);
    uint64_t before = machine_hash(machine);
    effect_init(&effect);
    machine_effect(machine, second, NULL, &effect);
    assert_true(effect.enabled);
    assert_int_equal(find(&effect, mutex)->kind, ACCESS_READ | ACCESS_WRITE);
    assert_int_equal(find(&effect, mutex)->written[0], machine_thread_number(machine, 2) + 1);
    assert_int_equal(find(&effect, mutex + MUTEX_DEPTH)->kind, ACCESS_WRITE);
    assert_true(machine_hash(machine) == before);
    step(machine, 1);
    machine_effect(machine, second, NULL, &effect);
    assert_false(effect.enabled);
    assert_int_equal(effect.waits_for, machine_thread_number(machine, 1) + 1);
    assert_false(effect.changes);
    effect_delete(&effect);
    machine_free(machine);
    program_delete(&program);
}

/* In this view all words are 0. */
static void zero_word(const struct view *view, uint64_t address, uint8_t bytes[8]) {
    (void)view;
    (void)address;
    memset(bytes, 0, 8);
}

static bool is_alive(const struct view *view, uint64_t address) {
    (void)view;
    (void)address;
    return true;
}

static void a_view_is_another_memory(void **state) {
    (void)state;
    const struct view zeros = {.word = zero_word, .lives = is_alive};
    struct program program;
    struct effect effect;
    uint64_t mutex;
    uint64_t word;
    struct machine *machine = make(&program, &mutex, &word);
    effect_init(&effect);
    step(machine, 1);
    machine_effect(machine, second, &zeros, &effect);
    assert_true(effect.enabled);
    step(machine, 3);
    machine_effect(machine, (struct transition){.thread = 3}, NULL, &effect);
    assert_int_equal(find(&effect, word)->before[0], 1);
    assert_int_equal(find(&effect, word)->written[0], 6);
    machine_effect(machine, (struct transition){.thread = 3}, &zeros, &effect);
    assert_int_equal(find(&effect, word)->written[0], 5);
    assert_false(machine_is_enabled(machine, second)); /* nothing of that has changed the machine */
    effect_delete(&effect);
    machine_free(machine);
    program_delete(&program);
}

/* Does the function, in a process of its own, end with a failed assertion that names the invariant? */
static bool is_caught(void (*seed)(void), const char *invariant) {
    int ends[2];
    char text[512];
    if (pipe(ends) != 0) {
        return false;
    }
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], 2);
        seed();
        _exit(0);
    }
    close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    size_t size = fread(text, 1, sizeof text - 1, output);
    text[size] = '\0';
    (void)fclose(output);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(text, invariant);
}

/* Something other than what was described reaches memory. */
static void seed_other_write(void) {
    struct program program;
    uint64_t mutex;
    uint64_t word;
    struct machine *machine = make(&program, &mutex, &word);
    step(machine, 3);
    machine_look(machine, (struct transition){.thread = 3, .kind = TRANSITION_STEP});
    machine->last.written[0]++;
    step(machine, 3);
}

/* A step that waits counts as enabled though nothing that it reads has changed. */
static void seed_stale_effect(void) {
    struct program program;
    uint64_t mutex;
    uint64_t word;
    struct machine *machine = make(&program, &mutex, &word);
    step(machine, 1);
    machine_is_enabled(machine, second);
    machine->threads[2]->known.enabled = true;
    step(machine, 3);
    machine_is_enabled(machine, second);
}

static void invariants_are_asserted(void **state) {
    (void)state;
    assert_true(is_caught(seed_other_write, "(M6)"));
    assert_true(is_caught(seed_stale_effect, "(M7)"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lock_says_what_it_does),
        cmocka_unit_test(a_view_is_another_memory),
        cmocka_unit_test(invariants_are_asserted),
    };
    return cmocka_run_group_tests_name("effects", tests, NULL, NULL);
}
