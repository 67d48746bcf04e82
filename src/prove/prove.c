/* All pairs, each with its reason; claims and assertions. */
#include "prove/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/sync.h"
#include "prove/answered.h"
#include "prove/found.h"
#include "prove/inferred.h"
#include "prove/movers.h"
#include "prove/obligations.h"
#include "prove/outside.h"
#include "prove/refuted.h"
#include "prove/trial.h"
#include "util/memory.h"

#define MOST_QUERIES 1500u /* then no other abstractions are tried */

struct proving {
    struct proof *proof;
    struct system system;
    struct steps steps;
    struct questions questions;
    struct movers movers;
    struct obligations obligations;
    struct inferred inferred;
    struct refuted *refuted;
    struct answered *answered;
    enum prove_seed seed;
    char faulty[128]; /* what is wrong with an annotation */
};

/* --- Words -------------------------------------------------------------------------------------------------------- */

static const char *verb(const struct instruction *code) {
    switch (code->op) {
    case OP_LOAD:
        return "the load of ";
    case OP_STORE:
        return "the store to ";
    case OP_RMW:
        return "the read-modify-write of ";
    case OP_CAS:
        return "the compare-and-swap of ";
    case OP_ATOMIC_BEGIN:
        return "the atomic section";
    case OP_FREE:
        return "the end of the object";
    case OP_LEAVE:
    case OP_STACK_RESTORE:
        return "the end of the local variables";
    default:
        return "";
    }
}

static struct proof_line line_of(const struct system *system, uint32_t class, uint32_t index) {
    const struct instruction *code = &class_code(system, class_of(system, class))[index];
    const struct position *position = &system->flat.positions[code->pos];
    const char *variable = program_string(&system->flat, position->variable);
    bool named = code->op == OP_LOAD || code->op == OP_STORE || code->op == OP_RMW || code->op == OP_CAS;
    char *what = code->op == OP_SYNC ? memory_format("the operation %s", sync_table[code->width].name)
                                     : memory_format("%s%s", verb(code),
                                                     !named      ? ""
                                                     : *variable ? variable
                                                                 : "memory");
    return (struct proof_line){
        .file = memory_copy_text(program_string(&system->flat, position->file)), .line = position->line, .what = what};
}

static struct obstacle obstacle_of(const struct proving *proving, const struct mover *mover) {
    const struct step_site *step = step_of(&proving->steps, mover->step);
    return (struct obstacle){.step = line_of(&proving->system, step->class, step->index),
                             .model = mover->model ? memory_copy_text(mover->model) : NULL,
                             .unanswered = mover->unanswered};
}

/* --- Pairs -------------------------------------------------------------------------------------------------------- */

/* First the pairs that need no question; a load comes before a store, since other threads read most stores. */
static enum pair_reason reason_of(struct proving *proving, const struct pair *pair, bool *asked) {
    for (int ask = 0; ask < 2; ask++) {
        *asked = ask;
        if (movers_right(&proving->movers, pair->class, pair->load, ask)->answer == MOVER_MOVES) {
            return PAIR_LOAD_MOVES;
        }
        if (movers_left(&proving->movers, pair->class, pair->store, ask)->answer == MOVER_MOVES) {
            return PAIR_STORE_MOVES;
        }
    }
    return PAIR_FAILS;
}

static void add_pair(struct proving *proving, const struct pair *pair) {
    struct proof_pair result = {.store = line_of(&proving->system, pair->class, pair->store),
                                .load = line_of(&proving->system, pair->class, pair->load)};
    if (limits_reached(proving->system.task->limits)) {
        result.reason = PAIR_OPEN;
    } else {
        result.reason = reason_of(proving, pair, &result.asked);
    }
    if (result.reason == PAIR_FAILS) {
        result.store_stops = obstacle_of(proving, movers_left(&proving->movers, pair->class, pair->store, true));
        result.load_stops = obstacle_of(proving, movers_right(&proving->movers, pair->class, pair->load, true));
    }
    vector_push(&proving->proof->pairs, &result);
}

static uint32_t count_moving(const struct vector *movers) {
    uint32_t count = 0;
    for (size_t i = 0; i < movers->count; i++) {
        count += ((struct mover *)vector_at(movers, i))->answer == MOVER_MOVES;
    }
    return count;
}

/* --- Claims and assertions ---------------------------------------------------------------------------------------- */

static const char *failing_what(const struct instruction *code) {
    switch (code->op) {
    case OP_ASSERT:
        return "the assertion";
    case OP_ERROR:
        return code->sub == ERROR_ASSERT ? "the assertion" : "the error";
    case OP_LOAD:
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
        return "the access";
    case OP_SYNC:
        return "the operation";
    default:
        return "the step";
    }
}

static void add_broken(struct proving *proving, const struct broken_obligation *broken) {
    static const char *const how[] = {
        [OBLIGATION_NO_FAILURE] = "may fail",
        [OBLIGATION_CLAIM_INITIAL] = "may be false where a thread begins",
        [OBLIGATION_CLAIM_REACHED] = "may be false when a thread reaches it from",
        [OBLIGATION_CLAIM_KEPT] = "may be made false, while a thread is there, by",
        [OBLIGATION_INVARIANT_INITIAL] = "may be false at first",
        [OBLIGATION_INVARIANT_KEPT] = "may be made false by",
    };
    const struct system *system = &proving->system;
    const struct instruction *code = &class_code(system, class_of(system, broken->class))[broken->index];
    bool invariant = broken->kind == OBLIGATION_INVARIANT_INITIAL || broken->kind == OBLIGATION_INVARIANT_KEPT;
    const char *what = broken->kind == OBLIGATION_NO_FAILURE ? failing_what(code)
                       : invariant                           ? "the invariant"
                                                             : "the claim";
    struct proof_obligation result = {.what = memory_copy_text(what),
                                      .where = line_of(system, broken->class, broken->index),
                                      .how = how[broken->kind],
                                      .model = broken->model ? memory_copy_text(broken->model) : NULL,
                                      .unanswered = broken->unanswered};
    if (broken->step_index != UINT32_MAX && broken->kind != OBLIGATION_NO_FAILURE) {
        result.step = line_of(system, broken->step_class, broken->step_index);
    }
    vector_push(&proving->proof->broken, &result);
}

/* An annotation whose condition excludes the value that is really read, or reads another place. */
static void refuse_annotation(struct proving *proving, const struct broken_obligation *broken) {
    struct system *system = &proving->system;
    uint32_t pos = class_code(system, class_of(system, broken->class))[broken->index].pos;
    if (broken->unanswered) {
        system->undecided = "the solver cannot tell whether an annotation allows what is really read";
    } else if (broken->kind == OBLIGATION_READS_ONE_PLACE) {
        system_refuse(system, pos, "the condition of an abstraction must read no other location than the access");
    } else if (broken->kind == OBLIGATION_READS_POINTER) {
        system_refuse(system, pos, "an abstraction of a pointer may allow only the value in memory, and null");
    } else {
        snprintf(proving->faulty, sizeof proving->faulty,
                 "picket_reads excludes what is really read: %lld, for instance", (long long)broken->value);
        system_refuse(system, pos, proving->faulty);
    }
}

static void name_abstraction(struct proving *proving, uint32_t class, const struct abstraction *abstraction) {
    struct proof *proof = proving->proof;
    struct proof_line line = line_of(&proving->system, class, abstraction->access);
    if (abstraction->found.kind != FOUND_NONE) {
        bool idle = proving->seed == SEED_ALL_IDLE ||
                    (questions_start(&proving->questions) && found_is_idle(&proving->questions, abstraction, class));
        char *text = found_text(&abstraction->found);
        char *what = memory_format("%s, which may return %s%s", line.what, text, idle ? " (idle)" : "");
        free(text);
        free(line.what);
        line.what = what;
        proof->found++;
        if (idle) {
            proof->idle++;
            vector_push(&proof->idle_found, &abstraction->found);
        }
    }
    vector_push(&proof->abstractions, &line);
}

static void check_abstractions(struct proving *proving) {
    struct obligations *obligations = &proving->obligations;
    obligations_check_abstractions(obligations);
    if (obligations->broken.count > 0) {
        refuse_annotation(proving, vector_at(&obligations->broken, 0));
    }
    for (uint32_t c = 0; c < proving->system.classes.count; c++) {
        const struct class *class = class_of(&proving->system, c);
        for (size_t i = 0; i < class->abstractions.count; i++) {
            const struct abstraction *abstraction = vector_at(&class->abstractions, i);
            if (abstraction->access != UINT32_MAX && abstraction_applies(class, abstraction)) {
                name_abstraction(proving, c, abstraction);
            }
        }
    }
}

static void prove_obligations(struct proving *proving) {
    struct obligations *obligations = &proving->obligations;
    struct proof *proof = proving->proof;
    proof->assertions = obligations->assertions;
    proof->written = obligations->written;
    proof->claims = obligations->claims;
    proof->waits = obligations->waits;
    if (obligations_exist(obligations)) {
        obligations_prove(obligations);
        for (size_t i = 0; i < obligations->broken.count; i++) {
            const struct broken_obligation *broken = vector_at(&obligations->broken, i);
            add_broken(proving, broken);
            /* Movers were proved from claims and invariants. */
            proof->claims_broken = proof->claims_broken || broken->kind != OBLIGATION_NO_FAILURE;
        }
    }
}

/* --- All of it ---------------------------------------------------------------------------------------------------- */

static void decide(struct proving *proving) {
    struct proof *proof = proving->proof;
    const char *reason = limits_reason(proving->system.task->limits);
    bool asked = obligations_exist(&proving->obligations) && !proving->movers.by_place;
    bool open = false;
    proof->adds_state = proof->claims_broken || (proof->claims > 0 && (reason || proving->questions.no_solver));
    for (size_t i = 0; i < proof->pairs.count; i++) {
        const struct proof_pair *pair = vector_at(&proof->pairs, i);
        proof->adds_state = proof->adds_state || pair->reason == PAIR_FAILS || pair->reason == PAIR_OPEN;
        open = open || pair->reason == PAIR_OPEN;
    }
    bool fails = proof->broken.count > 0 || proof->adds_state;
    proof->word = open || ((fails || asked) && reason) ? PROOF_UNDECIDED : fails ? PROOF_FAILS : PROOF_HOLDS;
    if (proof->word == PROOF_UNDECIDED) {
        snprintf(proof->reason, sizeof proof->reason, "%s", reason ? reason : "stopped");
    } else if ((fails || asked) && proving->questions.no_solver) {
        proof->word = PROOF_UNDECIDED;
        snprintf(proof->reason, sizeof proof->reason, "%s", proving->questions.no_solver);
    }
}

static void infer(struct proving *proving) {
    struct inferred *inferred = &proving->inferred;
    inferred_init(inferred, &proving->questions, proving->seed, proving->refuted);
    inferred_prove(inferred, proving->seed);
    refuted_learn(proving->refuted, inferred);
    size_t count = inferred_count(inferred);
    for (size_t i = 0; i < count; i++) {
        char *text = inferred_text(inferred, i);
        vector_push(&proving->proof->facts, &text);
    }
}

static void prove_all(struct proving *proving, const struct prove_options *options) {
    struct proof *proof = proving->proof;
    questions_init(&proving->questions, &proving->steps, options->smt, proving->answered);
    movers_init(&proving->movers, &proving->questions, options->seed);
    proving->movers.by_place = options->by_place;
    obligations_init(&proving->obligations, &proving->questions, options->seed);
    check_abstractions(proving);
    if (!proving->system.refusal && !proving->system.undecided) {
        if (proving->refuted) {
            infer(proving);
        }
        uint64_t before = proving->questions.has_solver ? proving->questions.solver.queries : 0;
        for (size_t i = 0; i < proving->steps.pairs.count && proving->system.task->machine.model != MODEL_SC; i++) {
            add_pair(proving, vector_at(&proving->steps.pairs, i));
        }
        proof->pair_queries = (proving->questions.has_solver ? proving->questions.solver.queries : 0) - before;
        if (!options->by_place) {
            prove_obligations(proving);
        }
        proof->left_movers = count_moving(&proving->movers.left);
        proof->right_movers = count_moving(&proving->movers.right);
        proof->queries = proving->questions.has_solver ? proving->questions.solver.queries : 0;
        decide(proving);
    }
    inferred_delete(&proving->inferred);
    obligations_delete(&proving->obligations);
    movers_delete(&proving->movers);
    questions_delete(&proving->questions);
}

static void prove(struct proving *proving, const struct prove_options *options) {
    struct proof *proof = proving->proof;
    struct system *system = &proving->system;
    proof->classes = (uint32_t)system->classes.count;
    for (uint32_t c = 0; c < proof->classes; c++) {
        proof->many_classes += class_of(system, c)->many;
    }
    prove_steps_init(&proving->steps, system, options->seed);
    if (!system->refusal) {
        prove_all(proving, options);
    }
    prove_steps_delete(&proving->steps);
}

/* Main alone, up to its first thread, is executed and not proved. */
static void note_early_error(struct proving *proving) {
    struct machine *machine = proving->system.machine;
    struct proof *proof = proving->proof;
    if (machine && proof->word == PROOF_HOLDS && machine_outcome(machine) == OUTCOME_ERROR) {
        proof->word = PROOF_FAILS;
        struct proof_obligation result = {.what = memory_copy_text("main"),
                                          .where = {.file = memory_copy_text(""), .what = memory_copy_text("")},
                                          .how = "fails before its first thread"};
        vector_push(&proof->broken, &result);
    }
}

static void refuse(struct proving *proving) {
    struct proof *proof = proving->proof;
    const struct program *program = proving->system.flat.header ? &proving->system.flat : proving->system.task->program;
    proof->word = PROOF_REFUSED;
    snprintf(proof->reason, sizeof proof->reason, "%s", proving->system.refusal);
    if (proving->system.refusal_pos != 0) {
        const struct position *position = &program->positions[proving->system.refusal_pos];
        proof->file = memory_copy_text(program_string(program, position->file));
        proof->line = position->line;
    }
}

/* Additions of which it was assumed that they do not overflow, each line once. */
static void name_assumptions(struct proving *proving) {
    const struct program *program = &proving->system.flat;
    struct vector *lines = &proving->proof->assumptions;
    for (size_t i = 0; i < proving->system.assumed.count; i++) {
        const struct position *position = &program->positions[*(uint32_t *)vector_at(&proving->system.assumed, i)];
        const struct proof_line *last = lines->count > 0 ? vector_at(lines, lines->count - 1) : NULL;
        const char *file = program_string(program, position->file);
        if (!last || last->line != position->line || strcmp(last->file, file) != 0) {
            struct proof_line line = {memory_copy_text(file), position->line, memory_copy_text("the addition")};
            vector_push(lines, &line);
        }
    }
}

/* What is assumed of the outside, if it is a proof. */
static void name_outside(struct proving *proving) {
    struct verdict verdict;
    verdict_init(&verdict);
    if (proving->proof->word == PROOF_HOLDS || proving->proof->word == PROOF_FAILS) {
        outside_note(&proving->system);
        verdict_add_assumptions(&verdict, &proving->system.flat, &proving->system.outside);
    }
    proving->proof->outside = verdict.assumptions;
    vector_init(&verdict.assumptions, sizeof(struct assumed));
    verdict_delete(&verdict);
}

/* What a proof may use besides what is written in the source. */
struct means {
    struct refuted *refuted; /* of facts, which are to be found; NULL: they are not */
    struct answered *answered;
    bool no_overflow;
    const struct vector *found; /* of struct found */
};

static void attempt(struct proof *proof, const struct task *task, const struct prove_options *options,
                    struct means means) {
    struct proving proving = {
        .proof = proof, .refuted = means.refuted, .answered = means.answered, .seed = options->seed};
    *proof = (struct proof){.adds_state = true};
    vector_init(&proof->pairs, sizeof(struct proof_pair));
    vector_init(&proof->broken, sizeof(struct proof_obligation));
    vector_init(&proof->abstractions, sizeof(struct proof_line));
    vector_init(&proof->idle_found, sizeof(struct found));
    vector_init(&proof->assumptions, sizeof(struct proof_line));
    vector_init(&proof->facts, sizeof(char *));
    vector_init(&proof->helping, sizeof(struct proof_help));
    if (system_init(&proving.system, task, means.no_overflow, means.found)) {
        prove(&proving, options);
    }
    if (proving.system.refusal) {
        refuse(&proving);
    } else if (proving.system.undecided) {
        proof->word = PROOF_UNDECIDED;
        snprintf(proof->reason, sizeof proof->reason, "%s", proving.system.undecided);
    } else {
        note_early_error(&proving);
    }
    name_assumptions(&proving);
    name_outside(&proving);
    proof->can_assume = proving.system.can_overflow;
    system_delete(&proving.system);
}

/* The better one of two attempts, of which `next` follows `proof`; the other one is deleted. */
static void choose(struct proof *proof, struct proof *next, bool better) {
    next->queries += proof->queries;
    struct proof chosen = better ? *next : *proof;
    chosen.queries = next->queries;
    proof_delete(better ? proof : next);
    *proof = chosen;
}

/* What attempts have shown: candidates for facts that were dropped by those that are to assume that additions do not
 * overflow, and by the others; and answers. */
struct memory {
    struct refuted *bounded;
    struct refuted *unbounded;
    struct answered *answered;
};

/* With facts, and without the assumption that additions do not overflow. */
static void attempt_unbounded(struct proof *proof, const struct task *task, const struct prove_options *options,
                              const struct vector *found, const struct memory *memory) {
    struct proof next;
    bool holds = proof->word == PROOF_HOLDS;
    attempt(&next, task, options, (struct means){memory->unbounded, memory->answered, false, found});
    choose(proof, &next, next.word == PROOF_HOLDS || (!holds && next.word == PROOF_FAILS));
}

/* With facts and that assumption.  What does not lead to a proof is better shown without it. */
static void attempt_bounded(struct proof *proof, const struct task *task, const struct prove_options *options,
                            const struct vector *found, const struct memory *memory) {
    struct proof next;
    attempt(&next, task, options, (struct means){memory->bounded, memory->answered, true, found});
    choose(proof, &next, next.word == PROOF_HOLDS);
}

/* With as little as is needed: nothing, facts, facts and the assumption that additions do not overflow.  What is no
 * fact with the assumption is none without it, so the one with it comes first; but with found abstractions little is
 * left to be dropped. */
static void attempt_all(struct proof *proof, const struct task *task, const struct prove_options *options,
                        const struct vector *found, const struct memory *memory) {
    attempt(proof, task, options, (struct means){.answered = memory->answered, .found = found});
    bool assumes = proof->can_assume && proof->assertions + proof->claims > 0;
    if (options->no_facts || proof->word != PROOF_FAILS || proof->classes == 0) {
        return;
    }
    if (assumes && !found) {
        attempt_bounded(proof, task, options, found, memory);
        refuted_add(memory->unbounded, memory->bounded);
    }
    if (proof->word != PROOF_HOLDS || proof->assumptions.count > 0) {
        attempt_unbounded(proof, task, options, found, memory);
    }
    if (assumes && found && proof->word == PROOF_FAILS) {
        attempt_bounded(proof, task, options, found, memory);
    }
}

static bool has_failing_pair(const struct proof *proof) {
    for (size_t i = 0; i < proof->pairs.count; i++) {
        if (((struct proof_pair *)vector_at(&proof->pairs, i))->reason == PAIR_FAILS) {
            return true;
        }
    }
    return false;
}

static bool was_idle(const struct proof *with, const struct found *found) {
    for (size_t i = 0; i < with->idle_found.count; i++) {
        const struct found *idle = vector_at(&with->idle_found, i);
        if (idle->class == found->class && idle->access == found->access) {
            return true;
        }
    }
    return false;
}

/* What was found proves nothing of the program: it is shown.  `with`: the attempt that had it. */
static void show_help(struct proof *proof, const struct proof *with, const struct task *task,
                      const struct vector *found) {
    struct proving proving = {.proof = proof};
    if (system_init(&proving.system, task, false, NULL)) {
        for (size_t i = 0; i < found->count; i++) {
            const struct found *one = vector_at(found, i);
            const struct instruction *code =
                &class_code(&proving.system, class_of(&proving.system, one->class))[one->access];
            const struct position *position = &proving.system.flat.positions[code->pos];
            struct proof_help help = {
                .access = line_of(&proving.system, one->class, one->access),
                .place = memory_copy_text(program_string(&proving.system.flat, position->variable)),
                .text = found_text(one),
                .expression = found_expression(one, "%V", "%P"),
                .update = code->op == OP_RMW,
                .idle = was_idle(with, one),
            };
            vector_push(&proof->helping, &help);
        }
    }
    system_delete(&proving.system);
}

/* The last abstraction that is not idle is not to be tried again; false if there is none. */
static bool leave_out(const struct proof *with, const struct vector *found, struct vector *without) {
    for (size_t i = found->count; i-- > 0;) {
        if (!was_idle(with, vector_at(found, i))) {
            vector_push(without, vector_at(found, i));
            return true;
        }
    }
    return false;
}

/* Searches for abstractions with which all pairs move, and proves with them.  Idle ones prove the same; others only
 * assertions and claims.  False if there are no others to be tried. */
static bool try_abstractions(struct proof *proof, const struct task *task, const struct prove_options *options,
                             const struct memory *memory, struct vector *without) {
    struct vector found;
    struct proof next;
    struct memory copy = {refuted_new(), refuted_new(), memory->answered};
    bool more = false;
    refuted_add(copy.bounded, memory->bounded);
    refuted_add(copy.unbounded, memory->unbounded);
    vector_init(&found, sizeof(struct found));
    if (trial_search(task, options, without, copy.unbounded, copy.answered, &found, &proof->queries)) {
        attempt_all(&next, task, options, &found, &copy);
        next.queries += proof->queries;
        bool idle = next.idle == next.abstractions.count;
        bool proves = next.word == PROOF_HOLDS && (idle || next.written + next.claims > 0);
        if (proves || (idle && !next.adds_state)) {
            proof_delete(proof);
            *proof = next;
        } else {
            more = next.word == PROOF_FAILS && !next.adds_state && leave_out(&next, &found, without);
            if (proof->helping.count == 0) {
                show_help(proof, &next, task, &found);
            }
            proof->queries = next.queries;
            proof_delete(&next);
        }
    }
    vector_delete(&found);
    refuted_free(copy.bounded);
    refuted_free(copy.unbounded);
    return more;
}

/* If what is asserted does not follow with the abstractions that are tried first, it may with others. */
static void use_abstractions(struct proof *proof, const struct task *task, const struct prove_options *options,
                             const struct memory *memory) {
    struct vector without;
    vector_init(&without, sizeof(struct found));
    while (try_abstractions(proof, task, options, memory, &without) && proof->queries < MOST_QUERIES) {
    }
    vector_delete(&without);
}

void proof_init(struct proof *proof, const struct task *task, const struct prove_options *options) {
    double start = limits_now();
    /* With --smt every question is asked, so that each is written. */
    struct memory memory = {refuted_new(), refuted_new(), options->smt ? NULL : answered_new()};
    attempt_all(proof, task, options, NULL, &memory);
    if (proof->word == PROOF_FAILS && has_failing_pair(proof) && !options->no_abstractions && !options->by_place) {
        use_abstractions(proof, task, options, &memory);
    }
    refuted_free(memory.bounded);
    refuted_free(memory.unbounded);
    answered_free(memory.answered);
    proof->time_s = limits_now() - start;
}

static void line_delete(struct proof_line *line) {
    free(line->file);
    free(line->what);
}

void proof_delete(struct proof *proof) {
    for (size_t i = 0; i < proof->pairs.count; i++) {
        struct proof_pair *pair = vector_at(&proof->pairs, i);
        line_delete(&pair->store);
        line_delete(&pair->load);
        line_delete(&pair->store_stops.step);
        line_delete(&pair->load_stops.step);
        free(pair->store_stops.model);
        free(pair->load_stops.model);
    }
    vector_delete(&proof->pairs);
    for (size_t i = 0; i < proof->broken.count; i++) {
        struct proof_obligation *broken = vector_at(&proof->broken, i);
        free(broken->what);
        free(broken->model);
        line_delete(&broken->where);
        line_delete(&broken->step);
    }
    vector_delete(&proof->broken);
    for (size_t i = 0; i < proof->abstractions.count; i++) {
        line_delete(vector_at(&proof->abstractions, i));
    }
    vector_delete(&proof->abstractions);
    vector_delete(&proof->idle_found);
    for (size_t i = 0; i < proof->assumptions.count; i++) {
        line_delete(vector_at(&proof->assumptions, i));
    }
    vector_delete(&proof->assumptions);
    for (size_t i = 0; i < proof->outside.count; i++) {
        free(((struct assumed *)vector_at(&proof->outside, i))->file);
    }
    vector_delete(&proof->outside);
    for (size_t i = 0; i < proof->facts.count; i++) {
        free(*(char **)vector_at(&proof->facts, i));
    }
    vector_delete(&proof->facts);
    for (size_t i = 0; i < proof->helping.count; i++) {
        struct proof_help *help = vector_at(&proof->helping, i);
        line_delete(&help->access);
        free(help->place);
        free(help->text);
        free(help->expression);
    }
    vector_delete(&proof->helping);
    free(proof->file);
}
