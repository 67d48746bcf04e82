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
#include "seq/order.h"
#include "seq/rounds.h"
#include "seq/schedule.h"
#include "util/memory.h"

#define MOST_RECURSION 512u
#define FIRST_BUDGET 2.0 /* seconds of processor time that `order` has before `rounds` is tried */
#define MOST_ROUNDS 32u  /* that are tried without being asked for */

/* The two encodings, which are the solvers' numbers. */
enum encoding { ENCODING_ORDER, ENCODING_ROUNDS };

struct search {
    const struct task *task;
    struct verdict *verdict;
    struct program flat;
    struct symbolic execution;
    enum encoding encoding; /* whose solver is asked */
    struct total_order order;
    struct rounds rounds;
    literal no_more_rounds;  /* assumed with each question to `rounds` */
    literal rounds_question; /* for an error, to `rounds`; 0: not made yet */
    double until;            /* processor time at which the budget of a question ends, 0: never */
    uint32_t recursion;
    struct visited final_states;
    uint8_t *buffer; /* of a state */
    size_t capacity;
    uint32_t finished;         /* least bound of a search that found nothing, 0: none */
    char finished_bounds[160]; /* all of its bounds */
    bool stale;                /* the address of an object that ends may be compared */
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

/* A literal that implies one of the others. */
static literal one_of(struct gates *gates, struct vector *literals) {
    literal question = gates_free(gates);
    literal negated = -question;
    vector_push(literals, &negated);
    gates_clause(gates, literals->data, literals->count);
    return question;
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

/* --- The questions ------------------------------------------------------------------------------------------------ */

static literal error_question(struct search *search) {
    struct symbolic *execution = &search->execution;
    struct vector literals;
    vector_init(&literals, sizeof(literal));
    for (size_t i = 0; i < execution->failures.count; i++) {
        vector_push(&literals, &((struct failure *)vector_at(&execution->failures, i))->holds);
    }
    literal question = literals.count ? one_of(&execution->gates, &literals) : LITERAL_FALSE;
    vector_delete(&literals);
    return question;
}

/* The thread can never go on from where it is stuck: all that it reads there is final. */
static literal stuck_literal(struct search *search, const struct stuck *stuck) {
    struct symbolic *execution = &search->execution;
    literal chosen = gates_free(&execution->gates);
    gates_clause_2(&execution->gates, -chosen, stuck->holds);
    if (stuck->event == NO_EVENT) {
        return chosen;
    }
    uint32_t end = stuck->at_operation ? stuck->event + 1 : stuck->event;
    for (uint32_t i = stuck->first; i < end; i++) {
        if (symbolic_event(execution, i)->thread != stuck->thread) {
            continue;
        }
        if (by_rounds(search)) {
            rounds_read_last(&search->rounds, i, chosen);
        } else {
            order_read_last(&search->order, i, chosen);
        }
    }
    return chosen;
}

/* Every thread has ended or is stuck, one of them at an operation (or, asked for liveness, in a loop). */
static literal deadlock_question(struct search *search, bool in_loops) {
    struct symbolic *execution = &search->execution;
    struct gates *gates = &execution->gates;
    struct vector some;
    vector_init(&some, sizeof(literal));
    literal question = gates_free(gates);
    for (uint32_t t = 0; t < execution->threads.count; t++) {
        const struct seq_thread *thread = symbolic_thread(execution, t);
        struct vector rests;
        vector_init(&rests, sizeof(literal));
        literal absent = -thread->guard;
        literal negated = -question;
        vector_push(&rests, &negated);
        vector_push(&rests, &absent);
        vector_push(&rests, &thread->ended);
        for (size_t i = 0; i < execution->stuck.count; i++) {
            struct stuck stuck = *(struct stuck *)vector_at(&execution->stuck, i);
            if (stuck.thread == t) {
                literal chosen = stuck_literal(search, &stuck);
                vector_push(&rests, &chosen);
                if (stuck.at_operation || in_loops) {
                    vector_push(&some, &chosen);
                }
            }
        }
        gates_clause(gates, rests.data, rests.count);
        vector_delete(&rests);
    }
    bool possible = some.count > 0;
    literal negated = -question;
    vector_push(&some, &negated);
    gates_clause(gates, some.data, some.count);
    vector_delete(&some);
    return possible ? question : LITERAL_FALSE;
}

/* Is an execution cut, by something else than these loops?  `except` may be NULL. */
static literal cut_question(struct search *search, const struct vector *except) {
    struct symbolic *execution = &search->execution;
    struct vector literals;
    vector_init(&literals, sizeof(literal));
    for (size_t i = 0; i < execution->cuts.count; i++) {
        const struct cut *cut = vector_at(&execution->cuts, i);
        if (!except || !bounds_have(except, cut->loop)) {
            vector_push(&literals, &cut->holds);
        }
    }
    literal question = literals.count ? one_of(&execution->gates, &literals) : LITERAL_FALSE;
    vector_delete(&literals);
    return question;
}

/* --- Final states ------------------------------------------------------------------------------------------------- */

/* Every thread has ended, but for at most one that ends the process. */
static literal complete_question(struct search *search) {
    struct symbolic *execution = &search->execution;
    struct gates *gates = &execution->gates;
    literal question = gates_free(gates);
    for (uint32_t t = 0; t < execution->threads.count; t++) {
        const struct seq_thread *thread = symbolic_thread(execution, t);
        const literal rests[] = {-question, -thread->guard, thread->ended, thread->exits};
        gates_clause(gates, rests, 4);
        for (uint32_t other = 0; other < t; other++) {
            gates_clause_3(gates, -question, -thread->exits, -symbolic_thread(execution, other)->exits);
        }
    }
    return question;
}

static void add_state(struct search *search, struct machine *machine) {
    size_t size = machine_serialise_first(machine, search->task->shared_globals, &search->buffer, &search->capacity);
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
    literal question = complete_question(search);
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

/* Is there an error within `count` rounds? */
static enum answer ask_rounds(struct search *search, uint32_t count) {
    if (search->rounds_question == 0) {
        if (!rounds_init(&search->rounds, &search->execution)) {
            return ANSWER_NONE;
        }
        search->rounds_question = error_question(search);
    }
    if (search->rounds.rounds != count && !append_rounds(search, count)) {
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

/* Looks for an error in more and more rounds, until the budget is used. */
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

/* Is there an error?  `order` can tell that there is none; errors that need many steps are found by `rounds`.  So both
 * are asked by turns, each time for longer. */
static enum answer ask_both(struct search *search) {
    literal question = error_question(search);
    uint32_t count = 2;
    for (double budget = FIRST_BUDGET;; budget *= 2) {
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

/* Raises the bounds that the last model has met. */
static void raise_bounds(struct search *search) {
    struct symbolic *execution = &search->execution;
    uint32_t least = bounds_least(execution, search->recursion);
    if (least >= search->finished) {
        search->finished = least;
        bounds_describe(execution, NULL, search->recursion, search->finished_bounds, sizeof search->finished_bounds);
    }
    bounds_raise(execution, &search->recursion);
}

/* Fills `cut` with the loops that are cut in some execution, one model after the other.  `--unroll` bounds loops but
 * not the depth of recursion: true if that was raised. */
static bool find_cut_loops(struct search *search, struct vector *cut, enum answer *answer) {
    struct symbolic *execution = &search->execution;
    for (;;) {
        *answer = ask(search, cut_question(search, cut));
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

/* No error was found: is anything cut?  True if bounds were raised: go on. */
static bool conclude_search(struct search *search, struct vector *cut) {
    const struct task *task = search->task;
    enum answer answer;
    if (task->iterations > 0) {
        if (find_cut_loops(search, cut, &answer)) {
            return true;
        }
    } else {
        answer = ask(search, cut_question(search, NULL));
        if (answer == ANSWER_YES) {
            raise_bounds(search);
            return true;
        }
    }
    if (answer != ANSWER_NONE && task->collect == COLLECT_STATES) {
        answer = collect_states(search);
    }
    if (answer == ANSWER_NONE) {
        undecided(search);
    } else if (search->verdict->word != VERDICT_DEFECT) {
        verdict_set_safe(search->verdict, task, 0);
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

/* The questions, once the encoding is there.  True if bounds were raised: go on. */
static bool search_encoded(struct search *search) {
    enum answer answer = by_rounds(search) ? ask_given_rounds(search) : ask_both(search);
    bool deadlock = false;
    if (answer == ANSWER_NO) {
        answer = ask(search, deadlock_question(search, search->task->machine.check_liveness));
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

/* One symbolic execution and its questions.  True if bounds were raised: go on. */
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
    if (search->recursion > MOST_RECURSION) {
        search->verdict->word = VERDICT_UNDECIDED;
        snprintf(search->verdict->reason, sizeof search->verdict->reason,
                 "functions call themselves more than %u deep, or there are more than %u threads; no error up to there",
                 MOST_RECURSION, SEQ_THREADS);
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
    search->execution.iterations = search->task->iterations ? search->task->iterations : 1;
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

static void search_task(const struct task *task, struct verdict *verdict, bool *stale) {
    struct search search = {.task = task, .verdict = verdict, .recursion = 1};
    visited_init(&search.final_states);
    search_all(&search);
    verdict->collected.states = visited_digest(&search.final_states);
    visited_delete(&search.final_states);
    free(search.buffer);
    *stale = search.stale;
}

/* Is the address of an object that has ended compared in some execution? */
static bool compares_stale(const struct task *task) {
    struct task checked = *task;
    struct verdict verdict;
    bool stale;
    checked.machine.check_stale = true;
    checked.collect = COLLECT_NOTHING;
    checked.final = NULL;
    verdict_init(&verdict);
    search_task(&checked, &verdict, &stale);
    bool never = verdict.word == VERDICT_SAFE;
    verdict_delete(&verdict);
    return !never;
}

static void run_seq(const struct task *task, struct verdict *verdict) {
    bool stale;
    search_task(task, verdict, &stale);
    if (verdict->word == VERDICT_SAFE && stale && compares_stale(task)) {
        verdict_set_safe(verdict, task, MET_STALE);
    }
}

static const char *refuses(const struct task *task) {
    if (task->unroll > 0) {
        return "engine seq bounds loops itself: choose it with --engine seq";
    }
    if (task->machine.check_leaks || task->machine.check_uninit || task->machine.check_races) {
        return "engine seq looks for no leaks, races or uninitialised values: leave out --check";
    }
    return NULL;
}

const struct engine engine_seq = {
    .name = "seq",
    .what = "bounded model checking by SAT: values of any width, loops unrolled as far as needed",
    .run = run_seq,
    .refuses = refuses,
    .bounds_loops = true,
    .keeps_to = RESTRICTION_ROUNDS,
};
