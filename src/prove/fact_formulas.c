/* Facts as formulas.
 *
 * No quantifier reaches the solver.  A fact about all elements of an array below a bound is assumed of the elements
 * that the question reads, and shown of one about which nothing else is known. */
#include "prove/weaker.h"
#include "prove/world.h"
#include "util/hash_table.h"

static struct term read_place(const struct inferred *inferred, struct world *world, uint32_t number) {
    const struct fact_place *place = vector_at(&inferred->places, number);
    return world_read(world, term_number(place->address), &place->where, place->size);
}

static uint32_t place_size(const struct inferred *inferred, uint32_t number) {
    return ((const struct fact_place *)vector_at(&inferred->places, number))->size;
}

/* What an implication assumes. */
static Z3_ast condition_of(const struct inferred *inferred, const struct fact *fact, struct solver *solver,
                           const struct state *state, struct world *world) {
    struct term place = read_place(inferred, world, fact->place);
    struct term with = fact->kind == FACT_IF_VALUE   ? state->terms[fact->reg]
                       : fact->kind == FACT_IF_EQUAL ? read_place(inferred, world, fact->second)
                                                     : term_number(fact->number);
    return solver_equal(solver, place, with);
}

/* A pointer is null, or the field where it points compares like this. */
static Z3_ast field_formula(const struct inferred *inferred, const struct fact *fact, struct solver *solver,
                            const struct state *state, struct world *world) {
    const struct fact_target *target = vector_at(&inferred->targets, fact->target);
    struct term pointer =
        fact->kind == FACT_POINTED ? read_place(inferred, world, fact->place) : state->terms[fact->reg];
    struct term address = solver_plus(solver, pointer, term_number(target->offset));
    struct term content = world_read(world, address, &target->where, target->size);
    Z3_ast none = solver_equal(solver, pointer, term_number(0));
    if (fact->kind == FACT_IF_FIELD) {
        none = solver_or(solver, none,
                         solver_not(solver, solver_equal(solver, pointer, read_place(inferred, world, fact->place))));
    }
    return solver_or(
        solver, none,
        solver_compare(solver, (enum predicate)fact->relation, 8 * target->size, content, term_number(fact->number)));
}

static Z3_ast fact_formula(const struct inferred *inferred, const struct fact *fact, struct instance *thread,
                           const struct state *state, struct world *world) {
    struct solver *solver = thread->solver;
    enum predicate relation = (enum predicate)fact->relation;
    switch (fact->kind) {
    case FACT_PLACE:
        return solver_compare(solver, relation, 8 * place_size(inferred, fact->place),
                              read_place(inferred, world, fact->place), term_number(fact->number));
    case FACT_SELF:
        return solver_equal(solver, read_place(inferred, world, fact->place),
                            solver_plus(solver, thread->self, term_number(1)));
    case FACT_VALUE:
        return solver_compare(solver, relation, 8 * fact->size,
                              solver_modulo(solver, state->terms[fact->reg], 8 * fact->size),
                              term_number(fact->number));
    case FACT_AGAINST: {
        bool less = (int64_t)fact->number < 0;
        struct term place = read_place(inferred, world, fact->place);
        return solver_compare(solver, relation, 64, solver_plus(solver, state->terms[fact->reg], term_number(less)),
                              solver_plus(solver, place, term_number(less ? 0 : fact->number)));
    }
    case FACT_PARITY:
        return solver_equal(solver, solver_modulo(solver, read_place(inferred, world, fact->place), 1),
                            term_number(fact->number));
    case FACT_IF_EVEN:
        return solver_or(
            solver,
            solver_equal(solver, solver_modulo(solver, read_place(inferred, world, fact->place), 1), term_number(1)),
            solver_equal(solver, read_place(inferred, world, fact->second), read_place(inferred, world, fact->other)));
    case FACT_WHILE:
        return solver_or(
            solver,
            solver_not(solver, solver_equal(solver, state->terms[fact->reg], read_place(inferred, world, fact->place))),
            solver_equal(solver, state->terms[fact->second_reg], read_place(inferred, world, fact->second)));
    case FACT_PLACES:
        return solver_compare(solver, relation, 64, read_place(inferred, world, fact->place),
                              read_place(inferred, world, fact->second));
    case FACT_FIELD:
    case FACT_POINTED:
    case FACT_IF_FIELD:
        return field_formula(inferred, fact, solver, state, world);
    default:
        return solver_or(
            solver, solver_not(solver, condition_of(inferred, fact, solver, state, world)),
            solver_equal(solver, read_place(inferred, world, fact->other), term_number(fact->other_number)));
    }
}

/* --- Elements of arrays ------------------------------------------------------------------------------------------- */

static struct element_fact element_fact_of(const struct inferred *inferred, const struct fact *fact,
                                           const struct state *state, struct world *world) {
    struct term bound =
        fact->kind == FACT_BELOW_PLACE ? read_place(inferred, world, fact->place) : state->terms[fact->reg];
    return (struct element_fact){.array = *(struct array *)vector_at(&inferred->arrays, fact->array),
                                 .bound = bound,
                                 .plus = fact->number,
                                 .relation = fact->relation,
                                 .number = fact->other_number};
}

Z3_ast fact_goal(const struct inferred *inferred, const struct fact *fact, struct instance *thread,
                 const struct state *state, struct world *world) {
    if (!fact_has_array(fact)) {
        return fact_formula(inferred, fact, thread, state, world);
    }
    struct element_fact element = element_fact_of(inferred, fact, state, world);
    struct term address = *(struct term *)vector_at(&inferred->elements, fact->array);
    struct term content = world_read(world, address, &element.array.where, element.array.size);
    return element_formula(thread->solver, &element, address, content);
}

/* --- What is left ------------------------------------------------------------------------------------------------- */

Z3_ast inferred_at(const struct inferred *inferred, struct instance *thread, const struct state *state,
                   struct world *world, uint32_t point, struct hash_table *parts) {
    const struct fact_range *range = inferred_range(inferred, thread->number, point);
    Z3_ast all = solver_true(thread->solver);
    for (size_t i = range ? range->first : 0; range && i < range->end; i++) {
        const struct fact *fact = vector_at(&inferred->facts, i);
        if (fact->dropped || fact_is_implied(inferred, fact)) {
            continue;
        }
        if (fact_has_array(fact)) {
            struct element_fact element = element_fact_of(inferred, fact, state, world);
            beginning_assume(world->beginning, &element);
            continue;
        }
        Z3_ast formula = fact_formula(inferred, fact, thread, state, world);
        all = solver_and(thread->solver, all, formula);
        if (parts) {
            unsigned id = solver_id(thread->solver, formula);
            hash_table_slot(parts, &id, sizeof id, NULL);
        }
    }
    return all;
}

/* Is the first thread at this end of the pair, and the second at the other one? */
static bool is_end(const struct fact_pair *pair, int end, uint32_t class, uint32_t point, uint32_t other_class,
                   uint32_t other_point) {
    return pair->class[end] == class && pair->point[end] == point && pair->class[1 - end] == other_class &&
           pair->point[1 - end] == other_point;
}

/* A pair as a formula about two threads at its ends.  At one point of one class each may be either end: then both hold.
 */
Z3_ast pair_formula(const struct fact_pair *pair, struct instance *one, const struct state *state, uint32_t point,
                    struct instance *other, const struct state *other_state, uint32_t other_point) {
    struct solver *solver = one->solver;
    Z3_ast both = solver_true(solver);
    if (!pair->differ) {
        return solver_false(solver);
    }
    for (int end = 0; end < 2; end++) {
        if (is_end(pair, end, one->number, point, other->number, other_point)) {
            struct term own = solver_plus(solver, state->terms[pair->reg[end]], term_number(pair->plus[end]));
            struct term others =
                solver_plus(solver, other_state->terms[pair->reg[1 - end]], term_number(pair->plus[1 - end]));
            both = solver_and(solver, both, solver_not(solver, solver_equal(solver, own, others)));
        }
    }
    return both;
}

Z3_ast inferred_between_states(const struct inferred *inferred, struct instance *one, const struct state *state,
                               uint32_t point, struct instance *other, const struct state *other_state,
                               uint32_t other_point) {
    const struct fact_range *range = inferred_pairs(inferred, one->number, point, other->number, other_point);
    Z3_ast all = solver_true(one->solver);
    for (size_t i = range ? range->first : 0; range && i < range->end; i++) {
        const struct fact_pair *pair = vector_at(&inferred->pairs, i);
        if (!pair->dropped) {
            all = solver_and(one->solver, all, pair_formula(pair, one, state, point, other, other_state, other_point));
        }
    }
    return all;
}

Z3_ast inferred_between(const struct inferred *inferred, struct instance *one, uint32_t point, struct instance *other,
                        uint32_t other_point) {
    if (!instance_reaches(one, point) || !instance_reaches(other, other_point)) {
        return solver_true(one->solver);
    }
    struct state state = instance_state(one, point);
    struct state other_state = instance_state(other, other_point);
    Z3_ast all = inferred_between_states(inferred, one, &state, point, other, &other_state, other_point);
    instance_forget(&state);
    instance_forget(&other_state);
    return all;
}
