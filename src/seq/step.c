/* Steps on memory: accesses, allocation, ends of objects, nondeterministic values. */
#include <string.h>

#include "machine/arithmetic.h"
#include "seq/run.h"
#include "seq/stale.h"
#include "seq/unset.h"

#define STACK_LIMIT (UINT64_C(8) << 20) /* as the machine has it */

static bool is_release(enum order order) {
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static enum memory_model model_of(const struct run *run) {
    return run->execution->task->machine.model;
}

/* --- Accesses ----------------------------------------------------------------------------------------------------- */

struct access_step {
    struct targets targets;
    uint32_t event; /* of those targets that are not local */
    literal local;  /* the target is local */
    literal shared; /* it is not */
};

/* Targets, error, event and step record of an access. */
static void begin_access(struct run *run, struct state *state, const struct instruction *code, struct access_step *at) {
    struct symbolic *execution = run->execution;
    struct gates *gates = &execution->gates;
    bool writes = code->op != OP_LOAD;
    targets_init(&at->targets);
    memory_resolve(execution, state, run_operand(run, state, code->a), code->width, writes, &at->targets);
    if (at->targets.too_many && !execution->stopped) {
        run_refuse(run, code, "an access to too many possible locations");
    }
    at->event = NO_EVENT;
    at->local = LITERAL_FALSE;
    at->shared = LITERAL_FALSE;
    literal visible = at->targets.bad;
    for (size_t i = 0; i < at->targets.list.count; i++) {
        const struct target *target = vector_at(&at->targets.list, i);
        bool machine_local = !target->object || (target->object->constant && !writes);
        literal *kind = target_is_local(state, target, writes) ? &at->local : &at->shared;
        *kind = gates_or(gates, *kind, target->condition);
        visible = machine_local ? visible : gates_or(gates, visible, target->condition);
    }
    if (visible == LITERAL_FALSE) {
        run_fail(run, state, at->targets.bad);
        return;
    }
    if (at->shared != LITERAL_FALSE) {
        if (code->op == OP_STORE && is_release(code->sub) && model_of(run) == MODEL_PSO) {
            uint32_t barrier = run_event(run, state, code, EVENT_BARRIER);
            symbolic_event(execution, barrier)->guard = gates_and(gates, state->guard, at->shared);
        }
        enum event_kind kind = code->op == OP_LOAD ? EVENT_LOAD : code->op == OP_STORE ? EVENT_STORE : EVENT_DRAINS;
        at->event = run_event(run, state, code, kind);
        struct event *event = symbolic_event(execution, at->event);
        event->guard = event->complete = gates_and(gates, state->guard, at->shared);
    }
    run_step(run, code, gates_and(gates, state->guard, visible), at->event != NO_EVENT ? at->event : state->section,
             CHOICE_NONE, 0);
    run_fail(run, state, at->targets.bad);
    stale_moment(run, state, code, at->event, at->shared);
}

static void read_targets(struct run *run, struct state *state, const struct instruction *code, struct access_step *at,
                         struct value out[2]) {
    struct symbolic *execution = run->execution;
    struct gates *gates = &execution->gates;
    unsigned size = code->width;
    bool first = true;
    literal unset = LITERAL_FALSE;
    out[0] = out[1] = value_constant(&execution->terms, 0);
    for (size_t i = 0; i < at->targets.list.count; i++) {
        struct target target = *(struct target *)vector_at(&at->targets.list, i);
        literal condition = gates_and(gates, state->guard, target.condition);
        literal here = condition;
        for (unsigned half = 0; half < (size > 8 ? 2u : 1u); half++) {
            struct target part = target;
            part.address += 8 * half;
            struct content content = memory_read(execution, state, &part, size > 8 ? 8 : size, at->event, condition);
            out[half] =
                first ? content.value : value_mux(&execution->terms, target.condition, content.value, out[half]);
            here = gates_and(gates, here, content.unset);
        }
        unset = gates_or(gates, unset, here);
        first = false;
    }
    if (code->op != OP_STORE && !(code->flags & INSTRUCTION_UNASSUMED)) {
        unset_note(run, unset);
    }
}

static void write_targets(struct run *run, struct state *state, const struct instruction *code, struct access_step *at,
                          literal happens, const struct value value[2]) {
    struct symbolic *execution = run->execution;
    struct gates *gates = &execution->gates;
    unsigned size = code->width;
    for (size_t i = 0; i < at->targets.list.count; i++) {
        struct target target = *(struct target *)vector_at(&at->targets.list, i);
        bool local = target_is_local(state, &target, true);
        literal condition = gates_and(gates, target.condition, happens);
        if (!local) {
            condition = gates_and(gates, condition, state->guard);
        }
        for (unsigned half = 0; half < (size > 8 ? 2u : 1u); half++) {
            struct target part = target;
            part.address += 8 * half;
            memory_write(execution, state, &part, size > 8 ? 8 : size, at->event, condition, value[half]);
        }
    }
}

/* Accesses to objects that have ended. */
static void check_ends(struct run *run, struct state *state, const struct access_step *at, uint32_t event,
                       bool reached) {
    struct symbolic *execution = run->execution;
    literal ended = LITERAL_FALSE;
    for (size_t i = 0; i < at->targets.list.count; i++) {
        const struct target *target = vector_at(&at->targets.list, i);
        literal condition = gates_and(&execution->gates, state->guard, target->condition);
        ended = gates_or(&execution->gates, ended,
                         memory_ended(execution, state, target->object, event, condition, reached));
    }
    if (ended == LITERAL_FALSE) {
        return;
    }
    if (reached) { /* an error of the drain: it stops nothing that the thread does */
        struct failure failure = {ended, run->thread, (uint32_t)run_thread(run)->steps.count};
        vector_push(&execution->failures, &failure);
    } else {
        run_fail(run, state, ended);
    }
}

static bool some_target_ends(const struct access_step *at) {
    for (size_t i = 0; i < at->targets.list.count; i++) {
        const struct target *target = vector_at(&at->targets.list, i);
        if (target->object && target->object->ends) {
            return true;
        }
    }
    return false;
}

/* A store is checked when it is issued: an event of its own, before the one that is its drain. */
static void check_issue(struct run *run, struct state *state, const struct instruction *code, struct access_step *at) {
    struct symbolic *execution = run->execution;
    if (at->event == NO_EVENT || model_of(run) == MODEL_SC) {
        check_ends(run, state, at, at->event, false);
        return;
    }
    if (!some_target_ends(at) && !stale_is_checked(run)) {
        return;
    }
    struct event store = *symbolic_event(execution, at->event);
    uint32_t check = at->event;
    struct event *event = symbolic_event(execution, check);
    event->kind = EVENT_LOAD;
    check_ends(run, state, at, check, false);
    at->event = run_event(run, state, code, EVENT_STORE);
    event = symbolic_event(execution, at->event);
    event->step = store.step;
    event->guard = event->complete = gates_and(&execution->gates, state->guard, at->shared);
    check_ends(run, state, at, at->event, true);
}

static void set_register(struct state *state, uint32_t dst, struct value value) {
    if (dst != NO_REGISTER) {
        state->registers[dst] = value;
    }
}

static void mark_dirty(struct run *run, struct state *state, const struct access_step *at, literal condition) {
    struct gates *gates = &run->execution->gates;
    for (size_t i = 0; i < at->targets.list.count; i++) {
        const struct target *target = vector_at(&at->targets.list, i);
        if (target->object || target->address < state->await_locals) {
            state->dirty = gates_or(gates, state->dirty, gates_and(gates, condition, target->condition));
        }
    }
}

/* A register may hold more bits than an access of this size takes. */
static struct value cut_to_access(struct terms *terms, unsigned bytes, struct value value) {
    const struct instruction cut = {.op = OP_TRUNC, .width = (uint8_t)(bytes * 8)};
    struct value in[3][2] = {{value}};
    struct value out[3];
    literal fails;
    if (bytes < 8) {
        term_operate(terms, &cut, in, out, &fails);
        return out[0];
    }
    return value;
}

void step_access(struct run *run, struct state *state, const struct instruction *code) {
    struct symbolic *execution = run->execution;
    struct terms *terms = &execution->terms;
    struct gates *gates = &execution->gates;
    struct access_step at;
    bool wide = code->width > 8;
    begin_access(run, state, code, &at);
    if (execution->refusal[0] || at.targets.list.count == 0) {
        state->guard = LITERAL_FALSE;
        targets_delete(&at.targets);
        return;
    }
    struct value operand[2] = {value_constant(terms, 0), value_constant(terms, 0)};
    if (code->op != OP_LOAD) {
        operand[0] = run_operand(run, state, code->b);
        operand[1] = wide ? run_operand(run, state, code->b + 1) : operand[1];
        operand[0] = cut_to_access(terms, code->width, operand[0]);
    }
    if (code->op == OP_STORE) {
        check_issue(run, state, code, &at);
        write_targets(run, state, code, &at, LITERAL_TRUE, operand);
        if (!(code->flags & INSTRUCTION_AWAIT)) {
            mark_dirty(run, state, &at, LITERAL_TRUE);
        }
        targets_delete(&at.targets);
        return;
    }
    check_ends(run, state, &at, at.event, false);
    struct value old[2];
    read_targets(run, state, code, &at, old);
    if (code->op == OP_RMW) {
        struct value result[2];
        const char *problem = term_rmw(terms, code->c, code->width, old, operand, result);
        if (problem) {
            run_refuse(run, code, problem);
        } else {
            literal same = gates_and(gates, term_equal(terms, old[0].term, result[0].term),
                                     term_equal(terms, old[1].term, result[1].term));
            /* In a waiting loop a step that changes nothing only reads: a thread that is blocked there affects no other
             * one. */
            write_targets(run, state, code, &at, code->flags & INSTRUCTION_AWAIT ? -same : LITERAL_TRUE, result);
            mark_dirty(run, state, &at, -same);
        }
    } else if (code->op == OP_CAS) {
        struct value desired[2] = {cut_to_access(terms, code->width, run_operand(run, state, code->c)),
                                   value_constant(terms, 0)};
        desired[1] = wide ? run_operand(run, state, code->c + 1) : desired[1];
        literal success = gates_and(gates, term_equal(terms, old[0].term, operand[0].term),
                                    term_equal(terms, old[1].term, operand[1].term));
        if (code->width == 8) {
            stale_swap(run, state, at.event, old[0], operand[0]);
        }
        write_targets(run, state, code, &at, success, desired);
        mark_dirty(run, state, &at, success);
        struct value flag = {term_of_bits(terms, &success, 1), set_range(terms->sets, 0, 1, 1)};
        set_register(state, code->dst + (wide ? 2 : 1), flag);
    }
    set_register(state, code->dst, old[0]);
    if (wide) {
        set_register(state, code->dst + 1, old[1]);
    }
    targets_delete(&at.targets);
}

/* --- Allocation --------------------------------------------------------------------------------------------------- */

/* The object that begins at `base` on this path has `size` bytes. */
static void give_size(struct symbolic *execution, struct shared_object *object, literal condition, uint64_t size) {
    struct value bytes = value_constant(&execution->terms, size);
    object->bytes = object->bytes.set ? value_mux(&execution->terms, condition, bytes, object->bytes) : bytes;
}

/* Takes `size` bytes of the thread's heap: an object for each address at which its free part can begin. */
static bool take_heap(struct run *run, struct state *state, const struct instruction *code, uint64_t size,
                      uint64_t alignment, enum object_kind kind, struct value *base) {
    struct symbolic *execution = run->execution;
    struct terms *terms = &execution->terms;
    uint64_t boundary = alignment > PAGE_SIZE ? alignment : PAGE_SIZE;
    uint64_t values[SET_MOST];
    size_t count;
    const uint64_t *known = set_values(&execution->sets, state->heap_next.set, &count);
    if (!known) {
        run_refuse(run, code, "memory is allocated on too many different paths");
        return false;
    }
    memcpy(values, known, count * sizeof *known);
    struct value next = state->heap_next;
    for (size_t i = 0; i < count; i++) {
        uint64_t at = (values[i] + boundary - 1) / boundary * boundary;
        uint64_t after = (at + size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE + PAGE_SIZE;
        literal condition = count == 1 ? LITERAL_TRUE : term_equals(terms, state->heap_next.term, values[i]);
        struct shared_object *object = object_at_base(&execution->objects, at, size, kind);
        object->zeroed = code->op == OP_MALLOC && code->flags & INSTRUCTION_ZEROED;
        give_size(execution, object, gates_and(&execution->gates, state->guard, condition), size);
        *base = i == 0 ? value_constant(terms, at) : value_mux(terms, condition, value_constant(terms, at), *base);
        next = i == 0 ? value_constant(terms, after) : value_mux(terms, condition, value_constant(terms, after), next);
    }
    state->heap_next = next;
    return true;
}

void step_malloc(struct run *run, struct state *state, const struct instruction *code) {
    struct symbolic *execution = run->execution;
    struct terms *terms = &execution->terms;
    uint64_t size;
    uint64_t alignment;
    if (!value_is_constant(terms, run_operand(run, state, code->a), &size) ||
        !value_is_constant(terms, run_operand(run, state, code->b), &alignment)) {
        run_refuse(run, code, "an object of unknown size");
        return;
    }
    struct value base;
    struct value before = state->heap_next;
    run_assume(run, ASSUMPTION_MALLOC);
    if (size >= REGION_SIZE / 4) {
        base = value_constant(terms, 0);
    } else if (!take_heap(run, state, code, size, alignment, OBJECT_IS_HEAP, &base)) {
        return;
    }
    if (execution->task->machine.malloc_fail) {
        literal fails = gates_free(&execution->gates);
        base = value_mux(terms, fails, value_constant(terms, 0), base);
        state->heap_next = value_mux(terms, fails, before, state->heap_next);
        run_step(run, code, state->guard, state->section, CHOICE_NUMBER, term_of_bits(terms, &fails, 1));
        stale_moment(run, state, code, NO_EVENT, LITERAL_TRUE);
    }
    state->dirty = LITERAL_TRUE;
    set_register(state, code->dst, base);
}

void step_alloca(struct run *run, struct state *state, const struct instruction *code) {
    struct symbolic *execution = run->execution;
    struct terms *terms = &execution->terms;
    uint64_t size;
    if (!value_is_constant(terms, run_operand(run, state, code->a), &size)) {
        run_refuse(run, code, "an object of unknown size");
        return;
    }
    uint64_t used = size;
    for (size_t i = 0; i < state->locals.count && used <= STACK_LIMIT; i++) {
        used += ((struct local *)vector_at(&state->locals, i))->size;
    }
    if (used > STACK_LIMIT) {
        run_fail(run, state, LITERAL_TRUE);
        return;
    }
    struct value base;
    if (code->flags & INSTRUCTION_PRIVATE) {
        uint64_t boundary = code->b > PAGE_SIZE ? code->b : PAGE_SIZE;
        struct local local = {(state->stack_next + boundary - 1) / boundary * boundary, size, false};
        vector_push(&state->locals, &local);
        state->stack_next = (local.base + size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE + PAGE_SIZE;
        words_forget(&state->private, terms, local.base, size);
        base = value_constant(terms, local.base);
    } else {
        if (!take_heap(run, state, code, size, code->b, OBJECT_IS_LOCAL, &base)) {
            return;
        }
        vector_push(&state->escaping, &base);
        state->dirty = LITERAL_TRUE;
    }
    set_register(state, code->dst, base);
}

/* --- Ends --------------------------------------------------------------------------------------------------------- */

/* The object at `base`, of a kind, ends.  A heap object may have ended before: an error. */
static void end_objects(struct run *run, struct state *state, const struct instruction *code, struct value base,
                        enum object_kind kind) {
    struct symbolic *execution = run->execution;
    struct gates *gates = &execution->gates;
    struct access_step at = {.event = NO_EVENT, .shared = LITERAL_TRUE};
    targets_init(&at.targets);
    uint64_t values[SET_MOST];
    size_t count;
    const uint64_t *known = set_values(&execution->sets, base.set, &count);
    if (!known) {
        run_refuse(run, code, "an object ends that is not known");
        targets_delete(&at.targets);
        return;
    }
    memcpy(values, known, count * sizeof *known);
    for (size_t i = 0; i < count; i++) {
        struct target target = {
            .condition = count == 1 ? LITERAL_TRUE : term_equals(&execution->terms, base.term, values[i]),
            .address = values[i],
            .object = object_near(&execution->objects, values[i]),
        };
        if (!target.object || target.object->base != values[i] || target.object->kind != kind) {
            at.targets.bad = gates_or(gates, at.targets.bad, target.condition);
        } else if (target.condition != LITERAL_FALSE) {
            if (!target.object->ends) {
                target.object->ends = true;
                objects_change(&execution->objects);
            }
            vector_push(&at.targets.list, &target);
        }
    }
    if (!state->alone && state->section == NO_EVENT) {
        bool at_once = model_of(run) == MODEL_SC;
        if (kind == OBJECT_IS_LOCAL && !at_once) { /* the end of a local is not checked where it is issued */
            stale_moment(run, state, code, NO_EVENT, LITERAL_TRUE);
        }
        at.event = run_event(run, state, code, EVENT_STORE);
        if (kind == OBJECT_IS_HEAP || at_once) {
            stale_moment(run, state, code, at.event, LITERAL_TRUE);
        }
    }
    run_step(run, code, state->guard, at.event != NO_EVENT ? at.event : state->section, CHOICE_NONE, 0);
    run_fail(run, state, at.targets.bad);
    at.shared = gates_and(gates, at.shared, -at.targets.bad);
    if (kind == OBJECT_IS_HEAP) {
        check_issue(run, state, code, &at);
        if (at.event != NO_EVENT && model_of(run) == MODEL_SC) {
            symbolic_event(execution, at.event)->guard = state->guard;
            symbolic_event(execution, at.event)->complete = state->guard;
        }
    }
    for (size_t i = 0; i < at.targets.list.count; i++) {
        const struct target *target = vector_at(&at.targets.list, i);
        literal condition =
            at.event == NO_EVENT ? target->condition : gates_and(gates, state->guard, target->condition);
        memory_end(execution, state, target->object, at.event, condition);
        if (kind == OBJECT_IS_HEAP) {
            stale_end(run, target->object, gates_and(gates, state->guard, target->condition));
        }
    }
    state->dirty = LITERAL_TRUE;
    targets_delete(&at.targets);
}

void step_free(struct run *run, struct state *state, const struct instruction *code) {
    end_objects(run, state, code, run_operand(run, state, code->a), OBJECT_IS_HEAP);
}

/* Ends the locals made since STACK_SAVE; LEAVE ends all that escape. */
void step_restore(struct run *run, struct state *state, const struct instruction *code) {
    uint64_t saved = 0;
    if (code->op == OP_STACK_RESTORE &&
        !value_is_constant(&run->execution->terms, run_operand(run, state, code->a), &saved)) {
        run_refuse(run, code, "paths meet that have made different local variables");
        return;
    }
    while (state->escaping.count > saved >> 32 && state->guard != LITERAL_FALSE) {
        struct value base = *(struct value *)vector_at(&state->escaping, --state->escaping.count);
        end_objects(run, state, code, base, OBJECT_IS_LOCAL);
    }
    uint64_t keep = code->op == OP_STACK_RESTORE ? saved & UINT32_MAX : state->locals.count;
    if (state->locals.count > keep) {
        state->stack_next = ((struct local *)vector_at(&state->locals, keep))->base;
        state->locals.count = keep;
    }
}

/* --- Values from outside ------------------------------------------------------------------------------------------ */

void step_nondet(struct run *run, struct state *state, const struct instruction *code) {
    struct symbolic *execution = run->execution;
    struct terms *terms = &execution->terms;
    struct gates *gates = &execution->gates;
    struct value low = run_operand(run, state, code->a);
    struct value high = run_operand(run, state, code->b);
    unsigned width = code->width;
    bool is_signed = code->flags & INSTRUCTION_SIGNED;
    struct value out[3];
    literal fails;
    const struct instruction order = {
        .op = OP_ICMP, .width = code->width, .sub = is_signed ? PREDICATE_SLE : PREDICATE_ULE};
    term_operate(terms, &order, (const struct value[3][2]){{low}, {high}}, out, &fails);
    state_require(execution, state, term_any(terms, out[0].term));
    uint64_t from;
    uint64_t to;
    bool known = value_is_constant(terms, low, &from) && value_is_constant(terms, high, &to);
    set_id set = set_of_width(&execution->sets, width);
    if (known && (from <= to || !is_signed)) {
        set = set_range(&execution->sets, from, truncated(to - from, width), 1);
    }
    literal first = (literal)gates->gates.count;
    struct value value = {term_fresh(terms, set), set};
    const struct instruction subtract = {.op = OP_SUB, .width = code->width};
    const struct instruction at_most = {.op = OP_ICMP, .width = code->width, .sub = PREDICATE_ULE};
    struct value choice[3];
    struct value size[3];
    term_operate(terms, &subtract, (const struct value[3][2]){{value}, {low}}, choice, &fails);
    term_operate(terms, &subtract, (const struct value[3][2]){{high}, {low}}, size, &fails);
    term_operate(terms, &at_most, (const struct value[3][2]){{choice[0]}, {size[0]}}, out, &fails);
    literal inside = term_any(terms, out[0].term);
    if (inside != LITERAL_TRUE && (literal)gates->gates.count > first) {
        gates_define(gates, first, &inside, 1);
    }
    run_step(run, code, state->guard, state->section, CHOICE_NUMBER, choice[0].term);
    stale_moment(run, state, code, NO_EVENT, LITERAL_TRUE);
    state->dirty = LITERAL_TRUE;
    set_register(state, code->dst, value);
}
