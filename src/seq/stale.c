/* Comparisons of addresses of objects that have ended. */
#include "seq/stale.h"

bool stale_is_checked(const struct run *run) {
    return run->execution->task->machine.checks & CHECK_FOR_STALE;
}

/* --- Moments ------------------------------------------------------------------------------------------------------ */

void stale_moment(struct run *run, struct state *state, const struct instruction *instruction, uint32_t event,
                  literal condition) {
    struct gates *gates = &run->execution->gates;
    if (!stale_is_checked(run) || state->alone || state->section != NO_EVENT || condition == LITERAL_FALSE) {
        return;
    }
    if (event == NO_EVENT) {
        event = run_event(run, state, instruction, EVENT_LOAD);
    }
    size_t kept = 0;
    for (size_t i = 0; i < state->moments.count; i++) { /* where no step was taken */
        struct moment before = *(struct moment *)vector_at(&state->moments, i);
        before.guard = gates_and(gates, before.guard, -condition);
        if (before.guard != LITERAL_FALSE) {
            *(struct moment *)vector_at(&state->moments, kept++) = before;
        }
    }
    state->moments.count = kept;
    struct moment moment = {event, gates_and(gates, state->guard, condition)};
    vector_push(&state->moments, &moment);
}

void stale_begin(struct run *run, struct state *state) {
    const struct seq_thread *thread = run_thread(run);
    if (stale_is_checked(run) && thread->creator != NO_EVENT) {
        struct moment moment = {thread->creator, thread->guard};
        vector_push(&state->moments, &moment);
    }
}

void stale_end(struct run *run, struct shared_object *object, literal condition) {
    struct own_end end = {object, condition};
    if (stale_is_checked(run)) {
        vector_push(&run_thread(run)->ends, &end);
    }
}

/* --- Comparisons -------------------------------------------------------------------------------------------------- */

/* Has the object ended for the thread at the path's moment?  `event`: or at this one. */
static literal has_ended(struct run *run, struct state *state, struct shared_object *object, uint32_t event,
                         literal condition) {
    struct symbolic *execution = run->execution;
    struct gates *gates = &execution->gates;
    if (state->alone || state->section != NO_EVENT || event != NO_EVENT) {
        return memory_ended(execution, state, object, event, condition, false);
    }
    literal ended = LITERAL_FALSE;
    const struct vector *ends = &run_thread(run)->ends;
    for (size_t i = 0; i < ends->count; i++) {
        const struct own_end *end = vector_at(ends, i);
        if (end->object == object) {
            ended = gates_or(gates, ended, gates_and(gates, condition, end->condition));
        }
    }
    for (size_t i = 0; i < state->moments.count; i++) {
        struct moment moment = *(struct moment *)vector_at(&state->moments, i);
        literal here = gates_and(gates, condition, moment.guard);
        ended = gates_or(gates, ended, memory_ended(execution, state, object, moment.event, here, false));
    }
    return ended;
}

static literal compare_with(struct terms *terms, enum predicate predicate, struct value value, uint64_t with) {
    const struct instruction compare = {.op = OP_ICMP, .width = 64, .sub = (uint8_t)predicate};
    struct value out[3];
    literal fails;
    term_operate(terms, &compare, (const struct value[3][2]){{value}, {value_constant(terms, with)}}, out, &fails);
    return term_any(terms, out[0].term);
}

/* Is the value an address of the object, or not far after it? */
static literal points_into(struct symbolic *execution, const struct shared_object *object, struct value value) {
    struct terms *terms = &execution->terms;
    size_t count;
    const uint64_t *values = set_values(&execution->sets, value.set, &count);
    if (!values) {
        return gates_and(&execution->gates, compare_with(terms, PREDICATE_UGE, value, object->base),
                         compare_with(terms, PREDICATE_ULT, value, object->base + object->size + PAGE_SIZE));
    }
    literal points = LITERAL_FALSE;
    for (size_t i = 0; i < count; i++) {
        if (object_near(&execution->objects, values[i]) == object) {
            points = gates_or(&execution->gates, points, term_equals(terms, value.term, values[i]));
        }
    }
    return points;
}

/* An error where the value is an address of an ended object and the condition holds.  Without the check the proof is
 * one without reuse of addresses. */
static void compare_value(struct run *run, struct state *state, uint32_t event, struct value value, literal condition) {
    struct symbolic *execution = run->execution;
    struct gates *gates = &execution->gates;
    literal stale = LITERAL_FALSE;
    for (size_t i = 0; i < execution->objects.objects.count; i++) {
        struct shared_object *object = *(struct shared_object **)vector_at(&execution->objects.objects, i);
        if (object->kind != OBJECT_IS_HEAP || !object->ends) {
            continue;
        }
        literal points = gates_and(gates, condition, points_into(execution, object, value));
        if (points == LITERAL_FALSE) {
            continue;
        }
        if (!stale_is_checked(run)) {
            execution->stale = run->pos + 1;
            return;
        }
        stale = gates_or(gates, stale, has_ended(run, state, object, event, gates_and(gates, state->guard, points)));
    }
    run_fail(run, state, stale);
}

void stale_compare(struct run *run, struct state *state, const struct instruction *instruction) {
    struct terms *terms = &run->execution->terms;
    if (instruction->width != 64 || instruction->sub > PREDICATE_NE) {
        return;
    }
    const struct value sides[] = {run_operand(run, state, instruction->a), run_operand(run, state, instruction->b)};
    literal addresses = LITERAL_TRUE; /* a comparison with null or a global is none with a new object */
    for (int i = 0; i < 2; i++) {
        addresses =
            gates_and(&run->execution->gates, addresses, compare_with(terms, PREDICATE_UGE, sides[i], THREAD_BASE));
    }
    for (int i = 0; i < 2 && addresses != LITERAL_FALSE; i++) {
        compare_value(run, state, NO_EVENT, sides[i], addresses);
    }
}

void stale_swap(struct run *run, struct state *state, uint32_t event, struct value old, struct value expected) {
    compare_value(run, state, event, old, LITERAL_TRUE);
    compare_value(run, state, event, expected, LITERAL_TRUE);
}
