/* What steps do, in C's terms. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ir/sync.h"
#include "report/teller.h"
#include "util/memory.h"

char *teller_thread_named(const char *name) {
    return memory_format("%s%s", strcmp(name, "main") == 0 ? "" : "thread ", name);
}

char *teller_thread_text(const struct machine *machine, uint32_t slot) {
    return teller_thread_named(machine_thread_name(machine, slot));
}

struct story_row *teller_add_row(struct teller *teller, uint32_t thread, uint32_t pos, size_t first) {
    struct story_row row = {.thread = thread, .pos = pos, .first = first, .times = 1};
    const struct position *position = &teller->program->positions[pos];
    vector_init(&row.lines, sizeof(char *));
    row.source = source_line(&teller->story->sources, program_string(teller->program, position->file), position->line,
                             position->column);
    vector_push(&teller->story->rows, &row);
    teller->last.load = false;
    return vector_at(&teller->story->rows, teller->story->rows.count - 1);
}

struct story_row *teller_last_row(const struct teller *teller) {
    size_t count = teller->story->rows.count;
    return count ? vector_at(&teller->story->rows, count - 1) : NULL;
}

void story_row_say(struct story_row *row, char *line) {
    vector_push(&row->lines, &line);
}

char *teller_value(struct teller *teller, const struct step *step, const uint64_t what[2]) {
    return value_of(&teller->story->names, step->thread, step->address, step->size, what);
}

static void add_load(struct teller *teller, struct story_row *row, const struct moment *moment, const char *name) {
    const struct step *step = &moment->step;
    char *read = teller_value(teller, step, step->read);
    if (moment->outdated) {
        char *thread = teller_thread_text(teller->machine, moment->missed_thread);
        char *missed = teller_value(teller, step, moment->missed_value);
        story_row_say(row, memory_format("%s is %s: OUTDATED,", name, read));
        row->outdated = true;
        story_row_say(row, memory_format("%s stored %s at line %u", thread, missed,
                                         teller->program->positions[moment->missed_pos].line));
        row->needed = true;
        free(missed);
        free(thread);
    } else {
        story_row_say(row, memory_format("%s is %s", name, read));
    }
    free(teller->last.value);
    teller->last = (struct last_access){!moment->outdated, step->address, step->size, read};
}

static void add_store(struct teller *teller, struct story_row *row, const struct moment *moment, const char *name) {
    const struct step *step = &moment->step;
    char *written = teller_value(teller, step, step->written);
    const char *end = moment->late ? ", into its buffer" : "";
    if (teller->last.load && teller->last.address == step->address && teller->last.size == step->size &&
        row->lines.count > 0) {
        char **line = vector_at(&row->lines, row->lines.count - 1);
        free(*line);
        *line = memory_format("%s %s -> %s%s", name, teller->last.value, written, end);
    } else {
        story_row_say(row, memory_format("%s = %s%s", name, written, end));
    }
    teller->last.load = false;
    row->needed = row->needed || moment->late;
    free(written);
}

static void add_exchange(struct teller *teller, struct story_row *row, const struct moment *moment, const char *name) {
    const struct step *step = &moment->step;
    char *read = teller_value(teller, step, step->read);
    char *other = teller_value(teller, step, step->writes ? step->written : step->expected);
    story_row_say(row, step->writes ? memory_format("%s %s -> %s", name, read, other)
                                    : memory_format("%s is %s, not %s", name, read, other));
    if (moment->outdated) {
        char *thread = teller_thread_text(teller->machine, moment->missed_thread);
        story_row_say(row, memory_format("OUTDATED, %s stored at line %u", thread,
                                         teller->program->positions[moment->missed_pos].line));
        row->needed = true;
        free(thread);
    }
    teller->last.load = false;
    free(other);
    free(read);
}

static void add_sync(struct teller *teller, struct story_row *row, const struct step *step, const char *name) {
    char *other = NULL;
    if (step->sub == SYNC_THREAD_CREATE || step->sub == SYNC_THREAD_JOIN || step->sub == SYNC_THREAD_TRYJOIN) {
        bool good = step->result == 0 || step->sub == SYNC_THREAD_CREATE;
        other = good ? teller_thread_text(teller->machine, (uint32_t)step->other) : NULL;
        story_row_say(row, !good
                               ? memory_format("join fails: %s", strerror((int)step->result))
                               : memory_format("%s %s", step->sub == SYNC_THREAD_CREATE ? "creates" : "joins", other));
    } else {
        char text[256];
        bool is_code =
            step->sub != SYNC_BARRIER_ARRIVE && step->sub != SYNC_ONCE_BEGIN && step->sub != SYNC_COND_RELEASE;
        const char *phrase = sync_table[step->sub].phrase;
        snprintf(text, sizeof text, phrase ? phrase : sync_table[step->sub].name, name);
        story_row_say(row, step->result != 0 && is_code ? memory_format("%s: %s", text, strerror((int)step->result))
                                                        : memory_copy_text(text));
    }
    free(other);
}

/* What a step that is itself the error was to do. */
static void add_bad(struct story_row *row, const struct step *step, const char *name) {
    const char *what = step->kind == STEP_STORE  ? "writes"
                       : step->kind == STEP_LOAD ? "reads"
                       : step->kind == STEP_FREE ? "frees"
                                                 : "uses";
    story_row_say(row, memory_format("%s %s", what, name));
}

/* What the step accesses; operations on locks and similar objects are named by the whole object. */
char *teller_step_name(struct teller *teller, const struct step *step) {
    const char *variable = program_string(teller->program, teller->program->positions[step->pos].variable);
    bool whole = step->kind == STEP_SYNC || step->kind == STEP_FREE || step->ends_object;
    return whole ? name_of(&teller->story->names, step->thread, step->address, 0)
                 : access_name(&teller->story->names, step->thread, step->address, step->size, variable);
}

void teller_say(struct teller *teller, struct story_row *row, const struct moment *moment, bool bad) {
    const struct step *step = &moment->step;
    char *name = teller_step_name(teller, step);
    if (step->kind != STEP_LOAD && step->kind != STEP_STORE) {
        teller->last.load = false;
    }
    if (bad) {
        add_bad(row, step, name);
        free(name);
        return;
    }
    switch (step->kind) {
    case STEP_LOAD:
        add_load(teller, row, moment, name);
        break;
    case STEP_STORE:
        add_store(teller, row, moment, name);
        break;
    case STEP_RMW:
    case STEP_CAS:
        add_exchange(teller, row, moment, name);
        break;
    case STEP_FREE:
    case STEP_LEAVE:
        story_row_say(row, memory_format("%s %s%s", step->kind == STEP_FREE ? "frees" : "end of", name,
                                         moment->late ? ", into its buffer" : ""));
        row->needed = row->needed || moment->late;
        break;
    case STEP_SYNC:
        add_sync(teller, row, step, name);
        break;
    case STEP_NONDET:
        story_row_say(
            row, memory_format("chooses %" PRId64, (int64_t)(step->result << (64 - step->size)) >> (64 - step->size)));
        break;
    case STEP_FENCE:
        story_row_say(row, memory_copy_text("fence"));
        break;
    case STEP_EXIT:
        story_row_say(row, memory_copy_text("the program ends"));
        break;
    default:
        break;
    }
    free(name);
}
