/* Symbolic execution of one thread: its instructions, and the flow of its paths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/sync.h"
#include "machine/arithmetic.h"
#include "seq/run.h"
#include "seq/stale.h"
#include "seq/unset.h"
#include "util/memory.h"

#define CHECK_INTERVAL 8

/* --- Operands, events, steps -------------------------------------------------------------------------------------- */

struct value run_operand(const struct run *run, const struct state *state, uint32_t operand) {
    if (operand & OPERAND_CONSTANT) {
        return value_constant(&run->execution->terms, run->execution->program->constants[operand & ~OPERAND_CONSTANT]);
    }
    return state->registers[operand];
}

/* Code of Picket's C library has no position in the source: its caller has. */
static bool is_located(const struct symbolic *execution, const struct instruction *instruction) {
    return execution->program->positions[instruction->pos].line > 0;
}

void run_refuse(struct run *run, const struct instruction *instruction, const char *why) {
    struct symbolic *execution = run->execution;
    if (!execution->refusal[0]) {
        snprintf(execution->refusal, sizeof execution->refusal, "%s", why);
        execution->refusal_pos = is_located(execution, instruction) ? instruction->pos : run->pos;
    }
}

void run_assume(struct run *run, enum assumption assumption) {
    const struct task *task = run->execution->task;
    if (task->machine.assumed) {
        assumptions_note(task->machine.assumed, task->program, assumption, run->pos);
    }
}

void run_fail(struct run *run, struct state *state, literal condition) {
    struct symbolic *execution = run->execution;
    struct failure failure = {gates_and(&execution->gates, state->guard, condition), run->thread,
                              (uint32_t)run_thread(run)->steps.count};
    if (failure.holds != LITERAL_FALSE) {
        vector_push(&execution->failures, &failure);
    }
    state_require(execution, state, -condition);
}

uint32_t run_event(struct run *run, const struct state *state, const struct instruction *instruction,
                   enum event_kind kind) {
    struct event event = {
        .kind = (uint8_t)kind,
        .thread = run->thread,
        .pos = instruction->pos,
        .step = (uint32_t)run_thread(run)->steps.count,
        .guard = state->guard,
        .complete = state->guard,
        .reads = NO_ACCESS,
        .writes = NO_ACCESS,
        .reached = NO_ACCESS,
        .partly = LITERAL_FALSE,
    };
    vector_push(&run->execution->events, &event);
    return (uint32_t)(run->execution->events.count - 1);
}

void run_step(struct run *run, const struct instruction *instruction, literal guard, uint32_t event,
              enum choice_kind choice, term_id value) {
    struct step_record step = {
        .instruction = (uint32_t)(instruction - run->execution->program->code),
        .guard = guard,
        .event = event,
        .choice = (uint8_t)choice,
        .value = value,
    };
    vector_push(&run_thread(run)->steps, &step);
}

void symbolic_add_final(void *data, uint64_t address, unsigned size, struct value value) {
    struct symbolic *execution = data;
    uint64_t constant;
    (void)address;
    (void)size;
    if (!value_is_constant(&execution->terms, value, &constant)) {
        vector_push(&execution->final, &value.term);
    }
}

/* --- Flow --------------------------------------------------------------------------------------------------------- */

/* Takes a path to the start of a block, which then owns it. */
static void go(struct run *run, struct state *state, uint32_t to, const struct instruction *from) {
    struct symbolic *execution = run->execution;
    const struct flow *flow = run->flow;
    const uint32_t *loops = run->chains[to].loops;
    const uint32_t *around = run->chains[state->block].loops;
    uint32_t depth = run->chains[to].depth;
    uint32_t before = run->chains[state->block].depth;
    if (state->guard == LITERAL_FALSE || depth > MOST_LOOPS || execution->refusal[0]) {
        if (depth > MOST_LOOPS) {
            run_refuse(run, from, "loops are nested too deeply");
        }
        state_delete(state);
        return;
    }
    struct path_position position = {.depth = depth};
    uint32_t same = 0;
    while (same < depth && same < before && loops[same] == around[same]) {
        same++;
    }
    loops_leave(run, &state->position, same, before, to);
    for (uint32_t i = 0; i < depth; i++) {
        const struct loop *loop = &flow->loops[loops[i]];
        bool again = i < same && loop->header == to;
        position.at[2 * i] = flow->blocks[loop->header].order;
        position.at[2 * i + 1] = i < same ? state->position.at[2 * i + 1] + again : 0;
        if (i >= same) {
            state->counted[i] = 0;
        }
    }
    position.at[2 * depth] = flow->blocks[to].order;
    state->position = position;
    state->block = to;
    vector_push(&run->pending, &state);
}

static void branch(struct run *run, struct state *state, const struct instruction *code) {
    struct symbolic *execution = run->execution;
    struct value condition = run_operand(run, state, code->a);
    literal holds = term_any(&execution->terms, condition.term);
    /* what the path is guarded by is known to hold */
    if (gates_implies(&execution->gates, state->guard, holds)) {
        holds = LITERAL_TRUE;
    } else if (gates_implies(&execution->gates, state->guard, -holds)) {
        holds = LITERAL_FALSE;
    }
    literal yes = gates_and(&execution->gates, state->guard, holds);
    literal no = gates_and(&execution->gates, state->guard, -holds);
    if (yes == LITERAL_FALSE || no == LITERAL_FALSE) {
        uint32_t target = no == LITERAL_FALSE ? code->b : code->c;
        go(run, state, run->flow->block_of[target], code);
        return;
    }
    struct state *other = state_copy(state, run->all_registers);
    state->guard = yes;
    other->guard = no;
    narrow_path(run, state, condition.term, true);
    narrow_path(run, other, condition.term, false);
    go(run, state, run->flow->block_of[code->b], code);
    go(run, other, run->flow->block_of[code->c], code);
}

static void branch_many(struct run *run, struct state *state, const struct instruction *code) {
    struct symbolic *execution = run->execution;
    struct gates *gates = &execution->gates;
    struct value value = run_operand(run, state, code->a);
    const uint32_t *pairs = execution->program->operands + code->b;
    for (uint32_t i = 0; i < code->c; i++) {
        uint64_t wanted;
        value_is_constant(&execution->terms, run_operand(run, state, pairs[2 * i]), &wanted);
        literal holds = term_equals(&execution->terms, value.term, wanted);
        literal taken = gates_and(gates, state->guard, holds);
        if (taken != LITERAL_FALSE) {
            struct state *arm = state_copy(state, run->all_registers);
            arm->guard = taken;
            go(run, arm, run->flow->block_of[pairs[2 * i + 1]], code);
        }
        state_require(execution, state, -holds);
    }
    go(run, state, run->flow->block_of[code->dst], code);
}

/* An iteration of a waiting loop that has changed nothing is over: the thread waits.  Any other one is an ordinary
 * iteration. */
static void wait_again(struct run *run, struct state *state, const struct instruction *code) {
    struct symbolic *execution = run->execution;
    uint32_t loop = (uint32_t)(run->code - execution->program->code) + code->a;
    if (state->await == loop) {
        literal waits = gates_and(&execution->gates, state->guard, -state->dirty);
        if (waits != LITERAL_FALSE) {
            if (state->section_depth > 0) {
                struct failure failure = {waits, run->thread, (uint32_t)run_thread(run)->steps.count};
                vector_push(&execution->failures, &failure);
            } else {
                struct stuck stuck = {waits, run->thread, (uint32_t)execution->events.count, state->await_event, false};
                vector_push(&execution->stuck, &stuck);
            }
        }
        state_require(execution, state, state->dirty);
    }
    go(run, state, run->flow->block_of[code->b], code);
}

/* --- Instructions ------------------------------------------------------------------------------------------------- */

static void arithmetic(struct run *run, struct state *state, const struct instruction *code) {
    struct symbolic *execution = run->execution;
    struct value operands[3][2] = {{{0}}};
    const uint32_t fields[] = {code->a, code->b, code->c};
    const char *shape = op_table[code->op].shape + 1;
    for (int i = 0; i < 3; i++) {
        operands[i][0] = operands[i][1] = value_constant(&execution->terms, 0);
        if (shape[i] == 'r' || shape[i] == 'v' || shape[i] == 'R') {
            operands[i][0] = run_operand(run, state, fields[i]);
            if (shape[i] == 'R' || (shape[i] == 'v' && code->width > 64)) {
                operands[i][1] = run_operand(run, state, fields[i] + 1);
            }
        }
    }
    struct value out[3];
    literal fails;
    const char *problem = term_operate(&execution->terms, code, operands, out, &fails);
    if (problem) {
        run_refuse(run, code, problem);
        return;
    }
    run_fail(run, state, fails);
    if (code->op == OP_ICMP) {
        narrow_note(run, state, code, out[0]);
    }
    unsigned writes = instruction_writes(execution->program, code);
    memcpy(state->registers + code->dst, out, writes * sizeof *out);
}

static void begin_section(struct run *run, struct state *state, const struct instruction *code) {
    if (state->section_depth++ == 0 && !state->alone) {
        state->section = run_event(run, state, code, EVENT_DRAINS);
        symbolic_event(run->execution, state->section)->complete = LITERAL_FALSE;
    }
    run_step(run, code, state->guard, state->section, CHOICE_NONE, 0);
}

static void end_section(struct run *run, struct state *state, const struct instruction *code) {
    struct symbolic *execution = run->execution;
    run_step(run, code, state->guard, state->section, CHOICE_NONE, 0);
    if (state->section_depth > 0 && --state->section_depth == 0 && state->section != NO_EVENT) {
        memory_publish(execution, state);
        struct event *event = symbolic_event(execution, state->section);
        event->complete = gates_or(&execution->gates, event->complete, state->guard);
        uint32_t section = state->section;
        state->section = NO_EVENT;
        stale_moment(run, state, code, section, LITERAL_TRUE);
    }
}

static void fence(struct run *run, struct state *state, const struct instruction *code) {
    enum memory_model model = run->execution->task->machine.model;
    bool waits = model != MODEL_SC && code->op == OP_FENCE && code->sub == ORDER_SEQ_CST;
    bool release = code->op == OP_STORE_BARRIER || code->sub == ORDER_RELEASE || code->sub == ORDER_ACQ_REL;
    if (waits) {
        bool local = state->alone || state->section != NO_EVENT;
        uint32_t event = local ? state->section : run_event(run, state, code, EVENT_DRAINS);
        run_step(run, code, state->guard, event, CHOICE_NONE, 0);
        stale_moment(run, state, code, event, LITERAL_TRUE);
    } else if (release && model == MODEL_PSO && !state->alone && state->section == NO_EVENT) {
        run_event(run, state, code, EVENT_BARRIER);
    }
}

static void assume(struct run *run, struct state *state, const struct instruction *code) {
    struct symbolic *execution = run->execution;
    struct value condition = run_operand(run, state, code->a);
    literal holds = term_any(&execution->terms, condition.term);
    execution->assumed += holds != LITERAL_TRUE;
    literal fails = gates_and(&execution->gates, state->guard, -holds);
    execution->dropped = gates_or(&execution->gates, execution->dropped, fails);
    if (fails != LITERAL_FALSE && execution->task->machine.assumed) {
        assumptions_note_failed(execution->task->machine.assumed, execution->task->program, run->pos);
    }
    state_require(execution, state, holds);
    narrow_path(run, state, condition.term, true);
}

static void assertion(struct run *run, struct state *state, const struct instruction *code) {
    struct value condition = run_operand(run, state, code->a);
    run_fail(run, state, -term_any(&run->execution->terms, condition.term));
}

/* May these bits of the value depend on the address of an object?  A block of the heap is aligned to 16 bytes. */
static bool bits_may_differ(const struct run *run, struct value value, uint64_t mask) {
    uint64_t low;
    uint64_t high;
    set_bounds(&run->execution->sets, value.set, &low, &high);
    const struct shared_object *object = object_near(&run->execution->objects, low);
    bool one = object && object_near(&run->execution->objects, high) == object;
    return high >= GLOBAL_BASE && !(one && object->kind == OBJECT_IS_HEAP && mask <= 15);
}

/* May the two be addresses of different objects, or what one of them is not be known? */
static bool may_differ(const struct run *run, struct value one, struct value other) {
    struct symbolic *execution = run->execution;
    uint64_t low[2];
    uint64_t high[2];
    uint64_t mask;
    if (value_is_constant(&execution->terms, other, &mask) && mask < PAGE_SIZE) {
        return bits_may_differ(run, one, mask);
    }
    set_bounds(&execution->sets, one.set, &low[0], &high[0]);
    set_bounds(&execution->sets, other.set, &low[1], &high[1]);
    const struct shared_object *object = object_near(&execution->objects, low[0]);
    for (int i = 0; i < 2; i++) {
        if (object_near(&execution->objects, low[i]) != object || object_near(&execution->objects, high[i]) != object) {
            return true;
        }
    }
    return false; /* objects do not overlap: the comparison is the same for all values between them */
}

static void meet_assumption(struct run *run, const struct state *state, const struct instruction *code) {
    struct value a = run_operand(run, state, code->a);
    if (code->sub == ASSUMPTION_UNINITIALISED) {
        literal set = term_any(&run->execution->terms, a.term);
        unset_note(run, gates_and(&run->execution->gates, state->guard, -set));
    } else if (code->sub != ASSUMPTION_LAYOUT || may_differ(run, a, run_operand(run, state, code->b))) {
        run_assume(run, code->sub);
    }
}

/* Executes one instruction that does not end its block. */
static void instruction_execute(struct run *run, struct state *state, const struct instruction *code) {
    struct symbolic *execution = run->execution;
    struct terms *terms = &execution->terms;
    switch (code->op) {
    case OP_NOP:
        break;
    case OP_ASSUMED:
        meet_assumption(run, state, code);
        break;
    case OP_TLS:
        state->registers[code->dst] = state->registers[run->registers + code->a];
        break;
    case OP_SELF:
        state->registers[code->dst] = value_constant(terms, run_thread(run)->number);
        break;
    case OP_CHILD:
        state->registers[code->dst] = operation_child(run, state);
        break;
    case OP_ALLOCA:
        step_alloca(run, state, code);
        break;
    case OP_STACK_SAVE:
        state->registers[code->dst] =
            value_constant(terms, state->locals.count | (uint64_t)state->escaping.count << 32);
        break;
    case OP_STACK_RESTORE:
    case OP_LEAVE:
        step_restore(run, state, code);
        break;
    case OP_MALLOC:
        step_malloc(run, state, code);
        break;
    case OP_FREE:
        step_free(run, state, code);
        break;
    case OP_LIB:
        library_execute(run, state, code);
        break;
    case OP_LOAD:
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
        step_access(run, state, code);
        break;
    case OP_FENCE:
    case OP_STORE_BARRIER:
        fence(run, state, code);
        break;
    case OP_SYNC:
        operation_execute(run, state, code);
        break;
    case OP_ATOMIC_BEGIN:
        begin_section(run, state, code);
        break;
    case OP_ATOMIC_END:
        end_section(run, state, code);
        break;
    case OP_NONDET:
        step_nondet(run, state, code);
        break;
    case OP_ASSUME:
        assume(run, state, code);
        break;
    case OP_ASSERT:
        assertion(run, state, code);
        break;
    case OP_AWAIT:
        state->await = (uint32_t)(code - execution->program->code);
        state->await_locals = state->stack_next;
        state->await_event = (uint32_t)execution->events.count;
        state->dirty = LITERAL_FALSE;
        break;
    case OP_CALL:
        run_refuse(run, code, "a call that could not be expanded");
        break;
    default:
        if (code->op == OP_ICMP) {
            stale_compare(run, state, code);
        }
        arithmetic(run, state, code);
        break;
    }
}

/* Executes the block of a path from its start, and sends the path on. */
static void block_execute(struct run *run, struct state *state) {
    struct symbolic *execution = run->execution;
    const struct block *block = &run->flow->blocks[state->block];
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct instruction *code = run->code + i;
        if (state->guard == LITERAL_FALSE || execution->refusal[0]) {
            state_delete(state);
            return;
        }
        state->pos = is_located(execution, code) ? code->pos : state->pos;
        run->pos = state->pos;
        switch (code->op) {
        case OP_JMP:
            go(run, state, run->flow->block_of[code->a], code);
            return;
        case OP_BR:
            branch(run, state, code);
            return;
        case OP_SWITCH:
            branch_many(run, state, code);
            return;
        case OP_AGAIN:
            wait_again(run, state, code);
            return;
        case OP_RET:
            operation_end(run, state, code,
                          code->b > 0 ? run_operand(run, state, execution->program->operands[code->a])
                                      : value_constant(&execution->terms, 0));
            state_delete(state);
            return;
        case OP_ERROR:
        case OP_CALL_INDIRECT: /* what is left of these has no function */
            run_fail(run, state, LITERAL_TRUE);
            state_delete(state);
            return;
        case OP_CUT: {
            struct cut cut = {state->guard, run->thread, ANOTHER_BOUND, code->pos, false};
            vector_push(&execution->cuts, &cut);
            state_delete(state);
            return;
        }
        case OP_HALT:
            operation_stay(run, state, code);
            state_delete(state);
            return;
        case OP_EXIT: {
            struct seq_thread *thread = run_thread(run);
            run_step(run, code, state->guard, NO_EVENT, CHOICE_NONE, 0);
            thread->exits = gates_or(&execution->gates, thread->exits, state->guard);
            state_share(execution, state);
            state_delete(state);
            return;
        }
        default:
            instruction_execute(run, state, code);
            break;
        }
    }
    if (state->guard == LITERAL_FALSE || execution->refusal[0]) {
        state_delete(state);
        return;
    }
    go(run, state, run->flow->block_of[block->end], run->code + block->end - 1);
}

/* --- Threads ------------------------------------------------------------------------------------------------------ */

/* Merges the second path into the first. */
static void merge_two(struct run *run, struct state *one, struct state *other, const uint64_t *live) {
    const char *problem = state_merge(run->execution, one, other, run->registers, live);
    if (problem) {
        run_refuse(run, run->code + run->flow->blocks[one->block].first, problem);
    }
    state_delete(other);
}

/* Merges paths whose common guard exists already, as long as there are two.  Of the first `apart` no two are such: each
 * path is compared with them once, from the last one on, as exits of a loop fold in this order. */
static void merge_folding(struct run *run, struct vector *same, const uint64_t *live) {
    const struct gates *gates = &run->execution->gates;
    struct state **group = same->data;
    for (size_t apart = 0; apart < same->count;) {
        size_t with = apart;
        literal folded;
        while (with > 0 && !gates_or_folds(gates, group[with - 1]->guard, group[apart]->guard, &folded)) {
            with--;
        }
        if (with == 0) {
            apart++;
            continue;
        }
        struct state *merged = group[with - 1];
        merge_two(run, merged, group[apart], live);
        group[with - 1] = group[apart - 1];
        group[apart - 1] = merged; /* the next one to be compared */
        group[apart] = group[--same->count];
        apart--;
    }
}

/* Merges all paths at the first position; first those whose guards fold. */
static struct state *next_state(struct run *run) {
    struct symbolic *execution = run->execution;
    struct vector *pending = &run->pending;
    struct state **all = pending->data;
    struct state *first = all[0];
    for (size_t i = 1; i < pending->count; i++) {
        first = position_compare(&all[i]->position, &first->position) < 0 ? all[i] : first;
    }
    struct vector same;
    vector_init(&same, sizeof(struct state *));
    size_t kept = 0;
    for (size_t i = 0; i < pending->count; i++) {
        if (position_compare(&all[i]->position, &first->position) == 0) {
            vector_push(&same, &all[i]);
        } else {
            all[kept++] = all[i];
        }
    }
    pending->count = kept;
    struct state **group = same.data;
    uint32_t function = (uint32_t)(run->function - execution->program->functions);
    const uint64_t *live = liveness_before(run->liveness, function, run->flow->blocks[first->block].first);
    merge_folding(run, &same, live);
    for (size_t i = 1; i < same.count; i++) {
        merge_two(run, group[0], group[i], live);
    }
    struct state *merged = group[0];
    vector_delete(&same);
    return merged;
}

/* Thread-local variables, as the machine lays them out: the address of each is in a register after the others. */
static void make_thread_locals(struct run *run, struct state *state) {
    struct symbolic *execution = run->execution;
    const struct program *program = execution->program;
    struct terms *terms = &execution->terms;
    uint64_t heap;
    value_is_constant(terms, state->heap_next, &heap);
    for (size_t g = 0; g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        if (!(global->flags & GLOBAL_THREAD_LOCAL)) {
            continue;
        }
        bool private = (global->flags & GLOBAL_PRIVATE) && global->size <= (UINT64_C(1) << 20);
        uint64_t boundary = global->alignment > PAGE_SIZE ? global->alignment : PAGE_SIZE;
        uint64_t *next = private ? &state->stack_next : &heap;
        uint64_t base = (*next + boundary - 1) / boundary * boundary;
        *next = (base + global->size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE + PAGE_SIZE;
        if (private) {
            struct local local = {base, global->size, true};
            vector_push(&state->locals, &local);
            for (uint64_t i = 0; i < global->initial_size; i++) {
                if (program->bytes[global->initial + i]) {
                    struct value byte = value_constant(terms, program->bytes[global->initial + i]);
                    words_write(&state->private, terms, base + i, 1, content_written(byte));
                }
            }
        } else {
            struct shared_object *object = object_at_base(&execution->objects, base, global->size, OBJECT_IS_GLOBAL);
            object->initial = program->bytes + global->initial;
            object->initial_size = global->initial_size;
        }
        state->registers[run->registers + g] = value_constant(terms, base);
    }
    state->heap_next = value_constant(terms, heap);
}

/* Refuses a loop with several entries: names one that does not dominate the loop. */
static void refuse_entries(struct run *run) {
    const struct flow *flow = run->flow;
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        const struct block *block = &flow->blocks[b];
        for (uint32_t k = 0; block->order != NO_BLOCK && k < block->successors_count; k++) {
            uint32_t to = flow->edges[block->successors + k];
            if (flow->blocks[to].order > block->order || flow_dominates(flow, to, b)) {
                continue;
            }
            uint32_t at = flow->blocks[to].first;
            while (!is_located(run->execution, run->code + at) && at + 1 < run->function->count) {
                at++;
            }
            run_refuse(run, run->code + at, "a loop with several entries");
        }
    }
}

bool run_execute(struct symbolic *execution, uint32_t index, const struct flow *flow, const struct liveness *liveness) {
    const struct program *program = execution->program;
    struct seq_thread *thread = symbolic_thread(execution, index);
    const struct function *function = &program->functions[thread->function];
    struct run run = {
        .execution = execution,
        .thread = index,
        .function = function,
        .code = program->code + function->first,
        .registers = function->registers,
        .flow = flow,
        .liveness = liveness,
    };
    vector_init(&run.pending, sizeof(struct state *));
    vector_init(&run.comparisons, sizeof(struct comparison));
    uint32_t all = function->registers + (uint32_t)program->globals_count;
    struct state *state = state_new(all);
    for (uint32_t i = 0; i < all; i++) {
        state->registers[i] = value_constant(&execution->terms, 0);
    }
    for (uint32_t i = 0; i < function->parameters && i < 2; i++) {
        state->registers[i] = thread->arguments[i];
    }
    run.all_registers = all;
    state->guard = thread->guard;
    state->alone = index == 0;
    uint64_t base = THREAD_BASE + thread->number * REGION_SIZE;
    state->heap_next = value_constant(&execution->terms, base + PAGE_SIZE);
    state->stack_next = base + STACK_OFFSET + PAGE_SIZE;
    state->children = value_constant(&execution->terms, 0);
    make_thread_locals(&run, state);
    stale_begin(&run, state);
    loops_init(&run);
    thread->first_event = (uint32_t)execution->events.count;
    state->position.at[0] = flow->blocks[0].order;
    vector_push(&run.pending, &state);
    if (flow->irreducible) {
        refuse_entries(&run);
    }
    uint32_t steps = 0;
    while (run.pending.count > 0 && !execution->refusal[0]) {
        if (++steps % CHECK_INTERVAL == 0 && limits_reached(execution->task->limits)) {
            execution->stopped = true;
            break;
        }
        struct state *next = next_state(&run);
        if (loops_iterate(&run, next)) {
            block_execute(&run, next);
        } else {
            state_delete(next);
        }
    }
    for (size_t i = 0; i < run.pending.count; i++) {
        state_delete(*(struct state **)vector_at(&run.pending, i));
    }
    symbolic_thread(execution, index)->end_event = (uint32_t)execution->events.count;
    loops_delete(&run);
    vector_delete(&run.pending);
    vector_delete(&run.comparisons);
    return !execution->stopped && !execution->refusal[0];
}
