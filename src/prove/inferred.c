/* Dropping candidates until the rest is inductive.
 *
 * A question is about one scene: what must hold after a step, if everything that is left holds before.  It is asked
 * again only if something that it assumed was dropped since; what it had to show can only have become less. */
#include "prove/inferred.h"

#include <stdlib.h>

#include "prove/candidates.h"
#include "prove/joins.h"
#include "prove/refuted.h"
#include "prove/scene.h"
#include "prove/weaker.h"
#include "util/hash_table.h"

#define MOST_QUERIES 3000u /* then there are no facts */
#define RESOURCES 20000u   /* of one question: what takes longer is dropped */

/* --- Ranges ------------------------------------------------------------------------------------------------------- */

/* The first of two points is the one of which candidates.c makes pairs. */
struct range_key {
    uint32_t class[2];
    uint32_t point[2];
};

static struct range_key key_of_pairs(uint32_t class, uint32_t point, uint32_t other_class, uint32_t other_point) {
    bool swap = class > other_class || (class == other_class && point > other_point);
    return swap ? (struct range_key){{other_class, class}, {other_point, point}}
                : (struct range_key){{class, other_class}, {point, other_point}};
}

static struct range_key key_of_facts(uint32_t class, uint32_t point) {
    return (struct range_key){{class, UINT32_MAX}, {point, UINT32_MAX}};
}

static struct fact_range *find_range(const struct inferred *inferred, const struct range_key *key) {
    const uint64_t *slot = hash_table_find(inferred->range_of, key, sizeof *key);
    return slot ? vector_at(&inferred->ranges, *slot) : NULL;
}

struct fact_range *inferred_range(const struct inferred *inferred, uint32_t class, uint32_t point) {
    struct range_key key = key_of_facts(class, point);
    return find_range(inferred, &key);
}

struct fact_range *inferred_pairs(const struct inferred *inferred, uint32_t class, uint32_t point, uint32_t other_class,
                                  uint32_t other_point) {
    struct range_key key = key_of_pairs(class, point, other_class, other_point);
    return find_range(inferred, &key);
}

/* Adds the candidate to the range of its key; those of one key follow each other. */
static void extend_range(struct inferred *inferred, struct range_key key, size_t index, bool of_pairs) {
    bool found;
    uint64_t *slot = hash_table_slot(inferred->range_of, &key, sizeof key, &found);
    if (!found) {
        *slot = inferred->ranges.count;
        vector_push(&inferred->ranges, &(struct fact_range){.first = index, .of_pairs = of_pairs});
    }
    ((struct fact_range *)vector_at(&inferred->ranges, *slot))->end = index + 1;
}

static void find_ranges(struct inferred *inferred) {
    for (size_t i = 0; i < inferred->facts.count; i++) {
        const struct fact *fact = vector_at(&inferred->facts, i);
        extend_range(inferred, key_of_facts(fact->class, fact->point), i, false);
    }
    for (size_t i = 0; i < inferred->pairs.count; i++) {
        const struct fact_pair *pair = vector_at(&inferred->pairs, i);
        extend_range(inferred, key_of_pairs(pair->class[0], pair->point[0], pair->class[1], pair->point[1]), i, true);
    }
}

/* --- Dropping ----------------------------------------------------------------------------------------------------- */

/* A candidate whose formula must hold in a scene. */
struct suspect {
    bool *dropped;
    const struct fact *fact;  /* NULL: it is a pair */
    struct fact_range *range; /* that it is in */
    Z3_ast formula;
    bool hard; /* of a kind that solvers like less: dropped first if there is no answer */
};

struct inference {
    struct inferred *inferred;
    struct questions *questions;
    enum prove_seed seed;
    struct vector edges;      /* of struct edge */
    struct vector first;      /* of struct first_point */
    struct vector suspects;   /* of struct suspect, of the current question */
    struct hash_table *asked; /* struct check: when it was made last */
    uint64_t time;            /* how often something was dropped, plus 1 */
    uint64_t last_query;      /* it is given up after that */
    bool halved;              /* the present question was asked in parts */
    bool changed;
};

/* What is checked: a transition, a step of another thread, or an edge beside another thread. */
struct check {
    enum { CHECK_BEGINNING, CHECK_TRANSITION, CHECK_STEP, CHECK_EDGE } kind;
    uint32_t class;
    uint32_t point;
    uint32_t other; /* step or edge */
    uint32_t other_class;
    uint32_t other_point;
};

/* Must the check be made, since it was not yet, or something that it assumes was dropped since?  `assumed`: `count`
 * ranges, some of which may be NULL. */
static bool is_due(struct inference *inference, struct check check, struct fact_range *const *assumed, int count) {
    bool found;
    uint64_t *last = hash_table_slot(inference->asked, &check, sizeof check, &found);
    bool due = !found;
    for (int i = 0; i < count && !due; i++) {
        due = assumed[i] && assumed[i]->dropped_at >= *last;
    }
    *last = due ? inference->time : *last;
    return due;
}

/* A transition from one point to another. */
struct edge {
    uint32_t class;
    uint32_t from;
    uint32_t to;
    bool guarded; /* what it reads decides whether it is taken */
};

struct first_point {
    uint32_t class;
    uint32_t point;
};

static bool is_over(const struct inference *inference) {
    return limits_reached(inference->questions->system->task->limits) ||
           inference->questions->solver.queries >= inference->last_query;
}

static void note_drop(struct inference *inference, struct fact_range *range) {
    range->dropped_at = inference->time++;
    inference->changed = true;
}

static void drop(struct inference *inference, const struct suspect *suspect) {
    if (!*suspect->dropped) {
        *suspect->dropped = true;
        note_drop(inference, suspect->range);
    }
}

/* Has the suspect to be shown?  One that follows from another one has not, as long as that is left. */
static bool is_open(const struct inference *inference, const struct suspect *suspect) {
    return !*suspect->dropped && !(suspect->fact && fact_is_implied(inference->inferred, suspect->fact));
}

/* The suspects from `first` on, before `end`. */
static Z3_ast conjunction(const struct inference *inference, size_t first, size_t end) {
    struct solver *solver = &inference->questions->solver;
    Z3_ast all = solver_true(solver);
    for (size_t i = first; i < end; i++) {
        const struct suspect *suspect = vector_at(&inference->suspects, i);
        all = is_open(inference, suspect) ? solver_and(solver, all, suspect->formula) : all;
    }
    return all;
}

/* Drops what is false in the model. */
static void drop_refuted(struct inference *inference, size_t first, size_t end) {
    uint64_t before = inference->time;
    for (size_t i = 0; i < inference->suspects.count; i++) {
        const struct suspect *suspect = vector_at(&inference->suspects, i);
        if (!solver_holds(&inference->questions->solver, suspect->formula)) {
            drop(inference, suspect);
        }
    }
    for (size_t i = first; i < end && inference->time == before; i++) {
        drop(inference, vector_at(&inference->suspects, i));
    }
}

/* Drops those among the suspects that are hard; false if there are none. */
static bool drop_hard(struct inference *inference, size_t first, size_t end) {
    uint64_t before = inference->time;
    for (size_t i = first; i < end; i++) {
        const struct suspect *suspect = vector_at(&inference->suspects, i);
        if (suspect->hard && is_open(inference, suspect)) {
            drop(inference, suspect);
        }
    }
    return inference->time > before;
}

/* Drops those among the suspects that can be false.  If the solver does not know, it is asked about each half. */
static void refute_part(struct inference *inference, size_t first, size_t end) {
    struct solver *solver = &inference->questions->solver;
    for (;;) {
        Z3_ast all = conjunction(inference, first, end);
        enum answer answer = ANSWER_NO;
        if (!solver_is_true(solver, all)) {
            answer = solver_ask(solver, solver_not(solver, all), "facts are preserved");
        }
        if (answer == ANSWER_NO) {
            return;
        }
        if (answer == ANSWER_YES) {
            drop_refuted(inference, first, end);
        } else if (!drop_hard(inference, first, end)) {
            break;
        }
    }
    inference->halved = true;
    if (end - first > 1) {
        size_t middle = first + (end - first) / 2;
        refute_part(inference, first, middle);
        refute_part(inference, middle, end);
    } else {
        drop(inference, vector_at(&inference->suspects, first));
    }
}

static void drop_all_suspects(struct inference *inference) {
    for (size_t i = 0; i < inference->suspects.count; i++) {
        drop(inference, vector_at(&inference->suspects, i));
    }
}

/* Drops the suspects that can be false in the scene under the condition. */
static void refute(struct inference *inference, struct scene *scene, Z3_ast condition) {
    struct solver *solver = scene->solver;
    size_t count = inference->suspects.count;
    inference->halved = false;
    Z3_ast supposed = scene_with(scene, condition);
    if (count > 0 && scene->beginning.hopeless) {
        drop_all_suspects(inference);
    } else if (count > 0 && !solver_is_false(solver, supposed) &&
               !solver_is_true(solver, conjunction(inference, 0, count))) {
        uint64_t before;
        solver_suppose(solver, supposed);
        do { /* what has followed from others may no longer do so */
            before = inference->time;
            refute_part(inference, 0, count);
        } while (inference->time > before && inference->halved);
        solver_forget(solver);
    }
    inference->suspects.count = 0;
}

/* The facts of a point must hold after the scene's step.  Those that are assumed before it in the same words do. */
static void suspect_facts(struct inference *inference, struct scene *scene, struct instance *thread,
                          const struct state *state, uint32_t point) {
    struct fact_range *range = inferred_range(inference->inferred, thread->number, point);
    for (size_t i = range ? range->first : 0; range && i < range->end; i++) {
        struct fact *fact = vector_at(&inference->inferred->facts, i);
        if (fact->dropped) {
            continue;
        }
        struct suspect suspect = {&fact->dropped, fact, range,
                                  fact_goal(inference->inferred, fact, thread, state, &scene->after),
                                  fact->kind == FACT_PARITY || fact->kind == FACT_IF_EVEN};
        unsigned id = solver_id(scene->solver, suspect.formula);
        if (!hash_table_find(scene->assumed, &id, sizeof id)) {
            vector_push(&inference->suspects, &suspect);
        }
    }
}

/* --- One thread --------------------------------------------------------------------------------------------------- */

static bool reads(const struct instance *thread, uint32_t index) {
    uint8_t op = thread->code[index].op;
    return op == OP_LOAD || op == OP_RMW || op == OP_CAS || op == OP_SYNC || op == OP_ATOMIC_BEGIN;
}

static void note_edges(struct inference *inference, const struct scene *scene, const struct instance *thread,
                       uint32_t from) {
    for (size_t i = 0; i < scene->exits.count; i++) {
        const struct exit *exit = vector_at(&scene->exits, i);
        struct edge edge = {thread->number, from, exit->index, reads(thread, from)};
        bool known = false;
        for (size_t k = 0; k < inference->edges.count && !known; k++) {
            const struct edge *other = vector_at(&inference->edges, k);
            known = other->class == edge.class && other->from == edge.from && other->to == edge.to;
        }
        if (!known) {
            vector_push(&inference->edges, &edge);
        }
    }
}

static void refute_exits(struct inference *inference, struct scene *scene, struct instance *thread) {
    for (size_t i = 0; i < scene->exits.count; i++) {
        const struct exit *exit = vector_at(&scene->exits, i);
        suspect_facts(inference, scene, thread, &exit->state, exit->index);
        refute(inference, scene, exit->state.guard);
    }
}

static void check_beginning(struct inference *inference, struct instance *thread) {
    struct scene scene;
    if (!is_due(inference, (struct check){.kind = CHECK_BEGINNING, .class = thread->number}, NULL, 0)) {
        return;
    }
    scene_init(&scene, inference->questions);
    scene_begin(&scene, thread);
    refute_exits(inference, &scene, thread);
    for (size_t i = 0; i < scene.exits.count; i++) {
        const struct exit *exit = vector_at(&scene.exits, i);
        vector_push(&inference->first, &(struct first_point){thread->number, exit->index});
    }
    scene_delete(&scene);
}

/* The facts of a thread that is joined there, and what is known of the two. */
static void find_joined(const struct inference *inference, const struct instance *thread, uint32_t index,
                        struct fact_range *assumed[2]) {
    uint32_t joined = joins_class(thread->class, index);
    if (joined != NO_CLASS) {
        uint32_t last = class_of(inference->questions->system, joined)->last;
        assumed[0] = inferred_range(inference->inferred, joined, last);
        assumed[1] = inferred_pairs(inference->inferred, thread->number, index, joined, last);
    }
}

static void check_transition(struct inference *inference, struct instance *thread, uint32_t index) {
    struct scene scene;
    struct fact_range *assumed[3] = {inferred_range(inference->inferred, thread->number, index)};
    struct check check = {.kind = CHECK_TRANSITION, .class = thread->number, .point = index};
    find_joined(inference, thread, index, assumed + 1);
    if (!is_due(inference, check, assumed, 3)) {
        return;
    }
    struct state state = instance_state(thread, index);
    scene_init(&scene, inference->questions);
    scene_place(&scene, thread, &state, index);
    scene_go(&scene, thread, &state, index);
    note_edges(inference, &scene, thread, index);
    refute_exits(inference, &scene, thread);
    scene_delete(&scene);
    instance_forget(&state);
}

/* Can the step write the fact's places? */
static bool concerns(const struct inference *inference, const struct step_site *step, const struct fact *fact) {
    /* Those that a kind does not use are the first place, or the place itself. */
    const uint32_t places[] = {fact->place, fact->other, fact->second};
    if (fact_has_target(fact)) {
        const struct fact_target *target = vector_at(&inference->inferred->targets, fact->target);
        struct access access = {.present = true, .size = target->size, .address = target->where};
        if (step_overlaps(inference->questions->steps, step, &access, true)) {
            return true;
        }
    }
    if (fact_has_array(fact)) {
        const struct array *array = vector_at(&inference->inferred->arrays, fact->array);
        struct access access = {.present = true, .size = array->size, .address = array->where};
        if (step_overlaps(inference->questions->steps, step, &access, true)) {
            return true;
        }
    }
    for (int i = 0; i < 3 && fact_has_place(fact); i++) {
        const struct fact_place *place = vector_at(&inference->inferred->places, places[i]);
        struct access access = {.present = true, .size = place->size, .address = place->where};
        if (step_overlaps(inference->questions->steps, step, &access, true)) {
            return true;
        }
    }
    return false;
}

static void check_interference(struct inference *inference, struct instance *own, uint32_t point,
                               const struct step_site *step) {
    struct inferred *inferred = inference->inferred;
    struct instance *other = questions_thread(inference->questions, 1, step->class);
    struct fact_range *range = inferred_range(inferred, own->number, point);
    bool concerned = false;
    for (size_t i = range ? range->first : 0; range && i < range->end && !concerned; i++) {
        const struct fact *fact = vector_at(&inferred->facts, i);
        concerned = !fact->dropped && concerns(inference, step, fact);
    }
    struct fact_range *const assumed[] = {range, inferred_range(inferred, step->class, step->index),
                                          inferred_pairs(inferred, own->number, point, step->class, step->index)};
    struct check check = {.kind = CHECK_STEP,
                          .class = own->number,
                          .point = point,
                          .other_class = step->class,
                          .other_point = step->index};
    if (!concerned || !instance_reaches(other, step->index) || !is_due(inference, check, assumed, 3)) {
        return;
    }
    struct scene scene;
    struct state state = instance_state(own, point);
    scene_init(&scene, inference->questions);
    scene_place(&scene, own, &state, point);
    scene_disturb(&scene, own, point, other, step);
    suspect_facts(inference, &scene, own, &state, point);
    refute(inference, &scene, solver_true(scene.solver));
    scene_delete(&scene);
    instance_forget(&state);
}

/* May the thread be before this instruction, at a point? */
static bool is_at(const struct instance *thread, uint32_t index) {
    return facts_is_point(thread, index) && instance_reaches(thread, index);
}

/* How the thread begins, and its transitions. */
static void check_alone(struct inference *inference, uint32_t class) {
    struct questions *questions = inference->questions;
    struct instance *thread = questions_thread(questions, 0, class);
    check_beginning(inference, thread);
    for (uint32_t i = 0; i < questions->system->flat.functions[thread->class->function].count; i++) {
        if (is_at(thread, i) && !is_over(inference)) {
            check_transition(inference, thread, i);
        }
    }
}

/* The thread at each of its points beside each step of others. */
static void check_beside(struct inference *inference, uint32_t class) {
    struct questions *questions = inference->questions;
    struct instance *thread = questions_thread(questions, 0, class);
    for (uint32_t i = 0; i < questions->system->flat.functions[thread->class->function].count; i++) {
        for (size_t k = 0; is_at(thread, i) && k < questions->steps->steps.count; k++) {
            const struct step_site *step = step_of(questions->steps, k);
            if (inference->seed != SEED_FACTS_ALONE && !is_over(inference) &&
                points_meet(questions->system, class, i, step->class, step->index) && step_writes(step)) {
                check_interference(inference, thread, i, step);
            }
        }
    }
}

/* --- Two threads -------------------------------------------------------------------------------------------------- */

static bool is_excluded(const struct inferred *inferred, uint32_t class, uint32_t point, uint32_t other_class,
                        uint32_t other_point) {
    if (!points_meet(inferred->questions->system, class, point, other_class, other_point)) {
        return true;
    }
    const struct fact_range *range = inferred_pairs(inferred, class, point, other_class, other_point);
    for (size_t i = range ? range->first : 0; range && i < range->end; i++) {
        const struct fact_pair *pair = vector_at(&inferred->pairs, i);
        if (!pair->differ) {
            return !pair->dropped;
        }
    }
    return false;
}

/* Both threads at their first points: nothing can be excluded there. */
static void drop_first(struct inference *inference) {
    for (size_t i = 0; i < inference->first.count; i++) {
        for (size_t k = 0; k < inference->first.count; k++) {
            const struct first_point *one = vector_at(&inference->first, i);
            const struct first_point *other = vector_at(&inference->first, k);
            struct fact_range *range =
                inferred_pairs(inference->inferred, one->class, one->point, other->class, other->point);
            for (size_t p = range ? range->first : 0; range && p < range->end; p++) {
                struct fact_pair *pair = vector_at(&inference->inferred->pairs, p);
                if (!pair->dropped) {
                    pair->dropped = true;
                    note_drop(inference, range);
                }
            }
        }
    }
}

/* One thread takes an edge while the other stays at a point: what is left about its end must hold then. */
static void check_edge(struct inference *inference, const struct edge *edge, uint32_t other_class, uint32_t point) {
    struct inferred *inferred = inference->inferred;
    struct fact_range *assumed[5] = {inferred_range(inferred, edge->class, edge->from),
                                     inferred_range(inferred, other_class, point),
                                     inferred_pairs(inferred, edge->class, edge->from, other_class, point)};
    struct check check = {.kind = CHECK_EDGE,
                          .class = edge->class,
                          .point = edge->from,
                          .other = edge->to,
                          .other_class = other_class,
                          .other_point = point};
    struct instance *one = questions_thread(inference->questions, 0, edge->class);
    struct instance *other = questions_thread(inference->questions, 1, other_class);
    if (joins_class(one->class, edge->from) == other_class && point != other->class->last) {
        return; /* the join waits */
    }
    find_joined(inference, one, edge->from, assumed + 3);
    if (!is_due(inference, check, assumed, 5)) {
        return;
    }
    struct fact_range *range = inferred_pairs(inferred, edge->class, edge->to, other_class, point);
    struct state state = instance_state(one, edge->from);
    struct state other_state = instance_state(other, point);
    struct scene scene;
    scene_init(&scene, inference->questions);
    scene_place(&scene, one, &state, edge->from);
    scene_place(&scene, other, &other_state, point);
    scene.reached = solver_and(scene.solver, scene.reached, threads_differ(one, other));
    scene.reached = solver_and(scene.solver, scene.reached,
                               inferred_between_states(inferred, one, &state, edge->from, other, &other_state, point));
    scene_go(&scene, one, &state, edge->from);
    for (size_t e = 0; e < scene.exits.count; e++) {
        const struct exit *exit = vector_at(&scene.exits, e);
        for (size_t i = range->first; exit->index == edge->to && i < range->end; i++) {
            struct fact_pair *pair = vector_at(&inferred->pairs, i);
            if (!pair->dropped) {
                struct suspect suspect = {&pair->dropped, NULL, range,
                                          pair_formula(pair, one, &exit->state, edge->to, other, &other_state, point),
                                          false};
                vector_push(&inference->suspects, &suspect);
            }
        }
        refute(inference, &scene, exit->state.guard);
    }
    scene_delete(&scene);
    instance_forget(&state);
    instance_forget(&other_state);
}

/* An edge that nothing can stop leads to a point that is occupied beside whatever its beginning is occupied beside. */
static bool follow_free_edges(struct inference *inference) {
    bool dropped = false;
    for (size_t i = 0; i < inference->inferred->pairs.count; i++) {
        struct fact_pair *pair = vector_at(&inference->inferred->pairs, i);
        for (size_t k = 0; !pair->dropped && !pair->differ && k < 2 * inference->edges.count; k++) {
            const struct edge *edge = vector_at(&inference->edges, k / 2);
            unsigned end = k % 2;
            if (!edge->guarded && edge->class == pair->class[end] && edge->to == pair->point[end] &&
                !is_excluded(inference->inferred, edge->class, edge->from, pair->class[1 - end],
                             pair->point[1 - end])) {
                pair->dropped = true;
                note_drop(inference, inferred_pairs(inference->inferred, pair->class[0], pair->point[0], pair->class[1],
                                                    pair->point[1]));
                dropped = true;
            }
        }
    }
    return dropped;
}

static bool has_pair(const struct inferred *inferred, const struct edge *edge, uint32_t other_class, uint32_t point) {
    const struct fact_range *range = inferred_pairs(inferred, edge->class, edge->to, other_class, point);
    bool some = false;
    for (size_t i = range ? range->first : 0; range && i < range->end && !some; i++) {
        some = !((const struct fact_pair *)vector_at(&inferred->pairs, i))->dropped;
    }
    return some;
}

static void check_pairs(struct inference *inference) {
    struct questions *questions = inference->questions;
    drop_first(inference);
    if (inference->seed == SEED_PAIRS_ALONE) {
        return;
    }
    while (follow_free_edges(inference)) {
    }
    for (size_t i = 0; i < inference->edges.count; i++) {
        const struct edge edge = *(struct edge *)vector_at(&inference->edges, i);
        for (uint32_t c = 0; c < questions->system->classes.count; c++) {
            if (!classes_meet(questions->system, edge.class, c)) {
                continue;
            }
            struct instance *other = questions_thread(questions, 1, c);
            for (uint32_t p = 0; p < questions->system->flat.functions[other->class->function].count; p++) {
                if (is_at(other, p) && !is_excluded(inference->inferred, edge.class, edge.from, c, p) &&
                    has_pair(inference->inferred, &edge, c, p) && !is_over(inference)) {
                    check_edge(inference, &edge, c, p);
                }
            }
        }
        while (follow_free_edges(inference)) {
        }
    }
}

/* --- All of it ---------------------------------------------------------------------------------------------------- */

static void drop_all(struct inferred *inferred) {
    for (size_t i = 0; i < inferred->facts.count; i++) {
        ((struct fact *)vector_at(&inferred->facts, i))->dropped = true;
    }
    for (size_t i = 0; i < inferred->pairs.count; i++) {
        ((struct fact_pair *)vector_at(&inferred->pairs, i))->dropped = true;
    }
}

static void init(struct inferred *inferred, struct questions *questions) {
    *inferred = (struct inferred){.questions = questions, .range_of = hash_table_new()};
    vector_init(&inferred->places, sizeof(struct fact_place));
    vector_init(&inferred->targets, sizeof(struct fact_target));
    vector_init(&inferred->arrays, sizeof(struct array));
    vector_init(&inferred->elements, sizeof(struct term));
    vector_init(&inferred->facts, sizeof(struct fact));
    vector_init(&inferred->pairs, sizeof(struct fact_pair));
    vector_init(&inferred->stronger, sizeof(uint32_t));
    vector_init(&inferred->ranges, sizeof(struct fact_range));
}

void inferred_init(struct inferred *inferred, struct questions *questions, enum prove_seed seed,
                   const struct refuted *refuted) {
    init(inferred, questions);
    if (!questions_start(questions) || questions->system->classes.count == 0) {
        return;
    }
    candidates_find(inferred);
    find_ranges(inferred);
    weaker_find(inferred);
    bool observe = refuted_apply(refuted, inferred);
    if (observe && seed < SEED_OF_FACTS) { /* executions would hide the defect */
        inferred_run(inferred);
    }
    questions->system->inferred = inferred;
}

/* Checks what is due.  Whatever is dropped makes checks due again, those beside other threads' steps above all, of
 * which there are most: they come last, when the others drop nothing. */
static void check_all(struct inference *inference) {
    uint32_t classes = (uint32_t)inference->questions->system->classes.count;
    inference->changed = false;
    for (uint32_t c = 0; c < classes; c++) {
        check_alone(inference, c);
    }
    if (!inference->changed) {
        check_pairs(inference);
    }
    for (uint32_t c = 0; c < classes && !inference->changed; c++) {
        check_beside(inference, c);
    }
}

void inferred_prove(struct inferred *inferred, enum prove_seed seed) {
    struct questions *questions = inferred->questions;
    struct inference inference = {
        .inferred = inferred, .questions = questions, .seed = seed, .time = 1, .changed = true};
    if (inferred->facts.count + inferred->pairs.count == 0) {
        return;
    }
    inference.asked = hash_table_new();
    vector_init(&inference.edges, sizeof(struct edge));
    vector_init(&inference.first, sizeof(struct first_point));
    vector_init(&inference.suspects, sizeof(struct suspect));
    inference.last_query = questions->solver.queries + MOST_QUERIES;
    solver_set_resources(&questions->solver, RESOURCES);
    while (inference.changed && !is_over(&inference)) {
        check_all(&inference);
    }
    solver_set_resources(&questions->solver, SOLVER_RESOURCES);
    inferred->complete = !inference.changed && !is_over(&inference);
    if (!inferred->complete) {
        drop_all(inferred);
    }
    hash_table_free(inference.asked);
    vector_delete(&inference.edges);
    vector_delete(&inference.first);
    vector_delete(&inference.suspects);
}

void inferred_delete(struct inferred *inferred) {
    if (inferred->questions) {
        inferred->questions->system->inferred = NULL;
        vector_delete(&inferred->places);
        vector_delete(&inferred->targets);
        vector_delete(&inferred->arrays);
        vector_delete(&inferred->elements);
        vector_delete(&inferred->facts);
        vector_delete(&inferred->pairs);
        vector_delete(&inferred->stronger);
        vector_delete(&inferred->ranges);
        hash_table_free(inferred->range_of);
    }
}
