/* How a story ends: the rows of the error, the notes around it, and what passed the late stores. */
#include <stdlib.h>
#include <string.h>

#include "explain/circumstances.h"
#include "report/teller.h"
#include "util/memory.h"
#include "util/range.h"

#define MAX_WHY 12       /* sentences */
#define MAX_EXPLAINED 50 /* late stores */

/* --- The end ------------------------------------------------------------------------------------------------------ */

static void fail_row(struct story_row *row) {
    row->needed = true;
    row->aside = false;
    if (row->lines.count == 0 || row->outdated) {
        story_row_say(row, memory_copy_text("FAILS"));
    } else {
        char **line = vector_at(&row->lines, row->lines.count - 1);
        char *longer = memory_format("%s: FAILS", *line);
        free(*line);
        *line = longer;
    }
}

/* The last row of the thread at this position. */
static struct story_row *end_row(struct teller *teller, uint32_t thread, uint32_t pos) {
    struct story_row *row = teller_last_row(teller);
    if (!row || row->drain || row->thread != thread || !same_line(teller->program, row->pos, pos)) {
        row = teller_add_row(teller, thread, pos, teller->moments.list.count);
        teller_mark_waiting(teller);
    }
    return row;
}

void teller_note(struct teller *teller, uint32_t pos, char *text) {
    for (size_t i = 0; i < teller->story->notes.count; i++) {
        const struct story_note *note = vector_at(&teller->story->notes, i);
        if (note->pos == pos && strcmp(note->text, text) == 0) {
            free(text);
            return;
        }
    }
    struct story_note note = {pos, text};
    vector_push(&teller->story->notes, &note);
}

/* Rows in which a thread took what another waits for. */
static void need_holding(struct teller *teller, const struct circumstance *at) {
    for (size_t i = teller->story->rows.count; at->holder_slot >= 0 && at->since_pos && i-- > 0;) {
        struct story_row *row = vector_at(&teller->story->rows, i);
        if (row->thread == at->holder_slot && same_line(teller->program, row->pos, at->since_pos)) {
            row->needed = true;
            return;
        }
    }
}

/* A thread that waits at the end. */
static void end_waiting(struct teller *teller, const struct circumstance *at) {
    const char *waits = strstr(at->note, "waits");
    struct story_row *row = end_row(teller, at->slot, at->pos);
    row->needed = !at->joins;
    row->aside = at->joins && at->slot == 0;
    story_row_say(row, memory_copy_text(waits ? waits : at->note));
    need_holding(teller, at);
}

/* The error has the position at which the first thread of the cycle waits; without a cycle, that of the first waiting
 * thread that does not just join another.  Joins come first. */
static void end_deadlock(struct teller *teller, const struct vector *around) {
    const struct circumstance *first = circumstances_cycle(around);
    for (size_t i = 0; i < around->count; i++) {
        const struct circumstance *at = vector_at(around, i);
        if (at->joins) {
            end_waiting(teller, at);
        } else if (!first) {
            first = at;
        }
    }
    for (size_t i = 0; i < around->count; i++) {
        const struct circumstance *at = vector_at(around, i);
        if (!at->joins) {
            end_waiting(teller, at);
        }
    }
    teller->story->error_pos = first ? first->pos : teller->story->error_pos;
}

static void end_with_circumstances(struct teller *teller, const struct machine_error *error) {
    struct vector around;
    vector_init(&around, sizeof(struct circumstance));
    circumstances_find(teller->witness, teller->program, &around);
    if (error->kind == ERROR_DEADLOCK || error->kind == ERROR_LIVENESS) {
        end_deadlock(teller, &around);
    }
    for (size_t i = 0; i < around.count; i++) {
        const struct circumstance *at = vector_at(&around, i);
        teller_note(teller, at->pos, memory_copy_text(at->note));
    }
    circumstances_delete(&around);
}

/* The other side of a race, if it has no row yet. */
static void end_other_side(struct teller *teller, const struct machine_error *error) {
    for (size_t i = 0; i < teller->story->rows.count; i++) {
        struct story_row *row = vector_at(&teller->story->rows, i);
        if (row->thread == error->other_thread && !row->drain &&
            same_line(teller->program, row->pos, error->other_pos)) {
            row->needed = true;
            return;
        }
    }
    struct story_row *row = end_row(teller, error->other_thread, error->other_pos);
    row->needed = true;
    story_row_say(row, memory_copy_text("accesses the same bytes"));
}

void teller_end(struct teller *teller) {
    struct story *story = teller->story;
    if (machine_outcome(teller->machine) != OUTCOME_ERROR) {
        return;
    }
    const struct machine_error *error = machine_error(teller->machine);
    story->error_pos = error->pos;
    story->message = memory_copy_text(error->message);
    end_with_circumstances(teller, error);
    if (error->kind == ERROR_LEAK) {
        story_row_say(end_row(teller, error->thread, error->pos), memory_copy_text("never freed"));
    }
    if (error->kind == ERROR_RACE) {
        char *other = teller_thread_text(teller->machine, error->other_thread);
        struct story_row *row = end_row(teller, error->thread, error->pos);
        story_row_say(
            row, memory_format("races with %s at line %u", other, teller->program->positions[error->other_pos].line));
        free(other);
    }
    bool waits = error->kind == ERROR_DEADLOCK || error->kind == ERROR_LIVENESS;
    if (!waits || story->rows.count == 0) {
        fail_row(end_row(teller, error->thread, error->pos));
    } else {
        fail_row(teller_last_row(teller));
    }
    if (error->kind == ERROR_RACE) {
        end_other_side(teller, error);
    }
}

/* --- Late stores -------------------------------------------------------------------------------------------------- */

static bool others_write(const struct teller *teller, const struct step *step) {
    for (size_t i = 0; i < teller->moments.list.count; i++) {
        const struct step *other = step_at(&teller->moments, i);
        if (other->thread != step->thread && other->writes &&
            ranges_overlap(other->address, other->size, step->address, step->size)) {
            return true;
        }
    }
    return false;
}

/* Names those of the thread's own accesses that passed the late store. */
static void explain_late(struct teller *teller, size_t index) {
    const struct step *store = step_at(&teller->moments, index);
    uint32_t lines[4];
    size_t count = 0;
    bool stores = false;
    for (size_t i = index + 1; i < teller->moments.list.count; i++) {
        const struct step *step = step_at(&teller->moments, i);
        if (step->thread != store->thread) {
            continue;
        }
        if (step->kind == STEP_DRAIN && step->serial == store->serial) {
            break;
        }
        bool load = step->kind == STEP_LOAD && !step->forwarded && others_write(teller, step);
        bool passes_it = step->kind == STEP_DRAIN && step->serial > store->serial;
        uint32_t line = teller->program->positions[step->pos].line;
        if ((load || passes_it) && count < 4 && (count == 0 || stores == passes_it) &&
            (count == 0 || lines[count - 1] != line)) {
            stores = passes_it;
            lines[count++] = line;
        }
    }
    if (count == 0 || teller->story->why.count >= MAX_WHY) {
        return;
    }
    char *thread = teller_thread_text(teller->machine, store->thread);
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    fprintf(out, "%s's %s%s at ", thread, stores ? "store" : "load", count > 1 ? "s" : "");
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s%u", i == 0 ? "" : i + 1 == count ? " and " : ", ", lines[i]);
    }
    fprintf(out, " passed its store at %u.", teller->program->positions[store->pos].line);
    fclose(out);
    vector_push(&teller->story->why, &text);
    free(thread);
}

void teller_add_notes(struct teller *teller) {
    size_t explained = 0;
    for (size_t i = 0; i < teller->moments.list.count; i++) {
        const struct moment *moment = moment_at(&teller->moments, i);
        if (moment->late) {
            char *thread = teller_thread_text(teller->machine, moment->step.thread);
            teller_note(teller, moment->step.pos,
                        memory_format("late %s: it waits in %s's buffer",
                                      moment->step.kind == STEP_STORE ? "store" : "end of an object", thread));
            free(thread);
            if (explained++ < MAX_EXPLAINED) {
                explain_late(teller, i);
            }
        }
    }
    for (size_t i = 0; i < teller->moments.list.count; i++) {
        const struct moment *moment = moment_at(&teller->moments, i);
        if (moment->outdated) {
            struct story_outdated outdated = {moment->step.thread, moment->step.pos, moment->missed_thread,
                                              moment->missed_pos};
            vector_push(&teller->story->outdated, &outdated);
            char *thread = teller_thread_text(teller->machine, moment->step.thread);
            char *name = teller_step_name(teller, &moment->step);
            char *read = teller_value(teller, &moment->step, moment->step.read);
            teller_note(teller, moment->step.pos, memory_format("%s reads %s = %s: outdated", thread, name, read));
            free(read);
            free(name);
            free(thread);
        }
    }
}
