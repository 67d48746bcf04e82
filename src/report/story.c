/* The rows.  The machine runs the execution once more, in the order in which its steps are shown. */
#include "report/story.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ir/sync.h"
#include "report/teller.h"
#include "util/memory.h"
#include "util/range.h"

#define MAX_LINES 8     /* of a row; of more, those between are counted */
#define MAX_COMPARED 64 /* steps of a row; those of longer ones are not held against each other */

/* --- Rows --------------------------------------------------------------------------------------------------------- */

/* Can the step be left out: the creation of a thread by main, which the heading shows; the end of a local or of a
 * thread; a thread's reads of its argument, which no thread writes? */
static bool is_silent(const struct teller *teller, size_t index) {
    const struct moment *moment = moment_at(&teller->moments, index);
    const struct step *step = &moment->step;
    struct machine_object given;
    if (index + 1 == teller->moments.list.count && teller->bad) {
        return false;
    }
    if (step->kind == STEP_FENCE && index > 0) { /* part of an access */
        for (size_t i = index; i-- > 0;) {
            const struct step *before = step_at(&teller->moments, i);
            if (before->thread == step->thread && before->kind != STEP_DRAIN) {
                return is_access(before) && before->pos == step->pos;
            }
        }
    }
    if (step->kind == STEP_SYNC) {
        return (step->sub == SYNC_THREAD_CREATE && step->thread == 0 && step->result != 0) ||
               step->sub == SYNC_THREAD_EXIT;
    }
    if (step->kind == STEP_LEAVE || step->kind == STEP_MALLOC || step->kind == STEP_ATOMIC_BEGIN ||
        step->kind == STEP_ATOMIC_END || step->kind == STEP_HALT) {
        return !moment->late;
    }
    return step->kind == STEP_LOAD && !moment->outdated && step->thread < teller->arguments.count &&
           machine_object_at(teller->machine, *(uint64_t *)vector_at(&teller->arguments, step->thread), &given) &&
           ranges_overlap(given.base, given.size, step->address, step->size);
}

/* Was this very access made in the row before, so that the thread has come back to it? */
static bool comes_back(const struct teller *teller, const struct story_row *row, size_t index) {
    const struct step *step = step_at(&teller->moments, index);
    for (size_t i = row->first; i < index && i < row->first + MAX_COMPARED; i++) {
        const struct step *other = step_at(&teller->moments, i);
        if (other->pos == step->pos && other->kind == step->kind && other->address == step->address) {
            return true;
        }
    }
    return false;
}

static struct story_row *row_for(struct teller *teller, size_t index) {
    const struct step *step = step_at(&teller->moments, index);
    struct story_row *row = teller_last_row(teller);
    if (!row || row->drain || row->thread != step->thread || !same_line(teller->program, row->pos, step->pos) ||
        comes_back(teller, row, index)) {
        row = teller_add_row(teller, step->thread, step->pos, index);
    }
    return row;
}

static void add_drain(struct teller *teller, size_t index) {
    const struct step *step = step_at(&teller->moments, index);
    struct story_row *row = teller_add_row(teller, step->thread, step->pos, index);
    char *name = teller_step_name(teller, step);
    char *written = teller_value(teller, step, step->written);
    row->drain = true;
    story_row_say(row, step->ends_object ? memory_format("the end of %s reaches memory", name)
                                         : memory_format("%s = %s reaches memory", name, written));
    free(written);
    free(name);
}

/* Does any step of the execution write to the object at this address? */
static bool is_written(const struct teller *teller, uint64_t address) {
    struct machine_object object;
    if (!machine_object_at(teller->machine, address, &object)) {
        return false;
    }
    for (size_t i = 0; i < teller->moments.list.count; i++) {
        const struct step *step = step_at(&teller->moments, i);
        if ((step->kind == STEP_SYNC || step->writes) && ranges_overlap(object.base, object.size, step->address, 1)) {
            return true;
        }
    }
    return false;
}

/* The heading of a thread that is being created: what it runs, and with what. */
static void note_creation(struct teller *teller, uint32_t creator, uint32_t slot, uint64_t argument, int64_t function) {
    struct vector *threads = &teller->story->threads;
    struct story_thread *thread = NULL;
    for (size_t i = 0; i < threads->count; i++) {
        struct story_thread *at = vector_at(threads, i);
        thread = at->slot == slot ? at : thread;
    }
    if (!thread) {
        thread = vector_grow(threads, 1);
    }
    thread->slot = slot;
    thread->function = function;
    thread->argument = argument;
    free(thread->title);
    char *name = teller_thread_text(teller->machine, slot);
    char *given = argument >= GLOBAL_BASE ? name_of(&teller->story->names, creator, argument, 1)
                                          : memory_format("%" PRIu64, argument);
    if (function < 0) {
        thread->title = memory_copy_text(name);
    } else {
        thread->title = memory_format("%s: %s(%s%s)", name, function_name(teller->program, (uint32_t)function),
                                      argument >= GLOBAL_BASE ? "&" : "", argument ? given : "");
    }
    free(given);
    free(name);
    while (teller->arguments.count <= slot) {
        vector_grow(&teller->arguments, 1);
    }
    *(uint64_t *)vector_at(&teller->arguments, slot) = is_written(teller, argument) ? 0 : argument;
}

/* The argument that an instruction passes to a new thread. */
struct creation {
    bool creates;
    int64_t function;
    uint64_t argument;
};

static uint64_t operand(const struct teller *teller, uint32_t thread, uint32_t operand) {
    return operand & OPERAND_CONSTANT ? teller->program->constants[operand & ~OPERAND_CONSTANT]
                                      : machine_register(teller->machine, thread, operand);
}

static struct creation find_creation(const struct teller *teller, uint32_t thread) {
    const struct instruction *code = &teller->program->code[machine_thread_instruction(teller->machine, thread)];
    struct creation creation = {.function = -1};
    if (code->op == OP_SYNC && code->width == SYNC_THREAD_CREATE) {
        int64_t first = function_at(teller->program, operand(teller, thread, code->a));
        creation.creates = true;
        if (first >= 0 && (teller->program->functions[first].flags & FUNCTION_LIBRARY)) {
            creation.function = function_at(teller->program, operand(teller, thread, code->b));
            creation.argument = operand(teller, thread, code->c);
        }
    }
    return creation;
}

static bool is_join(const struct step *step) {
    return step->kind == STEP_SYNC && step->sub == SYNC_THREAD_JOIN && step->result == 0;
}

void teller_mark_waiting(struct teller *teller) {
    struct story_row *row = teller_last_row(teller);
    if (row) {
        row->waits = row->thread < teller->waiting.count && *(uint32_t *)vector_at(&teller->waiting, row->thread) > 0;
    }
}

/* Counts a late store when it is made and when it reaches memory. */
static void count_waiting(struct teller *teller, const struct moment *moment) {
    uint32_t thread = moment->step.thread;
    if (teller->waiting.count <= thread) {
        vector_grow(&teller->waiting, thread + 1 - teller->waiting.count);
    }
    uint32_t *waiting = vector_at(&teller->waiting, thread);
    *waiting += moment->late;
    *waiting -= moment->step.kind == STEP_DRAIN && !moment->with_store && *waiting > 0;
}

/* Runs the execution in the order shown and makes the rows. */
static void tell(struct teller *teller) {
    for (size_t i = 0; i < teller->moments.list.count; i++) {
        struct moment *moment = moment_at(&teller->moments, i);
        struct transition transition;
        witness_step_transition(&moment->choice, teller->machine, &transition);
        struct creation creation = {0};
        if (transition.kind == TRANSITION_STEP) {
            creation = find_creation(teller, transition.thread);
        }
        if (i + 1 == teller->moments.list.count && is_access(&moment->step)) {
            struct effect effect;
            effect_init(&effect);
            machine_effect(teller->machine, transition, NULL, &effect);
            teller->bad = effect.bad;
            effect_delete(&effect);
        }
        uint32_t errors = machine_errors(teller->machine);
        machine_take(teller->machine, transition);
        if (i + 1 == teller->moments.list.count && moment->step.kind == STEP_FREE) {
            teller->bad = machine_errors(teller->machine) > errors && moment->step.serial == 0;
        }
        count_waiting(teller, moment);
        if (creation.creates) {
            note_creation(teller, moment->step.thread, (uint32_t)moment->step.other, creation.argument,
                          creation.function);
        }
        if (moment->step.kind == STEP_DRAIN && !moment->with_store) {
            add_drain(teller, i);
        } else if (moment->step.kind != STEP_DRAIN && !is_silent(teller, i)) {
            struct story_row *row = row_for(teller, i);
            bool bad = teller->bad && i + 1 == teller->moments.list.count;
            row->steps++;
            row->aside = moment->step.thread == 0 && (row->steps == 1 || row->aside) &&
                         (teller->story->threads.count == 0 || is_join(&moment->step));
            teller_say(teller, row, moment, bad);
        }
        teller_mark_waiting(teller);
    }
}

/* --- Which rows are shown ----------------------------------------------------------------------------------------- */

/* The last writers of what the failing line reads. */
static void need_writers(struct teller *teller) {
    const struct story_row *row = teller_last_row(teller);
    for (size_t i = row ? row->first : 0; row && i < teller->moments.list.count && i < row->first + MAX_COMPARED; i++) {
        const struct step *read = step_at(&teller->moments, i);
        if (!read->reads || !is_access(read) || read->thread != row->thread) {
            continue;
        }
        for (size_t j = i; j-- > 0;) {
            const struct step *write = step_at(&teller->moments, j);
            if (write->kind != STEP_DRAIN && write->writes &&
                ranges_overlap(write->address, write->size, read->address, read->size)) {
                for (size_t k = 0; k < teller->story->rows.count; k++) {
                    struct story_row *at = vector_at(&teller->story->rows, k);
                    bool in = at->first <= j && (k + 1 == teller->story->rows.count || (at + 1)->first > j);
                    at->needed = at->needed || in;
                }
                break;
            }
        }
    }
}

static bool same_row(const struct story_row *one, const struct story_row *other) {
    bool same = one->thread == other->thread && one->pos == other->pos && one->drain == other->drain &&
                one->waits == other->waits && one->lines.count == other->lines.count;
    for (size_t i = 0; same && i < one->lines.count; i++) {
        same = strcmp(*(char **)vector_at(&one->lines, i), *(char **)vector_at(&other->lines, i)) == 0;
    }
    return same;
}

static void delete_row(struct story_row *row) {
    for (size_t i = 0; i < row->lines.count; i++) {
        free(*(char **)vector_at(&row->lines, i));
    }
    vector_delete(&row->lines);
    free(row->source);
}

/* Merges equal rows; a row of many lines is cut. */
static void merge_rows(struct story *story) {
    size_t kept = 0;
    for (size_t i = 0; i < story->rows.count; i++) {
        struct story_row *row = vector_at(&story->rows, i);
        struct story_row *before = kept ? vector_at(&story->rows, kept - 1) : NULL;
        if (before && same_row(before, row)) {
            before->times++;
            before->steps += row->steps;
            before->needed = before->needed || row->needed;
            delete_row(row);
        } else {
            *(struct story_row *)vector_at(&story->rows, kept++) = *row;
        }
    }
    story->rows.count = kept;
    for (size_t i = 0; i < kept; i++) {
        struct story_row *row = vector_at(&story->rows, i);
        size_t many = row->lines.count;
        if (many > MAX_LINES && !row->needed) {
            for (size_t j = MAX_LINES - 2; j + 1 < many; j++) {
                free(*(char **)vector_at(&row->lines, j));
            }
            *(char **)vector_at(&row->lines, MAX_LINES - 2) = memory_format("... %zu more", many - (MAX_LINES - 1));
            *(char **)vector_at(&row->lines, MAX_LINES - 1) = *(char **)vector_at(&row->lines, many - 1);
            row->lines.count = MAX_LINES;
        }
    }
}

static struct story_thread *thread_of(struct story *story, uint32_t slot) {
    for (size_t i = 0; i < story->threads.count; i++) {
        struct story_thread *thread = vector_at(&story->threads, i);
        if (thread->slot == slot) {
            return thread;
        }
    }
    struct story_thread thread = {.slot = slot, .title = teller_thread_text(story->machine, slot), .function = -1};
    vector_push(&story->threads, &thread);
    return vector_at(&story->threads, story->threads.count - 1);
}

/* An argument of 0 is NULL, which is left out unless the function also receives other numbers. */
static void name_zeros(struct story *story) {
    for (size_t i = 0; i < story->threads.count; i++) {
        struct story_thread *thread = vector_at(&story->threads, i);
        bool number = false;
        for (size_t j = 0; j < story->threads.count && thread->argument == 0 && thread->function >= 0; j++) {
            const struct story_thread *other = vector_at(&story->threads, j);
            number =
                number || (other->function == thread->function && other->argument > 0 && other->argument < GLOBAL_BASE);
        }
        if (number) {
            char *title = memory_format("%.*s0)", (int)strlen(thread->title) - 1, thread->title);
            free(thread->title);
            thread->title = title;
        }
    }
}

static int by_slot(const void *one, const void *other) {
    uint32_t a = ((const struct story_thread *)one)->slot;
    uint32_t b = ((const struct story_thread *)other)->slot;
    return (a > b) - (a < b);
}

static void find_threads(struct story *story) {
    bool alone = story->threads.count == 0;
    for (size_t i = 0; i < story->rows.count; i++) {
        struct story_row *row = vector_at(&story->rows, i);
        row->aside = row->aside && !row->needed && !alone;
        thread_of(story, row->thread);
    }
    name_zeros(story);
    qsort(story->threads.data, story->threads.count, sizeof(struct story_thread), by_slot);
}

/* Types of heap objects, as the pointers have them through which they are accessed: known before they are named. */
static void note_types(struct teller *teller) {
    struct machine_options options = witness_machine_options(teller->witness);
    struct machine *end = machine_new(teller->program, &options);
    teller->story->names.machine = end; /* where all objects exist */
    for (size_t i = 0; i < teller->moments.list.count; i++) {
        struct transition transition;
        const struct step *step = step_at(&teller->moments, i);
        witness_step_transition(&moment_at(&teller->moments, i)->choice, end, &transition);
        machine_take(end, transition);
        if (is_access(step)) {
            const struct position *position = &teller->program->positions[step->pos];
            story_names_note(&teller->story->names, step->address, program_string(teller->program, position->object),
                             program_string(teller->program, position->variable));
        }
    }
    teller->story->names.machine = teller->machine;
    machine_free(end);
}

/* --- All of it ---------------------------------------------------------------------------------------------------- */

bool story_build(struct story *story, const struct witness *witness, const struct program *program,
                 const struct vector *inputs, bool explain) {
    struct machine_options options = witness_machine_options(witness);
    struct teller teller = {.story = story, .witness = witness, .program = program};
    *story = (struct story){.machine = machine_new(program, &options)};
    teller.machine = story->machine;
    story_names_init(&story->names, story->machine);
    sources_init(&story->sources, inputs);
    vector_init(&story->rows, sizeof(struct story_row));
    vector_init(&story->threads, sizeof(struct story_thread));
    vector_init(&story->notes, sizeof(struct story_note));
    vector_init(&story->why, sizeof(char *));
    vector_init(&story->cycle, sizeof(char *));
    vector_init(&story->causes, sizeof(struct story_cause));
    vector_init(&story->calls, sizeof(uint32_t));
    vector_init(&story->outdated, sizeof(struct story_outdated));
    vector_init(&teller.arguments, sizeof(uint64_t));
    vector_init(&teller.waiting, sizeof(uint32_t));
    bool good = moments_init(&teller.moments, witness, program);
    if (good) {
        note_types(&teller);
        tell(&teller);
        need_writers(&teller);
        if (explain) {
            teller_note_calls(&teller);
        }
        teller_add_notes(&teller);
        teller_end(&teller);
        if (explain) {
            teller_explain(&teller);
        }
        merge_rows(story);
        find_threads(story);
    }
    free(teller.last.value);
    moments_delete(&teller.moments);
    vector_delete(&teller.arguments);
    vector_delete(&teller.waiting);
    return good;
}

void story_delete(struct story *story) {
    for (size_t i = 0; i < story->rows.count; i++) {
        delete_row(vector_at(&story->rows, i));
    }
    for (size_t i = 0; i < story->threads.count; i++) {
        free(((struct story_thread *)vector_at(&story->threads, i))->title);
    }
    for (size_t i = 0; i < story->notes.count; i++) {
        free(((struct story_note *)vector_at(&story->notes, i))->text);
    }
    for (size_t i = 0; i < story->why.count; i++) {
        free(*(char **)vector_at(&story->why, i));
    }
    vector_delete(&story->rows);
    vector_delete(&story->threads);
    vector_delete(&story->notes);
    for (size_t i = 0; i < story->cycle.count; i++) {
        free(*(char **)vector_at(&story->cycle, i));
    }
    for (size_t i = 0; i < story->causes.count; i++) {
        free(((struct story_cause *)vector_at(&story->causes, i))->text);
    }
    vector_delete(&story->why);
    vector_delete(&story->cycle);
    vector_delete(&story->causes);
    vector_delete(&story->calls);
    vector_delete(&story->outdated);
    story_names_delete(&story->names);
    sources_delete(&story->sources);
    free(story->message);
    machine_free(story->machine);
}
