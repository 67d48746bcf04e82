/* From a program to classes of threads: flattening, main's first steps on the machine, and where classes come from. */
#include "prove/system.h"

#include <stdlib.h>
#include <string.h>

#include "ir/flatten.h"
#include "ir/notes.h"
#include "ir/rewrite.h"
#include "ir/sync.h"
#include "prove/joins.h"
#include "util/memory.h"

#define MOST_FIRST_STEPS 1000000u /* of main alone */

void system_refuse(struct system *system, uint32_t pos, const char *why) {
    if (!system->refusal) {
        system->refusal = why;
        system->refusal_pos = pos;
    }
}

bool system_is_live(const struct system *system, const struct class *class, uint32_t index, uint32_t reg) {
    return liveness_before(&system->liveness, class->function, index)[reg / 64] >> reg % 64 & 1;
}

/* --- Main before its first thread --------------------------------------------------------------------------------- */

/* Is the step the first creation, or a choice? */
static bool begins_threads(struct machine *machine) {
    struct step step;
    machine_next(machine, (struct transition){0}, &step);
    return step.kind == STEP_NONDET || (step.kind == STEP_SYNC && step.sub == SYNC_THREAD_CREATE) ||
           machine_choices(machine, 0) > 1;
}

/* Runs main on the machine.  An atomic section is run as a whole or not at all. */
static void run_main(struct system *system) {
    struct machine *machine = system->machine;
    machine_mark mark = machine_set_mark(machine);
    for (uint32_t steps = 0;; steps++) {
        if (!machine_in_atomic(machine, 0)) {
            mark = machine_set_mark(machine);
            system->first_steps = steps;
        }
        if (machine_outcome(machine) != OUTCOME_RUNNING || !machine_is_enabled(machine, (struct transition){0}) ||
            begins_threads(machine)) {
            break;
        }
        if (steps == MOST_FIRST_STEPS || limits_reached(system->task->limits)) {
            const char *reason = limits_reason(system->task->limits);
            system->undecided = reason ? reason : "main does not reach its first thread";
            return;
        }
        machine_take(machine, (struct transition){0});
    }
    if (machine_in_atomic(machine, 0)) {
        machine_undo(machine, mark);
    }
}

/* --- Main from there on ------------------------------------------------------------------------------------------- */

struct start {
    uint32_t function;
    uint32_t instruction;
    uint32_t invariants; /* how many were put first */
};

/* The function begins with its invariants and a jump to where main is. */
static void jump_to_start(struct rewrite *rewrite, void *data) {
    struct start *start = data;
    if (rewrite->function != start->function) {
        return;
    }
    uint32_t count = rewrite->program->functions[rewrite->function].count;
    for (uint32_t i = 0; i < count; i++) {
        rewrite_retarget(rewrite, i, 0, REWRITE_PAST | 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct instruction note = rewrite->code[i];
        if (note.op == OP_NOTE && note.sub == NOTE_INVARIANT) {
            note.a |= REWRITE_PAST;
            note.b = REWRITE_INSERTED | (uint32_t)(rewrite->insertions.count + 1);
            rewrite_insert(rewrite, 0, note);
        }
    }
    start->invariants = (uint32_t)rewrite->insertions.count;
    rewrite_insert(rewrite, 0,
                   (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = REWRITE_PAST | start->instruction});
}

/* --- Classes ------------------------------------------------------------------------------------------------------ */

bool flow_is_cyclic(const struct flow *flow, uint32_t instruction) {
    uint32_t from = flow->block_of[instruction];
    bool *seen = memory_allocate(flow->blocks_count);
    uint32_t *stack = memory_allocate(((size_t)flow->blocks_count + 1) * sizeof *stack);
    uint32_t count = 0;
    stack[count++] = from;
    while (count > 0 && !seen[from]) {
        const struct block *block = &flow->blocks[stack[--count]];
        for (uint32_t i = 0; i < block->successors_count; i++) {
            uint32_t next = flow->edges[block->successors + i];
            if (!seen[next]) {
                seen[next] = true;
                stack[count++] = next;
            }
        }
    }
    bool found = seen[from];
    free(seen);
    free(stack);
    return found;
}

static struct class *add_class(struct system *system, uint32_t function) {
    const struct function *code = &system->flat.functions[function];
    struct class *class = memory_allocate(sizeof *class);
    class->function = function;
    flow_init(&class->flow, &system->flat, function);
    uint32_t edges = 0;
    for (uint32_t b = 0; b < class->flow.blocks_count; b++) {
        edges += class->flow.blocks[b].successors_count + class->flow.blocks[b].predecessors_count;
    }
    class->entry = memory_allocate(((size_t)code->registers + 1) * sizeof *class->entry);
    class->in = memory_allocate(class->flow.blocks_count * sizeof *class->in);
    class->visits = memory_allocate(class->flow.blocks_count * sizeof *class->visits);
    class->feasible = memory_allocate((size_t)edges + 1);
    class->accesses = memory_allocate(((size_t)code->count + 1) * sizeof *class->accesses);
    class->seconds = memory_allocate(((size_t)code->count + 1) * sizeof *class->seconds);
    class->depth = memory_allocate(((size_t)code->count + 1) * sizeof *class->depth);
    memset(class->depth, 0xff, ((size_t)code->count + 1) * sizeof *class->depth);
    class->noted = memory_allocate((size_t)code->count + 1);
    class->meets = memory_allocate(((size_t)code->count + 1) * sizeof *class->meets);
    class->joins = memory_allocate(((size_t)code->count + 1) * sizeof *class->joins);
    class->succeeds = memory_allocate((size_t)code->count + 1);
    class->last = UINT32_MAX;
    vector_init(&class->abstractions, sizeof(struct abstraction));
    annotations_find(system, class);
    vector_push(&system->classes, &class);
    return class;
}

static void class_free(struct class *class) {
    for (uint32_t b = 0; b < class->flow.blocks_count; b++) {
        free(class->in[b]);
    }
    free(class->entry);
    free(class->in);
    free(class->visits);
    free(class->feasible);
    free(class->accesses);
    free(class->seconds);
    free(class->depth);
    free(class->noted);
    free(class->meets);
    free(class->joins);
    free(class->succeeds);
    vector_delete(&class->abstractions);
    flow_delete(&class->flow);
    free(class);
}

uint32_t system_created(const struct system *system, uint32_t creator, uint32_t creation, uint32_t function) {
    for (uint32_t i = 1; i < system->classes.count; i++) {
        const struct class *class = class_of(system, i);
        if (class->creator == creator && class->creation == creation) {
            return i;
        }
    }
    /* A thread that creates threads like itself: they are of its own class. */
    for (uint32_t i = creator; i != 0; i = class_of(system, i)->creator) {
        const struct class *class = class_of(system, i);
        if (class->function == function && class->creation == creation &&
            class_of(system, class->creator)->function == class_of(system, creator)->function) {
            return i;
        }
    }
    return NO_CLASS;
}

uint32_t system_class(struct system *system, uint32_t creator, uint32_t creation, uint32_t function) {
    uint32_t known = system_created(system, creator, creation, function);
    if (known != NO_CLASS) {
        struct class *class = class_of(system, known);
        bool many = class->many || class->creator != creator;
        system->space.changed = system->space.changed || many != class->many;
        class->many = many;
        return known;
    }
    if (system->classes.count >= MOST_CLASSES) {
        system_refuse(system, class_code(system, class_of(system, creator))[creation].pos, "too many creations");
        return 0;
    }
    const struct class *parent = class_of(system, creator);
    bool many = parent->many || flow_is_cyclic(&parent->flow, creation);
    struct class *class = add_class(system, function);
    class->creator = creator;
    class->creation = creation;
    class->many = many;
    for (uint32_t r = system->flat.functions[function].parameters; r < system->flat.functions[function].registers;
         r++) {
        class->entry[r] = value_any();
    }
    system->space.changed = true;
    return (uint32_t)system->classes.count - 1;
}

static void add_main(struct system *system) {
    struct class *class = add_class(system, system->flat.entry);
    for (uint32_t r = 0; r < system->flat.functions[system->flat.entry].registers; r++) {
        class->entry[r] = space_number(&system->space, machine_register(system->machine, 0, r));
    }
}

/* --- Thresholds --------------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* The constants of the program and their neighbours, and the largest numbers of all widths. */
static void find_thresholds(struct system *system) {
    static const unsigned widths[] = {7, 8, 15, 16, 31, 32, 63, 64};
    size_t most = 3 * system->flat.constants_count + sizeof widths / sizeof *widths;
    system->thresholds = memory_allocate((most + 1) * sizeof *system->thresholds);
    size_t count = 0;
    for (size_t i = 0; i < system->flat.constants_count; i++) {
        system->thresholds[count++] = system->flat.constants[i];
        system->thresholds[count++] = system->flat.constants[i] - 1;
        system->thresholds[count++] = system->flat.constants[i] + 1;
    }
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        system->thresholds[count++] = bits_mask(widths[i]);
    }
    qsort(system->thresholds, count, sizeof *system->thresholds, compare_numbers);
    system->thresholds_count = count;
    system->space.thresholds = system->thresholds;
    system->space.thresholds_count = count;
}

/* --- All of it ---------------------------------------------------------------------------------------------------- */

bool system_init(struct system *system, const struct task *task, bool no_overflow, const struct vector *found) {
    *system = (struct system){.task = task, .no_overflow = no_overflow, .found = found};
    vector_init(&system->assumed, sizeof(uint32_t));
    vector_init(&system->classes, sizeof(struct class *));
    system->refusal = program_flatten(task->program, 0, &system->whole);
    if (system->refusal) {
        return false;
    }
    program_copy(&system->whole, &system->flat);
    pass_notes_drop(&system->whole);
    system->annotated = program_has_notes(&system->flat);
    struct machine_options options = task->machine;
    options.model = MODEL_SC;
    options.awaits = AWAIT_SPIN;
    assumptions_init(&system->outside, &task->machine);
    options.assumed = &system->outside;
    system->machine = machine_new(&system->whole, &options);
    run_main(system);
    liveness_init(&system->liveness, &system->flat);
    space_init(&system->space, &system->flat, system->machine);
    if (system->refusal || system->undecided) {
        return false;
    }
    if (machine_outcome(system->machine) == OUTCOME_RUNNING || machine_thread_waits(system->machine, 0)) {
        uint32_t at = machine_thread_instruction(system->machine, 0);
        struct start start = {system->flat.entry, at - system->flat.functions[system->flat.entry].first, 0};
        program_rewrite(&system->flat, jump_to_start, &start);
        system->invariants = start.invariants;
        liveness_delete(&system->liveness);
        liveness_init(&system->liveness, &system->flat);
        find_thresholds(system);
        add_main(system);
        analysis_run(system);
        if (!system->refusal && !system->undecided) {
            joins_find(system);
        }
        for (uint32_t c = 0; c < system->classes.count && !system->refusal; c++) {
            class_of(system, c)->distinct = class_is_distinct(system, c);
        }
    }
    return !system->refusal && !system->undecided;
}

void system_delete(struct system *system) {
    for (uint32_t i = 0; i < system->classes.count; i++) {
        class_free(class_of(system, i));
    }
    vector_delete(&system->classes);
    if (system->machine) {
        space_delete(&system->space);
        liveness_delete(&system->liveness);
        machine_free(system->machine);
    }
    if (system->whole.header) {
        program_delete(&system->whole);
        program_delete(&system->flat);
    }
    free(system->thresholds);
    vector_delete(&system->assumed);
}
