/* One abstraction at a time, for the first pair that does not move: of its load, or of the load or read-modify-write
 * that stops its store.  The weakest kind that helps is taken: for each kind in their order, first the load. */
#include "prove/trial.h"

#include "prove/found.h"
#include "prove/inferred.h"
#include "prove/movers.h"

#define MOST_FOUND 8u
#define MOST_TRIALS 80u

/* What a trial has shown. */
struct trial_outcome {
    bool usable;           /* the program with these abstractions can be analysed */
    bool helps;            /* the pair that was to move moves, or its store passes what had stopped it */
    bool moves;            /* all pairs do */
    struct pair pair;      /* otherwise: the first that does not */
    struct step_site stop; /* what stops its store: class and index count */
};

struct search {
    const struct task *task;
    const struct prove_options *options;
    const struct vector *without;
    struct vector *found;
    struct refuted *refuted; /* of the program with the abstractions found so far */
    struct answered *answered;
    unsigned trials;
    uint64_t *queries;
};

static bool pair_moves(struct movers *movers, const struct pair *pair) {
    return movers_right(movers, pair->class, pair->load, true)->answer == MOVER_MOVES ||
           movers_left(movers, pair->class, pair->store, true)->answer == MOVER_MOVES;
}

static bool is_same_pair(const struct pair *one, const struct pair *other) {
    return one->class == other->class && one->store == other->store && one->load == other->load;
}

static bool is_later(const struct step_site *one, const struct step_site *other) {
    return one->class > other->class || (one->class == other->class && one->index > other->index);
}

static struct step_site stop_of(struct movers *movers, const struct pair *pair) {
    const struct mover *store = movers_left(movers, pair->class, pair->store, true);
    const struct step_site *step = step_of(movers->steps, store->step);
    return (struct step_site){.class = step->class, .index = step->index};
}

/* Has the trial helped the pair of `before`?  An abstraction of its load must make it move. */
static bool is_helped(struct movers *movers, const struct trial_outcome *before, bool is_load) {
    for (size_t i = 0; i < movers->steps->pairs.count; i++) {
        const struct pair *pair = vector_at(&movers->steps->pairs, i);
        if (is_same_pair(pair, &before->pair) && !pair_moves(movers, pair)) {
            struct step_site stop = stop_of(movers, pair);
            return !is_load && is_later(&stop, &before->stop);
        }
    }
    return true;
}

static void look_at_pairs(struct movers *movers, struct trial_outcome *outcome) {
    outcome->moves = true;
    for (size_t i = 0; i < movers->steps->pairs.count && outcome->moves; i++) {
        const struct pair *pair = vector_at(&movers->steps->pairs, i);
        if (!pair_moves(movers, pair)) {
            outcome->moves = false;
            outcome->pair = *pair;
            outcome->stop = stop_of(movers, pair);
        }
    }
}

/* Would the last abstraction help, if all that is left of the candidates held? */
static bool may_help(struct search *search, struct questions *questions, const struct trial_outcome *before,
                     bool is_load) {
    const struct found *found = vector_at(search->found, search->found->count - 1);
    struct movers movers;
    movers_init(&movers, questions, search->options->seed);
    bool helped = questions_start(questions) && found_adds(questions_thread(questions, 0, found->class), found) &&
                  is_helped(&movers, before, is_load);
    movers_delete(&movers);
    return helped;
}

/* `before`: of the program without the last abstraction, which has to help; NULL: there is none, and what is left of
 * the candidates holds.  `refuted`: what is left out, and receives more; NULL: nothing is inferred. */
static struct trial_outcome run_trial(struct search *search, const struct trial_outcome *before, bool is_load,
                                      struct refuted *refuted) {
    struct trial_outcome outcome = {0};
    struct system system;
    struct steps steps;
    struct questions questions;
    struct movers movers;
    struct inferred inferred = {0};
    search->trials++;
    if (system_init(&system, search->task, false, search->found)) {
        prove_steps_init(&steps, &system, search->options->seed);
        if (!system.refusal && !system.undecided) {
            questions_init(&questions, &steps, NULL, search->answered);
            if (refuted) {
                inferred_init(&inferred, &questions, search->options->seed, refuted);
            }
            outcome.helps = !before || may_help(search, &questions, before, is_load);
            if (outcome.helps && before && refuted) {
                inferred_prove(&inferred, search->options->seed);
                refuted_learn(refuted, &inferred);
            }
            movers_init(&movers, &questions, search->options->seed);
            outcome.helps = outcome.helps && (!before || is_helped(&movers, before, is_load));
            if (outcome.helps) {
                look_at_pairs(&movers, &outcome);
            }
            *search->queries += questions.has_solver ? questions.solver.queries : 0;
            outcome.usable = !limits_reached(search->task->limits) && !questions.no_solver;
            inferred_delete(&inferred);
            movers_delete(&movers);
            questions_delete(&questions);
        }
        prove_steps_delete(&steps);
    }
    system_delete(&system);
    return outcome;
}

static bool is_abstracted(const struct search *search, uint32_t class, uint32_t access) {
    for (size_t i = 0; i < search->found->count; i++) {
        const struct found *found = vector_at(search->found, i);
        if (found->class == class && found->access == access) {
            return true;
        }
    }
    return false;
}

/* Does the abstraction help?  Then `outcome` is of the program with it.  Without facts first: they take longer. */
static bool helps(struct search *search, struct trial_outcome *outcome, struct found found, bool is_load) {
    vector_push(search->found, &found);
    struct trial_outcome after = run_trial(search, outcome, is_load, NULL);
    bool more = after.usable && after.helps ? !after.moves : found.kind <= FOUND_TO;
    if (more && !search->options->no_facts && search->trials < MOST_TRIALS) {
        struct refuted *refuted = refuted_new();
        refuted_add(refuted, search->refuted);
        after = run_trial(search, outcome, is_load, refuted);
        if (after.usable && after.helps) {
            refuted_add(search->refuted, refuted);
        }
        refuted_free(refuted);
    }
    if (!after.usable || !after.helps) {
        search->found->count--;
        return false;
    }
    *outcome = after;
    return true;
}

static bool is_left_out(const struct search *search, const struct found *found) {
    for (size_t i = 0; i < search->without->count; i++) {
        const struct found *other = vector_at(search->without, i);
        if (other->class == found->class && other->access == found->access && other->kind == found->kind &&
            other->number == found->number) {
            return true;
        }
    }
    return false;
}

struct site {
    uint32_t class;
    uint32_t access;
    uint8_t op;
    uint8_t width;
    bool in_loop;
};

static struct site site_of(const struct system *system, uint32_t class, uint32_t access) {
    const struct instruction *code = &class_code(system, class_of(system, class))[access];
    const struct flow *flow = &class_of(system, class)->flow;
    bool annotated = class_abstraction(class_of(system, class), access) != NULL;
    bool in_loop = !flow->irreducible && flow->loop_of[flow->block_of[access]] != NO_BLOCK;
    return (struct site){class, access, annotated || code->dst == NO_REGISTER ? OP_NOP : code->op, code->width,
                         in_loop};
}

static bool try_site(struct search *search, struct trial_outcome *outcome, const struct site *site,
                     enum found_kind kind, bool is_load) {
    bool update = site->op == OP_RMW;
    if ((site->op != OP_LOAD && !update) || site->width > 8 || is_abstracted(search, site->class, site->access) ||
        (kind == FOUND_WAITS && !site->in_loop) ||
        (update && kind != FOUND_WAITS && kind != FOUND_CONSTANT && kind != FOUND_ANYTHING)) {
        return false;
    }
    struct found found = {site->class, site->access, kind, 0};
    for (found.number = 0; found.number < (kind == FOUND_CONSTANT ? 2 : 1); found.number++) {
        if (!is_left_out(search, &found) && helps(search, outcome, found, is_load)) {
            return true;
        }
    }
    return false;
}

/* Adds one abstraction that helps the pair. */
static bool find_one(struct search *search, struct trial_outcome *outcome) {
    struct system system;
    bool found = false;
    if (system_init(&system, search->task, false, search->found)) {
        struct site sites[] = {site_of(&system, outcome->pair.class, outcome->pair.load),
                               site_of(&system, outcome->stop.class, outcome->stop.index)};
        for (int kind = FOUND_WAITS; kind < FOUND_KINDS && !found; kind++) {
            for (int i = 0; i < 2 && !found && search->trials < MOST_TRIALS; i++) {
                found = try_site(search, outcome, &sites[i], (enum found_kind)kind, i == 0);
            }
        }
    }
    system_delete(&system);
    return found;
}

bool trial_search(const struct task *task, const struct prove_options *options, const struct vector *without,
                  struct refuted *refuted, struct answered *answered, struct vector *found, uint64_t *queries) {
    struct search search = {.task = task,
                            .options = options,
                            .without = without,
                            .found = found,
                            .refuted = refuted,
                            .answered = answered,
                            .queries = queries};
    struct trial_outcome outcome = run_trial(&search, NULL, false, options->no_facts ? NULL : refuted);
    while (outcome.usable && !outcome.moves && found->count < MOST_FOUND && search.trials < MOST_TRIALS &&
           !limits_reached(task->limits)) {
        if (!find_one(&search, &outcome)) {
            return false;
        }
    }
    return outcome.usable && outcome.moves && found->count > 0;
}
