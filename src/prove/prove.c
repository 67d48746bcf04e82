/* All pairs, each with its reason. */
#include "prove/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/sync.h"
#include "prove/movers.h"
#include "util/memory.h"

struct proving {
    struct proof *proof;
    struct system system;
    struct steps steps;
    struct movers movers;
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

/* First what needs no question; a load counts before a store, since most stores are seen by somebody. */
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

static void decide(struct proving *proving) {
    struct proof *proof = proving->proof;
    bool fails = false;
    bool open = false;
    for (size_t i = 0; i < proof->pairs.count; i++) {
        const struct proof_pair *pair = vector_at(&proof->pairs, i);
        fails = fails || pair->reason == PAIR_FAILS;
        open = open || pair->reason == PAIR_OPEN;
    }
    const char *reason = limits_reason(proving->system.task->limits);
    proof->word = open || (fails && reason) ? PROOF_UNDECIDED : fails ? PROOF_FAILS : PROOF_HOLDS;
    if (proof->word == PROOF_UNDECIDED) {
        snprintf(proof->reason, sizeof proof->reason, "%s", reason ? reason : "stopped");
    } else if (fails && proving->movers.no_solver) {
        proof->word = PROOF_UNDECIDED;
        snprintf(proof->reason, sizeof proof->reason, "%s", proving->movers.no_solver);
    }
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
        movers_init(&proving->movers, &proving->steps, options->seed, options->smt);
        for (size_t i = 0; i < proving->steps.pairs.count; i++) {
            add_pair(proving, vector_at(&proving->steps.pairs, i));
        }
        proof->left_movers = count_moving(&proving->movers.left);
        proof->right_movers = count_moving(&proving->movers.right);
        proof->queries = proving->movers.has_solver ? proving->movers.solver.queries : 0;
        decide(proving);
        movers_delete(&proving->movers);
    }
    prove_steps_delete(&proving->steps);
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

void proof_init(struct proof *proof, const struct task *task, const struct prove_options *options) {
    struct proving proving = {.proof = proof};
    double start = limits_now();
    *proof = (struct proof){0};
    vector_init(&proof->pairs, sizeof(struct proof_pair));
    if (system_init(&proving.system, task)) {
        prove(&proving, options);
    }
    if (proving.system.refusal) {
        refuse(&proving);
    } else if (proving.system.undecided) {
        proof->word = PROOF_UNDECIDED;
        snprintf(proof->reason, sizeof proof->reason, "%s", proving.system.undecided);
    }
    system_delete(&proving.system);
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
    free(proof->file);
}
