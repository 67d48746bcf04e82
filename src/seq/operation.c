/* Operations on locks, conditions and threads: their codes (ir/sync.h), executed as one event, or as part of the atomic
 * section that contains them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/sync.h"
#include "seq/run.h"
#include "seq/stale.h"
#include "seq/unset.h"
#include "util/memory.h"

#define MOST_CODE 64

/* The execution of one code.  Branches go forward, so one pass over the instructions visits every path. */
struct operation {
    struct run *run;
    struct state *state;
    const struct instruction *instruction;
    uint32_t event;
    bool in_section; /* or while there is one thread: on the path's own memory */
    struct value registers[SYNC_MAX_REGISTERS];
    literal arrives[MOST_CODE + 1]; /* by instruction: the code reaches it */
    literal waits;                  /* some WAIT_UNLESS is in vain */
    literal done;
    struct value results[2];
    bool has_result;
    uint8_t choice; /* enum choice_kind */
    term_id choice_value;
};

static struct value code_operand(const struct operation *operation, uint32_t operand) {
    return operand & OPERAND_CONSTANT
               ? value_constant(&operation->run->execution->terms, sync_constants[operand & ~OPERAND_CONSTANT])
               : operation->registers[operand];
}

/* Main was created by no thread, but exists all the same. */
static struct shared_object *record_of(struct symbolic *execution, uint64_t number) {
    static const uint8_t of_main[RECORD_BYTES] = {[RECORD_CREATED] = 1};
    struct shared_object *record =
        object_at_base(&execution->objects, record_address(number), RECORD_BYTES, OBJECT_IS_RECORD);
    if (number == 0) {
        record->initial = of_main;
        record->initial_size = sizeof of_main;
    }
    return record;
}

/* --- Accesses of codes -------------------------------------------------------------------------------------------- */

/* Words in objects and in records: what an address that the code computes can mean. */
static void resolve_word(struct operation *operation, struct value address, unsigned size, struct targets *targets) {
    struct symbolic *execution = operation->run->execution;
    size_t count;
    uint64_t values[SET_MOST];
    const uint64_t *known = set_values(&execution->sets, address.set, &count);
    targets_init(targets);
    if (!known || !is_record(known[0])) {
        memory_resolve(execution, operation->state, address, size, true, targets);
        return;
    }
    memcpy(values, known, count * sizeof *known);
    for (size_t i = 0; i < count; i++) {
        struct target target = {
            .condition = count == 1 ? LITERAL_TRUE : term_equals(&execution->terms, address.term, values[i]),
            .address = values[i],
            .object = record_of(execution, record_number(values[i])),
        };
        vector_push(&targets->list, &target);
    }
}

static struct value read_word(struct operation *operation, struct value address, unsigned size, literal here) {
    struct symbolic *execution = operation->run->execution;
    struct targets targets;
    struct value result = value_constant(&execution->terms, 0);
    resolve_word(operation, address, size, &targets);
    for (size_t i = 0; i < targets.list.count; i++) {
        const struct target *target = vector_at(&targets.list, i);
        struct value value = memory_read(execution, operation->state, target, size, operation->event,
                                         gates_and(&execution->gates, here, target->condition))
                                 .value;
        result = i == 0 ? value : value_mux(&execution->terms, target->condition, value, result);
    }
    targets_delete(&targets);
    return result;
}

static void write_word(struct operation *operation, struct value address, unsigned size, struct value value,
                       literal here) {
    struct symbolic *execution = operation->run->execution;
    struct targets targets;
    resolve_word(operation, address, size, &targets);
    for (size_t i = 0; i < targets.list.count; i++) {
        const struct target *target = vector_at(&targets.list, i);
        literal condition = gates_and(&execution->gates, here, target->condition);
        memory_write(execution, operation->state, target, size, operation->event, condition, value);
    }
    targets_delete(&targets);
    operation->state->dirty = gates_or(&execution->gates, operation->state->dirty, here);
}

/* Wakes threads that wait at the object: one of them, or all. */
static void wake(struct operation *operation, struct value object, struct value all, literal here) {
    struct symbolic *execution = operation->run->execution;
    struct gates *gates = &execution->gates;
    struct terms *terms = &execution->terms;
    uint64_t everybody;
    value_is_constant(terms, all, &everybody);
    struct value zero = value_constant(terms, 0);
    struct value woken = zero;
    literal before = LITERAL_FALSE; /* one has been woken already */
    literal some = LITERAL_FALSE;
    size_t count = execution->objects.objects.count;
    for (size_t i = 0; i < count; i++) {
        struct shared_object *record = *(struct shared_object **)vector_at(&execution->objects.objects, i);
        if (record->kind != OBJECT_IS_RECORD) {
            continue;
        }
        uint64_t number = record_number(record->base);
        struct target target = {LITERAL_TRUE, record->base + RECORD_WAITS, record};
        struct value waits = memory_read(execution, operation->state, &target, 8, operation->event, here).value;
        literal sleeps = gates_and(gates, here, term_equal(terms, waits.term, object.term));
        if (sleeps == LITERAL_FALSE) {
            continue;
        }
        literal chosen = sleeps;
        if (!everybody) {
            literal wanted = gates_free(gates);
            chosen = gates_and(gates, gates_and(gates, sleeps, wanted), -before);
            before = gates_or(gates, before, chosen);
            woken = value_mux(terms, chosen, value_constant(terms, number + 1), woken);
        }
        some = gates_or(gates, some, sleeps);
        memory_write(execution, operation->state, &target, 8, operation->event, chosen, zero);
    }
    if (!everybody && some != LITERAL_FALSE) {
        /* If a thread sleeps, one wakes: this path has no other choices. */
        operation->choice = CHOICE_WOKEN;
        operation->choice_value = woken.term;
        state_require(execution, operation->state, gates_or(gates, gates_or(gates, -some, before), -here));
    }
}

/* --- The code ----------------------------------------------------------------------------------------------------- */

static void code_step(struct operation *operation, const struct instruction *code, uint32_t index) {
    struct symbolic *execution = operation->run->execution;
    struct gates *gates = &execution->gates;
    struct terms *terms = &execution->terms;
    literal here = operation->arrives[index];
    literal *next = &operation->arrives[index + 1];
    struct value a = code_operand(operation, code->a);
    switch (code->op) {
    case OP_LOAD:
        operation->registers[code->dst] = read_word(operation, a, code->width, here);
        break;
    case OP_STORE:
        write_word(operation, a, code->width, code_operand(operation, code->b), here);
        break;
    case OP_ADD_TO: {
        struct value old = read_word(operation, a, 4, here);
        struct value out[2];
        struct value operand[2] = {code_operand(operation, code->b), value_constant(terms, 0)};
        struct value olds[2] = {old, value_constant(terms, 0)};
        term_rmw(terms, RMW_ADD, 4, olds, operand, out);
        write_word(operation, a, 4, out[0], here);
        break;
    }
    case OP_BR: {
        literal holds = term_any(terms, a.term);
        literal *yes = &operation->arrives[code->b];
        literal *no = &operation->arrives[code->c];
        *yes = gates_or(gates, *yes, gates_and(gates, here, holds));
        *no = gates_or(gates, *no, gates_and(gates, here, -holds));
        return;
    }
    case OP_JMP:
        operation->arrives[code->a] = gates_or(gates, operation->arrives[code->a], here);
        return;
    case OP_RECORD: {
        uint64_t values[SET_MOST];
        size_t count;
        const uint64_t *known = set_values(&execution->sets, a.set, &count);
        if (!known) {
            run_refuse(operation->run, operation->instruction, "an operation on a thread that is not known");
            return;
        }
        memcpy(values, known, count * sizeof *known);
        struct value *dst = &operation->registers[code->dst];
        for (size_t i = 0; i < count; i++) {
            record_of(execution, values[i]);
            struct value record = value_constant(terms, record_address(values[i]));
            *dst = i == 0 ? record : value_mux(terms, term_equals(terms, a.term, values[i]), record, *dst);
        }
        break;
    }
    case OP_NONDET: {
        literal choice = gates_free(gates);
        operation->registers[code->dst] =
            (struct value){term_of_bits(terms, &choice, 1), set_range(&execution->sets, 0, 1, 1)};
        operation->choice = CHOICE_NUMBER;
        operation->choice_value = term_mux(terms, here, term_of_bits(terms, &choice, 1), operation->choice_value);
        break;
    }
    case OP_WAIT_UNLESS: {
        literal holds = term_any(terms, a.term);
        operation->waits = gates_or(gates, operation->waits, gates_and(gates, here, -holds));
        here = gates_and(gates, here, holds);
        break;
    }
    case OP_WAKE:
        wake(operation, a, code_operand(operation, code->b), here);
        break;
    case OP_ERROR: {
        struct failure failure = {here, operation->run->thread, (uint32_t)run_thread(operation->run)->steps.count + 1};
        vector_push(&execution->failures, &failure);
        return;
    }
    case OP_RESULT: {
        struct value b = code_operand(operation, code->b);
        bool first = !operation->has_result;
        operation->results[0] = first ? a : value_mux(terms, here, a, operation->results[0]);
        operation->results[1] = first ? b : value_mux(terms, here, b, operation->results[1]);
        operation->has_result = true;
        operation->done = gates_or(gates, operation->done, here);
        return;
    }
    default: {
        struct value operands[3][2] = {{a}, {code_operand(operation, code->b)}};
        struct value out[3];
        literal fails;
        term_operate(terms, code, operands, out, &fails);
        operation->registers[code->dst] = out[0];
        break;
    }
    }
    *next = gates_or(gates, *next, here);
}

/* The whole object must be accessible; otherwise the step is an error. */
static literal object_is_bad(struct operation *operation, struct value address, unsigned bytes) {
    struct symbolic *execution = operation->run->execution;
    struct targets targets;
    targets_init(&targets);
    memory_resolve(execution, operation->state, address, bytes, true, &targets);
    literal bad = targets.bad;
    for (size_t i = 0; i < targets.list.count; i++) {
        const struct target *target = vector_at(&targets.list, i);
        literal condition = gates_and(&execution->gates, operation->state->guard, target->condition);
        bad = gates_or(&execution->gates, bad,
                       memory_ended(execution, operation->state, target->object, operation->event, condition, false));
    }
    targets_delete(&targets);
    return bad;
}

/* The operation rests on the first word of its object, a local or one of the heap, if nobody has written that. */
static void note_unset(struct operation *operation) {
    struct symbolic *execution = operation->run->execution;
    struct gates *gates = &execution->gates;
    literal unset = LITERAL_FALSE;
    struct targets targets;
    resolve_word(operation, operation->registers[SYNC_A], 4, &targets);
    for (size_t i = 0; i < targets.list.count; i++) {
        const struct target *target = vector_at(&targets.list, i);
        struct shared_object *object = target->object;
        literal here = gates_and(gates, operation->state->guard, target->condition);
        if (!object || initial_read(execution, object, target->address - object->base, 4).unset != LITERAL_FALSE) {
            struct content first = memory_read(execution, operation->state, target, 4, operation->event, here);
            unset = gates_or(gates, unset, gates_and(gates, here, first.unset));
        }
    }
    targets_delete(&targets);
    unset_note(operation->run, unset);
}

/* So must the two objects of an operation be apart. */
static literal objects_overlap(struct operation *operation, unsigned first, unsigned second) {
    struct terms *terms = &operation->run->execution->terms;
    literal overlap = LITERAL_FALSE;
    for (unsigned i = 1; i < first + second; i++) { /* the second begins i - second bytes after the first */
        const struct instruction add = {.op = OP_ADD, .width = 64};
        struct value in[3][2] = {{operation->registers[SYNC_A]}, {value_constant(terms, (uint64_t)i - second)}};
        struct value sum[3];
        literal fails;
        term_operate(terms, &add, in, sum, &fails);
        overlap = gates_or(&operation->run->execution->gates, overlap,
                           term_equal(terms, sum[0].term, operation->registers[SYNC_B].term));
    }
    return overlap;
}

static void execute_code(struct run *run, struct state *state, const struct instruction *instruction,
                         const struct sync_code *code) {
    struct symbolic *execution = run->execution;
    struct terms *terms = &execution->terms;
    struct gates *gates = &execution->gates;
    struct operation operation = {.run = run, .state = state, .instruction = instruction, .event = NO_EVENT};
    operation.in_section = state->alone || state->section != NO_EVENT;
    if (!operation.in_section) {
        operation.event = run_event(run, state, instruction, EVENT_DRAINS);
    }
    uint32_t number = run_thread(run)->number;
    operation.registers[SYNC_A] = run_operand(run, state, instruction->a);
    operation.registers[SYNC_B] = run_operand(run, state, instruction->b);
    operation.registers[SYNC_C] = run_operand(run, state, instruction->c);
    operation.registers[SYNC_SELF] = value_constant(terms, (uint64_t)number + 1);
    operation.registers[SYNC_OWN] = value_constant(terms, record_address(number));
    operation.registers[SYNC_SPURIOUS] = value_constant(terms, execution->task->machine.spurious);
    record_of(execution, number);
    for (unsigned i = SYNC_INPUTS; i < SYNC_MAX_REGISTERS; i++) {
        operation.registers[i] = value_constant(terms, 0);
    }
    for (unsigned i = 0; i <= MOST_CODE; i++) {
        operation.arrives[i] = LITERAL_FALSE;
    }
    operation.waits = operation.done = LITERAL_FALSE;
    literal came = state->guard;
    literal bad = LITERAL_FALSE;
    if (sync_table[instruction->width].bytes > 0) {
        bad = object_is_bad(&operation, operation.registers[SYNC_A], sync_table[instruction->width].bytes);
    }
    if (code->second > 0) {
        bad = gates_or(gates, bad, object_is_bad(&operation, operation.registers[SYNC_B], code->second));
        bad = gates_or(gates, bad, objects_overlap(&operation, sync_table[instruction->width].bytes, code->second));
    }
    struct failure failure = {gates_and(gates, came, bad), run->thread, (uint32_t)run_thread(run)->steps.count + 1};
    if (failure.holds != LITERAL_FALSE) {
        vector_push(&execution->failures, &failure);
    }
    operation.arrives[0] = gates_and(gates, came, -bad);
    state->guard = operation.arrives[0];
    if (sync_table[instruction->width].bytes > 0) {
        note_unset(&operation);
    }
    for (uint32_t i = 0; i < code->count && !execution->refusal[0]; i++) {
        if (operation.arrives[i] != LITERAL_FALSE) {
            code_step(&operation, &code->instructions[i], i);
        }
    }
    uint32_t event = operation.event != NO_EVENT ? operation.event : state->section;
    run_step(run, instruction, came, event, operation.choice, operation.choice_value);
    literal required = state->guard; /* the woken threads may have been restricted */
    if (operation.in_section) {
        /* No thread can end a wait in a section. */
        if (state->section_depth > 0) {
            struct failure blocked = {operation.waits, run->thread, (uint32_t)run_thread(run)->steps.count};
            vector_push(&execution->failures, &blocked);
        } else if (operation.waits != LITERAL_FALSE) {
            struct stuck stuck = {operation.waits, run->thread, NO_EVENT, NO_EVENT, true};
            vector_push(&execution->stuck, &stuck);
        }
    } else {
        struct event *at = symbolic_event(execution, operation.event);
        at->may_wait = operation.waits != LITERAL_FALSE;
        at->complete = gates_and(gates, operation.done, required);
        if (at->may_wait) {
            struct stuck stuck = {operation.waits, run->thread, operation.event, operation.event, true};
            vector_push(&execution->stuck, &stuck);
        }
    }
    state->guard = gates_and(gates, operation.done, required);
    stale_moment(run, state, instruction, operation.event, LITERAL_TRUE);
    for (unsigned i = 0; i < instruction->sub && i < 2 && instruction->dst != NO_REGISTER; i++) {
        state->registers[instruction->dst + i] = operation.results[i];
    }
}

/* --- Creation and end of threads ---------------------------------------------------------------------------------- */

/* The numbers that the next thread created here can have; `children`, unless NULL, becomes how many were created before
 * it.  Returns how many there are, 0 if that is not known. */
static size_t possible_children(const struct run *run, const struct state *state, uint64_t numbers[SET_MOST],
                                uint64_t children[SET_MOST]) {
    size_t count;
    const uint64_t *known = set_values(&run->execution->sets, state->children.set, &count);
    for (size_t i = 0; known && i < count; i++) {
        numbers[i] = machine_child_number(run_thread(run)->number, known[i]);
        children[i] = known[i];
    }
    return known ? count : 0;
}

struct value operation_child(struct run *run, const struct state *state) {
    struct terms *terms = &run->execution->terms;
    uint64_t numbers[SET_MOST];
    uint64_t children[SET_MOST];
    struct value result = value_constant(terms, 0);
    size_t count = possible_children(run, state, numbers, children);
    for (size_t i = 0; i < count; i++) {
        literal condition = i == 0 ? LITERAL_TRUE : term_equals(terms, state->children.term, children[i]);
        result = value_mux(terms, condition, value_constant(terms, numbers[i]), result);
    }
    return result;
}

static void write_record(struct symbolic *execution, struct state *state, uint32_t event, uint64_t number,
                         uint64_t field, unsigned size, literal condition, struct value value) {
    struct shared_object *record = record_of(execution, number);
    struct target target = {LITERAL_TRUE, record->base + field, record};
    memory_write(execution, state, &target, size, event, condition, value);
}

static void create(struct run *run, struct state *state, const struct instruction *instruction) {
    struct symbolic *execution = run->execution;
    struct terms *terms = &execution->terms;
    struct gates *gates = &execution->gates;
    uint64_t address;
    int64_t function = -1;
    if (value_is_constant(terms, run_operand(run, state, instruction->a), &address)) {
        function = function_at(execution->program, address);
    }
    uint64_t numbers[SET_MOST];
    uint64_t children[SET_MOST];
    size_t count = possible_children(run, state, numbers, children);
    if (function < 0 || count == 0) {
        run_refuse(run, instruction, "a thread is created whose function or number is not known");
        return;
    }
    if (run_thread(run)->depth >= machine_thread_depth(&execution->task->machine)) {
        execution->too_deep = gates_or(gates, execution->too_deep, state->guard);
        state_require(execution, state, LITERAL_FALSE);
        return;
    }
    bool begins = state->section_depth > 0 && state->alone; /* the rest of the section is an event now */
    state_share(execution, state);
    uint32_t event = state->section != NO_EVENT ? state->section : run_event(run, state, instruction, EVENT_DRAINS);
    if (begins) {
        state->section = event;
        symbolic_event(execution, event)->complete = LITERAL_FALSE;
    }
    run_step(run, instruction, state->guard, event, CHOICE_NONE, 0);
    struct value number = operation_child(run, state);
    for (size_t i = 0; i < count; i++) {
        uint64_t child = numbers[i];
        literal condition = count == 1 ? LITERAL_TRUE : term_equals(terms, state->children.term, children[i]);
        if (condition == LITERAL_FALSE) {
            continue;
        }
        if (child > MAX_THREAD_NUMBER || execution->threads.count > SEQ_THREADS) {
            struct cut cut = {gates_and(gates, state->guard, condition), run->thread, ANOTHER_BOUND, instruction->pos,
                              false};
            vector_push(&execution->cuts, &cut);
            state_require(execution, state, -condition);
            continue;
        }
        struct seq_thread thread = {
            .number = (uint32_t)child,
            .function = (uint32_t)function,
            .depth = run_thread(run)->depth + 1,
            .creator = event,
            .guard = gates_and(gates, state->guard, condition),
            .arguments = {run_operand(run, state, instruction->b), run_operand(run, state, instruction->c)},
            .ended = LITERAL_FALSE,
            .exits = LITERAL_FALSE,
        };
        vector_init(&thread.steps, sizeof(struct step_record));
        vector_init(&thread.ends, sizeof(struct own_end));
        const struct vector *ends = &run_thread(run)->ends;
        for (size_t k = 0; k < ends->count; k++) {
            vector_push(&thread.ends, vector_at(ends, k));
        }
        vector_push(&execution->threads, &thread);
        write_record(execution, state, event, child, RECORD_CREATED, 4, thread.guard, value_constant(terms, 1));
        number =
            i == 0 ? value_constant(terms, child) : value_mux(terms, condition, value_constant(terms, child), number);
    }
    const struct instruction add = {.op = OP_ADD, .width = 64};
    struct value operands[3][2] = {{state->children}, {value_constant(terms, 1)}};
    struct value out[3];
    literal fails;
    term_operate(terms, &add, operands, out, &fails);
    state->children = out[0];
    state->dirty = LITERAL_TRUE;
    stale_moment(run, state, instruction, event, LITERAL_TRUE);
    if (instruction->dst != NO_REGISTER && instruction->sub > 0) {
        state->registers[instruction->dst] = number;
    }
}

void operation_end(struct run *run, struct state *state, const struct instruction *instruction, struct value result) {
    struct symbolic *execution = run->execution;
    struct terms *terms = &execution->terms;
    uint32_t number = run_thread(run)->number;
    if (state->section_depth > 0) {
        struct failure failure = {state->guard, run->thread, (uint32_t)run_thread(run)->steps.count};
        vector_push(&execution->failures, &failure);
        return;
    }
    uint32_t event = state->alone ? NO_EVENT : run_event(run, state, instruction, EVENT_DRAINS);
    run_step(run, instruction, state->guard, event, CHOICE_NONE, 0);
    for (size_t i = 0; i < state->escaping.count; i++) {
        uint64_t base;
        struct value at = *(struct value *)vector_at(&state->escaping, i);
        if (value_is_constant(terms, at, &base)) {
            memory_end(execution, state, object_near(&execution->objects, base), event,
                       event == NO_EVENT ? LITERAL_TRUE : state->guard);
        }
    }
    if (!state->alone) {
        write_record(execution, state, event, number, RECORD_RESULT, 8, state->guard, result);
        write_record(execution, state, event, number, RECORD_ENDED, 4, state->guard, value_constant(terms, 1));
    }
    if (execution->task->collect == COLLECT_STATES) { /* a thread's own copies of variables are part of the state */
        words_visit(&state->private, symbolic_add_final, execution);
    }
    struct seq_thread *thread = run_thread(run);
    thread->ended = gates_or(&execution->gates, thread->ended, state->guard);
}

void operation_stay(struct run *run, struct state *state, const struct instruction *instruction) {
    struct goal goal = {state->guard, run->thread, (uint32_t)run_thread(run)->steps.count, instruction->a,
                        instruction->pos};
    if (goal.wanted > 0) {
        vector_push(&run->execution->goals, &goal);
    }
}

/* Makes reached[n] the literal for: at least n of the literals hold. */
static void count_one(struct gates *gates, literal *reached, uint32_t most, literal one) {
    for (uint32_t n = most; n > 0; n--) {
        reached[n] = gates_or(gates, reached[n], gates_and(gates, reached[n - 1], one));
    }
}

void operation_goals(struct symbolic *execution) {
    struct gates *gates = &execution->gates;
    const struct goal *goals = execution->goals.data;
    if (execution->goals.count == 0) {
        return;
    }
    uint32_t wanted = goals->wanted;
    for (size_t i = 0; i < execution->goals.count; i++) {
        if (goals[i].wanted != wanted) {
            snprintf(execution->refusal, sizeof execution->refusal, "goals of different numbers of threads");
            execution->refusal_pos = goals[i].pos;
            return;
        }
    }
    if (wanted > execution->threads.count) {
        return;
    }
    literal *reached = memory_allocate((wanted + 1) * sizeof *reached);
    for (uint32_t n = 0; n <= wanted; n++) {
        reached[n] = n == 0 ? LITERAL_TRUE : LITERAL_FALSE;
    }
    for (uint32_t t = 0; t < execution->threads.count; t++) { /* each reaches one of its goals, or none */
        literal there = LITERAL_FALSE;
        for (size_t i = 0; i < execution->goals.count; i++) {
            there = goals[i].thread == t ? gates_or(gates, there, goals[i].holds) : there;
        }
        count_one(gates, reached, wanted, there);
    }
    for (size_t i = 0; i < execution->goals.count; i++) {
        struct failure failure = {gates_and(gates, reached[wanted], goals[i].holds), goals[i].thread, goals[i].step};
        if (failure.holds != LITERAL_FALSE) {
            vector_push(&execution->failures, &failure);
        }
    }
    free(reached);
}

void operation_execute(struct run *run, struct state *state, const struct instruction *instruction) {
    const struct sync_code *code = &sync_codes()[instruction->width];
    switch (instruction->width) {
    case SYNC_THREAD_CREATE:
        create(run, state, instruction);
        break;
    case SYNC_THREAD_EXIT:
        operation_end(run, state, instruction, run_operand(run, state, instruction->a));
        state->guard = LITERAL_FALSE;
        break;
    case SYNC_BUS_LOCK:
    case SYNC_BUS_UNLOCK:
        run_refuse(run, instruction, "a lock of the bus");
        break;
    default:
        execute_code(run, state, instruction, code);
        break;
    }
}
