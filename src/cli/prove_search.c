/* The search for an error, or a state, that the store buffer adds. */
#include "cli/prove_search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/session.h"
#include "engine/brute.h"
#include "explore/explore.h"
#include "ir/flatten.h"
#include "ir/passes.h"
#include "machine/describe.h"
#include "reach/reach.h"
#include "report/columns.h"
#include "util/hash_table.h"
#include "util/memory.h"

#define SECONDS 10.0
#define ERROR_SECONDS 4.0 /* of those, for errors with one number of threads */
#define FEWEST_THREADS 2u
#define MOST_THREADS 3u

void finding_init(struct finding *finding) {
    *finding = (struct finding){0};
    verdict_init(&finding->verdict);
}

void finding_delete(struct finding *finding) {
    verdict_delete(&finding->verdict);
    free(finding->state);
    if (finding->larger.noted.header) {
        program_forms_delete(&finding->larger);
    }
}

/* --- Running an engine -------------------------------------------------------------------------------------------- */

struct search {
    const struct task *task; /* the proof's */
    const struct options *options;
    struct search_goal goal;
    struct finding *finding;
    const struct program *program; /* as it was read, with a number of threads */
    const struct program *checked; /* the same with its claims as assertions */
    struct vector arguments;       /* of char *: for clang */
    struct limits limits;
    double end;
    struct hash_table *states; /* final ones under SC */
    uint8_t *buffer;
    size_t capacity;
};

static bool over(const struct search *search) {
    return limits_now() >= search->end || limits_reached(search->task->limits);
}

/* Runs an engine for at most this number of seconds.  The new verdict replaces the old one. */
static void run(struct search *search, const struct engine *engine, const struct program *program,
                enum memory_model model, double seconds, struct task extra) {
    struct task task = extra;
    double now = limits_now();
    task.program = program;
    task.machine = search->task->machine;
    task.machine.model = model;
    task.progress = search->task->progress;
    task.jobs = 1;
    search->limits = *search->task->limits;
    search->limits.until = now + seconds < search->end ? now + seconds : search->end;
    task.limits = &search->limits;
    verdict_delete(&search->finding->verdict);
    verdict_init(&search->finding->verdict);
    search->finding->engine = engine->name;
    engine_run(engine, &task, &search->finding->verdict);
}

/* What was found, on the program as it was read: the steps are the same. */
static bool confirm(struct search *search, const struct program *program, enum found_kind kind) {
    struct verdict *verdict = &search->finding->verdict;
    if (verdict->word == VERDICT_DEFECT) {
        search->finding->kind = FOUND_DEFECT;
        return true;
    }
    if (verdict->word != VERDICT_VIOLATION) {
        return false;
    }
    verdict->witness.program_hash = program_hash(program);
    verdict->witness.checks |= program == search->checked ? CHECK_FOR_CLAIMS : 0;
    search->finding->program = program;
    search->finding->kind = witness_replays(&verdict->witness, program) ? kind : FOUND_DEFECT;
    return true;
}

/* --- Errors ------------------------------------------------------------------------------------------------------- */

/* `explore` finds short executions fast, `reach` those of endless threads. */
static bool find_error(struct search *search, const struct program *program, const struct program *flat,
                       enum memory_model model) {
    static const struct engine *const engines[] = {&engine_explore, &engine_reach};
    struct task probe = {.program = flat, .machine = search->task->machine};
    probe.machine.model = model;
    for (int i = 0; i < 2 && !over(search); i++) {
        if (engine_refusal(engines[i], &probe)) {
            continue;
        }
        run(search, engines[i], flat, model, ERROR_SECONDS / 2, (struct task){0});
        if (confirm(search, program, FOUND_ERROR)) {
            return true;
        }
        if (search->finding->verdict.word == VERDICT_SAFE && !search->finding->verdict.bounded) {
            break;
        }
    }
    return false;
}

/* --- States ------------------------------------------------------------------------------------------------------- */

/* Remembers a final state; true if it was not there and was to be. */
static uint64_t *state_slot(struct search *search, struct machine *machine, bool *found) {
    size_t size = machine_serialise_shared(machine, &search->buffer, &search->capacity);
    return hash_table_slot(search->states, search->buffer, size, found);
}

static bool remember_state(void *data, struct machine *machine) {
    bool found;
    state_slot(data, machine, &found);
    return false;
}

static bool is_new_state(void *data, struct machine *machine) {
    struct search *search = data;
    bool found;
    state_slot(search, machine, &found);
    if (!found) {
        search->finding->state = machine_shared_text(machine);
    }
    return !found;
}

/* A final state under TSO that SC does not have, if all those of SC are known. */
static bool find_state(struct search *search, const struct program *program) {
    struct task task = {.collect = COLLECT_STATES};
    struct brute_options brute = {.unwanted = remember_state, .unwanted_data = search, .deadlocks_pass = true};
    task_give(&task, &engine_brute, &brute.common);
    search->states = hash_table_new();
    run(search, &engine_brute, program, MODEL_SC, SECONDS, task);
    bool complete = search->finding->verdict.word == VERDICT_SAFE && !search->finding->verdict.bounds[0];
    bool found = false;
    if (complete && !over(search)) {
        brute.unwanted = is_new_state;
        run(search, &engine_brute, program, MODEL_TSO, SECONDS, task);
        found =
            search->finding->verdict.word == VERDICT_DEFECT || (search->finding->verdict.word == VERDICT_VIOLATION &&
                                                                search->finding->verdict.witness.kind == ERROR_STATE);
        found = found && confirm(search, search->program, FOUND_STATE);
    }
    hash_table_free(search->states);
    free(search->buffer);
    search->buffer = NULL;
    search->capacity = 0;
    return found;
}

/* --- The search --------------------------------------------------------------------------------------------------- */

/* Calls the search with the program's creating loops bounded. */
static bool with_threads(struct search *search, const struct program *program, uint32_t threads,
                         enum memory_model model) {
    struct program flat;
    if (over(search) || program_flatten(program, 0, &flat)) {
        return false;
    }
    pass_creations(&flat, threads);
    bool found = search->goal.errors && find_error(search, program, &flat, model);
    found = found || (search->goal.states && model == MODEL_TSO && !over(search) && find_state(search, &flat));
    program_delete(&flat);
    return found;
}

/* Claims are about SC; under TSO the program is searched without them. */
static bool search_with(struct search *search, uint32_t threads) {
    bool claims = search->goal.errors && search->checked->code_count != search->program->code_count;
    bool sc = claims || search->task->machine.model == MODEL_SC;
    return (sc && with_threads(search, search->checked, threads, MODEL_SC)) ||
           (search->task->machine.model == MODEL_TSO && with_threads(search, search->program, threads, MODEL_TSO));
}

/* Reads the files again, with more threads for each picket_any_number. */
static bool read_with(struct search *search, struct program_forms *forms) {
    static const char *const more = "-DPICKET_THREADS=3";
    struct diagnostics diagnostics;
    int code;
    vector_push(&search->arguments, &more);
    diagnostics_init(&diagnostics);
    bool read = input_read_forms(&search->options->files, &search->arguments, forms, &diagnostics, &code);
    diagnostics_delete(&diagnostics);
    return read;
}

static void search_init(struct search *search, const struct task *task, const struct options *options,
                        const struct program_forms *forms, struct finding *finding) {
    *search = (struct search){.task = task,
                              .options = options,
                              .finding = finding,
                              .program = &forms->plain,
                              .checked = &forms->checked,
                              .end = limits_now() + SECONDS};
    vector_init(&search->arguments, sizeof(char *));
    for (size_t i = 0; i < options->clang_args.count; i++) {
        vector_push(&search->arguments, vector_at(&options->clang_args, i));
    }
}

void prove_search(const struct task *task, const struct options *options, const struct program_forms *forms,
                  struct search_goal goal, struct finding *finding) {
    struct search search;
    search_init(&search, task, options, forms, finding);
    search.goal = goal;
    bool found = search_with(&search, FEWEST_THREADS);
    if (!found && !over(&search) && read_with(&search, &finding->larger)) {
        search.program = &finding->larger.plain;
        search.checked = &finding->larger.checked;
        found = search_with(&search, MOST_THREADS);
    }
    if (found && finding->kind != FOUND_DEFECT) {
        bool saved = session_save_witness(options, &search.arguments, &finding->verdict.witness);
        finding->witness_path = saved ? options->witness : NULL;
    }
    vector_delete(&search.arguments);
}

bool prove_decide(const struct task *task, const struct options *options, const struct program_forms *forms,
                  const char **engine) {
    struct search search;
    struct finding finding;
    struct program program;
    finding_init(&finding);
    search_init(&search, task, options, forms, &finding);
    program_copy(&forms->noted, &program);
    pass_notes_apply(&program, true, true);
    input_prepare(&program, 0);
    struct task probe = {.program = &program, .machine = task->machine};
    const struct engine *chosen = &engine_explore;
    if (engine_refusal(chosen, &probe)) {
        chosen = &engine_reach;
    }
    run(&search, chosen, &program, MODEL_SC, SECONDS, (struct task){0});
    bool holds = finding.verdict.word == VERDICT_SAFE && !finding.verdict.bounded;
    *engine = chosen->name;
    program_delete(&program);
    vector_delete(&search.arguments);
    finding_delete(&finding);
    return holds;
}

void finding_print(const struct finding *finding, const struct options *options) {
    const struct witness *witness = &finding->verdict.witness;
    if (finding->kind == FOUND_DEFECT) {
        fprintf(stderr, "picket: a defect in Picket itself: engine %s found an execution that does not replay\n",
                finding->engine);
    }
    if (finding->kind != FOUND_ERROR && finding->kind != FOUND_STATE) {
        return;
    }
    if (finding->kind == FOUND_STATE) {
        printf("\nSC has no execution that ends in %s\n", finding->state);
    } else {
        printf("\n%s:%u: %s: %s\n", witness->file, witness->line, error_names[witness->kind],
               finding->verdict.error.message);
    }
    if (!options->quiet) {
        putchar('\n');
        columns_print(witness, finding->program, stdout);
    }
    if (finding->witness_path) {
        printf("  witness: %s\n", finding->witness_path);
    }
}

void finding_json(const struct finding *finding, json_t *object, const struct options *options) {
    const struct witness *witness = &finding->verdict.witness;
    (void)options;
    json_object_set_new(object, "kind", json_string(error_names[witness->kind]));
    json_object_set_new(object, "message", json_string(finding->verdict.error.message));
    json_object_set_new(object, "file", json_string(witness->file ? witness->file : ""));
    json_object_set_new(object, "line", json_integer(witness->line));
    json_object_set_new(object, "thread", json_string(witness->thread ? witness->thread : ""));
    if (finding->state) {
        json_object_set_new(object, "state", json_string(finding->state));
    }
    if (finding->witness_path) {
        json_object_set_new(object, "witness", json_string(finding->witness_path));
    }
}
