/* Lazily generated clauses, exactly hit. */
#include "fence/synthesis.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fence/hitting_set.h"
#include "util/memory.h"

/* Fewest fences first, then fewest full ones, then fewest in loops. */
#define WEIGHT_FENCE (UINT64_C(1) << 24)
#define WEIGHT_FULL (UINT64_C(1) << 12)
#define MOST_DEPTH 6u
#define LOOP_FACTOR 10u

void synthesis_init(struct synthesis *synthesis, const struct marked *marked) {
    *synthesis = (struct synthesis){.marked = marked};
    synthesis->kinds = memory_allocate((size_t)marked->places + 1);
    vector_init(&synthesis->clauses, sizeof(struct vector));
    vector_init(&synthesis->reasons, sizeof(struct reason));
    vector_init(&synthesis->all, sizeof(struct reason));
    vector_init(&synthesis->starts, sizeof(size_t));
    verdict_init(&synthesis->last);
}

void synthesis_delete(struct synthesis *synthesis) {
    for (size_t i = 0; i < synthesis->clauses.count; i++) {
        vector_delete(vector_at(&synthesis->clauses, i));
    }
    vector_delete(&synthesis->clauses);
    vector_delete(&synthesis->reasons);
    vector_delete(&synthesis->all);
    vector_delete(&synthesis->starts);
    verdict_delete(&synthesis->last);
    free(synthesis->kinds);
}

static uint64_t *weigh(const struct synthesis *synthesis) {
    uint32_t places = synthesis->marked->places;
    uint64_t *weights = memory_allocate((2 * (size_t)places + 1) * sizeof *weights);
    for (uint32_t p = 0; p < places; p++) {
        uint32_t depth = synthesis->marked->depth[p] < MOST_DEPTH ? synthesis->marked->depth[p] : MOST_DEPTH;
        uint64_t weight = WEIGHT_FENCE;
        for (uint32_t i = 0; synthesis->weigh_loops && i < depth; i++) {
            weight *= LOOP_FACTOR;
        }
        weights[element_of(p, FENCE_FULL)] = weight + WEIGHT_FULL + depth;
        weights[element_of(p, FENCE_STORE)] = weight + depth;
    }
    return weights;
}

static bool is_hit(const struct synthesis *synthesis, const struct vector *elements) {
    for (size_t i = 0; i < elements->count; i++) {
        uint32_t element = *(uint32_t *)vector_at(elements, i);
        if (synthesis->kinds[element_place(element)] == element_kind(element)) {
            return true;
        }
    }
    return false;
}

/* --- Clauses ------------------------------------------------------------------------------------------------------ */

static void stop_at(struct synthesis *synthesis, enum fence_goal goal, const struct clause *clause,
                    const struct program *program, const struct execution *execution) {
    synthesis->end = clause->delays ? SYNTHESIS_NO_PLACE : SYNTHESIS_IMPOSSIBLE;
    if (goal == GOAL_SAFETY) {
        struct machine *machine = execution_run(program, execution, NULL, NULL);
        assert(machine && "what is handed over was run before");
        machine_outcome(machine);
        synthesis->error = *machine_error(machine);
        machine_free(machine);
    }
}

/* Adds the clause of an execution.  False if the execution ends the search for fences. */
static bool learn(struct synthesis *synthesis, enum fence_goal goal, const struct program *program,
                  struct execution *execution) {
    struct clause clause;
    if (!execution->implies_reads) {
        execution_hasten(execution, goal, program, synthesis->task.limits);
    }
    clause_init(&clause);
    clause_find(&clause, goal, synthesis->marked, program, execution);
    bool good = clause.elements.count > 0;
    if (!good) {
        stop_at(synthesis, goal, &clause, program, execution);
    } else if (is_hit(synthesis, &clause.elements) && execution->implies_reads) {
        synthesis->end = SYNTHESIS_LIMIT;
        snprintf(synthesis->message, sizeof synthesis->message,
                 "there is a cycle with a read of a waiting loop for which no execution was found");
        good = false;
    } else if (is_hit(synthesis, &clause.elements)) {
        synthesis->end = SYNTHESIS_DEFECT;
        snprintf(synthesis->message, sizeof synthesis->message, "an execution that a fence should have stopped");
        good = false;
    } else {
        struct vector elements = clause.elements;
        vector_init(&clause.elements, sizeof(uint32_t));
        vector_push(&synthesis->clauses, &elements);
        vector_push(&synthesis->starts, &synthesis->all.count);
        for (size_t i = 0; i < clause.reasons.count; i++) {
            vector_push(&synthesis->all, vector_at(&clause.reasons, i));
        }
    }
    clause_delete(&clause);
    return good;
}

/* --- Reasons ------------------------------------------------------------------------------------------------------ */

static bool has_element(const struct vector *elements, uint32_t element, size_t *index) {
    for (*index = 0; *index < elements->count; ++*index) {
        if (*(uint32_t *)vector_at(elements, *index) == element) {
            return true;
        }
    }
    return false;
}

/* The number of fences of the set that are in the clause. */
static size_t count_hits(const struct synthesis *synthesis, const struct vector *elements) {
    size_t hits = 0;
    for (size_t i = 0; i < elements->count; i++) {
        uint32_t element = *(uint32_t *)vector_at(elements, i);
        hits += synthesis->kinds[element_place(element)] == element_kind(element);
    }
    return hits;
}

/* Finds an execution that only this fence of the set stops; there is one, since the set is a smallest. */
static void find_reason(struct synthesis *synthesis, uint32_t element) {
    const struct reason *found = NULL;
    for (size_t c = 0; c < synthesis->clauses.count; c++) {
        const struct vector *elements = vector_at(&synthesis->clauses, c);
        size_t index;
        if (has_element(elements, element, &index) && (!found || count_hits(synthesis, elements) == 1)) {
            const struct reason *reason =
                vector_at(&synthesis->all, *(size_t *)vector_at(&synthesis->starts, c) + index);
            found = !found || reason->second != 0 ? reason : found;
        }
    }
    if (found) {
        vector_push(&synthesis->reasons, found);
    }
}

static void find_reasons(struct synthesis *synthesis) {
    for (uint32_t p = 0; p < synthesis->marked->places; p++) {
        if (synthesis->kinds[p] != FENCE_NONE) {
            find_reason(synthesis, element_of(p, synthesis->kinds[p]));
        }
    }
}

/* --- The loop ----------------------------------------------------------------------------------------------------- */

static void set_program(const struct synthesis *synthesis, const uint8_t *kinds, struct program *program) {
    marked_choose(synthesis->marked, kinds, program);
    synthesis->prepare(program, synthesis->task.unroll);
}

void synthesis_try(const struct synthesis *synthesis, const uint8_t *kinds, struct answer *answer) {
    struct program program;
    struct task task = synthesis->task;
    set_program(synthesis, kinds, &program);
    task.program = &program;
    question_ask(synthesis->goal, &task, answer);
    program_delete(&program);
}

/* Checks the program with the present set; true if there is a new clause, so that another set must be tried. */
static bool check_set(struct synthesis *synthesis) {
    struct program program;
    struct answer answer;
    struct task task = synthesis->task;
    bool again = false;
    set_program(synthesis, synthesis->kinds, &program);
    task.program = &program;
    answer_init(&answer);
    question_ask(synthesis->goal, &task, &answer);
    synthesis->checks++;
    if (answer.verdict.word == VERDICT_VIOLATION) {
        enum fence_goal goal = answer.by_robustness ? GOAL_ROBUST : synthesis->goal;
        again = true;
        synthesis->undecided += answer.by_robustness;
        for (size_t i = 0; again && i < answer.executions.count; i++) {
            again = learn(synthesis, goal, &program, vector_at(&answer.executions, i));
        }
    } else if (answer.verdict.word == VERDICT_SAFE) {
        synthesis->end = SYNTHESIS_DONE;
    } else {
        synthesis->end = answer.verdict.word == VERDICT_DEFECT    ? SYNTHESIS_DEFECT
                         : answer.verdict.word == VERDICT_REFUSED ? SYNTHESIS_REFUSED
                                                                  : SYNTHESIS_LIMIT;
        snprintf(synthesis->message, sizeof synthesis->message, "%s", answer.verdict.reason);
    }
    struct verdict last = synthesis->last;
    synthesis->last = answer.verdict;
    answer.verdict = last;
    synthesis->engine = answer.engine;
    answer_delete(&answer);
    program_delete(&program);
    return again;
}

/* Is an error reachable under SC?  Then no fences help. */
static bool fails_under_sc(struct synthesis *synthesis) {
    struct program program;
    struct answer answer;
    struct task task = synthesis->task;
    task.machine.model = MODEL_SC;
    set_program(synthesis, synthesis->kinds, &program);
    task.program = &program;
    answer_init(&answer);
    question_ask(synthesis->goal, &task, &answer);
    bool fails = answer.verdict.word == VERDICT_VIOLATION;
    if (fails) {
        struct clause none = {0};
        stop_at(synthesis, synthesis->goal, &none, &program, vector_at(&answer.executions, 0));
    }
    answer_delete(&answer);
    program_delete(&program);
    return fails;
}

void synthesis_run(struct synthesis *synthesis) {
    uint32_t elements = 2 * synthesis->marked->places;
    uint64_t *weights = weigh(synthesis);
    bool *chosen = memory_allocate((size_t)elements + 1);
    bool again = !(synthesis->goal == GOAL_SAFETY && fails_under_sc(synthesis));
    while (again && check_set(synthesis)) {
        if (limits_reached(synthesis->task.limits)) {
            synthesis->end = SYNTHESIS_LIMIT;
            const char *reason = limits_reason(synthesis->task.limits);
            snprintf(synthesis->message, sizeof synthesis->message, "%s", reason ? reason : "");
            break;
        }
        hitting_set_find(&synthesis->clauses, weights, elements, chosen);
        for (uint32_t p = 0; p < synthesis->marked->places; p++) {
            synthesis->kinds[p] = chosen[element_of(p, FENCE_FULL)]    ? FENCE_FULL
                                  : chosen[element_of(p, FENCE_STORE)] ? FENCE_STORE
                                                                       : FENCE_NONE;
        }
    }
    if (synthesis->end == SYNTHESIS_DONE) {
        find_reasons(synthesis);
    }
    free(weights);
    free(chosen);
}

/* --- One execution ------------------------------------------------------------------------------------------------ */

/* Runs the witness's steps on this program, which differs from the witness's by NOPs.  False if the steps show nothing
 * that SC does not have: then no fence helps. */
static bool put_path(const struct witness *witness, const struct program *program, struct execution *execution) {
    struct machine *machine = machine_new(program, &execution->machine);
    bool good = true;
    for (size_t i = 0; good && i < witness->steps.count; i++) {
        good = execution_append(execution, machine, vector_at(&witness->steps, i));
    }
    size_t end = execution->path.count;
    if (good) {
        execution_drain(execution, machine);
        good = execution_is_cyclic(program, execution, NULL, NULL);
        execution->path.count = end;
    }
    machine_free(machine);
    return good;
}

bool synthesis_stop(struct synthesis *synthesis, const struct witness *witness) {
    struct execution execution;
    uint64_t *weights = weigh(synthesis);
    struct program program;
    struct clause clause;
    const struct reason *best = NULL;
    memset(synthesis->kinds, FENCE_NONE, synthesis->marked->places);
    set_program(synthesis, synthesis->kinds, &program);
    clause_init(&clause);
    execution_init(&execution, witness);
    if (put_path(witness, &program, &execution)) {
        clause_find(&clause, GOAL_SAFETY, synthesis->marked, &program, &execution);
    }
    for (size_t i = 0; i < clause.reasons.count; i++) { /* first those between two accesses of their thread */
        const struct reason *reason = vector_at(&clause.reasons, i);
        bool between = reason->second != 0;
        bool better = !best || (between && best->second == 0) ||
                      (between == (best->second != 0) && weights[reason->element] < weights[best->element]);
        best = better ? reason : best;
    }
    if (best) {
        synthesis->kinds[element_place(best->element)] = (uint8_t)element_kind(best->element);
    }
    bool found = best != NULL;
    free(weights);
    clause_delete(&clause);
    execution_delete(&execution);
    program_delete(&program);
    return found;
}
