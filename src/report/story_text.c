/* A line is put together in memory, loses the blanks at its end, and is cut to the width. */
#include "report/story_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/color.h"
#include "util/memory.h"
#include "util/utf8.h"

#define DEFAULT_WIDTH 80
#define MIN_WIDTH 40
#define MIN_COLUMN 34
#define COLUMN_GAP 2
#define MAX_NAME 14
#define MAX_ROWS 40
#define MAX_NEEDED 100 /* rows that are never left out, unless there are more */

struct page {
    const struct story *story;
    FILE *out;
    int terminal;
    size_t width;
    size_t number; /* width of a row's number and the blanks after it */
    size_t gutter; /* width of a line number and the blank after it */
    size_t name;   /* width of the thread's name, where there is one column; 0: columns */
    size_t cell;
    size_t count;    /* columns */
    uint32_t *shown; /* slots of the columns */
    bool *waits;     /* by slot: a store waits */
    bool *chosen;    /* by row: it is shown */
};

size_t story_width(void) {
    struct winsize size;
    bool known = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    size_t width = known ? size.ws_col : DEFAULT_WIDTH;
    return width < MIN_WIDTH ? MIN_WIDTH : width;
}

/* --- Text --------------------------------------------------------------------------------------------------------- */

/* The bytes of the character at `text`, and the columns that it takes: bytes that are no text are shown as \xNN. */
static size_t character(const char *text, size_t *columns) {
    size_t bytes = utf8_length(text);
    *columns = bytes ? 1 : 4;
    return bytes ? bytes : 1;
}

static size_t width_of(const char *text) {
    size_t width = 0;
    while (*text) {
        size_t columns;
        text += character(text, &columns);
        width += columns;
    }
    return width;
}

/* How many bytes of the text fit. */
static size_t fitting(const char *text, size_t width) {
    size_t used = 0;
    size_t at = 0;
    while (text[at]) {
        size_t columns;
        size_t bytes = character(text + at, &columns);
        if (used + columns > width) {
            break;
        }
        used += columns;
        at += bytes;
    }
    return at;
}

/* A copy that is cut with "..." where it is too wide. */
static char *cut(const char *text, size_t width) {
    if (width_of(text) <= width) {
        return memory_copy_text(text);
    }
    return memory_format("%.*s...", (int)fitting(text, width - 3), text);
}

/* The next line of a text that is folded at blanks: how many bytes, and where the rest begins. */
static size_t folded(const char *text, size_t width, const char **rest) {
    size_t bytes = fitting(text, width);
    size_t all = bytes;
    if (text[bytes]) {
        while (bytes > 0 && text[bytes] != ' ') {
            bytes--;
        }
        bytes = bytes ? bytes : all;
    }
    *rest = text + bytes;
    while (**rest == ' ') {
        (*rest)++;
    }
    return bytes;
}

static void print_folded(FILE *out, const char *text, size_t width) {
    while (*text) {
        const char *rest;
        size_t bytes = folded(text, width, &rest);
        fprintf(out, "%.*s\n", (int)bytes, text);
        text = rest;
    }
}

/* The words with which a row ends that shows the error or an outdated value. */
static size_t alarm_at(const char *line, size_t length) {
    static const char *const alarms[] = {"FAILS", "OUTDATED,", "OUTDATED"};
    for (size_t i = 0; i < sizeof alarms / sizeof *alarms; i++) {
        size_t size = strlen(alarms[i]);
        if (length >= size && strncmp(line + length - size, alarms[i], size) == 0) {
            return length - size;
        }
    }
    return length;
}

/* `alarms`: the line is about a step, and no text of the program. */
static void print_trimmed(const struct page *page, const char *line, bool alarms) {
    size_t length = strlen(line);
    while (length > 0 && line[length - 1] == ' ') {
        length--;
    }
    size_t at = alarms ? alarm_at(line, length) : length;
    fprintf(page->out, "%.*s", (int)at, line);
    color_print(page->out, page->terminal, COLOR_ERROR, line + at, length - at);
    fputc('\n', page->out);
}

/* --- Messages ----------------------------------------------------------------------------------------------------- */

static void print_message(const struct program *program, uint32_t pos, enum color color, const char *kind, int terminal,
                          FILE *out) {
    const struct position *position = &program->positions[pos];
    char column[16] = "";
    if (position->column) {
        snprintf(column, sizeof column, "%u:", position->column);
    }
    char *place = memory_format("%s:%u:%s", program_string(program, position->file), position->line, column);
    color_print(out, terminal, COLOR_PLACE, place, strlen(place));
    fputc(' ', out);
    color_print(out, terminal, color, kind, strlen(kind));
    free(place);
}

void story_print_messages(const struct story *story, int terminal, FILE *out) {
    const struct program *program = machine_program(story->machine);
    if (!story->message) {
        return;
    }
    print_message(program, story->error_pos, COLOR_ERROR, "error:", terminal, out);
    fprintf(out, " %s [%s]\n", story->message, error_names[machine_error(story->machine)->kind]);
    for (size_t i = 0; i < story->notes.count; i++) {
        const struct story_note *note = vector_at(&story->notes, i);
        print_message(program, note->pos, COLOR_NOTE, "note:", terminal, out);
        fprintf(out, " %s\n", note->text);
    }
}

/* --- Lines -------------------------------------------------------------------------------------------------------- */

static const struct story_row *row_at(const struct story *story, size_t index) {
    return vector_at(&story->rows, index);
}

static uint32_t line_of(const struct page *page, const struct story_row *row) {
    return machine_program(page->story->machine)->positions[row->pos].line;
}

static void pad(FILE *line, size_t *at, size_t to) {
    while (*at < to) {
        fputc(' ', line);
        (*at)++;
    }
}

/* Of a name that is too long, the end. */
static char *thread_name(const struct page *page, uint32_t slot) {
    char *name = memory_format("%s%s", slot ? "thread " : "", machine_thread_name(page->story->machine, slot));
    size_t length = strlen(name);
    if (length > page->name - 2) {
        char *end = memory_format("...%s", name + length - (page->name - 5));
        free(name);
        name = end;
    }
    return name;
}

/* One line: the row's number or "", the prefix, the text; bars for the stores that wait elsewhere. */
static void print_line(const struct page *page, const struct story_row *row, const char *number, const char *mark,
                       const char *text, size_t bytes, bool alarms) {
    char *composed = NULL;
    size_t size;
    FILE *line = memory_stream(&composed, &size);
    size_t at = 0;
    char *shown = memory_format("%.*s", (int)bytes, text);
    fprintf(line, "%*s  ", (int)page->number - 2, number);
    at = page->number;
    if (page->name) {
        char *name = *number ? thread_name(page, row->thread) : memory_copy_text("");
        fprintf(line, "%-*s  %-*s%s", (int)page->name - 2, name, (int)page->gutter, mark, shown);
        free(name);
    }
    for (size_t i = 0; !page->name && i < page->count; i++) {
        pad(line, &at, page->number + i * page->cell);
        if (page->shown[i] == row->thread) {
            fprintf(line, "%-*s%s", (int)page->gutter, mark, shown);
            at += page->gutter + width_of(shown);
        } else if (page->waits[page->shown[i]]) {
            fputc('|', line);
            at++;
        }
    }
    fclose(line);
    print_trimmed(page, composed, alarms);
    free(shown);
    free(composed);
}

static size_t text_width(const struct page *page, const struct story_row *row) {
    if (page->name) {
        return page->width - page->number - page->name - page->gutter;
    }
    bool last = page->shown[page->count - 1] == row->thread;
    return page->cell - page->gutter - (last ? 0 : COLUMN_GAP);
}

/* The source line of a row; from another file than the first that was given with its name. */
static char *quote(const struct page *page, const struct story_row *row) {
    const struct program *program = machine_program(page->story->machine);
    uint32_t offset = program->positions[row->pos].file;
    uint32_t home = program->files_count ? program->files[0] : offset;
    if (strcmp(program_string(program, offset), program_string(program, home)) == 0) {
        return memory_copy_text(row->source);
    }
    const char *file = program_string(program, offset);
    const char *slash = strrchr(file, '/');
    return memory_format("%s: %s", slash ? slash + 1 : file, row->source);
}

static void print_aside(const struct page *page, const struct story_row *row, const char *number) {
    char *what = row->source        ? quote(page, row)
                 : row->lines.count ? memory_copy_text(*(char **)vector_at(&row->lines, 0))
                                    : memory_copy_text("");
    char *text = memory_format("main: %u %s", line_of(page, row), what);
    free(what);
    char *shorter = cut(text, page->width - page->number);
    fprintf(page->out, "%*s  %s\n", (int)page->number - 2, number, shorter);
    free(shorter);
    free(text);
}

static void print_row(struct page *page, size_t index) {
    const struct story_row *row = row_at(page->story, index);
    size_t width = text_width(page, row);
    char number[24];
    char line_number[16];
    snprintf(number, sizeof number, "%zu", index + 1);
    snprintf(line_number, sizeof line_number, "%*u", (int)page->gutter - 1, line_of(page, row));
    const char *label = number;
    const char *mark = row->drain ? "~" : line_of(page, row) ? line_number : "";
    if (row->aside) {
        print_aside(page, row, number);
        return;
    }
    if (row->source && !row->drain) {
        char *quoted = quote(page, row);
        char *source = cut(quoted, width);
        print_line(page, row, label, mark, source, strlen(source), false);
        free(source);
        free(quoted);
        label = mark = "";
    }
    page->waits[row->thread] = row->waits;
    for (size_t i = 0; i < row->lines.count; i++) {
        const char *text = *(char **)vector_at(&row->lines, i);
        while (*text) {
            const char *rest;
            size_t bytes = folded(text, width, &rest);
            print_line(page, row, label, *mark ? mark : row->waits ? "|" : "", text, bytes, true);
            label = mark = "";
            text = rest;
        }
    }
    if (row->times > 1) {
        char times[40];
        snprintf(times, sizeof times, "(%zu times)", row->times);
        print_line(page, row, label, row->waits ? "|" : "", times, strlen(times), false);
    }
}

/* Is a row of the thread shown? */
static bool has_rows(const struct page *page, const struct story_thread *thread) {
    for (size_t i = 0; i < page->story->rows.count; i++) {
        const struct story_row *row = row_at(page->story, i);
        if (page->chosen[i] && row->thread == thread->slot && !row->aside) {
            return true;
        }
    }
    return false;
}

static void print_headings(const struct page *page) {
    const struct story *story = page->story;
    size_t column = 0;
    for (size_t i = 0; i < story->threads.count; i++) {
        const struct story_thread *thread = vector_at(&story->threads, i);
        if (!has_rows(page, thread)) {
            continue;
        }
        column++;
        bool ends = page->name || column == page->count;
        char *title =
            cut(thread->title, page->name ? page->width - page->number : page->cell - (ends ? 0 : COLUMN_GAP));
        fprintf(page->out, "%*s%s", page->name || column == 1 ? (int)page->number : 0, "", title);
        if (ends) {
            fputc('\n', page->out);
        } else {
            fprintf(page->out, "%*s", (int)(page->cell - width_of(title)), "");
        }
        free(title);
    }
    if (page->name && column > 0) {
        fputc('\n', page->out);
    }
}

/* --- Which rows --------------------------------------------------------------------------------------------------- */

/* What is shown of many rows: what is needed, then what is nearest the error. */
static bool *choose(const struct story *story) {
    size_t count = story->rows.count;
    bool *chosen = memory_allocate(count + 1);
    size_t left = MAX_ROWS;
    size_t needed = 0;
    for (size_t i = count; i-- > 0;) {
        chosen[i] = count <= MAX_ROWS || (row_at(story, i)->needed && needed++ < MAX_NEEDED);
        left -= chosen[i] && left > 0;
    }
    for (size_t i = count; count > MAX_ROWS && left > 0 && i-- > 0;) {
        left -= !chosen[i];
        chosen[i] = true;
    }
    return chosen;
}

/* Rows that are left out, a line for each thread. */
static void print_left_out(struct page *page, size_t first, size_t end) {
    const struct story *story = page->story;
    for (size_t t = 0; t < story->threads.count; t++) {
        const struct story_thread *thread = vector_at(&story->threads, t);
        uint32_t low = UINT32_MAX;
        uint32_t high = 0;
        size_t steps = 0;
        for (size_t i = first; i < end; i++) {
            const struct story_row *row = row_at(story, i);
            uint32_t line = line_of(page, row);
            if (row->thread == thread->slot) {
                low = line < low ? line : low;
                high = line > high ? line : high;
                steps += row->steps;
                page->waits[row->thread] = row->waits;
            }
        }
        if (low != UINT32_MAX) {
            char lines[48];
            snprintf(lines, sizeof lines, low == high ? "line %u" : "lines %u to %u", low, high);
            char *text =
                memory_format("... %s%s, %s, %zu step%s", thread->slot ? "thread " : "",
                              machine_thread_name(story->machine, thread->slot), lines, steps, steps == 1 ? "" : "s");
            char *shorter = cut(text, page->width - page->number);
            fprintf(page->out, "%*s%s\n", (int)page->number, "", shorter);
            free(shorter);
            free(text);
        }
    }
}

static size_t digits(size_t number) {
    size_t count = 1;
    while (number >= 10) {
        number /= 10;
        count++;
    }
    return count;
}

static void lay_out(struct page *page) {
    const struct story *story = page->story;
    uint32_t line = 0;
    size_t name = 0;
    page->shown = memory_allocate((story->threads.count + 1) * sizeof *page->shown);
    page->waits = memory_allocate(machine_threads(story->machine) + 1);
    for (size_t i = 0; i < story->rows.count; i++) {
        line = line_of(page, row_at(story, i)) > line ? line_of(page, row_at(story, i)) : line;
    }
    for (size_t i = 0; i < story->threads.count; i++) {
        const struct story_thread *thread = vector_at(&story->threads, i);
        if (has_rows(page, thread)) {
            size_t width = strlen(machine_thread_name(story->machine, thread->slot)) + (thread->slot ? 7 : 0);
            name = width > name ? width : name;
            page->shown[page->count++] = thread->slot;
        }
    }
    size_t number = digits(story->rows.count);
    page->number = (number < 2 ? 2 : number) + 2;
    page->gutter = (digits(line) < 2 ? 2 : digits(line)) + 1;
    page->cell = page->count ? (page->width - page->number) / page->count : page->width - page->number;
    page->name = page->count > 1 && page->cell < MIN_COLUMN ? (name > MAX_NAME ? MAX_NAME : name) + 2 : 0;
}

/* Sentences about late stores, then the circle; or the causes. */
void story_print_why(const struct story *story, size_t width, FILE *out) {
    char *text = NULL;
    size_t size;
    FILE *line = memory_stream(&text, &size);
    fputs("Why:", line);
    for (size_t i = 0; i < story->why.count; i++) {
        fprintf(line, " %s", *(char **)vector_at(&story->why, i));
    }
    for (size_t i = 0; i < story->cycle.count; i++) {
        fprintf(line, "%s%s%s", i ? ", " : " Each before the next, in a cycle: ", *(char **)vector_at(&story->cycle, i),
                i + 1 == story->cycle.count ? "." : "");
    }
    for (size_t i = 0; i < story->causes.count; i++) {
        const struct story_cause *cause = vector_at(&story->causes, i);
        fprintf(line, "%s %s: %s%s", i ? ";" : "", cause->pattern, cause->text,
                i + 1 == story->causes.count ? "." : "");
    }
    fclose(line);
    if (story->why.count + story->cycle.count + story->causes.count > 0) {
        fputc('\n', out);
        print_folded(out, text, width);
    }
    free(text);
}

void story_print_rows(const struct story *story, size_t width, int terminal, FILE *out) {
    struct page page = {.story = story, .out = out, .terminal = terminal, .width = width, .chosen = choose(story)};
    lay_out(&page);
    print_headings(&page);
    for (size_t i = 0; i < story->rows.count; i++) {
        if (page.chosen[i]) {
            print_row(&page, i);
            continue;
        }
        size_t end = i;
        while (end < story->rows.count && !page.chosen[end]) {
            end++;
        }
        print_left_out(&page, i, end);
        i = end - 1;
    }
    free(page.chosen);
    bool first = true;
    for (size_t i = 0; i < story->names.heap.count; i++) {
        const struct story_heap *heap = vector_at(&story->names.heap, i);
        if (heap->number > 0) {
            char *text = memory_format("%s#%zu: %s", heap->type, heap->number, heap->legend);
            fputs(first ? "\n" : "", out);
            print_folded(out, text, width);
            free(text);
            first = false;
        }
    }
    free(page.shown);
    free(page.waits);
}

void story_print_output(const struct story *story, FILE *out) {
    size_t count = machine_output_count(story->machine);
    fputs(count ? "\nOutput of the program:\n" : "", out);
    for (size_t i = 0; i < count; i++) {
        struct output_piece piece = machine_output(story->machine, i);
        fprintf(out, "%.*s", (int)piece.size, piece.text);
    }
}
