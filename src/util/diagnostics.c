/* Located errors: collected, printed with the source line, and carried between processes. */
#include "util/diagnostics.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

void diagnostics_init(struct diagnostics *diagnostics) {
    vector_init(&diagnostics->list, sizeof(struct diagnostic));
}

void diagnostics_delete(struct diagnostics *diagnostics) {
    for (size_t i = 0; i < diagnostics->list.count; i++) {
        struct diagnostic *diagnostic = vector_at(&diagnostics->list, i);
        free(diagnostic->file);
        free(diagnostic->message);
    }
    vector_delete(&diagnostics->list);
}

void diagnostics_add(struct diagnostics *diagnostics, const char *file, uint32_t line, uint32_t column,
                     const char *format, ...) {
    char message[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct diagnostic *diagnostic = vector_grow(&diagnostics->list, 1);
    diagnostic->file = memory_copy_text(file ? file : "");
    diagnostic->line = line;
    diagnostic->column = column;
    diagnostic->message = memory_copy_text(message);
}

bool diagnostics_empty(const struct diagnostics *diagnostics) {
    return diagnostics->list.count == 0;
}

static void print_source_line(const struct diagnostic *diagnostic, FILE *out) {
    FILE *source = fopen(diagnostic->file, "r");
    if (!source) {
        return;
    }
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length = -1;
    for (uint32_t line = 0; line < diagnostic->line; line++) {
        length = getline(&text, &capacity, source);
        if (length < 0) {
            break; /* the line is a courtesy, also when memory is full */
        }
    }
    if (length > 0 && length < 200) {
        text[strcspn(text, "\n")] = '\0';
        fprintf(out, "    %s\n", text);
        if (diagnostic->column > 0 && diagnostic->column <= strlen(text) + 1) {
            fputs("    ", out);
            for (uint32_t i = 0; i + 1 < diagnostic->column; i++) {
                fputc(text[i] == '\t' ? '\t' : ' ', out);
            }
            fputs("^\n", out);
        }
    }
    free(text);
    fclose(source);
}

void diagnostics_print(const struct diagnostics *diagnostics, FILE *out) {
    for (size_t i = 0; i < diagnostics->list.count; i++) {
        const struct diagnostic *diagnostic = vector_at(&diagnostics->list, i);
        if (diagnostic->file[0] == '\0') {
            fprintf(out, "picket: error: %s\n", diagnostic->message);
        } else if (diagnostic->line == 0) {
            fprintf(out, "%s: error: %s\n", diagnostic->file, diagnostic->message);
        } else if (diagnostic->column == 0) {
            fprintf(out, "%s:%u: error: %s\n", diagnostic->file, diagnostic->line, diagnostic->message);
        } else {
            fprintf(out, "%s:%u:%u: error: %s\n", diagnostic->file, diagnostic->line, diagnostic->column,
                    diagnostic->message);
        }
        if (diagnostic->line > 0) {
            print_source_line(diagnostic, out);
        }
    }
}

static void write_text(const char *text, FILE *out) {
    for (; *text; text++) {
        switch (*text) {
        case '\t':
            fputs("\\t", out);
            break;
        case '\n':
            fputs("\\n", out);
            break;
        case '\\':
            fputs("\\\\", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

void diagnostics_write(const struct diagnostics *diagnostics, FILE *out) {
    for (size_t i = 0; i < diagnostics->list.count; i++) {
        const struct diagnostic *diagnostic = vector_at(&diagnostics->list, i);
        write_text(diagnostic->file, out);
        fprintf(out, "\t%u\t%u\t", diagnostic->line, diagnostic->column);
        write_text(diagnostic->message, out);
        fputc('\n', out);
    }
}

/* Undoes write_text in place. */
static void read_text(char *text) {
    char *to = text;
    for (char *from = text; *from; from++) {
        if (*from == '\\' && from[1]) {
            from++;
            *to++ = (char)(*from == 't' ? '\t' : *from == 'n' ? '\n' : *from);
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

void diagnostics_read(struct diagnostics *diagnostics, FILE *in) {
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, in) > 0) {
        line[strcspn(line, "\n")] = '\0';
        char *rest = line;
        char *fields[4];
        int count = 0;
        while (count < 4 && (fields[count] = strsep(&rest, "\t"))) {
            count++;
        }
        if (count == 4) {
            read_text(fields[0]);
            read_text(fields[3]);
            diagnostics_add(diagnostics, fields[0], (uint32_t)strtoul(fields[1], NULL, 10),
                            (uint32_t)strtoul(fields[2], NULL, 10), "%s", fields[3]);
        }
    }
    free(line);
}
