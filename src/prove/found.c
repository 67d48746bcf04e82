/* What found abstractions allow, as formulas and in words. */
#include "prove/found.h"

#include "prove/facts.h"
#include "prove/path.h"
#include "util/memory.h"

static bool ends_at_point(void *data, const struct instance *thread, uint32_t index) {
    (void)data;
    return facts_is_point(thread, index);
}

/* Is it the head of another loop that the smallest loop around the access contains? */
static bool is_inner_head(const struct instance *thread, uint32_t access, uint32_t index) {
    const struct flow *flow = &thread->class->flow;
    uint32_t block = flow->block_of[index];
    uint32_t around = flow->irreducible ? NO_BLOCK : flow->loop_of[flow->block_of[access]];
    return around != NO_BLOCK && flow->blocks[block].first == index && block_is_head(flow, block) &&
           loop_has(&flow->loops[around], block) && flow->loops[around].header != block;
}

/* With this result of the access, the local code after it leads back to the head of a loop around it, where all values
 * are the same as before, or to that of a loop inside, in which the thread may wait.  idle.c decides whether the thread
 * only waits. */
static Z3_ast continues_to_wait(struct instance *thread, const struct state *before, uint32_t access,
                                struct term value) {
    struct solver *solver = thread->solver;
    struct state state = instance_copy(thread, before);
    struct vector exits;
    Z3_ast waits = solver_false(solver);
    state.guard = solver_true(solver);
    state.terms[thread->code[access].dst] = value;
    vector_init(&exits, sizeof(struct exit));
    if (facts_is_point(thread, access + 1)) {
        vector_push(&exits, &(struct exit){access + 1, instance_copy(thread, &state)});
    } else {
        path_run(thread, &state, NULL, access + 1, ends_at_point, NULL, &exits);
    }
    for (size_t i = 0; i < exits.count; i++) {
        const struct exit *exit = vector_at(&exits, i);
        const struct loop *loop = found_quiet_loop(thread, access, exit->index);
        if (!loop && is_inner_head(thread, access, exit->index)) {
            waits = solver_or(solver, waits, exit->state.guard);
        }
        if (loop && thread->in[loop->header].terms) {
            Z3_ast same = exit->state.guard;
            for (uint32_t r = 0; r < thread->registers; r++) {
                if (system_is_live(thread->system, thread->class, exit->index, r)) {
                    same = solver_and(solver, same,
                                      solver_equal(solver, exit->state.terms[r], thread->in[loop->header].terms[r]));
                }
            }
            waits = solver_or(solver, waits, same);
        }
    }
    exits_delete(&exits);
    instance_forget(&state);
    return waits;
}

Z3_ast found_condition(struct instance *thread, const struct state *state, const struct found *found,
                       struct term content, struct term value) {
    struct solver *solver = thread->solver;
    unsigned bits = 8u * thread->code[found->access].width;
    Z3_ast more = solver_true(solver);
    switch (found->kind) {
    case FOUND_WAITS:
        more = continues_to_wait(thread, state, found->access, value);
        break;
    case FOUND_CONSTANT:
        more = solver_equal(solver, value, term_number(found->number));
        break;
    case FOUND_TO:
        more = solver_and(solver, solver_compare(solver, PREDICATE_SLE, bits, term_number(0), value),
                          solver_compare(solver, PREDICATE_SLE, bits, value, content));
        break;
    case FOUND_AT_MOST:
        more = solver_compare(solver, PREDICATE_SLE, bits, value, content);
        break;
    case FOUND_AT_LEAST:
        more = solver_compare(solver, PREDICATE_SLE, bits, content, value);
        break;
    default:
        break;
    }
    /* An update that leaves memory alone must not return what it would if it did not. */
    bool update = thread->code[found->access].op != OP_LOAD;
    return update ? more : solver_or(solver, solver_equal(solver, value, content), more);
}

bool found_adds(struct instance *thread, const struct found *found) {
    if (found->kind != FOUND_WAITS || !instance_reaches(thread, found->access)) {
        return instance_reaches(thread, found->access);
    }
    struct state state = instance_state(thread, found->access);
    struct term value = solver_variable(thread->solver, "value", 0, bits_mask(8u * thread->code[found->access].width));
    Z3_ast waits = continues_to_wait(thread, &state, found->access, value);
    instance_forget(&state);
    return !solver_is_false(thread->solver, waits);
}

char *found_text(const struct found *found) {
    switch (found->kind) {
    case FOUND_WAITS:
        return memory_copy_text("any value with which the thread continues to wait");
    case FOUND_CONSTANT:
        return memory_format("%llu", (unsigned long long)found->number);
    case FOUND_TO:
        return memory_copy_text("any number from 0 to what is there");
    case FOUND_AT_MOST:
        return memory_copy_text("any number up to what is there");
    case FOUND_AT_LEAST:
        return memory_copy_text("any number from what is there on");
    default:
        return memory_copy_text("anything");
    }
}

char *found_expression(const struct found *found, const char *v, const char *place) {
    switch (found->kind) {
    case FOUND_CONSTANT:
        return memory_format("%s == %s || %s == %llu", v, place, v, (unsigned long long)found->number);
    case FOUND_TO:
        return memory_format("%s == %s || (0 <= %s && %s <= %s)", v, place, v, v, place);
    case FOUND_AT_MOST:
        return memory_format("%s <= %s", v, place);
    case FOUND_AT_LEAST:
        return memory_format("%s >= %s", v, place);
    case FOUND_ANYTHING:
        return memory_copy_text("1");
    default:
        return NULL;
    }
}
