/* Questions to the solver, and bounds that are raised until nothing is cut. */
#include "seq/seq.h"

#include <ccadical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/visited.h"
#include "ir/flatten.h"
#include "machine/describe.h"
#include "seq/bounds.h"
#include "seq/questions.h"
#include "seq/schedule.h"
#include "seq/unset.h"
#include "util/memory.h"

#define MOST_RECURSION 512u
#define FIRST_BUDGET 2.0  /* seconds of processor time that `order` has before `rounds` is tried */
#define BUDGET_GROWTH 1.5 /* from turn to turn: less work is repeated than with doubling */
#define MOST_ROUNDS 32u   /* greatest number tried without --rounds */

/* The two encodings, which are the solvers' numbers. */
enum encoding { ENCODING_ORDER, ENCODING_ROUNDS };

struct search {
    const struct task *task;
    struct verdict *verdict;
    struct program flat;
    struct symbolic execution;
    enum encoding encoding; /* the one in use */
    struct total_order order;
    struct rounds rounds;
    literal no_more_rounds;  /* assumed with each question to `rounds` */
    literal rounds_question; /* for an error, to `rounds`; 0: not made yet */
    double until;            /* processor time at which the budget of a question ends, 0: never */
    uint32_t recursion;
    uint32_t flattened; /* how deep it was the last time */
    struct visited final_states;
    uint8_t *buffer; /* of a state */
    size_t capacity;
    uint32_t finished;         /* least bound of a search that found nothing, 0: none */
    char finished_bounds[160]; /* all of its bounds */
    uint32_t stale;            /* where the address of an object that ends may be compared: position + 1, or 0 */
    uint32_t finished_rounds;  /* of `rounds`, with the current bounds */
};

enum answer { ANSWER_YES, ANSWER_NO, ANSWER_LATER, ANSWER_NONE };

/* Seconds of processor time. */
static double time_used(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static int must_stop(void *data) {
    const struct search *search = data;
    return limits_reached(search->task->limits) || (search->until > 0 && time_used() >= search->until);
}

static bool by_rounds(const struct search *search) {
    return search->encoding == ENCODING_ROUNDS;
}

static struct encoded encoded_of(struct search *search) {
    return (struct encoded){&search->execution, &search->order, by_rounds(search) ? &search->rounds : NULL};
}

static void select_encoding(struct search *search, enum encoding encoding) {
    search->encoding = encoding;
    gates_select(&search->execution.gates, encoding);
}

static void show_progress(struct search *search, const char *doing) {
    char rounds[40] = "";
    if (by_rounds(search)) {
        snprintf(rounds, sizeof rounds, " in %u rounds", search->rounds.rounds);
    }
    if (progress_due(search->task->progress)) {
        progress_show(search->task->progress, "loops iterate at most %u times: %s%s, %zu events, %llu clauses",
                      search->execution.iterations, doing, rounds, search->execution.events.count,
                      (unsigned long long)search->execution.gates.clauses);
    }
}

/* Is there a model in which the question holds? */
static enum answer ask(struct search *search, literal question) {
    struct gates *gates = &search->execution.gates;
    gates_need(gates, question);
    for (;;) {
        show_progress(search, "solving");
        search->verdict->queries++;
        ccadical_set_terminate(gates->solver, search, must_stop);
        ccadical_assume(gates->solver, question);
        if (by_rounds(search)) {
            ccadical_assume(gates->solver, search->no_more_rounds);
        }
        struct formula *formula = &search->verdict->formula;
        double start = limits_now();
        int result = ccadical_solve(gates->solver);
        formula->solve_s += limits_now() - start;
        formula->variables = formula->variables > gates->variables ? formula->variables : gates->variables;
        formula->clauses = formula->clauses > gates->clauses ? formula->clauses : gates->clauses;
        if (result == 20) {
            return ANSWER_NO;
        }
        if (result != 10) {
            return limits_reached(search->task->limits) ? ANSWER_NONE : ANSWER_LATER;
        }
        if (by_rounds(search) || !order_exclude_cycles(&search->order)) {
            return ANSWER_YES;
        }
    }
}

/* Adds to the reason, if there is room for the whole text. */
static void add_reason(struct verdict *verdict, const char *text) {
    size_t used = strlen(verdict->reason);
    size_t length = strlen(text);
    if (used + length < sizeof verdict->reason) {
        memcpy(verdict->reason + used, text, length + 1);
    }
}

static void undecided(struct search *search) {
    const char *reason = limits_reason(search->task->limits);
    struct verdict *verdict = search->verdict;
    verdict->word = VERDICT_UNDECIDED;
    char within[40] = "";
    char all[240] = "";
    char some[240] = "";
    if (search->task->restriction.kind == RESTRICTION_ROUNDS) {
        snprintf(within, sizeof within, " in at most %u rounds", search->task->restriction.bound);
    }
    if (search->finished > 0) {
        snprintf(all, sizeof all, "; no error%s in executions in which %s", within, search->finished_bounds);
    }
    if (search->finished_rounds > 0) {
        char bounds[160];
        bool may_cut = bounds_least(&search->execution, search->recursion) != UINT32_MAX;
        bounds_describe(&search->execution, NULL, search->recursion, bounds, sizeof bounds);
        snprintf(some, sizeof some, "; no error in %u rounds%s%s", search->finished_rounds,
                 may_cut ? " of executions in which " : "", may_cut ? bounds : "");
    }
    snprintf(verdict->reason, sizeof verdict->reason, "%s", reason ? reason : "stopped");
    add_reason(verdict, all);
    add_reason(verdict, some);
}

static void refuse(struct search *search) {
    const struct program *program = search->execution.program;
    const struct position *position = &program->positions[search->execution.refusal_pos];
    char text[256];
    snprintf(text, sizeof text, "engine seq cannot do this: %s", search->execution.refusal);
    verdict_refuse(search->verdict, program_string(program, position->file), position->line, text);
}

static void read_sequence(struct search *search, struct vector *sequence) {
    vector_init(sequence, sizeof(uint32_t));
    if (by_rounds(search)) {
        rounds_sequence(&search->rounds, sequence);
    } else {
        order_sequence(&search->order, sequence);
    }
}

/* Follows the model on the machine. */
static void report_model(struct search *search, bool drain_all) {
    struct vector sequence;
    read_sequence(search, &sequence);
    if (!schedule_replay(&search->execution, &sequence, drain_all, search->verdict)) {
        search->verdict->word = VERDICT_DEFECT;
        snprintf(search->verdict->reason, sizeof search->verdict->reason,
                 "engine seq found a violation that does not replay");
    }
    vector_delete(&sequence);
}

/* What holds in every model of `order` need not be derived again. */
static void require(struct search *search, literal always) {
    if (!by_rounds(search)) {
        gates_clause(&search->execution.gates, &always, 1);
    }
}

static void require_no_error(struct search *search) {
    const struct vector *failures = &search->execution.failures;
    for (size_t i = 0; i < failures->count; i++) {
        require(search, -((struct failure *)vector_at(failures, i))->holds);
    }
}

/* --- Final states ------------------------------------------------------------------------------------------------- */

static void add_state(struct search *search, struct machine *machine) {
    size_t size = machine_serialise_shared(machine, &search->buffer, &search->capacity);
    if (visited_add(&search->final_states, XXH3_128bits(search->buffer, size))) {
        char *text = machine_shared_text(machine);
        vector_push(&search->verdict->collected.texts, &text);
    }
}

/* Excludes all executions whose final state is the model's. */
static void exclude_state(struct search *search) {
    struct symbolic *execution = &search->execution;
    struct vector clause;
    vector_init(&clause, sizeof(literal));
    for (size_t i = 0; i < execution->final.count; i++) {
        literal bits[64];
        term_bits(&execution->terms, *(term_id *)vector_at(&execution->final, i), bits, 64);
        for (unsigned k = 0; k < 64; k++) {
            if (abs(bits[k]) != LITERAL_TRUE) {
                literal differs = gates_value(&execution->gates, bits[k]) ? -bits[k] : bits[k];
                vector_push(&clause, &differs);
            }
        }
    }
    gates_clause(&execution->gates, clause.data, clause.count);
    vector_delete(&clause);
}

/* Collects the final states, one model for each.  False if that was not possible. */
static enum answer collect_states(struct search *search) {
    literal question = question_complete(&search->execution);
    for (;;) {
        enum answer answer = ask(search, question);
        if (answer != ANSWER_YES) {
            return answer;
        }
        struct vector sequence;
        read_sequence(search, &sequence);
        struct machine *machine = schedule_complete(&search->execution, &sequence);
        vector_delete(&sequence);
        if (!machine) {
            search->verdict->word = VERDICT_DEFECT;
            snprintf(search->verdict->reason, sizeof search->verdict->reason,
                     "engine seq found an execution that does not replay");
            return ANSWER_YES;
        }
        search->verdict->traces++;
        add_state(search, machine);
        if (search->task->final) {
            search->task->final(search->task->final_data, machine);
        }
        machine_free(machine);
        exclude_state(search);
    }
}

/* --- The search --------------------------------------------------------------------------------------------------- */

/* Appends rounds until there are `count`. */
static bool append_rounds(struct search *search, uint32_t count) {
    while (search->rounds.rounds < count) {
        if (!rounds_append(&search->rounds)) {
            return false;
        }
    }
    search->no_more_rounds = rounds_no_more(&search->rounds);
    gates_need(&search->execution.gates, search->no_more_rounds);
    return true;
}

static bool encode_rounds(struct search *search, uint32_t count) {
    if (search->rounds_question == 0) {
        if (!rounds_init(&search->rounds, &search->execution)) {
            return false;
        }
        search->rounds_question = question_error(&search->execution);
    }
    return search->rounds.rounds == count || append_rounds(search, count);
}

/* Is there an error within `count` rounds? */
static enum answer ask_rounds(struct search *search, uint32_t count) {
    double start = limits_now();
    bool encoded = encode_rounds(search, count);
    search->verdict->formula.encode_s += limits_now() - start;
    if (!encoded) {
        return ANSWER_NONE;
    }
    enum answer answer = ask(search, search->rounds_question);
    if (answer == ANSWER_NO) {
        search->finished_rounds = count;
    }
    return answer;
}

/* No execution needs more rounds than this. */
static uint32_t rounds_wanted(const struct search *search, uint32_t most) {
    return most < search->rounds.most ? most : search->rounds.most;
}

/* Searches for an error in more and more rounds, until the budget is used. */
static enum answer ask_more_rounds(struct search *search, uint32_t *count, double budget) {
    enum answer answer = ANSWER_LATER;
    select_encoding(search, ENCODING_ROUNDS);
    search->until = time_used() + budget;
    while (*count <= MOST_ROUNDS && time_used() < search->until) {
        answer = ask_rounds(search, *count);
        if (answer != ANSWER_NO) {
            break;
        }
        answer = ANSWER_LATER;
        ++*count;
    }
    search->until = 0;
    return answer;
}

/* The error question of `--rounds N`: in 2, 4, 8, ... rounds up to N. */
static enum answer ask_given_rounds(struct search *search) {
    uint32_t most = search->task->restriction.bound;
    enum answer answer = ask_rounds(search, most < 2 ? most : 2);
    while (answer == ANSWER_NO && search->rounds.rounds < rounds_wanted(search, most)) {
        answer = ask_rounds(search,
                            rounds_wanted(search, 2 * search->rounds.rounds < most ? 2 * search->rounds.rounds : most));
    }
    if (answer == ANSWER_NO) {
        rounds_read_final(&search->rounds, search->no_more_rounds);
    }
    return answer;
}

/* Is there an error?  `order` can prove that there is none; `rounds` finds errors that need many steps.  So both are
 * used in turn, each time for longer. */
static enum answer ask_both(struct search *search) {
    literal question = question_error(&search->execution);
    uint32_t count = 2;
    for (double budget = FIRST_BUDGET;; budget *= BUDGET_GROWTH) {
        search->until = time_used() + budget;
        enum answer answer = ask(search, question);
        search->until = 0;
        if (answer != ANSWER_LATER) {
            return answer;
        }
        answer = ask_more_rounds(search, &count, budget);
        if (answer == ANSWER_YES || answer == ANSWER_NONE) {
            return answer;
        }
        select_encoding(search, ENCODING_ORDER);
    }
}

/* Is no execution complete, because of loops (all that may be cut, if `loops` is NULL) that have an exit? */
static bool lacks_executions(struct search *search, const struct vector *loops) {
    return bounds_have_exits(&search->execution, loops) && ask(search, question_end(&search->execution)) == ANSWER_NO;
}

/* There is no error and no deadlock within the bounds that are finished. */
static void report_bounded(struct search *search) {
    const struct seq_options *options = seq_options(search->task);
    if (options->bounded && options->iterations == 0 && !lacks_executions(search, NULL)) {
        struct verdict verdict;
        verdict_init(&verdict);
        verdict.word = VERDICT_SAFE;
        verdict.unasked = search->finished;
        verdict_add_bound(&verdict, "%s", search->finished_bounds);
        options->bounded(options->bounded_data, &verdict);
        verdict_delete(&verdict);
    }
}

/* Finds the first read of what nobody has written that happens in some execution. */
static void find_unset(struct search *search) {
    struct symbolic *execution = &search->execution;
    enum answer answer = ANSWER_YES;
    if (execution->unset.count > 0 && !by_rounds(search)) {
        order_bind_initial(&search->order);
    }
    while (execution->unset.count > 0 && answer == ANSWER_YES) {
        struct vector literals;
        unset_literals(execution, &literals);
        answer = literals.count > 0 ? ask(search, question_one_of(&execution->gates, &literals)) : ANSWER_NO;
        vector_delete(&literals);
        if (answer == ANSWER_YES) {
            unset_record_model(execution);
        } else if (answer != ANSWER_NO) {
            unset_record_all(execution); /* a limit: it may be */
        }
    }
}

/* Raises the bounds that the last model reaches. */
static void raise_bounds(struct search *search) {
    struct symbolic *execution = &search->execution;
    uint32_t least = bounds_least(execution, search->recursion);
    if (least >= search->finished) {
        search->finished = least;
        bounds_describe(execution, NULL, search->recursion, search->finished_bounds, sizeof search->finished_bounds);
        bounds_raise(execution, &search->recursion);
        find_unset(search);
        report_bounded(search);
    } else {
        bounds_raise(execution, &search->recursion);
    }
}

/* Fills `cut` with the loops that are cut in some execution, one model after the other.  `--unroll` bounds loops but
 * not the depth of recursion: true if that was raised. */
static bool find_cut_loops(struct search *search, struct vector *cut, enum answer *answer) {
    struct symbolic *execution = &search->execution;
    for (;;) {
        *answer = ask(search, question_cut(&search->execution, cut));
        if (*answer != ANSWER_YES) {
            return false;
        }
        bounds_cut(execution, cut);
        if (bounds_have(cut, ANOTHER_BOUND)) {
            raise_bounds(search);
            return true;
        }
    }
}

/* No error was found: is anything cut?  True if bounds were raised: search again. */
static bool conclude_search(struct search *search, struct vector *cut) {
    const struct task *task = search->task;
    enum answer answer;
    if (seq_options(task)->iterations > 0) {
        if (find_cut_loops(search, cut, &answer)) {
            return true;
        }
    } else {
        answer = ask(search, question_cut(&search->execution, NULL));
        if (answer == ANSWER_YES) {
            raise_bounds(search);
            return true;
        }
    }
    struct encoded encoded = encoded_of(search);
    bool dropped = answer != ANSWER_NONE && search->execution.dropped != LITERAL_FALSE &&
                   ask(search, question_undropped(&encoded)) == ANSWER_NO;
    bool deep = answer != ANSWER_NONE && search->execution.too_deep != LITERAL_FALSE &&
                ask(search, search->execution.too_deep) != ANSWER_NO; /* a limit: it may be */
    bool never_deep = deep && ask(search, question_end(&search->execution)) == ANSWER_NO;
    bool never_whole = lacks_executions(search, cut);
    if (answer != ANSWER_NONE) {
        find_unset(search);
    }
    if (answer != ANSWER_NONE && task->collect == COLLECT_STATES) {
        answer = collect_states(search); /* which excludes one execution after the other */
    }
    if (answer == ANSWER_NONE) {
        undecided(search);
    } else if (never_deep || never_whole) {
        verdict_set_incomplete(search->verdict, task, never_deep ? MET_DEPTH : MET_CUT);
    } else if (search->verdict->word != VERDICT_DEFECT) {
        unsigned met = dropped ? MET_DROPPED | MET_FINITE : MET_ENDED;
        verdict_set_safe(search->verdict, task, deep ? met | MET_DEPTH : met);
        search->stale = search->execution.stale;
        search->verdict->cut = cut->count;
        if (by_rounds(search)) {
            verdict_add_bound(search->verdict, "at most %u rounds", task->restriction.bound);
        }
        if (cut->count > 0) {
            char bounds[160];
            bounds_describe(&search->execution, cut, search->recursion, bounds, sizeof bounds);
            verdict_add_bound(search->verdict, "%s", bounds);
        }
    }
    return false;
}

static bool conclude(struct search *search) {
    struct vector cut;
    vector_init(&cut, sizeof(uint32_t));
    bool goes_on = conclude_search(search, &cut);
    vector_delete(&cut);
    return goes_on;
}

/* The questions for one encoding.  True if bounds were raised: search again. */
static bool search_encoded(struct search *search) {
    enum answer answer = by_rounds(search) ? ask_given_rounds(search) : ask_both(search);
    bool deadlock = false;
    if (answer == ANSWER_NO) {
        require_no_error(search);
        struct encoded encoded = encoded_of(search);
        literal question = question_deadlock(&encoded, search->task->machine.checks & CHECK_FOR_LIVENESS);
        answer = ask(search, question);
        require(search, answer == ANSWER_NO ? -question : LITERAL_TRUE);
        deadlock = true;
    }
    if (answer == ANSWER_YES) {
        report_model(search, deadlock);
        return false;
    }
    if (answer == ANSWER_NONE) {
        undecided(search);
        return false;
    }
    return conclude(search);
}

/* One symbolic execution and its questions.  True if bounds were raised: search again. */
static bool search_once(struct search *search) {
    const struct task *task = search->task;
    struct symbolic *execution = &search->execution;
    double start = limits_now();
    if (!symbolic_run(execution)) {
        if (execution->refusal[0]) {
            refuse(search);
        } else {
            undecided(search);
        }
        return false;
    }
    show_progress(search, "encoding");
    bool only_rounds = task->restriction.kind == RESTRICTION_ROUNDS;
    search->order = (struct total_order){0};
    search->rounds = (struct rounds){0};
    search->rounds_question = 0;
    search->finished_rounds = 0;
    select_encoding(search, only_rounds ? ENCODING_ROUNDS : ENCODING_ORDER);
    bool encoded = only_rounds || order_init(&search->order, execution);
    search->verdict->formula.encode_s += limits_now() - start;
    search->verdict->formula.events = execution->events.count;
    search->verdict->formula.given = true;
    bool goes_on = false;
    if (encoded) {
        goes_on = search_encoded(search);
    } else {
        undecided(search);
    }
    order_delete(&search->order);
    rounds_delete(&search->rounds);
    return goes_on;
}

/* Refuses the program as a whole, at its first line. */
static void refuse_program(struct search *search, const char *problem) {
    const struct program *program = search->task->program;
    const struct position *first = NULL;
    for (size_t i = 0; i < program->code_count && !first; i++) {
        const struct position *position = &program->positions[program->code[i].pos];
        first = position->line > 0 ? position : NULL;
    }
    verdict_refuse(search->verdict, first ? program_string(program, first->file) : "", first ? first->line : 0,
                   problem);
}

static bool flatten(struct search *search) {
    uint32_t most = search->task->recursion ? search->task->recursion : MOST_RECURSION;
    if (search->recursion > most && search->flattened < most) {
        search->recursion = most;
    }
    search->flattened = search->recursion;
    if (search->recursion > most) {
        search->verdict->word = VERDICT_UNDECIDED;
        snprintf(
            search->verdict->reason, sizeof search->verdict->reason,
            "functions call themselves more than %u deep (--recursion), or there are more than %u threads; no error "
            "up to there",
            most, SEQ_THREADS);
        return false;
    }
    const char *problem = program_flatten(search->task->program, search->recursion, &search->flat);
    if (problem && search->recursion > 1) { /* less deep it could be done */
        search->verdict->word = VERDICT_UNDECIDED;
        snprintf(search->verdict->reason, sizeof search->verdict->reason, "%s; no error in executions in which %s",
                 problem, search->finished_bounds);
        return false;
    }
    if (problem) {
        refuse_program(search, problem);
        return false;
    }
    symbolic_init(&search->execution, search->task, &search->flat);
    uint32_t iterations = seq_options(search->task)->iterations;
    search->execution.iterations = iterations ? iterations : 1;
    return true;
}

/* Raises the bounds until an answer is found. */
static void search_all(struct search *search) {
    for (;;) {
        uint32_t recursion = search->recursion;
        if (!flatten(search)) {
            return;
        }
        bool goes_on = true;
        while (goes_on && search->recursion == recursion) {
            goes_on = search_once(search);
        }
        symbolic_delete(&search->execution);
        program_delete(&search->flat);
        if (!goes_on) {
            return;
        }
    }
}

static void search_task(const struct task *task, struct verdict *verdict, uint32_t *stale) {
    struct search search = {.task = task, .verdict = verdict, .recursion = 1};
    visited_init(&search.final_states);
    search_all(&search);
    verdict->collected.states = visited_digest(&search.final_states);
    visited_delete(&search.final_states);
    free(search.buffer);
    *stale = search.stale;
}

/* Adds what a further search has used. */
static void add_effort(struct verdict *verdict, const struct verdict *further) {
    verdict->queries += further->queries;
    verdict->formula.encode_s += further->formula.encode_s;
    verdict->formula.solve_s += further->formula.solve_s;
}

/* Is the address of an object that has ended compared in some execution?  Where, if that is known better. */
static bool compares_stale(const struct task *task, struct verdict *effort, uint32_t *position) {
    struct task checked = *task;
    struct verdict verdict;
    uint32_t stale;
    checked.machine.checks |= CHECK_FOR_STALE;
    checked.machine.assumed = NULL;
    checked.collect = COLLECT_NOTHING;
    checked.final = NULL;
    verdict_init(&verdict);
    search_task(&checked, &verdict, &stale);
    bool never = verdict.word == VERDICT_SAFE;
    *position = verdict.word == VERDICT_VIOLATION ? verdict.error.pos : *position;
    add_effort(effort, &verdict);
    verdict_delete(&verdict);
    return !never;
}

static void run_seq(const struct task *task, struct verdict *verdict) {
    uint32_t stale;
    search_task(task, verdict, &stale);
    uint32_t position = stale - 1;
    if (verdict->word == VERDICT_SAFE && stale && compares_stale(task, verdict, &position) && task->machine.assumed) {
        assumptions_note(task->machine.assumed, task->program, ASSUMPTION_REUSE, position);
    }
}

static const char *refuses(const struct task *task) {
    return task->unroll > 0 ? "engine seq bounds loops itself: choose it with --engine seq" : NULL;
}

static const struct seq_options defaults = {.iterations = 0};

const struct engine engine_seq = {
    .name = "seq",
    .what = "bounded model checking by SAT: values of any width, loops unrolled as far as needed",
    .run = run_seq,
    .refuses = refuses,
    .unlooked = "engine seq looks for no leaks, races or uninitialised values: leave out --check",
    .defaults = &defaults.common,
    .bounds_loops = true,
    .keeps_to = RESTRICTION_ROUNDS,
};
