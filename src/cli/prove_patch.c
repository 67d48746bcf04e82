/* A patch adds one annotation after the line of the access: `h = ...;` is followed by `picket_reads(h, ...);`. */
#include "cli/prove_patch.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

/* A line of a file without its end; NULL if there is none.  To be freed. */
static char *read_line(const char *path, uint32_t number) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = -1;
    for (uint32_t i = 0; file && i < number; i++) {
        length = getline(&line, &capacity, file);
    }
    if (file) {
        fclose(file);
    }
    if (length < 0) {
        free(line);
        return NULL;
    }
    line[strcspn(line, "\r\n")] = '\0';
    return line;
}

/* The variable that a line `... variable = ...;` assigns; the caller frees it; NULL: the line has another form. */
static char *assigned_variable(const char *line) {
    const char *sign = strchr(line, '=');
    size_t length = strlen(line);
    if (!sign || sign == line || sign[1] == '=' || strchr("=!<>+-*/&|^%", sign[-1]) || line[length - 1] != ';') {
        return NULL;
    }
    const char *end = sign;
    while (end > line && isspace((unsigned char)end[-1])) {
        end--;
    }
    const char *start = end;
    while (start > line && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) {
        start--;
    }
    if (start == end || isdigit((unsigned char)*start) || (start > line && (start[-1] == '.' || start[-1] == '>'))) {
        return NULL;
    }
    size_t size = (size_t)(end - start);
    char *variable = memory_allocate(size + 1);
    memcpy(variable, start, size);
    return variable;
}

/* Puts the names in: %V and %P. */
static void print_expression(const char *text, const char *variable, const char *place) {
    for (; *text; text++) {
        if (*text == '%' && text[1]) {
            fputs(*++text == 'V' ? variable : place, stdout);
        } else {
            putchar(*text);
        }
    }
}

static void print_patch(const struct proof_help *help) {
    char *line = help->expression && *help->place ? read_line(help->access.file, help->access.line) : NULL;
    char *variable = line ? assigned_variable(line) : NULL;
    if (variable) {
        uint32_t number = help->access.line;
        printf("\n--- %s\n+++ %s\n@@ -%" PRIu32 ",1 +%" PRIu32 ",2 @@\n %s\n+%.*s%s(%s, ", help->access.file,
               help->access.file, number, number, line, (int)strspn(line, " \t"), line,
               help->update ? "picket_may_fail" : "picket_reads", variable);
        print_expression(help->expression, variable, help->place);
        puts(");");
    }
    free(variable);
    free(line);
}

void patch_print(const struct proof *proof) {
    for (size_t i = 0; i < proof->helping.count; i++) {
        const struct proof_help *help = vector_at(&proof->helping, i);
        printf("\n    it would help if %s (%s:%" PRIu32 ") might return %s%s\n", help->access.what, help->access.file,
               help->access.line, help->text, help->idle ? " (idle)" : "");
        print_patch(help);
    }
}
