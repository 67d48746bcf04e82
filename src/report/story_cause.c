/* Why it happens: by which calls, and in sentences the cycle that SC does not have, or the patterns that fit. */
#include <stdlib.h>
#include <string.h>

#include "explain/cause.h"
#include "explain/cycle.h"
#include "ir/sync.h"
#include "report/teller.h"
#include "util/memory.h"

#define MOST_CALLS 10 /* that are noted: of a deep recursion the innermost */

char *teller_place(const struct teller *teller, uint32_t pos) {
    const struct program *program = teller->program;
    const struct position *position = &program->positions[pos];
    uint32_t home = program->files_count ? program->files[0] : position->file;
    const char *file = program_string(program, position->file);
    const char *slash = strrchr(file, '/');
    return strcmp(file, program_string(program, home)) == 0
               ? memory_format("%u", position->line)
               : memory_format("%s:%u", slash ? slash + 1 : file, position->line);
}

/* --- Calls -------------------------------------------------------------------------------------------------------- */

static void note_calls(struct teller *teller, const struct vector *stack, const char *what) {
    for (size_t i = 1; i < stack->count && i <= MOST_CALLS; i++) {
        uint32_t call = *(uint32_t *)vector_at(stack, i);
        teller_note(teller, call,
                    memory_format("%s from here, in %s()", what,
                                  program_string(teller->program, teller->program->positions[call].function)));
    }
}

void teller_note_calls(struct teller *teller) {
    if (machine_outcome(teller->machine) != OUTCOME_ERROR) {
        return;
    }
    const struct machine_error *error = machine_error(teller->machine);
    bool stands = error->kind == ERROR_DEADLOCK || error->kind == ERROR_LIVENESS || error->kind == ERROR_LEAK;
    if (!stands) { /* those have a note for each thread */
        moments_call_stack(&teller->moments, error->thread, error->pos, &teller->story->calls);
        note_calls(teller, &teller->story->calls, "called");
    }
    if (error->kind == ERROR_RACE) {
        struct vector stack;
        vector_init(&stack, sizeof(uint32_t));
        moments_call_stack(&teller->moments, error->other_thread, error->other_pos, &stack);
        note_calls(teller, &stack, "the other access is called");
        vector_delete(&stack);
    }
}

/* --- Causes ------------------------------------------------------------------------------------------------------- */

/* The words for a deed. */
struct words {
    char *thread;
    char *place;
    char *value;
};

/* Deeds that the cause does not have have empty words. */
static struct words words_of(struct teller *teller, const struct cause *cause, size_t index) {
    const struct deed *deed = &cause->deeds[index];
    if (index >= cause->count) {
        return (struct words){memory_copy_text(""), memory_copy_text(""), memory_copy_text("")};
    }
    return (struct words){
        .thread = deed->name[0] ? teller_thread_named(deed->name) : teller_thread_text(teller->machine, deed->thread),
        .place = teller_place(teller, deed->pos),
        .value = cause->size ? value_of(&teller->story->names, deed->thread, cause->address, cause->size, deed->value)
                             : memory_copy_text(""),
    };
}

static char *name_of_cause(struct teller *teller, const struct cause *cause) {
    const struct deed *deed = &cause->deeds[0];
    const char *variable = program_string(teller->program, teller->program->positions[deed->pos].variable);
    return cause->size == 0 ? name_of(&teller->story->names, deed->thread, cause->address, 0)
                            : access_name(&teller->story->names, deed->thread, cause->address, cause->size, variable);
}

/* "thread 1 (5) waits for what thread 2 holds, thread 2 (11) for what thread 1 holds". */
static char *cycle_of_locks_text(const struct cause *cause, const struct words *words) {
    char *text = memory_copy_text("");
    for (size_t i = 0; i < cause->count; i++) {
        char *longer = memory_format("%s%s%s (%s) %s %s %s", text, i ? ", " : "", words[i].thread, words[i].place,
                                     i ? "for what" : "waits for what", words[(i + 1) % cause->count].thread, "holds");
        free(text);
        text = longer;
    }
    return text;
}

static char *text_of_cause(const struct cause *cause, const struct words *w, const char *name) {
    bool same;
    switch (cause->kind) {
    case CAUSE_USE_AFTER_FREE:
        same = strcmp(w[0].thread, w[1].thread) == 0;
        return memory_format("%s uses %s (%s), which %s made (%s) and %s%sended (%s)", w[2].thread, name, w[2].place,
                             w[0].thread, w[0].place, same ? "" : w[1].thread, same ? "" : " ", w[1].place);
    case CAUSE_LOCK_CYCLE:
        return cycle_of_locks_text(cause, w);
    case CAUSE_LOST_SIGNAL:
        return memory_format("%s signals %s (%s) before %s waits for it (%s), and wakes no thread", w[0].thread, name,
                             w[0].place, w[1].thread, w[1].place);
    case CAUSE_TOO_FEW_WOKEN:
        return memory_format("%s signals %s (%s) and wakes %s (%s) only, while %s waits for it too (%s): a broadcast "
                             "wakes all",
                             w[0].thread, name, w[0].place, w[1].thread, w[1].place, w[2].thread, w[2].place);
    case CAUSE_NOT_SET_UP:
        return memory_format("%s reads %s = %s (%s) before %s sets it to %s (%s)", w[0].thread, name, w[0].value,
                             w[0].place, w[1].thread, w[1].value, w[1].place);
    case CAUSE_LOST_UPDATE:
        return memory_format("%s reads %s = %s (%s), %s writes %s (%s), and %s writes %s over it (%s)", w[0].thread,
                             name, w[0].value, w[0].place, w[1].thread, w[1].value, w[1].place, w[2].thread, w[2].value,
                             w[2].place);
    case CAUSE_CHECK_THEN_ACT:
        same = strcmp(w[2].place, w[3].place) == 0;
        if (same && strcmp(w[0].place, w[1].place) == 0) {
            return memory_format("%s and %s both found %s = %s (%s) before either set it (%s)", w[0].thread,
                                 w[1].thread, name, w[0].value, w[0].place, w[2].place);
        }
        return memory_format("%s (%s) and %s (%s) found %s = %s before either set it (%s%s%s)", w[0].thread, w[0].place,
                             w[1].thread, w[1].place, name, w[0].value, w[2].place, same ? "" : ", ",
                             same ? "" : w[3].place);
    case CAUSE_CHECK_THEN_USE:
        return memory_format("%s found %s = %s (%s), %s changed it to %s (%s), and %s relied on it (%s)", w[0].thread,
                             name, w[0].value, w[0].place, w[1].thread, w[1].value, w[1].place, w[2].thread,
                             w[2].place);
    case CAUSE_COUNT:
        break;
    }
    return memory_copy_text("");
}

static void add_cause(struct teller *teller, const struct cause *cause) {
    struct words words[MOST_DEEDS];
    char *name = cause->address ? name_of_cause(teller, cause) : memory_copy_text("");
    for (size_t i = 0; i < MOST_DEEDS; i++) {
        words[i] = words_of(teller, cause, i);
    }
    struct story_cause found = {cause_names[cause->kind], text_of_cause(cause, words, name)};
    vector_push(&teller->story->causes, &found);
    for (size_t i = 0; i < MOST_DEEDS; i++) {
        free(words[i].thread);
        free(words[i].place);
        free(words[i].value);
    }
    free(name);
}

/* --- The cycle ---------------------------------------------------------------------------------------------------- */

/* "28 reads wants[1] = 0 (1)", "26 wants[1] = 1 (2)", "30 locks m (main)". */
static char *text_of_access(struct teller *teller, const struct cycle_access *access) {
    struct story_names *names = &teller->story->names;
    const char *variable = program_string(teller->program, teller->program->positions[access->pos].variable);
    const char *thread = machine_thread_name(teller->machine, access->thread);
    char *place = teller_place(teller, access->pos);
    char *text = NULL;
    if (access->kind == STEP_SYNC) {
        char *name = access->size ? name_of(names, access->thread, access->address, 0) : memory_copy_text("");
        const char *phrase = sync_table[access->sub].phrase;
        char what[256];
        snprintf(what, sizeof what, phrase ? phrase : sync_table[access->sub].name, name);
        text = memory_format("%s %s (%s)", place, what, thread);
        free(name);
    } else {
        char *name = access_name(names, access->thread, access->address, access->size, variable);
        char *value = value_of(names, access->thread, access->address, access->size, access->value);
        text = memory_format("%s %s%s%s%s (%s)", place, access->writes ? "" : "reads ", name,
                             access->waits ? ", not yet" : " = ", access->waits ? "" : value, thread);
        free(value);
        free(name);
    }
    free(place);
    return text;
}

static void add_cycle(struct teller *teller) {
    struct vector cycle;
    vector_init(&cycle, sizeof(struct cycle_access));
    cycle_find(&teller->moments, &cycle);
    for (size_t i = 0; i < cycle.count; i++) {
        char *text = text_of_access(teller, vector_at(&cycle, i));
        vector_push(&teller->story->cycle, &text);
    }
    vector_delete(&cycle);
}

void teller_explain(struct teller *teller) {
    struct vector causes;
    bool late = false;
    for (size_t i = 0; i < teller->moments.list.count; i++) {
        late = late || moment_at(&teller->moments, i)->late;
    }
    if (late) {
        add_cycle(teller);
        return;
    }
    vector_init(&causes, sizeof(struct cause));
    causes_find(&teller->moments, &causes);
    for (size_t i = 0; i < causes.count; i++) {
        add_cause(teller, vector_at(&causes, i));
    }
    vector_delete(&causes);
}
