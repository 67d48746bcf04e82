/* One question for each two steps that may have a byte in common: can the two be taken in one order so that the other
 * order cannot be taken, or leads to another state? */
#include "prove/movers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prove/facts.h"
#include "prove/joins.h"
#include "util/memory.h"

void movers_init(struct movers *movers, struct questions *questions, enum prove_seed seed) {
    *movers =
        (struct movers){.system = questions->system, .steps = questions->steps, .questions = questions, .seed = seed};
    vector_init(&movers->left, sizeof(struct mover));
    vector_init(&movers->right, sizeof(struct mover));
}

static void delete_movers(struct vector *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(((struct mover *)vector_at(list, i))->model);
    }
    vector_delete(list);
}

void movers_delete(struct movers *movers) {
    delete_movers(&movers->left);
    delete_movers(&movers->right);
}

/* --- Taking a step ------------------------------------------------------------------------------------------------ */

/* One of the two steps of a question. */
struct side {
    struct instance *thread;
    uint32_t index;
    bool section;
    struct state before;
};

static bool ends_at_once(void *data, const struct instance *thread, uint32_t index) {
    (void)data;
    (void)thread;
    (void)index;
    return true;
}

static void take(const struct side *side, struct world *world, struct vector *exits) {
    struct state state = side->before;
    state.guard = solver_true(side->thread->solver);
    vector_init(exits, sizeof(struct exit));
    path_run(side->thread, &state, world, side->index, side->section ? path_ends_section : ends_at_once, NULL, exits);
}

/* The thread is at the same instruction, with the same values in live registers. */
static Z3_ast exits_equal(const struct side *side, const struct vector *one, const struct vector *other) {
    struct instance *thread = side->thread;
    struct solver *solver = thread->solver;
    Z3_ast equal = solver_true(solver);
    for (size_t i = 0; i < one->count; i++) {
        const struct exit *exit = vector_at(one, i);
        const struct exit *match = NULL;
        for (size_t k = 0; k < other->count; k++) {
            const struct exit *candidate = vector_at(other, k);
            match = candidate->index == exit->index ? candidate : match;
        }
        Z3_ast same = match ? match->state.guard : solver_false(solver);
        for (uint32_t r = 0; match && r < thread->registers; r++) {
            if (system_is_live(thread->system, thread->class, exit->index, r)) {
                same = solver_and(solver, same, solver_equal(solver, exit->state.terms[r], match->state.terms[r]));
            }
        }
        equal = solver_and(solver, equal, solver_or(solver, solver_not(solver, exit->state.guard), same));
    }
    return equal;
}

/* --- Questions ---------------------------------------------------------------------------------------------------- */

struct question {
    struct movers *movers;
    struct beginning beginning;
    struct side first; /* the order that can be taken is first, second */
    struct side second;
};

/* The condition under which second, first can be taken as first, second was, with the same outcome. */
static Z3_ast other_order_fits(struct question *question, struct world *one, const struct vector *exits,
                               const struct term *failing) {
    struct solver *solver = &question->movers->questions->solver;
    struct world other;
    struct vector others[2];
    world_init(&other, &question->beginning);
    other.cas_succeeds = one->cas_succeeds;
    other.failing = failing;
    take(&question->second, &other, &others[1]);
    take(&question->first, &other, &others[0]);
    Z3_ast same = solver_and(solver, worlds_equal(one, &other),
                             solver_and(solver, exits_equal(&question->first, &exits[0], &others[0]),
                                        exits_equal(&question->second, &exits[1], &others[1])));
    Z3_ast good = solver_and(solver, same, solver_and(solver, other.enabled, solver_not(solver, other.failed)));
    /* If a step fails, the other order must fail too. */
    Z3_ast fine = solver_or(solver, solver_and(solver, one->failed, other.failed),
                            solver_and(solver, solver_not(solver, one->failed), good));
    exits_delete(&others[0]);
    exits_delete(&others[1]);
    world_delete(&other);
    return fine;
}

/* What a read-modify-write that may leave memory alone has returned; NULL: the step is none. */
static const struct term *result_of_update(const struct side *side, const struct vector *exits) {
    const struct instruction *code = &side->thread->code[side->index];
    const struct abstraction *abstraction = class_abstraction(side->thread->class, side->index);
    bool update = (code->op == OP_RMW || code->op == OP_CAS) && code->dst != NO_REGISTER && abstraction &&
                  abstraction_applies(side->thread->class, abstraction) && exits->count == 1;
    return update ? &((struct exit *)vector_at(exits, 0))->state.terms[code->dst + abstraction->result] : NULL;
}

/* The condition under which first, second can be taken, and second, first cannot or gives another state.  An abstracted
 * read-modify-write may leave memory alone in one order and not in the other, if it returns the same. */
static Z3_ast orders_differ(struct question *question, const struct side *others) {
    struct solver *solver = &question->movers->questions->solver;
    struct world one;
    struct vector exits[2];
    world_init(&one, &question->beginning);
    one.cas_succeeds = question->movers->seed == SEED_NO_FAILED_CAS;
    take(&question->first, &one, &exits[0]);
    take(&question->second, &one, &exits[1]);
    bool is_first = others->thread == question->first.thread;
    const struct term *result = result_of_update(others, &exits[is_first ? 0 : 1]);
    Z3_ast fine = other_order_fits(question, &one, exits, NULL);
    if (result) {
        fine = solver_or(solver, fine, other_order_fits(question, &one, exits, result));
    }
    Z3_ast differ = solver_and(solver, one.enabled, solver_not(solver, fine));
    exits_delete(&exits[0]);
    exits_delete(&exits[1]);
    world_delete(&one);
    return differ;
}

/* The condition under which two steps access a common byte.  A step that accesses several places, or may leave out its
 * write, counts as accessing all that it may access. */
static Z3_ast places_meet(struct question *question, const struct side *own, const struct side *others) {
    struct solver *solver = &question->movers->questions->solver;
    const struct access *one = &own->thread->class->accesses[own->index];
    const struct access *other = &others->thread->class->accesses[others->index];
    const struct instruction *code = &others->thread->code[others->index];
    if (others->section || code->op == OP_SYNC || !other->present) {
        return solver_true(solver);
    }
    struct term address = execute_operand(own->thread, &own->before, own->thread->code[own->index].a);
    struct term other_address = execute_operand(others->thread, &others->before, code->a);
    struct term end = solver_plus(solver, address, term_number(one->size - 1));
    struct term other_end = solver_plus(solver, other_address, term_number(other->size - 1));
    return solver_and(solver, solver_at_most(solver, address, other_end), solver_at_most(solver, other_address, end));
}

static char *question_name(const struct movers *movers, const struct mover *mover, bool left,
                           const struct step_site *step) {
    return memory_format("line %u is a %s mover across line %u",
                         questions_line(movers->questions, mover->class, mover->index), left ? "left" : "right",
                         questions_line(movers->questions, step->class, step->index));
}

/* The stores that are paired with a load: their bytes may still hold something else. */
static void paired_stores(const struct movers *movers, const struct mover *load, struct vector *accesses) {
    const struct class *class = class_of(movers->system, load->class);
    vector_init(accesses, sizeof(struct access *));
    for (size_t i = 0; i < movers->steps->pairs.count; i++) {
        const struct pair *pair = vector_at(&movers->steps->pairs, i);
        if (pair->class == load->class && pair->load == load->index && movers->seed != SEED_PRESENT_VALUES) {
            const struct access *access = &class->accesses[pair->store];
            vector_push(accesses, &access);
        }
    }
}

/* What is known of the state in which both threads are before their steps.  In that state the bytes of stores that are
 * paired with a load have the values of these stores, which are not those in the question (`apart`). */
static Z3_ast facts_of(struct question *question, const struct side *own, const struct side *others,
                       const struct vector *apart) {
    struct movers *movers = question->movers;
    struct solver *solver = &movers->questions->solver;
    if (!movers->system->annotated && !movers->system->inferred) {
        return solver_true(solver);
    }
    struct beginning settled;
    struct world world;
    beginning_init(&settled, movers->system, solver);
    if (apart) {
        settled.base = &question->beginning;
        settled.apart = apart;
        beginning_know(&settled, own->thread, &own->before, NULL);
    }
    world_init(&world, apart ? &settled : &question->beginning);
    Z3_ast facts = solver_and(solver, facts_known(own->thread, &own->before, &world, own->index, NULL),
                              facts_known(others->thread, &others->before, &world, others->index, NULL));
    facts = solver_and(solver, facts, facts_between(own->thread, own->index, others->thread, others->index));
    facts = solver_and(solver, facts, settled.known);
    question->beginning.hopeless = question->beginning.hopeless || settled.hopeless;
    world_delete(&world);
    beginning_delete(&settled);
    return facts;
}

static bool moves_across(struct movers *movers, struct mover *mover, bool left, const struct step_site *step) {
    struct question question = {.movers = movers};
    struct side own = {.thread = questions_thread(movers->questions, 0, mover->class), .index = mover->index};
    struct side others = {
        .thread = questions_thread(movers->questions, 1, step->class), .index = step->index, .section = step->section};
    if (!instance_reaches(own.thread, own.index) || !instance_reaches(others.thread, others.index)) {
        return true;
    }
    own.before = instance_state(own.thread, own.index);
    others.before = instance_state(others.thread, others.index);
    question.first = left ? others : own;
    question.second = left ? own : others;
    struct vector without;
    paired_stores(movers, mover, &without);
    beginning_init(&question.beginning, movers->system, &movers->questions->solver);
    beginning_know(&question.beginning, own.thread, &own.before, left ? NULL : &without);
    beginning_know(&question.beginning, others.thread, &others.before, NULL);
    struct solver *solver = &movers->questions->solver;
    Z3_ast differ = movers->by_place ? places_meet(&question, &own, &others) : orders_differ(&question, &others);
    Z3_ast facts = facts_of(&question, &own, &others, left ? NULL : &without);
    Z3_ast reached = solver_and(solver, own.before.guard, others.before.guard);
    reached = solver_and(solver, solver_and(solver, reached, facts), threads_differ(own.thread, others.thread));
    reached = solver_and(solver, reached, question.beginning.known);
    enum answer answer = ANSWER_NONE;
    if (!question.beginning.hopeless) {
        char *name = question_name(movers, mover, left, step);
        answer = solver_ask(solver, solver_and(solver, reached, differ), name);
        free(name);
    }
    mover->unanswered = answer == ANSWER_NONE;
    if (answer == ANSWER_YES) {
        mover->model = beginning_text(&question.beginning);
    }
    beginning_delete(&question.beginning);
    vector_delete(&without);
    instance_forget(&own.before);
    instance_forget(&others.before);
    return answer == ANSWER_NO;
}

/* --- Movers ------------------------------------------------------------------------------------------------------- */

static bool is_seen_by(const struct movers *movers, const struct mover *mover, bool left,
                       const struct step_site *step) {
    const struct class *class = class_of(movers->system, mover->class);
    const struct class *other = class_of(movers->system, step->class);
    if (!points_meet(movers->system, mover->class, mover->index, step->class, step->index)) {
        return false;
    }
    if (left && movers->seed == SEED_LOADS_ONLY && class_code(movers->system, other)[step->index].op != OP_LOAD) {
        return false;
    }
    return step_overlaps(movers->steps, step, &class->accesses[mover->index], !left);
}

static void stop(struct mover *mover, size_t step) {
    mover->answer = MOVER_STOPPED;
    mover->step = step;
}

static void decide_without_question(struct movers *movers, struct mover *mover, bool left) {
    mover->without_question = MOVER_MOVES;
    for (size_t i = 0; i < movers->steps->steps.count && mover->without_question == MOVER_MOVES; i++) {
        if (is_seen_by(movers, mover, left, step_of(movers->steps, i))) {
            mover->without_question = MOVER_STOPPED;
        }
    }
    mover->answer = mover->without_question == MOVER_MOVES ? MOVER_MOVES : MOVER_OPEN;
}

static void decide(struct movers *movers, struct mover *mover, bool left) {
    const struct class *class = class_of(movers->system, mover->class);
    for (size_t i = 0; i < movers->steps->steps.count; i++) {
        const struct step_site *step = step_of(movers->steps, i);
        if (!is_seen_by(movers, mover, left, step)) {
            continue;
        }
        if (step->ends || class->accesses[mover->index].ends || !questions_start(movers->questions) ||
            !moves_across(movers, mover, left, step)) {
            stop(mover, i);
            return;
        }
    }
    mover->answer = MOVER_MOVES;
}

static struct mover *find(struct movers *movers, uint32_t class, uint32_t index, bool ask, bool left) {
    struct vector *list = left ? &movers->left : &movers->right;
    struct mover *mover = NULL;
    for (size_t i = 0; i < list->count && !mover; i++) {
        struct mover *candidate = vector_at(list, i);
        mover = candidate->class == class && candidate->index == index ? candidate : NULL;
    }
    if (!mover) {
        vector_push(list, &(struct mover){.class = class, .index = index});
        mover = vector_at(list, list->count - 1);
        decide_without_question(movers, mover, left);
    }
    if (ask && mover->answer == MOVER_OPEN) {
        decide(movers, mover, left);
    }
    return mover;
}

struct mover *movers_left(struct movers *movers, uint32_t class, uint32_t index, bool ask) {
    return find(movers, class, index, ask, true);
}

struct mover *movers_right(struct movers *movers, uint32_t class, uint32_t index, bool ask) {
    return find(movers, class, index, ask, false);
}
