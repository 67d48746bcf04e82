/* The threads that wait to be woken, in a translated program.
 *
 * A program cannot read the word RECORD_WAITS of the machine's records of threads, so the translated program has a
 * table instead.  A thread that waits has an entry there and keeps its index; the thread that wakes it frees the
 * entry. */
#include "bound/runtime.h"

/* Address of element `index` of a table of the program. */
static uint32_t element(struct runtime *runtime, enum bound_shared table, uint32_t index) {
    uint32_t offset = emit_binary(&runtime->out, OP_MUL, index, number(runtime, 8));
    return emit_binary(&runtime->out, OP_ADD, offset, shared_address(runtime, table));
}

static void set_entry(struct runtime *runtime, uint32_t entry, uint32_t object, uint32_t thread) {
    emit_store(&runtime->out, element(runtime, SHARED_waiting, entry), object, 8);
    emit_store(&runtime->out, element(runtime, SHARED_waiter, entry), thread, 8);
}

static void free_entry(struct runtime *runtime, uint32_t entry) {
    set_entry(runtime, entry, number(runtime, 0), number(runtime, 0));
}

/* The thread's entry, whose index is in CELL_entry. */
static uint32_t own_entry(struct runtime *runtime) {
    return emit_binary(&runtime->out, OP_SUB, cell_get(runtime, CELL_entry), number(runtime, 1));
}

/* If the thread was woken, the entry is no longer its own: it forgets the index, so that equal states have equal bytes.
 */
static void emit_waits(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label nowhere = {0};
    struct label woken = {0};
    begin_function(runtime, FUNCTION_waits);
    emit_jump_unless(out, cell_get(runtime, CELL_entry), &nowhere);
    uint32_t entry = own_entry(runtime);
    uint32_t waiter = emit_load(out, element(runtime, SHARED_waiter, entry), 8);
    uint32_t self = plus(runtime, emit_self(out), 1);
    emit_jump_unless(out, emit_compare(out, PREDICATE_EQ, waiter, self), &woken);
    uint32_t object = emit_load(out, element(runtime, SHARED_waiting, entry), 8);
    emit_return(out, &object, 1);
    label_put(out, &woken);
    cell_set(runtime, CELL_entry, number(runtime, 0));
    label_put(out, &nowhere);
    uint32_t zero = number(runtime, 0);
    emit_return(out, &zero, 1);
    end_function(runtime);
}

/* When a thread begins to wait it has no entry; when it ceases to wait its entry is its own. */
static void emit_set_waits(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label begins = {0};
    struct label again = {0};
    struct label found = {0};
    struct label room = {0};
    begin_function(runtime, FUNCTION_set_waits);
    emit_jump_if(out, 0, &begins);
    free_entry(runtime, own_entry(runtime));
    cell_set(runtime, CELL_entry, number(runtime, 0));
    return_nothing(runtime);
    label_put(out, &begins);
    uint32_t entry = emit_register(out);
    emit_move(out, entry, number(runtime, 0));
    label_put(out, &again);
    emit_jump_if(out, emit_compare(out, PREDICATE_ULT, entry, number(runtime, BOUND_WAITERS)), &room);
    emit_error(out, ERROR_MISUSE, BOUND_NO_WAITER);
    label_put(out, &room);
    emit_jump_unless(out, emit_load(out, element(runtime, SHARED_waiting, entry), 8), &found);
    emit_move(out, entry, plus(runtime, entry, 1));
    emit_jump(out, &again);
    label_put(out, &found);
    set_entry(runtime, entry, 0, plus(runtime, emit_self(out), 1));
    cell_set(runtime, CELL_entry, plus(runtime, entry, 1));
    return_nothing(runtime);
    end_function(runtime);
}

static uint32_t waits_at(struct runtime *runtime, uint32_t entry, uint32_t object) {
    uint32_t waiting = emit_load(&runtime->out, element(runtime, SHARED_waiting, entry), 8);
    return emit_compare(&runtime->out, PREDICATE_EQ, waiting, object);
}

static void emit_wake_one(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct label some = {0};
    struct loop_code entries;
    begin_function(runtime, FUNCTION_wake_one);
    loop_begin(runtime, &entries, number(runtime, BOUND_WAITERS));
    emit_jump_if(out, waits_at(runtime, entries.counter, 0), &some);
    loop_end(runtime, &entries);
    return_nothing(runtime);
    label_put(out, &some);
    uint32_t chosen = emit_nondet(out, CHOICE_WAITER, entries.counter, number(runtime, BOUND_WAITERS - 1));
    emit_assume(out, waits_at(runtime, chosen, 0));
    /* Loaded with and without markers: apart from markers both programs must have the same steps. */
    emit_marker(runtime, MARKER_WAKES, emit_load(out, element(runtime, SHARED_waiter, chosen), 8));
    free_entry(runtime, chosen);
    return_nothing(runtime);
    end_function(runtime);
}

static void emit_wake_all(struct runtime *runtime) {
    struct assembler *out = &runtime->out;
    struct loop_code entries;
    begin_function(runtime, FUNCTION_wake_all);
    loop_begin(runtime, &entries, number(runtime, BOUND_WAITERS));
    emit_jump_unless(out, waits_at(runtime, entries.counter, 0), &entries.next);
    free_entry(runtime, entries.counter);
    loop_end(runtime, &entries);
    return_nothing(runtime);
    end_function(runtime);
}

void runtime_emit_waiting(struct runtime *runtime) {
    emit_waits(runtime);
    emit_set_waits(runtime);
    emit_wake_one(runtime);
    emit_wake_all(runtime);
}
