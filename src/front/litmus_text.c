/* The text of a litmus test: reading it, its comments, and the words, numbers and positions in it. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "front/inline_asm_state.h"
#include "front/litmus_reader.h"
#include "util/memory.h"

#define MAX_FILE (64u << 20)
#define MAX_VARIABLES 1000

void litmus_locate(struct litmus_reader *reader, const char *at, uint32_t *line, uint32_t *column) {
    if (reader->line_start == NULL || at < reader->line_start) {
        reader->line = 1;
        reader->line_start = reader->text;
    }
    const char *end;
    while ((end = memchr(reader->line_start, '\n', (size_t)(at - reader->line_start))) != NULL) {
        reader->line++;
        reader->line_start = end + 1;
    }
    *line = reader->line;
    *column = (uint32_t)(at - reader->line_start) + 1;
}

void litmus_fail(struct litmus_reader *reader, const char *at, const char *format, ...) {
    if (reader->failed) {
        return;
    }
    reader->failed = true;
    va_list arguments;
    char message[256];
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    uint32_t line;
    uint32_t column;
    litmus_locate(reader, at, &line, &column);
    diagnostics_add(reader->diagnostics, reader->file, line, column, "%s", message);
}

/* The whole file with a zero after it, or NULL with a diagnostic. */
static char *file_read(struct litmus_reader *reader, size_t *size) {
    FILE *stream = fopen(reader->file, "rb");
    char *text = NULL;
    size_t capacity = 1 << 12;
    *size = 0;
    bool good = stream != NULL;
    while (good) {
        text = memory_resize(text, capacity + 1);
        errno = 0;
        *size += fread(text + *size, 1, capacity - *size, stream);
        if (*size < capacity || capacity >= MAX_FILE) {
            good = !ferror(stream) && *size < capacity;
            break;
        }
        capacity *= 2;
    }
    if (!good) {
        const char *reason = errno ? strerror(errno) : "it is too large";
        diagnostics_add(reader->diagnostics, reader->file, 0, 0, "cannot read %s: %s", reader->file, reason);
        free(text);
        text = NULL;
    } else {
        text[*size] = '\0';
    }
    if (stream != NULL) {
        fclose(stream);
    }
    return text;
}

/* Replaces a comment by spaces; lines stay the same.  Returns the text after it. */
static char *comment_blank(struct litmus_reader *reader, char *from) {
    char *at = from;
    if (*at == '/' || *at == '#') {
        while (*at && *at != '\n') {
            *at++ = ' ';
        }
        return at;
    }
    int depth = 0;
    do {
        int length = 2;
        if (at[0] == '(' && at[1] == '*') {
            depth++;
        } else if (at[0] == '*' && at[1] == ')') {
            depth--;
        } else {
            length = 1;
        }
        if (*at == '\0') {
            litmus_fail(reader, from, "the comment does not end");
            return at;
        }
        for (; length > 0; length--, at++) {
            *at = *at == '\n' ? '\n' : ' ';
        }
    } while (depth > 0);
    return at;
}

/* Before the initial state only (* *) is a comment, and not in a title; after it also the text after // or #. */
void litmus_text_remove_comments(struct litmus_reader *reader) {
    bool header = true;
    bool title = false;
    for (char *at = reader->text; *at && !reader->failed;) {
        bool comment = (at[0] == '(' && at[1] == '*') || (!header && (at[0] == '#' || (at[0] == '/' && at[1] == '/')));
        if (comment && !title) {
            at = comment_blank(reader, at);
            continue;
        }
        title = header && (*at == '"') != title && *at != '\n';
        header = header && (*at != '{' || title);
        at++;
    }
}

bool litmus_text_read(struct litmus_reader *reader) {
    size_t size;
    reader->text = file_read(reader, &size);
    if (reader->text == NULL) {
        reader->failed = true;
        return false;
    }
    reader->at = reader->text;
    const char *zero = memchr(reader->text, '\0', size);
    if (zero != NULL) {
        litmus_fail(reader, zero, "this is not text");
    }
    return !reader->failed;
}

static void skip_space(struct litmus_reader *reader) {
    while (isspace((unsigned char)*reader->at)) {
        reader->at++;
    }
}

char litmus_peek(struct litmus_reader *reader) {
    skip_space(reader);
    return *reader->at;
}

bool litmus_accept(struct litmus_reader *reader, const char *symbol) {
    skip_space(reader);
    size_t length = strlen(symbol);
    if (strncmp(reader->at, symbol, length) != 0) {
        return false;
    }
    reader->at += length;
    return true;
}

bool litmus_expect(struct litmus_reader *reader, const char *symbol, const char *where) {
    if (!litmus_accept(reader, symbol)) {
        litmus_fail(reader, reader->at, "expected '%s' %s", symbol, where);
        return false;
    }
    return true;
}

static bool is_word_letter(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

size_t litmus_word(struct litmus_reader *reader, const char **word) {
    skip_space(reader);
    *word = reader->at;
    if (!isdigit((unsigned char)*reader->at)) {
        while (is_word_letter(*reader->at)) {
            reader->at++;
        }
    }
    return (size_t)(reader->at - *word);
}

bool litmus_number(struct litmus_reader *reader, int64_t *number) {
    skip_space(reader);
    const char *digits = reader->at + (*reader->at == '-' || *reader->at == '+');
    if (!isdigit((unsigned char)*digits)) {
        return false;
    }
    char *end;
    errno = 0;
    int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
    uint64_t magnitude = strtoull(digits, &end, base);
    *number = (int64_t)(*reader->at == '-' ? 0 - magnitude : magnitude);
    if (errno == ERANGE || is_word_letter(*end)) {
        litmus_fail(reader, reader->at, "not a number of 64 bits");
    }
    reader->at = end;
    return !reader->failed;
}

bool litmus_is(const char *word, size_t length, const char *text) {
    return strlen(text) == length && strncmp(word, text, length) == 0;
}

int litmus_register(const char *name, size_t length, uint32_t *width, bool *high) {
    char lower[8];
    if (length >= sizeof lower) {
        return -1;
    }
    for (size_t i = 0; i < length; i++) {
        lower[i] = (char)tolower((unsigned char)name[i]);
    }
    int number = asm_register_named(lower, length, width, high);
    return number == X86_SP || number == X86_BP ? -1 : number;
}

struct litmus_thread *litmus_thread(const struct litmus_reader *reader, int64_t number) {
    for (size_t i = 0; i < reader->threads.count; i++) {
        struct litmus_thread *thread = vector_at(&reader->threads, i);
        if (thread->number == number) {
            return thread;
        }
    }
    return NULL;
}

struct litmus_variable *litmus_variable(struct litmus_reader *reader, const char *name, size_t length) {
    struct vector *variables = &reader->test->variables;
    for (size_t i = 0; i < variables->count; i++) {
        struct litmus_variable *variable = vector_at(variables, i);
        if (litmus_is(name, length, variable->name)) {
            return variable;
        }
    }
    if (variables->count == MAX_VARIABLES) {
        litmus_fail(reader, name, "more than %d variables", MAX_VARIABLES);
        return vector_at(variables, 0);
    }
    char *copy = memory_format("%.*s", (int)length, name);
    uint32_t global = builder_global(&reader->builder, copy, 8, 8, 0);
    uint64_t address = builder_global_at(&reader->builder, global)->address;
    struct litmus_variable variable = {
        .name = copy,
        .address = address,
        .number = reader->wide ? address : (uint32_t)address,
        .global = global,
        .width = 32,
    };
    vector_push(variables, &variable);
    return vector_at(variables, variables->count - 1);
}

/* "P0" or "0" before a colon. */
static bool thread_number_read(struct litmus_reader *reader, int64_t *number) {
    const char *from = reader->at;
    if (*reader->at == 'P' && isdigit((unsigned char)reader->at[1])) {
        reader->at++;
    }
    if (isdigit((unsigned char)*reader->at) && litmus_number(reader, number) && litmus_accept(reader, ":")) {
        return true;
    }
    reader->at = from;
    return false;
}

bool litmus_reference_read(struct litmus_reader *reader, struct litmus_reference *reference) {
    int64_t number;
    *reference = (struct litmus_reference){0};
    const char *from = (litmus_peek(reader), reader->at);
    if (thread_number_read(reader, &number)) {
        reference->in_register = true;
        reference->thread = litmus_thread(reader, number);
        if (reference->thread == NULL) {
            litmus_fail(reader, from, "there is no thread P%lld", (long long)number);
            return false;
        }
        litmus_accept(reader, "%");
        reference->length = litmus_word(reader, &reference->name);
        int found = litmus_register(reference->name, reference->length, &reference->width, &reference->high);
        reference->number = (uint32_t)found;
        if (found < 0 || (!reader->wide && reference->width > 32)) {
            litmus_fail(reader, reference->name, "unknown register '%.*s'",
                        (int)(reference->length > 40 ? 40 : reference->length), reference->name);
        }
        return !reader->failed;
    }
    reference->brackets = litmus_accept(reader, "[");
    reference->length = litmus_word(reader, &reference->name);
    if (reference->length == 0) {
        litmus_fail(reader, reader->at, "expected a variable or a register");
        return false;
    }
    return !reference->brackets || litmus_expect(reader, "]", "after the variable");
}

bool litmus_value_read(struct litmus_reader *reader, int64_t *value, const char **symbol) {
    const char *word;
    *symbol = NULL;
    litmus_peek(reader);
    if (litmus_number(reader, value)) {
        return true;
    }
    litmus_accept(reader, "&");
    size_t length = litmus_word(reader, &word);
    if (length == 0) {
        litmus_fail(reader, reader->at, "expected a number or a variable");
        return false;
    }
    const struct litmus_variable *variable = litmus_variable(reader, word, length);
    *value = (int64_t)variable->number;
    *symbol = variable->name;
    reader->test->uses_addresses = true;
    return !reader->failed;
}
