#include "cli/auto_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auto/portfolio.h"
#include "engine/checks.h"
#include "engine/random.h"
#include "engine/verdict_bytes.h"
#include "explore/explore.h"
#include "ir/flatten.h"
#include "ir/passes.h"
#include "prove/prove.h"
#include "reach/lazy.h"
#include "reach/reach.h"
#include "seq/seq.h"
#include "util/memory.h"

/* When an execution counts as one that may have no end. */
#define LONGEST_STEPS 20000
#define LONGEST_SECONDS 0.2

#define RANDOM_RUNS 200
#define RANDOM_SECONDS 0.1

struct question;

/* A member of the portfolio, and what the parent knows of it. */
struct candidate {
    const char *name;
    double after;
    void (*run)(struct question *question, const struct candidate *self, struct child *child);
    const struct engine *engine;
    const char *refusal;     /* it does not begin; NULL: it does */
    enum member_state state; /* when all is over */
    bool finds_only;         /* it proves nothing, so it does not count where all refuse */
    bool answered;
    struct verdict strongest; /* of its bounded answers; if there is none, the last one */
    bool has_bounded;
};

struct question {
    struct session *session;
    struct task task; /* as all receive it */
    unsigned jobs;
    struct candidate all[MOST_MEMBERS]; /* in the order in which they begin */
    size_t count;
    size_t who[MOST_MEMBERS]; /* by number in the portfolio */
    struct verdict *verdict;  /* the conclusive one */
    const char *answered;     /* by this one; NULL: there is none */
    bool differ;              /* two conclusive answers do */
};

/* --- In the children ---------------------------------------------------------------------------------------------- */

static void send_verdict(struct child *child, const struct verdict *verdict) {
    struct vector bytes;
    bytes_init(&bytes);
    verdict_put(&bytes, verdict);
    child_send(child, &bytes);
    vector_delete(&bytes);
}

static struct task task_in_child(const struct question *question, struct child *child) {
    struct task task = question->task;
    task.limits = &child->limits;
    task.progress = &child->progress;
    return task;
}

static void run_and_send(const struct engine *engine, const struct task *task, struct child *child) {
    struct verdict verdict;
    verdict_init(&verdict);
    engine_run(engine, task, &verdict);
    send_verdict(child, &verdict);
    verdict_delete(&verdict);
}

static void run_plainly(struct question *question, const struct candidate *self, struct child *child) {
    struct task task = task_in_child(question, child);
    run_and_send(self->engine, &task, child);
}

static void run_random(struct question *question, const struct candidate *self, struct child *child) {
    struct task task = task_in_child(question, child);
    struct random_options random = question->session->options->random;
    random.runs = RANDOM_RUNS;
    random.scheduler = SCHEDULER_BOTH;
    task_give(&task, &engine_random, &random.common);
    child->limits.until_cpu = limits_cpu() + RANDOM_SECONDS;
    run_and_send(self->engine, &task, child);
}

static void send_bounded(void *data, const struct verdict *verdict) {
    send_verdict(data, verdict);
}

/* It bounds loops itself, on the program without bounds. */
static void run_seq(struct question *question, const struct candidate *self, struct child *child) {
    struct task task = task_in_child(question, child);
    task.program = question->session->unbounded;
    task.unroll = 0;
    struct seq_options seq = {.iterations = question->session->unroll, .bounded = send_bounded, .bounded_data = child};
    task_give(&task, &engine_seq, &seq.common);
    run_and_send(self->engine, &task, child);
}

/* Does the thread's next step cut it, in a copy of the program with bounds on loops? */
static bool is_cut(const struct machine *machine, struct transition transition) {
    return transition.kind == TRANSITION_STEP &&
           machine_program(machine)->code[machine_thread_instruction(machine, transition.thread)].op == OP_CUT;
}

/* Runs the witness on both machines, without what the second one does not have.  False if it does not end in an error
 * there. */
static bool follow_witness(struct witness *witness, struct machine *bounded, struct machine *machine) {
    size_t kept = 0;
    for (size_t i = 0; i < witness->steps.count && machine_outcome(machine) != OUTCOME_ERROR; i++) {
        struct transition there;
        struct transition here;
        if (!witness_transition(witness, i, bounded, &there)) {
            return false;
        }
        if (!is_cut(bounded, there)) {
            if (!witness_transition(witness, i, machine, &here)) {
                return false;
            }
            machine_take(machine, here);
            *(struct witness_step *)vector_at(&witness->steps, kept++) =
                *(struct witness_step *)vector_at(&witness->steps, i);
        }
        machine_take(bounded, there);
    }
    witness->steps.count = kept;
    return machine_outcome(machine) == OUTCOME_ERROR;
}

/* Translates a violation of a copy of the program with bounds on loops to the program itself.  The steps of both are
 * the same but for the cuts, after which nothing happens in a thread; but a thread that is not cut may make an error of
 * its own first. */
static void lift_violation(struct verdict *verdict, const struct program *bounded, const struct program *program) {
    struct witness *witness = &verdict->witness;
    struct machine_options options = witness_machine_options(witness);
    struct machine *copy = machine_new(bounded, &options);
    struct machine *machine = machine_new(program, &options);
    if (follow_witness(witness, copy, machine)) {
        verdict->error = *machine_error(machine);
        witness->unroll = 0;
        witness_set_error(witness, machine, &verdict->error);
    } else {
        verdict->word = VERDICT_UNDECIDED;
        snprintf(verdict->reason, sizeof verdict->reason,
                 "an execution in which loops are cut fails, and it is not known how it continues without the bound");
    }
    machine_free(machine);
    machine_free(copy);
}

/* Explores with loops that iterate at most this often.  True if the bound leaves something open, and a greater one may
 * be tried. */
static bool explore_bounded(const struct task *asked, uint32_t bound, struct child *child) {
    struct task task = *asked;
    struct program program;
    struct verdict verdict;
    program_copy(asked->program, &program);
    pass_unroll(&program, bound);
    pass_compact(&program);
    task.program = &program;
    task.unroll = bound;
    verdict_init(&verdict);
    engine_run(&engine_explore, &task, &verdict);
    bool within = verdict.word == VERDICT_SAFE && verdict.cut > 0;
    bool goes_on = (within || verdict.incomplete) && !limits_reached(task.limits);
    if (verdict.word == VERDICT_VIOLATION) {
        lift_violation(&verdict, &program, asked->program);
    } else if (within) {
        verdict.unasked = bound;
    } else if (verdict.incomplete) {
        verdict.settled = false;
    }
    if (!(verdict.incomplete && goes_on)) {
        send_verdict(child, &verdict);
    }
    verdict_delete(&verdict);
    program_delete(&program);
    return goes_on;
}

/* Without a bound, and if an execution seems to have no end, with loops that iterate once, twice, four times, ... */
static void run_explore(struct question *question, const struct candidate *self, struct child *child) {
    struct task task = task_in_child(question, child);
    struct verdict verdict;
    struct explore_options explore = {.longest_steps = task.unroll == 0 ? LONGEST_STEPS : 0,
                                      .longest_s = LONGEST_SECONDS};
    task_give(&task, &engine_explore, &explore.common);
    verdict_init(&verdict);
    engine_run(self->engine, &task, &verdict);
    bool deepen = verdict.word == VERDICT_UNDECIDED && verdict.endless && !limits_reached(task.limits);
    if (!deepen) {
        send_verdict(child, &verdict);
    }
    verdict_delete(&verdict);
    explore.longest_steps = 0;
    for (uint32_t bound = 1; deepen && bound < UINT32_MAX / 4; bound *= 2) {
        deepen = explore_bounded(&task, bound, child);
    }
}

/* If the store buffer adds no state, errors under TSO are errors under SC (docs/prove.md). */
static void run_prove(struct question *question, const struct candidate *self, struct child *child) {
    struct task task = task_in_child(question, child);
    struct prove_options options = {.no_facts = false};
    struct proof proof;
    (void)self;
    proof_init(&proof, &task, &options);
    bool adds_none = (proof.word == PROOF_HOLDS || proof.word == PROOF_FAILS) && !proof.adds_state &&
                     proof.assumptions.count == 0 && proof.abstractions.count == proof.idle;
    struct verdict verdict;
    verdict_init(&verdict);
    if (adds_none) {
        task.machine.model = MODEL_SC;
        engine_run(&engine_reach, &task, &verdict);
        verdict.queries = proof.queries;
    }
    if (verdict.word != VERDICT_SAFE) { /* an error under SC is for the others */
        verdict.word = VERDICT_UNDECIDED;
        snprintf(verdict.reason, sizeof verdict.reason, "%s",
                 adds_none ? "the store buffer adds no state; SC is not decided" : "not proved");
    }
    send_verdict(child, &verdict);
    verdict_delete(&verdict);
    proof_delete(&proof);
}

/* --- The judge ---------------------------------------------------------------------------------------------------- */

const struct program *auto_replayed(const struct session *session, const struct witness *witness) {
    return witness->unroll > 0 ? &session->program : session->unbounded;
}

static bool is_stronger(const struct verdict *one, const struct verdict *other) {
    return one->unasked >= other->unasked;
}

static enum answer_class classify(const struct question *question, const struct verdict *verdict, const char **defect) {
    const struct options *options = question->session->options;
    switch (verdict->word) {
    case VERDICT_VIOLATION:
        if (!witness_replays(&verdict->witness, auto_replayed(question->session, &verdict->witness))) {
            *defect = "found a violation that does not replay";
        }
        return ANSWER_CONCLUSIVE;
    case VERDICT_SAFE:
        if (verdict->may_be_vacuous) {
            return ANSWER_BOUNDED; /* others may know that it is */
        }
        return verdict->unasked == 0 || verdict->unasked == options->recursion ? ANSWER_CONCLUSIVE : ANSWER_BOUNDED;
    case VERDICT_REFUSED:
        return ANSWER_REFUSED;
    case VERDICT_DEFECT:
        *defect = "found a violation that does not replay";
        return ANSWER_NOTHING;
    default:
        return verdict->settled ? ANSWER_CONCLUSIVE : ANSWER_NOTHING;
    }
}

static void swap_verdicts(struct verdict *one, struct verdict *other) {
    struct verdict kept = *one;
    *one = *other;
    *other = kept;
}

static enum answer_class judge(void *data, size_t member, const void *bytes, size_t size, const char **defect) {
    struct question *question = data;
    struct candidate *candidate = &question->all[question->who[member]];
    struct bytes_reader reader = {.next = bytes, .left = size};
    struct verdict verdict;
    verdict_init(&verdict);
    if (!verdict_get(&reader, &verdict)) {
        *defect = "sent an answer that makes no sense";
        return ANSWER_NOTHING;
    }
    enum answer_class class = classify(question, &verdict, defect);
    if (*defect) {
        class = ANSWER_NOTHING;
    } else if (class == ANSWER_CONCLUSIVE) {
        candidate->answered = true;
        question->differ = question->differ || (question->answered && verdict.word != question->verdict->word);
        if (!question->answered) {
            question->answered = candidate->name;
            swap_verdicts(question->verdict, &verdict);
        }
    } else if (!candidate->has_bounded || (class == ANSWER_BOUNDED && is_stronger(&verdict, &candidate->strongest))) {
        candidate->has_bounded = class == ANSWER_BOUNDED;
        swap_verdicts(&candidate->strongest, &verdict);
    }
    verdict_delete(&verdict);
    return class;
}

/* --- The question --------------------------------------------------------------------------------------------------
 */

static bool has_any_number(const struct program *program) {
    for (size_t i = 0; i < program->functions_count; i++) {
        if (strcmp(function_name(program, (uint32_t)i), "__picket_any_number") == 0) {
            return true;
        }
    }
    return false;
}

static void add(struct question *question, struct candidate candidate) {
    struct candidate *added = &question->all[question->count++];
    struct task task = question->task;
    if (candidate.engine == &engine_seq) {
        task.program = question->session->unbounded;
        task.unroll = 0;
    }
    *added = candidate;
    verdict_init(&added->strongest);
    if (added->engine) {
        added->name = added->engine->name;
        added->refusal = engine_refusal(added->engine, &task);
    }
}

static void list_candidates(struct question *question) {
    const struct task *task = &question->task;
    const struct machine_options *machine = &task->machine;
    bool tso = machine->model == MODEL_TSO;
    bool proves = tso && checks_are_known(machine->checks, "prove");
    bool any_number = has_any_number(task->program);
    add(question, (struct candidate){.engine = &engine_explore, .run = run_explore});
    add(question, (struct candidate){.engine = &engine_reach, .run = run_plainly});
    if (proves && any_number) {
        add(question, (struct candidate){.name = "prove", .run = run_prove});
    }
    add(question, (struct candidate){.engine = &engine_random, .run = run_random, .after = 0.1, .finds_only = true});
    if (tso) {
        add(question, (struct candidate){.engine = &engine_lazy, .run = run_plainly, .after = 1});
    }
    add(question, (struct candidate){.engine = &engine_seq, .run = run_seq, .after = 5});
    if (proves && !any_number) {
        add(question, (struct candidate){.name = "prove", .run = run_prove, .after = 10});
    }
}

struct start {
    struct question *question;
    const struct candidate *candidate;
};

static void start_child(void *data, struct child *child) {
    struct start *start = data;
    start->candidate->run(start->question, start->candidate, child);
}

/* --- The outcome -------------------------------------------------------------------------------------------------- */

static char *text_or_empty(const char *text) {
    return memory_copy_text(text ? text : "");
}

static const char *state_of(const struct candidate *candidate, const struct member_result *result) {
    return candidate->answered                            ? "answered"
           : candidate->refusal                           ? "refused"
           : candidate->strongest.word == VERDICT_REFUSED ? "refused"
           : result                                       ? member_states[result->state]
                                                          : member_states[MEMBER_WAITS];
}

static void add_row(struct engines_report *engines, const struct candidate *candidate,
                    const struct member_result *result) {
    const struct verdict *strongest = &candidate->strongest;
    const char *reason = candidate->refusal ? candidate->refusal : strongest->reason;
    struct engine_row row = {
        .name = candidate->name,
        .state = state_of(candidate, result),
        .bounds = text_or_empty(candidate->has_bounded ? strongest->bounds : NULL),
        .stood = text_or_empty(result && result->state == MEMBER_STOPPED ? result->text : NULL),
        .reason = text_or_empty(reason),
        .defect = result && result->defect[0] ? memory_copy_text(result->defect) : NULL,
        .complaint = result && result->complaint ? memory_copy_text(result->complaint) : NULL,
        .time_s = result ? result->cpu_s : 0,
        .memory_mb = result ? result->memory_mb : 0,
    };
    vector_push(&engines->rows, &row);
}

static const struct candidate *find_strongest(const struct question *question) {
    const struct candidate *strongest = NULL;
    for (size_t i = 0; i < question->count; i++) {
        const struct candidate *candidate = &question->all[i];
        if (candidate->has_bounded && (!strongest || candidate->strongest.unasked > strongest->strongest.unasked)) {
            strongest = candidate;
        }
    }
    return strongest;
}

static bool is_refused(const struct candidate *candidate) {
    return candidate->refusal || candidate->strongest.word == VERDICT_REFUSED;
}

/* It has ended without an answer, and would do so again. */
static bool has_given_up(const struct candidate *candidate) {
    return candidate->state == MEMBER_ENDED && candidate->strongest.reason[0] && !candidate->has_bounded;
}

/* No engine can answer, and some have refused: the position of the first refusal, and all reasons. */
static bool say_refused(const struct question *question, struct verdict *verdict) {
    const struct verdict *where = NULL;
    bool some_refuse = false;
    char reason[sizeof verdict->reason] = "";
    size_t used = 0;
    for (size_t i = 0; i < question->count; i++) {
        const struct candidate *candidate = &question->all[i];
        if (candidate->finds_only) {
            continue;
        }
        if (!is_refused(candidate) && !has_given_up(candidate)) {
            return false;
        }
        some_refuse = some_refuse || is_refused(candidate);
        where = !where && candidate->strongest.word == VERDICT_REFUSED ? &candidate->strongest : where;
        if (used < sizeof reason) {
            used +=
                (size_t)snprintf(reason + used, sizeof reason - used, "%s%s: %s", used > 0 ? "; " : "", candidate->name,
                                 candidate->refusal ? candidate->refusal : candidate->strongest.reason);
        }
    }
    if (!some_refuse) {
        return false;
    }
    verdict_refuse(verdict, where ? where->file : "", where ? where->line : 0, reason);
    return true;
}

/* Safe, according to engines that cannot tell whether every execution fails an assumption; no other engine has
 * answered. */
static bool believe_safe(struct question *question, struct verdict *verdict) {
    for (size_t i = 0; i < question->count; i++) {
        struct candidate *candidate = &question->all[i];
        if (candidate->has_bounded && candidate->strongest.may_be_vacuous) {
            swap_verdicts(verdict, &candidate->strongest);
            candidate->has_bounded = false;
            candidate->answered = true;
            question->answered = candidate->name;
            return true;
        }
    }
    return false;
}

/* Undecided: the strongest bounded answer is what is known, and the option that makes it the question. */
static void say_undecided(const struct question *question, const char *limit, struct verdict *verdict) {
    const struct candidate *strongest = find_strongest(question);
    const char *why = limit;
    for (size_t i = 0; i < question->count && !why; i++) {
        why = question->all[i].state == MEMBER_FULL ? "memory is full" : NULL;
    }
    for (size_t i = 0; i < question->count && !why; i++) {
        const struct candidate *candidate = &question->all[i];
        why = !candidate->finds_only && candidate->strongest.reason[0] ? candidate->strongest.reason : NULL;
    }
    if (strongest) {
        const struct verdict *found = &strongest->strongest;
        verdict->bounded = true;
        snprintf(verdict->bounds, sizeof verdict->bounds, "%s", found->bounds);
        snprintf(verdict->reason, sizeof verdict->reason,
                 "%s: no error in executions in which %.700s (%s); --unroll %u makes that the question", why ? why : "",
                 found->bounds, strongest->name, found->unasked);
    } else {
        snprintf(verdict->reason, sizeof verdict->reason, "%s", why ? why : "no engine has an answer");
    }
    verdict->word = VERDICT_UNDECIDED;
}

static void run_in_process(struct question *question) {
    engine_run(&engine_explore, &question->task, question->verdict);
    question->answered = engine_explore.name;
}

void auto_check(struct session *session, struct verdict *verdict, struct engines_report *engines) {
    const struct options *options = session->options;
    struct question question = {.session = session, .task = session_task(session), .verdict = verdict};
    struct member members[MOST_MEMBERS];
    struct start starts[MOST_MEMBERS];
    struct portfolio portfolio = {
        .members = members,
        .jobs = options->jobs > 0 ? (unsigned)options->jobs : portfolio_default_jobs(),
        .all_finish = options->cross_check,
        .verbose = options->verbose,
        .limits = &session->limits,
        .progress = &session->progress,
        .judge = judge,
        .data = &question,
    };
    unsigned share = portfolio.jobs >= 4 ? portfolio.jobs / 2 : 1;
    question.task.jobs = share;
    question.task.recursion = options->recursion;
    list_candidates(&question);
    for (size_t i = 0; i < question.count; i++) {
        const struct candidate *candidate = &question.all[i];
        bool shares = candidate->engine == &engine_explore || candidate->engine == &engine_reach;
        if (!candidate->refusal) {
            question.who[portfolio.count] = i;
            starts[portfolio.count] = (struct start){&question, candidate};
            members[portfolio.count] = (struct member){.name = candidate->name,
                                                       .after = candidate->after,
                                                       .threads = shares ? share : 1,
                                                       .run = start_child,
                                                       .data = &starts[portfolio.count]};
            portfolio.count++;
        }
    }
    double start = limits_now();
    enum portfolio_end end = portfolio_run(&portfolio);
    for (size_t i = 0; i < portfolio.count; i++) {
        question.all[question.who[i]].state = portfolio.results[i].state;
    }
    if (end == PORTFOLIO_NONE) {
        run_in_process(&question);
    } else if (!question.answered && !believe_safe(&question, verdict) && !say_refused(&question, verdict)) {
        say_undecided(&question, end == PORTFOLIO_LIMIT ? limits_reason(&session->limits) : NULL, verdict);
    }
    if (question.differ) {
        verdict->word = VERDICT_DEFECT;
        snprintf(verdict->reason, sizeof verdict->reason, "engines give different answers to the same question");
    }
    verdict->time_s = limits_now() - start;
    for (size_t i = 0, next = 0; i < question.count; i++) {
        bool ran = next < portfolio.count && question.who[next] == i;
        add_row(engines, &question.all[i], ran && end != PORTFOLIO_NONE ? &portfolio.results[next] : NULL);
        next += ran;
        verdict_delete(&question.all[i].strongest);
    }
    engines->answered = question.answered ? question.answered : "auto";
    portfolio_delete(&portfolio);
}
