/* Prints a witness in columns.
 *
 * A cell has a short description of what the thread does and, after it, the line of the source; a second line of the
 * cell shows the thread's store buffer if the step has changed it. */
#include "report/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ir/sync.h"
#include "machine/describe.h"
#include "util/hash_table.h"
#include "util/memory.h"

#define TABLE_WIDTH 116
#define NUMBER_WIDTH 6
#define MIN_COLUMN 22
#define MAX_STEPS 400 /* of a longer witness only the last ones are shown */

struct columns {
    const struct witness *witness;
    const struct program *program;
    struct machine *machine;
    FILE *out;
    uint32_t *shown; /* slots of the threads that take part, in order */
    size_t count;
    size_t width;
    struct vector touched; /* of struct touched: shared variables, in order of their first access */
    struct hash_table *seen;
};

struct touched {
    uint64_t address;
    unsigned size;
};

/* --- Words for a step --------------------------------------------------------------------------------------------- */

static void value_text(const struct columns *columns, const struct step *step, const uint64_t value[2], char *text,
                       size_t size) {
    machine_describe_value(columns->machine, step->address, step->size, value, text, size);
}

static void sync_text(const struct columns *columns, const struct step *step, const char *name, char *text,
                      size_t size) {
    const struct machine *machine = columns->machine;
    switch (step->sub) {
    case SYNC_THREAD_CREATE:
        snprintf(text, size, "creates thread %s", machine_thread_name(machine, (uint32_t)step->other));
        break;
    case SYNC_THREAD_JOIN:
    case SYNC_THREAD_TRYJOIN:
        if (step->result == 0) {
            snprintf(text, size, "joins thread %s", machine_thread_name(machine, (uint32_t)step->other));
        } else {
            snprintf(text, size, "join fails: %s", strerror((int)step->result));
        }
        break;
    default: {
        const char *phrase = sync_table[step->sub].phrase;
        int used = snprintf(text, size, phrase ? phrase : sync_table[step->sub].name, name);
        bool is_code =
            step->sub != SYNC_BARRIER_ARRIVE && step->sub != SYNC_ONCE_BEGIN && step->sub != SYNC_COND_RELEASE;
        if (step->result != 0 && is_code && used >= 0 && (size_t)used < size) {
            snprintf(text + used, size - (size_t)used, ": %s", strerror((int)step->result));
        }
        break;
    }
    }
}

static void step_text(const struct columns *columns, const struct step *step, char *text, size_t size) {
    char name[128] = "";
    char read[64];
    char written[64];
    machine_describe(columns->machine, step->address, step->size, name, sizeof name);
    value_text(columns, step, step->read, read, sizeof read);
    value_text(columns, step, step->written, written, sizeof written);
    bool buffered = machine_model(columns->machine) != MODEL_SC;
    switch (step->kind) {
    case STEP_LOAD:
        snprintf(text, size, "reads %s = %s%s", name, read, step->forwarded ? " from its own buffer" : "");
        break;
    case STEP_STORE:
        snprintf(text, size, "writes %s = %s%s", name, written, buffered ? " to its buffer" : "");
        break;
    case STEP_RMW:
        snprintf(text, size, "%s %s: %s becomes %s", rmw_names[step->sub], name, read, written);
        break;
    case STEP_CAS:
        if (step->writes) {
            snprintf(text, size, "cas %s: %s becomes %s", name, read, written);
        } else {
            snprintf(text, size, "cas %s fails: it is %s", name, read);
        }
        break;
    case STEP_FENCE:
        snprintf(text, size, "fence");
        break;
    case STEP_DRAIN:
        if (step->ends_object) {
            snprintf(text, size, "~ the end of %s reaches memory", name);
        } else {
            snprintf(text, size, "~ %s = %s reaches memory", name, written);
        }
        break;
    case STEP_FREE:
        snprintf(text, size, "frees %s", name);
        break;
    case STEP_LEAVE:
        snprintf(text, size, "%s ends", name);
        break;
    case STEP_SYNC:
        sync_text(columns, step, name, text, size);
        break;
    case STEP_ATOMIC_BEGIN:
        snprintf(text, size, "atomic section begins");
        break;
    case STEP_ATOMIC_END:
        snprintf(text, size, "atomic section ends");
        break;
    case STEP_NONDET:
        snprintf(text, size, "chooses %" PRId64, (int64_t)(step->result << (64 - step->size)) >> (64 - step->size));
        break;
    case STEP_MALLOC:
        snprintf(text, size, "malloc");
        break;
    default:
        snprintf(text, size, "the program ends");
        break;
    }
    const struct position *position = &columns->program->positions[step->pos];
    if (position->line != 0 && step->kind != STEP_DRAIN) {
        size_t used = strlen(text);
        const char *file = program_string(columns->program, position->file);
        const char *slash = strrchr(file, '/');
        snprintf(text + used, size - used, " (%s:%u)", slash ? slash + 1 : file, position->line);
    }
}

static void buffer_text(const struct columns *columns, uint32_t thread, char *text, size_t size) {
    const struct buffer_entry *entries;
    size_t count = machine_buffer(columns->machine, thread, &entries);
    size_t used = (size_t)snprintf(text, size, "  buffer:%s", count ? "" : " empty");
    for (size_t i = 0; i < count && used < size; i++) {
        char name[64];
        char value[48] = "its end";
        machine_describe(columns->machine, entries[i].address, entries[i].is_end ? 0 : (unsigned)entries[i].size, name,
                         sizeof name);
        if (!entries[i].is_end) {
            machine_describe_value(columns->machine, entries[i].address, (unsigned)entries[i].size, entries[i].value,
                                   value, sizeof value);
        }
        used += (size_t)snprintf(text + used, size - used, " %s=%s", name, value);
    }
}

/* --- Rows --------------------------------------------------------------------------------------------------------- */

static size_t column_of(const struct columns *columns, uint32_t thread) {
    for (size_t i = 0; i < columns->count; i++) {
        if (columns->shown[i] == thread) {
            return i;
        }
    }
    return 0;
}

/* Prints a text in one column, folded at blanks; the first line of the row carries the number. */
static void print_cell(const struct columns *columns, size_t column, const char *number, const char *text) {
    size_t width = columns->width - 2;
    const char *label = number;
    while (*text) {
        size_t length = strlen(text);
        if (length > width) {
            length = width;
            while (length > width / 4 && text[length] != ' ') {
                length--;
            }
        }
        fprintf(columns->out, "%*s  %*s%.*s\n", NUMBER_WIDTH - 2, label, (int)(column * columns->width), "",
                (int)length, text);
        label = "";
        text += length;
        while (*text == ' ') {
            text++;
        }
    }
}

static void print_header(const struct columns *columns) {
    fprintf(columns->out, "%*s  ", NUMBER_WIDTH - 2, "step");
    for (size_t i = 0; i < columns->count; i++) {
        char title[80];
        snprintf(title, sizeof title, "%s%s", columns->shown[i] ? "thread " : "",
                 machine_thread_name(columns->machine, columns->shown[i]));
        fprintf(columns->out, i + 1 < columns->count ? "%-*s" : "%.*s", (int)columns->width, title);
        if (i + 1 == columns->count) {
            fputc('\n', columns->out);
        }
    }
}

static void note_touched(struct columns *columns, const struct step *step) {
    bool access =
        step->kind == STEP_LOAD || step->kind == STEP_STORE || step->kind == STEP_RMW || step->kind == STEP_CAS;
    uint64_t value[2];
    bool found;
    if (access && machine_peek(columns->machine, step->address, step->size, value)) {
        hash_table_slot(columns->seen, &step->address, sizeof step->address, &found);
        if (!found) {
            vector_push(&columns->touched, &(struct touched){step->address, step->size});
        }
    }
}

static void print_step(struct columns *columns, size_t index) {
    const struct step *step = machine_last(columns->machine);
    char number[24];
    char text[512];
    snprintf(number, sizeof number, "%zu", index + 1);
    step_text(columns, step, text, sizeof text);
    size_t column = column_of(columns, step->thread);
    print_cell(columns, column, number, text);
    if (step->kind == STEP_DRAIN ||
        (machine_model(columns->machine) != MODEL_SC &&
         (step->kind == STEP_STORE || step->kind == STEP_FREE || step->kind == STEP_LEAVE))) {
        buffer_text(columns, step->thread, text, sizeof text);
        print_cell(columns, column, "", text);
    }
}

static void print_end(const struct columns *columns) {
    const struct machine_error *error = machine_error(columns->machine);
    const struct program *program = columns->program;
    const struct position *position = &program->positions[error->pos];
    char text[512];
    const char *file = program_string(program, position->file);
    const char *slash = strrchr(file, '/');
    if (columns->witness->kind == ERROR_STATE) {
        fputs("\nMemory in the end, as it never is under SC:\n", columns->out);
    } else {
        snprintf(text, sizeof text, "! %s (%s:%u)", error->message, slash ? slash + 1 : file, position->line);
        print_cell(columns, column_of(columns, error->thread), "", text);
        fputs("\nMemory at the error:\n", columns->out);
    }
    for (size_t i = 0; i < columns->touched.count && i < 40; i++) {
        const struct touched *touched = vector_at(&columns->touched, i);
        uint64_t value[2];
        char name[128];
        if (machine_peek(columns->machine, touched->address, touched->size, value)) {
            machine_describe(columns->machine, touched->address, touched->size, name, sizeof name);
            machine_describe_value(columns->machine, touched->address, touched->size, value, text, sizeof text);
            fprintf(columns->out, "  %s = %s\n", name, text);
        }
    }
    for (size_t i = 0; i < columns->count; i++) {
        const struct buffer_entry *entries;
        if (machine_buffer(columns->machine, columns->shown[i], &entries) > 0) {
            buffer_text(columns, columns->shown[i], text, sizeof text);
            fprintf(columns->out, "  still in the store buffer of %s%s:%s\n", columns->shown[i] ? "thread " : "",
                    machine_thread_name(columns->machine, columns->shown[i]), text + strlen("  buffer:"));
        }
    }
    size_t count = machine_output_count(columns->machine);
    if (count > 0) {
        fputs("\nOutput of the program:\n", columns->out);
    }
    for (size_t i = 0; i < count; i++) {
        struct output_piece piece = machine_output(columns->machine, i);
        fprintf(columns->out, "%.*s", (int)piece.size, piece.text);
    }
}

/* --- All of it ---------------------------------------------------------------------------------------------------- */

/* The threads that take a step, by slot; also makes every slot of the execution known to the machine. */
static bool find_threads(struct columns *columns) {
    const struct witness *witness = columns->witness;
    size_t known = machine_threads(columns->machine);
    uint8_t *takes_part = memory_allocate(known);
    machine_mark mark = machine_set_mark(columns->machine);
    bool good = true;
    for (size_t i = 0; good && i < witness->steps.count; i++) {
        struct transition transition;
        good = witness_transition(witness, i, columns->machine, &transition);
        if (!good) {
            break;
        }
        machine_take(columns->machine, transition);
        if (machine_threads(columns->machine) > known) {
            size_t threads = machine_threads(columns->machine);
            takes_part = memory_resize(takes_part, threads);
            memset(takes_part + known, 0, threads - known);
            known = threads;
        }
        takes_part[transition.thread] = 1;
    }
    bool failed = machine_outcome(columns->machine) == OUTCOME_ERROR;
    if (witness->kind == ERROR_STATE) {
        good = good && !failed;
    } else if (good && failed) {
        uint32_t thread = machine_error(columns->machine)->thread;
        if (thread < known) {
            takes_part[thread] = 1;
        }
    } else {
        good = false;
    }
    columns->shown = memory_allocate((known + 1) * sizeof *columns->shown);
    for (uint32_t t = 0; t < known; t++) {
        if (takes_part[t]) {
            columns->shown[columns->count++] = t;
        }
    }
    if (columns->count == 0) {
        columns->count = 1; /* the error comes before the first step, in main */
    }
    columns->width = (TABLE_WIDTH - NUMBER_WIDTH) / columns->count;
    columns->width = columns->width < MIN_COLUMN ? MIN_COLUMN : columns->width;
    free(takes_part);
    machine_undo(columns->machine, mark);
    return good;
}

bool columns_print(const struct witness *witness, const struct program *program, FILE *out) {
    struct machine_options options = witness_machine_options(witness);
    struct columns columns = {.witness = witness, .program = program, .out = out};
    columns.machine = machine_new(program, &options);
    columns.seen = hash_table_new();
    vector_init(&columns.touched, sizeof(struct touched));
    bool good = find_threads(&columns);
    if (good) {
        print_header(&columns);
        size_t count = witness->steps.count;
        if (count > MAX_STEPS) {
            fprintf(out, "   ... the first %zu steps are left out\n", count - MAX_STEPS);
        }
        for (size_t i = 0; i < count; i++) {
            struct transition transition;
            witness_transition(witness, i, columns.machine, &transition);
            machine_take(columns.machine, transition);
            note_touched(&columns, machine_last(columns.machine));
            if (i + MAX_STEPS >= count) {
                print_step(&columns, i);
            }
        }
        machine_outcome(columns.machine);
        print_end(&columns);
    }
    machine_free(columns.machine);
    hash_table_free(columns.seen);
    vector_delete(&columns.touched);
    free(columns.shown);
    return good;
}
