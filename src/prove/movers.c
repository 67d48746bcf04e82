/* One question for each two steps that may have a byte in common: can the two be taken in one order so that the other
 * order cannot be taken, or gives another state? */
#include "prove/movers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/describe.h"
#include "prove/world.h"
#include "util/memory.h"

#define MOST_SHOWN 6u /* places of a model */

void movers_init(struct movers *movers, struct steps *steps, enum prove_seed seed, const char *directory) {
    *movers = (struct movers){.system = steps->system, .steps = steps, .seed = seed, .directory = directory};
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
    for (int side = 0; side < 2; side++) {
        for (uint32_t c = 0; c < MOST_CLASSES; c++) {
            if (movers->threads[side][c]) {
                instance_delete(movers->threads[side][c]);
                free(movers->threads[side][c]);
            }
        }
    }
    if (movers->has_solver) {
        solver_delete(&movers->solver);
    }
    delete_movers(&movers->left);
    delete_movers(&movers->right);
}

static bool need_solver(struct movers *movers) {
    if (!movers->has_solver) {
        movers->no_solver = solver_init(&movers->solver, movers->system->task->limits, movers->directory);
        movers->has_solver = true;
    }
    return !movers->no_solver;
}

static struct instance *thread_on(struct movers *movers, int side, uint32_t class) {
    if (!movers->threads[side][class]) {
        movers->threads[side][class] = memory_allocate(sizeof(struct instance));
        instance_init(movers->threads[side][class], movers->system, &movers->solver, class);
    }
    return movers->threads[side][class];
}

/* --- Taking a step ------------------------------------------------------------------------------------------------ */

/* One of the two steps of a question. */
struct side {
    struct instance *thread;
    uint32_t index;
    bool section;
    struct state before;
};

/* Where a step leaves its thread: one state for each place at which control can be afterwards. */
struct exit {
    uint32_t index;
    struct state state;
};

struct section_run {
    const struct side *side;
    struct state *in; /* by block */
    struct vector *exits;
};

static void add_exit(const struct side *side, struct vector *exits, uint32_t index, const struct state *state) {
    for (size_t i = 0; i < exits->count; i++) {
        struct exit *exit = vector_at(exits, i);
        if (exit->index == index) {
            instance_merge(side->thread, &exit->state, state, index);
            return;
        }
    }
    struct exit exit = {.index = index};
    instance_merge(side->thread, &exit.state, state, index);
    vector_push(exits, &exit);
}

static void go_on(void *data, uint32_t target, const struct state *state) {
    struct section_run *run = data;
    instance_merge(run->side->thread, &run->in[run->side->thread->class->flow.block_of[target]], state, target);
}

/* Executes the part of a section that is in one block. */
static void run_part(struct section_run *run, struct world *world, struct state *state, uint32_t at) {
    struct instance *thread = run->side->thread;
    const struct block *block = &thread->class->flow.blocks[thread->class->flow.block_of[at]];
    for (; at < block->end; at++) {
        if (!instruction_reached(thread->class, at) || solver_is_false(thread->solver, state->guard)) {
            return;
        }
        if (thread->code[at].op == OP_ATOMIC_END && thread->class->depth[at] == 1) {
            add_exit(run->side, run->exits, at + 1, state);
            return;
        }
        execute(thread, state, world, at);
    }
    execute_jumps(thread, state, block->end - 1, go_on, run);
}

static void run_section(const struct side *side, struct world *world, struct state *state, struct vector *exits) {
    const struct flow *flow = &side->thread->class->flow;
    struct section_run run = {.side = side, .exits = exits};
    run.in = memory_allocate(((size_t)flow->blocks_count + 1) * sizeof *run.in);
    uint32_t first = flow->block_of[side->index];
    run_part(&run, world, state, side->index + 1);
    for (uint32_t order = flow->blocks[first].order; order < flow->blocks_count; order++) {
        for (uint32_t b = 0; b < flow->blocks_count; b++) {
            if (flow->blocks[b].order == order && run.in[b].terms) {
                run_part(&run, world, &run.in[b], flow->blocks[b].first);
                instance_forget(&run.in[b]);
            }
        }
    }
    free(run.in);
}

static void take(const struct side *side, struct world *world, struct vector *exits) {
    size_t count = instance_terms(side->thread);
    struct state state = {.guard = solver_true(side->thread->solver),
                          .terms = memory_allocate((count + 1) * sizeof *state.terms)};
    memcpy(state.terms, side->before.terms, count * sizeof *state.terms);
    vector_init(exits, sizeof(struct exit));
    if (side->section) {
        run_section(side, world, &state, exits);
    } else {
        execute(side->thread, &state, world, side->index);
        add_exit(side, exits, side->index + 1, &state);
    }
    instance_forget(&state);
}

static void exits_delete(struct vector *exits) {
    for (size_t i = 0; i < exits->count; i++) {
        instance_forget(&((struct exit *)vector_at(exits, i))->state);
    }
    vector_delete(exits);
}

/* The thread stands at the same place, with the same values in live registers. */
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

/* The condition under which first, second can be taken, and second, first cannot or gives another state. */
static Z3_ast orders_differ(struct question *question) {
    struct solver *solver = &question->movers->solver;
    struct world one;
    struct world other;
    struct vector exits[4];
    world_init(&one, &question->beginning);
    world_init(&other, &question->beginning);
    one.cas_succeeds = other.cas_succeeds = question->movers->seed == SEED_NO_FAILED_CAS;
    take(&question->first, &one, &exits[0]);
    take(&question->second, &one, &exits[1]);
    take(&question->second, &other, &exits[2]);
    take(&question->first, &other, &exits[3]);
    Z3_ast same = solver_and(solver, worlds_equal(&one, &other),
                             solver_and(solver, exits_equal(&question->first, &exits[0], &exits[3]),
                                        exits_equal(&question->second, &exits[1], &exits[2])));
    Z3_ast good = solver_and(solver, same, solver_and(solver, other.enabled, solver_not(solver, other.failed)));
    /* If a step fails, the other order must fail too. */
    Z3_ast fine = solver_or(solver, solver_and(solver, one.failed, other.failed),
                            solver_and(solver, solver_not(solver, one.failed), good));
    Z3_ast differ = solver_and(solver, one.enabled, solver_not(solver, fine));
    for (int i = 0; i < 4; i++) {
        exits_delete(&exits[i]);
    }
    world_delete(&one);
    world_delete(&other);
    return differ;
}

static Z3_ast threads_differ(const struct question *question) {
    struct solver *solver = &question->movers->solver;
    struct instance *one = question->first.thread;
    struct instance *other = question->second.thread;
    Z3_ast differ = solver_not(solver, solver_equal(solver, one->self, other->self));
    if (one->number == other->number && one->class->distinct) {
        struct value *entry = one->class->entry;
        struct term argument = instance_variable(one, PURPOSE_ENTRY, 0, 1, &entry[1], 64);
        struct term other_argument = instance_variable(other, PURPOSE_ENTRY, 0, 1, &entry[1], 64);
        differ = solver_and(solver, differ, solver_not(solver, solver_equal(solver, argument, other_argument)));
    }
    return differ;
}

/* What the model says of memory, in the program's names. */
static char *model_text(struct question *question) {
    struct solver *solver = &question->movers->solver;
    char *text = memory_copy_text("");
    unsigned shown = 0;
    for (size_t i = 0; i < question->beginning.places.count && shown < MOST_SHOWN; i++) {
        const struct place *place = vector_at(&question->beginning.places, i);
        struct machine_object object;
        uint64_t address = solver_value(solver, place->unit.address);
        uint64_t value[2] = {solver_value(solver, place->value), 0};
        if (!machine_object_at(question->movers->system->machine, address, &object)) {
            continue;
        }
        char name[128];
        char content[128];
        machine_describe(question->movers->system->machine, address, place->unit.size, name, sizeof name);
        machine_describe_value(question->movers->system->machine, address, place->unit.size, value, content,
                               sizeof content);
        char *longer = memory_format("%s%s%s = %s", text, shown > 0 ? ", " : "", name, content);
        free(text);
        text = longer;
        shown++;
    }
    return text;
}

static char *question_name(const struct movers *movers, const struct mover *mover, bool left,
                           const struct step_site *step) {
    const struct program *program = &movers->system->flat;
    const struct class *class = class_of(movers->system, mover->class);
    const struct class *other = class_of(movers->system, step->class);
    uint32_t pos = class_code(movers->system, class)[mover->index].pos;
    uint32_t other_pos = class_code(movers->system, other)[step->index].pos;
    return memory_format("line %u is a %s mover across line %u", program->positions[pos].line, left ? "left" : "right",
                         program->positions[other_pos].line);
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

static bool moves_across(struct movers *movers, struct mover *mover, bool left, const struct step_site *step) {
    struct question question = {.movers = movers};
    struct side own = {.thread = thread_on(movers, 0, mover->class), .index = mover->index};
    struct side others = {.thread = thread_on(movers, 1, step->class), .index = step->index, .section = step->section};
    if (!instance_reaches(own.thread, own.index) || !instance_reaches(others.thread, others.index)) {
        return true;
    }
    own.before = instance_state(own.thread, own.index);
    others.before = instance_state(others.thread, others.index);
    question.first = left ? others : own;
    question.second = left ? own : others;
    struct vector without;
    paired_stores(movers, mover, &without);
    beginning_init(&question.beginning, movers->system, &movers->solver);
    beginning_know(&question.beginning, own.thread, &own.before, left ? NULL : &without);
    beginning_know(&question.beginning, others.thread, &others.before, NULL);
    struct solver *solver = &movers->solver;
    Z3_ast differ = orders_differ(&question);
    Z3_ast reached = solver_and(solver, own.before.guard, others.before.guard);
    reached = solver_and(solver, solver_and(solver, reached, question.beginning.known), threads_differ(&question));
    enum answer answer = ANSWER_NONE;
    if (!question.beginning.hopeless) {
        char *name = question_name(movers, mover, left, step);
        answer = solver_ask(solver, solver_and(solver, reached, differ), name);
        free(name);
    }
    mover->unanswered = answer == ANSWER_NONE;
    if (answer == ANSWER_YES) {
        mover->model = model_text(&question);
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
    if (step->class == mover->class && !class->many) {
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
        if (step->ends || class->accesses[mover->index].ends || !need_solver(movers) ||
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
