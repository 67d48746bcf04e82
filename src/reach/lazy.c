/* Algorithm 1: while no error is reachable under SC, the oracle finds attacks, and the program is extended by them.
 *
 * The exact extension decides a program whose flow graph has no cycle: it loses no behaviour and adds none, and each
 * extension removes an attack, so in the end either an error is reachable under SC or the program is robust.
 *
 * A program with cycles is first extended with EXTENSION_BESIDE.  That only adds behaviour that TSO has; it decides if
 * an error becomes reachable, or if the oracle finds the program robust from the start.  The oracle ignores sequences
 * that were added before.  When it finds no new ones, the program is unfolded further and further and each unfolding is
 * decided exactly (Theorem 4), until an error is found, or no execution of an unfolding reaches its frontier, or a
 * limit is reached.
 *
 * A safe program with cycles that is not robust cannot be decided like that.  If its store buffers stay short, and its
 * states are finitely many, they are searched instead (buffered.h): for a while before the program is unfolded, and as
 * far as the limits allow if nothing else is left to try. */
#include "reach/lazy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/visited.h"
#include "ir/flatten.h"
#include "machine/describe.h"
#include "reach/oracle.h"
#include "reach/reach.h"
#include "reach/search.h"
#include "util/memory.h"

/* Depth of recursion: the greatest, unless the user sets another one, and the least to try if the program is too large
 * with more. */
#define RECURSION 128u
#define LEAST_RECURSION 8u
#define MOST_LAST_ITERATIONS 1000
#define FEW_ITERATIONS 2u /* with EXTENSION_BESIDE, before a short search of states */
#define FEW_STATES 20000u
#define STATES_BEFORE_UNFOLDING 200000u
#define MOST_ITERATIONS_BESIDE 16u /* with EXTENSION_BESIDE, before the program is unfolded */

enum refined {
    REFINED_DECIDED,   /* the verdict is set */
    REFINED_ROBUST,    /* SC and TSO are the same now, and no error is reachable */
    REFINED_EXHAUSTED, /* the oracle has only sequences that are known, or that are not supported */
    REFINED_LIMIT,     /* the verdict has the reason */
};

struct refinement {
    const struct task *task;
    struct verdict *verdict;
    enum extension_form form;
    struct extended extended;
    struct vector known;      /* of struct vector of uint32_t: sequences in terms of the original */
    const char *untreated;    /* reason for which some sequence is not supported, or NULL */
    uint32_t most_iterations; /* 0: no limit */
    uint32_t iterations;      /* iterations of Algorithm 1 so far */
    bool everything;          /* final states are collected, or it matters whether an execution reaches the frontier */
    bool cut;
    bool frontier;
    unsigned met;           /* bits of enum met */
    bool complete;          /* some execution was complete */
    struct visited *finals; /* final states so far */
    uint8_t *buffer;
    size_t capacity;
};

static void refinement_init(struct refinement *refinement, const struct task *task, struct verdict *verdict,
                            struct visited *finals, struct program *program, enum extension_form form) {
    *refinement = (struct refinement){.task = task, .verdict = verdict, .finals = finals, .form = form};
    extended_init(&refinement->extended, program);
    vector_init(&refinement->known, sizeof(struct vector));
}

static void refinement_delete(struct refinement *refinement) {
    extended_delete(&refinement->extended);
    for (size_t i = 0; i < refinement->known.count; i++) {
        vector_delete(vector_at(&refinement->known, i));
    }
    vector_delete(&refinement->known);
    free(refinement->buffer);
}

/* --- Back to the original program ------------------------------------------------------------------------------ */

/* The translation of an execution of the extended program under SC into one of the original under its own model. */
struct translation {
    struct machine *machine; /* the original's */
    struct vector steps;     /* of struct transition */
    struct vector held_up;   /* of struct passed: to be translated when no other thread is in an atomic section */
    bool good;
};

static void translate_transition(struct translation *translation, struct transition transition) {
    if (!translation->good || machine_outcome(translation->machine) == OUTCOME_ERROR) {
        return;
    }
    translation->good = machine_is_enabled(translation->machine, transition);
    if (translation->good) {
        vector_push(&translation->steps, &transition);
        machine_take(translation->machine, transition);
    }
}

static void translate_drain(struct translation *translation, uint32_t thread) {
    const struct buffer_entry *entries;
    if (machine_buffer(translation->machine, thread, &entries) > 0) {
        translate_transition(
            translation, (struct transition){.thread = thread, .kind = TRANSITION_DRAIN, .choice = entries[0].serial});
    } else {
        translation->good = translation->good && machine_outcome(translation->machine) == OUTCOME_ERROR;
    }
}

static void translate_step(struct translation *translation, uint32_t thread, uint64_t choice, bool drains) {
    struct transition transition = {.thread = thread, .kind = TRANSITION_STEP};
    struct machine *machine = translation->machine;
    const struct program *program = machine_program(machine);
    if (thread >= machine_threads(machine) || !machine_thread_exists(machine, thread)) {
        translation->good = false;
        return;
    }
    /* In the original a waiting loop may have an AWAIT where the flat program has none. */
    while (translation->good && program->code[machine_thread_instruction(machine, thread)].op == OP_AWAIT &&
           machine_is_enabled(machine, transition)) {
        translate_transition(translation, transition);
    }
    transition.choice = choice;
    if (machine_thread_awaits(machine, thread) && !machine_is_enabled(machine, transition)) {
        return; /* one more failed iteration: the original waits for memory to change */
    }
    translate_transition(translation, transition);
    uint8_t kind = machine_last(machine)->kind;
    if (drains && machine_model(machine) == MODEL_TSO &&
        (kind == STEP_STORE || kind == STEP_FREE || kind == STEP_LEAVE) && machine_outcome(machine) != OUTCOME_ERROR) {
        translate_drain(translation, thread);
    }
}

static bool is_held_up(const struct translation *translation, uint32_t thread) {
    bool held_up = false;
    for (uint32_t t = 0; t < machine_threads(translation->machine) && !held_up; t++) {
        held_up = t != thread && machine_in_atomic(translation->machine, t);
    }
    return held_up;
}

/* Translates what threads have run through: delayed stores and loads that these serve, and fences, which are steps
 * under TSO.  A thread that is created in an atomic section runs through them at once, but steps only after the
 * section. */
static void translate_passed(struct translation *translation, const struct extended *extended,
                             const struct vector *passed) {
    for (size_t i = 0; i < passed->count; i++) {
        const struct passed *one = vector_at(passed, i);
        const struct instruction *code = &extended->program.code[one->instruction];
        enum meaning meaning = *(uint8_t *)vector_at(&extended->meanings, one->instruction);
        bool fence = machine_model(translation->machine) == MODEL_TSO && code->op == OP_FENCE &&
                     code->sub == ORDER_SEQ_CST && meaning == MEANING_SAME;
        if (meaning == MEANING_STEP || fence) {
            vector_push(&translation->held_up, one);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < translation->held_up.count; i++) {
        const struct passed *one = vector_at(&translation->held_up, i);
        if (is_held_up(translation, one->thread)) {
            *(struct passed *)vector_at(&translation->held_up, kept++) = *one;
        } else {
            translate_step(translation, one->thread, 0, false);
        }
    }
    translation->held_up.count = kept;
}

/* An iteration of a waiting loop that begins between a store and its drain sees memory change, so it takes one more
 * iteration than in the extended program.  If no thread is enabled in the extended program, only such iterations are
 * left in the original. */
static void translate_last_iterations(struct translation *translation) {
    struct machine *machine = translation->machine;
    for (int i = 0; i < MOST_LAST_ITERATIONS && translation->good && machine_outcome(machine) == OUTCOME_RUNNING; i++) {
        const struct transition *enabled;
        size_t count = machine_enabled(machine, &enabled);
        size_t k = 0;
        while (k < count &&
               !(enabled[k].kind == TRANSITION_STEP && machine_thread_awaits(machine, enabled[k].thread))) {
            k++;
        }
        if (k == count) {
            return;
        }
        translate_transition(translation, enabled[k]);
    }
}

/* Translates the path of the extended program, on a machine for the original that treats awaits like this.  True if the
 * path ends in an error there. */
static bool translate_path(struct refinement *refinement, const struct machine_options *sc, const struct vector *path,
                           enum await_mode awaits) {
    const struct task *task = refinement->task;
    const struct vector *meanings = &refinement->extended.meanings;
    struct machine_options options = *sc;
    struct vector passed;
    vector_init(&passed, sizeof(struct passed));
    options.record = &passed;
    struct machine *machine = machine_new(&refinement->extended.program, &options);
    struct machine_options original = task->machine;
    original.awaits = awaits;
    struct translation translation = {.machine = machine_new(task->program, &original), .good = true};
    vector_init(&translation.steps, sizeof(struct transition));
    vector_init(&translation.held_up, sizeof(struct passed));
    translate_passed(&translation, &refinement->extended, &passed);
    for (size_t i = 0; i < path->count && translation.good; i++) {
        struct transition transition = *(struct transition *)vector_at(path, i);
        if (transition.thread >= machine_threads(machine) || !machine_is_enabled(machine, transition)) {
            translation.good = false;
            break;
        }
        uint32_t instruction = machine_thread_instruction(machine, transition.thread);
        passed.count = 0;
        machine_take(machine, transition);
        switch (*(uint8_t *)vector_at(meanings, instruction)) {
        case MEANING_SAME:
            translate_step(&translation, transition.thread, transition.choice, true);
            break;
        case MEANING_DRAIN:
            translate_drain(&translation, transition.thread);
            break;
        default:
            break;
        }
        translate_passed(&translation, &refinement->extended, &passed);
    }
    if (awaits == AWAIT_SPIN) {
        translate_last_iterations(&translation);
    }
    bool good = translation.good && machine_outcome(translation.machine) == OUTCOME_ERROR;
    if (good) {
        verdict_set_violation(refinement->verdict, task, translation.machine, machine_error(translation.machine),
                              translation.steps.data, translation.steps.count);
    }
    machine_free(translation.machine);
    machine_free(machine);
    vector_delete(&translation.steps);
    vector_delete(&translation.held_up);
    vector_delete(&passed);
    return good;
}

/* Sets the violation for the path of the extended program.  The path may iterate a waiting loop more often than the
 * machine allows in the original; but a deadlock shows only if loops wait. */
static void set_violation(struct refinement *refinement, const struct machine_options *sc, const struct vector *path) {
    if (!translate_path(refinement, sc, path, AWAIT_SPIN) && !translate_path(refinement, sc, path, AWAIT_FREE)) {
        refinement->verdict->word = VERDICT_DEFECT;
        snprintf(refinement->verdict->reason, sizeof refinement->verdict->reason,
                 "an execution of the extended program is none of the original");
    }
}

/* --- One SC query ---------------------------------------------------------------------------------------------- */

static bool stands_at_frontier(const struct machine *machine) {
    const struct program *program = machine_program(machine);
    for (uint32_t t = 0; t < machine_threads(machine); t++) {
        if (machine_thread_exists(machine, t) && machine_thread_stopped(machine, t)) {
            const struct instruction *code = &program->code[machine_thread_instruction(machine, t)];
            if (code->op == OP_CUT && code->sub == CUT_FRONTIER) {
                return true;
            }
        }
    }
    return false;
}

static void note_end(void *data, struct machine *machine, enum outcome outcome) {
    struct refinement *refinement = data;
    const struct task *task = refinement->task;
    if (outcome == OUTCOME_CUT) {
        bool frontier = stands_at_frontier(machine);
        refinement->frontier = refinement->frontier || frontier;
        refinement->cut = refinement->cut || !frontier;
    }
    if (outcome != OUTCOME_COMPLETE || task->collect != COLLECT_STATES) {
        return;
    }
    size_t size = machine_serialise_shared(machine, &refinement->buffer, &refinement->capacity);
    if (visited_add(refinement->finals, XXH3_128bits(refinement->buffer, size))) {
        char *text = machine_shared_text(machine);
        vector_push(&refinement->verdict->collected.texts, &text);
    }
}

static void set_reason(struct refinement *refinement, const char *reason) {
    const char *limit = limits_reason(refinement->task->limits);
    snprintf(refinement->verdict->reason, sizeof refinement->verdict->reason, "%s", limit ? limit : reason);
}

/* Is an error reachable under SC?  Returns false if the refinement ends here. */
static bool run_search(struct refinement *refinement, enum refined *end) {
    const struct task *task = refinement->task;
    struct search_task search = {
        .program = &refinement->extended.program,
        .machine = task->machine,
        .limits = task->limits,
        .progress = task->progress,
        .jobs = task->jobs,
        .everything = refinement->everything || task->collect == COLLECT_STATES,
        .final = note_end,
        .final_data = refinement,
    };
    search.machine.model = MODEL_SC;
    search.machine.awaits = AWAIT_SPIN;
    struct search_result result;
    search_result_init(&result);
    search_run(&search, &result);
    refinement->verdict->queries++;
    refinement->verdict->states += result.states;
    refinement->met |= result.met;
    refinement->complete = refinement->complete || result.complete > 0;
    bool continues = false;
    if (result.end == SEARCH_FOUND) {
        search.machine.awaits = result.awaits;
        set_violation(refinement, &search.machine, &result.path);
        *end = REFINED_DECIDED;
    } else if (result.end == SEARCH_LIMIT || result.runaway > 0) {
        set_reason(refinement, result.reason ? result.reason : "a thread runs on without ever reaching a visible step");
        *end = REFINED_LIMIT;
    } else {
        continues = true;
    }
    search_result_delete(&result);
    return continues;
}

/* --- The oracle's answer --------------------------------------------------------------------------------------- */

static uint32_t function_of(const struct program *program, uint32_t instruction) {
    uint32_t f = 0;
    while (instruction - program->functions[f].first >= program->functions[f].count) {
        f++;
    }
    return f;
}

static bool is_known(const struct refinement *refinement, const struct vector *origin) {
    for (size_t i = 0; i < refinement->known.count; i++) {
        const struct vector *known = vector_at(&refinement->known, i);
        if (known->count == origin->count && memcmp(known->data, origin->data, origin->count * sizeof(uint32_t)) == 0) {
            return true;
        }
    }
    return false;
}

static int longer_first(const void *one, const void *other) {
    const struct oracle_witness *a = one;
    const struct oracle_witness *b = other;
    return a->sequence.count > b->sequence.count ? -1 : a->sequence.count < b->sequence.count;
}

/* A store at which an extension of this iteration begins. */
struct begun {
    uint32_t function;
    uint32_t store;
};

static bool meets_begun(const struct vector *begun, uint32_t function, const uint32_t *indices, size_t count) {
    for (size_t b = 0; b < begun->count; b++) {
        const struct begun *one = vector_at(begun, b);
        for (size_t i = 0; i < count && one->function == function; i++) {
            if (indices[i] == one->store) {
                return true;
            }
        }
    }
    return false;
}

/* Extends by one sequence.  Earlier extensions of this iteration have not changed indices within functions, but a
 * sequence that contains one of their stores has to wait for the next iteration. */
static bool add_sequence(struct refinement *refinement, uint32_t function, const struct vector *indices,
                         struct vector *begun) {
    struct extended *extended = &refinement->extended;
    struct vector origin;
    struct vector sequence;
    bool added = false;
    vector_init(&origin, sizeof(uint32_t));
    vector_init(&sequence, sizeof(uint32_t));
    for (size_t i = 0; i < indices->count; i++) {
        uint32_t instruction = extended->program.functions[function].first + *(const uint32_t *)vector_at(indices, i);
        vector_push(&sequence, &instruction);
    }
    extended_origin(extended, &sequence, &origin);
    bool repeated = refinement->form == EXTENSION_BESIDE && is_known(refinement, &origin);
    if (!repeated && !meets_begun(begun, function, indices->data, indices->count)) {
        const char *refusal = extended_add(extended, &sequence, refinement->form);
        added = !refusal;
        refinement->untreated = refusal ? refusal : refinement->untreated;
    }
    if (added) {
        struct begun one = {function, *(const uint32_t *)vector_at(indices, 0)};
        vector_push(begun, &one);
        vector_push(&refinement->known, &origin);
    } else {
        vector_delete(&origin);
    }
    vector_delete(&sequence);
    return added;
}

/* Extends by the sequences that the oracle has found, long ones first: they contain the delays of short ones. */
static size_t add_sequences(struct refinement *refinement, struct vector *witnesses) {
    size_t count = witnesses->count;
    struct vector *indices = memory_allocate((count + 1) * sizeof *indices);
    uint32_t *functions = memory_allocate((count + 1) * sizeof *functions);
    struct vector begun;
    size_t added = 0;
    vector_init(&begun, sizeof(struct begun));
    qsort(witnesses->data, count, sizeof(struct oracle_witness), longer_first);
    const struct program *program = &refinement->extended.program;
    for (size_t i = 0; i < count; i++) {
        const struct oracle_witness *witness = vector_at(witnesses, i);
        functions[i] = function_of(program, witness->store);
        vector_init(&indices[i], sizeof(uint32_t));
        for (size_t k = 0; k < witness->sequence.count; k++) {
            uint32_t index = *(uint32_t *)vector_at(&witness->sequence, k) - program->functions[functions[i]].first;
            vector_push(&indices[i], &index);
        }
    }
    for (size_t i = 0; i < count; i++) {
        added += add_sequence(refinement, functions[i], &indices[i], &begun);
    }
    for (size_t i = 0; i < count; i++) {
        vector_delete(&indices[i]);
    }
    vector_delete(&begun);
    free(indices);
    free(functions);
    return added;
}

/* Runs the oracle and extends by its attacks.  Returns false if the refinement ends here. */
static bool run_oracle(struct refinement *refinement, enum refined *end) {
    const struct task *task = refinement->task;
    bool beside = refinement->form == EXTENSION_BESIDE;
    struct oracle_task question = {
        .program = &refinement->extended.program,
        .machine = task->machine,
        .limits = task->limits,
        .progress = task->progress,
        .jobs = task->jobs,
        .every_pair = true,
        .known = beside ? &refinement->known : NULL,
        .origins = refinement->extended.origins.data,
    };
    struct oracle_result result;
    oracle_result_init(&result);
    oracle_run(&question, &result);
    refinement->verdict->queries += result.queries;
    refinement->verdict->states += result.states;
    refinement->cut = refinement->cut || result.cut;
    refinement->frontier = refinement->frontier || result.frontier;
    refinement->met |= result.met;
    bool continues = false;
    switch (result.answer) {
    case ORACLE_ROBUST:
        *end = REFINED_ROBUST;
        break;
    case ORACLE_NOT_ROBUST:
        continues = add_sequences(refinement, &result.witnesses) > 0;
        *end = REFINED_EXHAUSTED;
        break;
    case ORACLE_KNOWN:
        *end = REFINED_EXHAUSTED;
        break;
    case ORACLE_UNDECIDED:
        set_reason(refinement, result.reason);
        *end = REFINED_LIMIT;
        break;
    }
    oracle_result_delete(&result);
    return continues;
}

static enum refined refine(struct refinement *refinement) {
    enum refined end = REFINED_EXHAUSTED;
    while (run_search(refinement, &end)) {
        if (refinement->most_iterations > 0 && refinement->iterations == refinement->most_iterations) {
            return REFINED_EXHAUSTED;
        }
        refinement->iterations++;
        if (!run_oracle(refinement, &end)) {
            break;
        }
    }
    return end;
}

/* --- The engine ------------------------------------------------------------------------------------------------ */

static void set_safe(const struct refinement *refinement) {
    const struct task *task = refinement->task;
    struct verdict *verdict = refinement->verdict;
    if (verdict_lacks_executions(refinement->complete, refinement->cut, refinement->met)) {
        verdict_set_incomplete(verdict, task, refinement->met);
        return;
    }
    bool recursion = task->unroll == 0 && refinement->met & MET_CUT;
    if (recursion) {
        verdict_add_bound(verdict, "recursion at most %u deep: --recursion", task->recursion);
        verdict->unasked = task->recursion;
    }
    verdict_set_safe(verdict, task, recursion ? refinement->met & ~(unsigned)MET_CUT : refinement->met);
}

/* What was tried. */
struct tried {
    uint64_t extensions;
    uint32_t unfolded; /* number of iterations to which loops were unfolded */
    uint64_t states;   /* searched with store buffers */
};

static void say_what_was_tried(struct verdict *verdict, const char *reason, const struct tried *tried) {
    char text[sizeof verdict->reason];
    int used = snprintf(text, sizeof text, "%.100s; tried: %" PRIu64 " extensions, %" PRIu64 " queries", reason,
                        tried->extensions, verdict->queries);
    if (tried->unfolded > 0) {
        used += snprintf(text + used, sizeof text - (size_t)used, ", loops unfolded %u times", tried->unfolded);
    }
    if (tried->states > 0) {
        snprintf(text + used, sizeof text - (size_t)used, ", %" PRIu64 " states with store buffers", tried->states);
    }
    memcpy(verdict->reason, text, sizeof text);
}

/* The reason why a refinement is undecided. */
static const char *reason_of(const struct refinement *refinement, enum refined end) {
    if (end == REFINED_LIMIT) {
        return refinement->verdict->reason;
    }
    return refinement->untreated ? refinement->untreated
                                 : "no further sequence of instructions is found to delay stores along";
}

static void free_texts(struct vector *texts) {
    for (size_t i = 0; i < texts->count; i++) {
        free(*(char **)vector_at(texts, i));
    }
    vector_delete(texts);
}

/* Searches the states of the machine with its store buffers, at most `most_states` (0: no limit).  False if that does
 * not decide.  If it decides, the final states collected before are among those it collects. */
static bool decide_by_states(const struct task *task, uint64_t most_states, struct tried *tried,
                             struct verdict *verdict) {
    if (task->machine.model == MODEL_SC || limits_reached(task->limits)) {
        return false;
    }
    uint64_t before = verdict->states;
    struct vector collected = verdict->collected.texts;
    vector_init(&verdict->collected.texts, sizeof(char *));
    reach_decide(task, most_states, false, verdict);
    verdict->queries++;
    bool decided = verdict->word != VERDICT_UNDECIDED;
    if (!decided) {
        char reason[sizeof verdict->reason];
        struct vector partial = verdict->collected.texts;
        verdict->collected.texts = collected;
        collected = partial;
        tried->states = verdict->states - before;
        memcpy(reason, verdict->reason, sizeof reason);
        say_what_was_tried(verdict, reason, tried);
    }
    free_texts(&collected);
    return decided;
}

/* Theorem 4: ever larger unfoldings, each decided exactly. */
static void run_unfolded(const struct task *task, const struct program *flat, struct tried *tried,
                         struct visited *finals, struct verdict *verdict) {
    for (uint32_t ways_back = 1;; ways_back *= 2) {
        struct program unfolded;
        struct refinement refinement;
        const char *refusal = program_unfold(flat, ways_back, &unfolded);
        if (refusal) {
            say_what_was_tried(verdict, refusal, tried);
            return;
        }
        refinement_init(&refinement, task, verdict, finals, &unfolded, EXTENSION_EXACT);
        refinement.everything = true;
        enum refined end = refine(&refinement);
        tried->extensions += refinement.extended.sequences;
        tried->unfolded = ways_back;
        if (end == REFINED_ROBUST && !refinement.frontier) {
            set_safe(&refinement);
        }
        if (end == REFINED_EXHAUSTED || end == REFINED_LIMIT) {
            say_what_was_tried(verdict, reason_of(&refinement, end), tried);
        }
        bool done = end != REFINED_ROBUST || !refinement.frontier;
        refinement_delete(&refinement);
        if (done) {
            return;
        }
    }
}

static const char *lazy_refuses(const struct task *task) {
    return task->machine.model == MODEL_PSO ? "engine lazy knows SC and TSO only: use explore for PSO" : NULL;
}

/* Extends the flat program.  Returns true if it has to be unfolded instead. */
static bool run_flat(const struct task *task, const struct program *flat, bool cycles, struct tried *tried,
                     struct visited *finals, struct verdict *verdict) {
    struct program copy;
    struct refinement refinement;
    bool unfold = false;
    program_copy(flat, &copy);
    refinement_init(&refinement, task, verdict, finals, &copy, cycles ? EXTENSION_BESIDE : EXTENSION_EXACT);
    refinement.most_iterations = cycles ? FEW_ITERATIONS : 0;
    enum refined end = REFINED_ROBUST;
    if (task->machine.model == MODEL_SC) {
        run_search(&refinement, &end);
    } else {
        end = refine(&refinement);
    }
    if (end == REFINED_EXHAUSTED && cycles && refinement.iterations == FEW_ITERATIONS) {
        refinement.most_iterations = MOST_ITERATIONS_BESIDE;
        end = decide_by_states(task, FEW_STATES, tried, verdict) ? REFINED_DECIDED : refine(&refinement);
    }
    tried->extensions = refinement.extended.sequences;
    if (end == REFINED_ROBUST) {
        /* With EXTENSION_BESIDE, robust means that nothing was added, since the attacks of added sequences remain. */
        set_safe(&refinement);
    } else if (end == REFINED_EXHAUSTED && cycles) {
        unfold = true;
    } else if (end != REFINED_DECIDED) {
        say_what_was_tried(verdict, reason_of(&refinement, end), tried);
    }
    refinement_delete(&refinement);
    return unfold;
}

static void run_program(const struct task *task, const struct program *flat, struct tried *tried,
                        struct verdict *verdict) {
    struct visited finals;
    visited_init(&finals);
    bool cycles = program_has_cycles(flat, false);
    /* Loops of Picket's own library are short, and most end in the first iteration. */
    bool end_soon = cycles && !program_has_cycles(flat, true) && task->machine.model != MODEL_SC;
    if (end_soon || (run_flat(task, flat, cycles, tried, &finals, verdict) &&
                     !decide_by_states(task, STATES_BEFORE_UNFOLDING, tried, verdict))) {
        run_unfolded(task, flat, tried, &finals, verdict);
    }
    visited_delete(&finals);
}

/* Makes the program without calls, with recursion as deep as possible; sets that depth. */
static const char *flatten(struct task *task, struct program *flat) {
    bool given = task->recursion > 0;
    task->recursion = given ? task->recursion : RECURSION;
    const char *refusal = program_flatten(task->program, task->recursion, flat);
    while (refusal && !given && task->recursion > LEAST_RECURSION) {
        task->recursion /= 2;
        refusal = program_flatten(task->program, task->recursion, flat);
    }
    return refusal;
}

static void lazy_run(const struct task *task, struct verdict *verdict) {
    struct program flat;
    struct tried tried = {0};
    struct task flattened = *task;
    const char *refusal = flatten(&flattened, &flat);
    if (refusal) {
        say_what_was_tried(verdict, refusal, &tried);
    } else {
        run_program(&flattened, &flat, &tried, verdict);
        program_delete(&flat);
    }
    if (verdict->word == VERDICT_UNDECIDED) {
        decide_by_states(task, 0, &tried, verdict);
    }
}

void lazy_run_form(const struct task *given, enum extension_form form, struct verdict *verdict) {
    struct program flat;
    struct refinement refinement;
    struct task flattened = *given;
    const struct task *task = &flattened;
    const char *refusal = flatten(&flattened, &flat);
    if (refusal) {
        say_what_was_tried(verdict, refusal, &(struct tried){0});
        return;
    }
    struct visited finals;
    visited_init(&finals);
    refinement_init(&refinement, task, verdict, &finals, &flat, form);
    refinement.most_iterations = form == EXTENSION_BESIDE ? MOST_ITERATIONS_BESIDE : 0;
    enum refined end = refine(&refinement);
    if (end == REFINED_ROBUST) {
        set_safe(&refinement);
    } else if (end != REFINED_DECIDED) {
        say_what_was_tried(verdict, reason_of(&refinement, end),
                           &(struct tried){.extensions = refinement.extended.sequences});
    }
    refinement_delete(&refinement);
    visited_delete(&finals);
}

const struct engine engine_lazy = {
    .name = "lazy",
    .what = "TSO through SC reachability and extensions where the buffer shows: no bound on loops",
    .run = lazy_run,
    .refuses = lazy_refuses,
    .unlooked = "engine lazy does not look for races or uninitialised values: use explore",
};
