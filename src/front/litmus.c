/* Reads a litmus test: its header, its initial state and the columns of its code; the other parts are in files of their
 * own. */
#include "front/litmus.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "front/litmus_reader.h"
#include "util/memory.h"

#define MAX_THREADS 64

/* ---- Header ---- */

/* "X86 NAME", then a title and lines of information, up to the initial state. */
static void header_read(struct litmus_reader *reader) {
    const char *word;
    if (litmus_peek(reader) == '\0') {
        litmus_fail(reader, reader->text, "the file is empty");
    } else if (strncmp(reader->at, "X86", 3) != 0 && strncmp(reader->at, "(*", 2) != 0) {
        litmus_fail(reader, reader->at, "not a litmus test for X86 or X86_64");
    } else {
        litmus_text_remove_comments(reader);
    }
    size_t length = litmus_word(reader, &word);
    reader->wide = litmus_is(word, length, "X86_64");
    if (!reader->wide && !litmus_is(word, length, "X86")) {
        litmus_fail(reader, word, "not a litmus test for X86 or X86_64");
    }
    while (*reader->at == ' ' || *reader->at == '\t') {
        reader->at++;
    }
    size_t name = strcspn(reader->at, " \t\r\n{");
    if (name == 0) {
        litmus_fail(reader, reader->at, "the test has no name");
    }
    reader->test->name = memory_format("%.*s", (int)(name > 1000 ? 1000 : name), reader->at);
    reader->at += name;
    bool title = false;
    for (; *reader->at && (*reader->at != '{' || title); reader->at++) {
        title = (*reader->at == '"') != title && *reader->at != '\n';
    }
    litmus_expect(reader, "{", "before the initial state");
}

/* ---- Initial state ---- */

/* Bits of a type, 0 for a word that only qualifies one. */
static bool type_named(const char *word, size_t length, uint32_t *width) {
    static const struct {
        const char *name;
        uint32_t width;
    } types[] = {
        {"char", 8},     {"short", 16},    {"int", 32},      {"long", 64},      {"int8_t", 8},
        {"uint8_t", 8},  {"int16_t", 16},  {"uint16_t", 16}, {"int32_t", 32},   {"uint32_t", 32},
        {"int64_t", 64}, {"uint64_t", 64}, {"intptr_t", 64}, {"uintptr_t", 64}, {"atomic_int", 32},
        {"unsigned", 0}, {"signed", 0},    {"volatile", 0},  {"const", 0},      {"_Atomic", 0},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (litmus_is(word, length, types[i].name)) {
            *width = types[i].width;
            return true;
        }
    }
    return false;
}

/* Types in front of a location, whose width is 0 if there is none. */
static void type_read(struct litmus_reader *reader, uint32_t *width) {
    *width = 0;
    for (;;) {
        litmus_peek(reader);
        const char *from = reader->at;
        const char *word;
        uint32_t found;
        size_t length = litmus_word(reader, &word);
        char next = litmus_peek(reader);
        bool type = length > 0 && type_named(word, length, &found);
        if (!type || next == '=' || next == ';' || next == '}' || next == ':') {
            if (length > 0 && (isalpha((unsigned char)next) || next == '_' || next == '*')) {
                litmus_fail(reader, word, "unknown type '%.*s'", (int)(length > 40 ? 40 : length), word);
            }
            reader->at = from;
            break;
        }
        *width = *width == 0 ? 32 : *width;
        *width = found != 0 ? found : *width;
    }
    if (litmus_accept(reader, "*")) {
        *width = reader->wide ? 64 : 32;
    }
}

/* The threads are not known yet: the initial values of their registers wait here. */
struct initial_register {
    const char *at;
    uint64_t value;
};

static void variable_initialise(struct litmus_reader *reader, const struct litmus_reference *reference, uint32_t width,
                                int64_t value, bool is_address) {
    struct litmus_variable *variable = litmus_variable(reader, reference->name, reference->length);
    if (width != 0 || (is_address && reader->wide)) {
        variable->declared = variable->declared || width != 0;
        variable->width = width != 0 ? width : 64;
    }
    uint64_t bytes = (uint64_t)value;
    builder_global_bytes(&reader->builder, variable->global, &bytes,
                         variable->declared ? variable->width / 8 : sizeof bytes);
}

/* Skips "0:EAX". */
static void register_skip(struct litmus_reader *reader) {
    const char *word;
    reader->at += strcspn(reader->at, ":=;}");
    litmus_accept(reader, ":");
    litmus_accept(reader, "%");
    litmus_word(reader, &word);
}

static void item_read(struct litmus_reader *reader, struct vector *initials) {
    uint32_t width;
    struct litmus_reference reference = {0};
    int64_t value = 0;
    const char *symbol = NULL;
    type_read(reader, &width);
    char first = litmus_peek(reader);
    const char *from = reader->at;
    bool in_register = isdigit((unsigned char)first) || (first == 'P' && isdigit((unsigned char)from[1]) &&
                                                         *(from + 1 + strspn(from + 1, "0123456789")) == ':');
    if (in_register) {
        register_skip(reader);
    } else if (!reader->failed && litmus_reference_read(reader, &reference) && litmus_peek(reader) == '[') {
        litmus_fail(reader, reader->at, "arrays are not supported");
    }
    if (!reader->failed && litmus_accept(reader, "=")) {
        litmus_value_read(reader, &value, &symbol);
    }
    if (reader->failed) {
        return;
    }
    if (symbol != NULL) {
        reader->builder.flags |= PROGRAM_HIDES_ADDRESSES;
    }
    if (in_register) {
        struct initial_register initial = {from, (uint64_t)value};
        vector_push(initials, &initial);
    } else {
        variable_initialise(reader, &reference, width, value, symbol != NULL);
    }
}

static void initial_state_read(struct litmus_reader *reader, struct vector *initials) {
    if (strchr(reader->at, '}') == NULL) {
        litmus_fail(reader, reader->at - 1, "the initial state has no '}'");
    }
    while (!reader->failed && !litmus_accept(reader, "}")) {
        if (!litmus_accept(reader, ";")) {
            item_read(reader, initials);
            char next = litmus_peek(reader);
            if (next != ';' && next != '}') {
                litmus_fail(reader, reader->at, "expected ';' in the initial state");
            }
        }
    }
}

static void registers_initialise(struct litmus_reader *reader, const struct vector *initials) {
    const char *end = reader->at;
    for (size_t i = 0; i < initials->count && !reader->failed; i++) {
        const struct initial_register *initial = vector_at(initials, i);
        struct litmus_reference reference;
        reader->at = initial->at;
        if (litmus_reference_read(reader, &reference)) {
            uint64_t value = reader->wide ? initial->value : (uint32_t)initial->value;
            reference.thread->initial[reference.number] = value;
        }
    }
    reader->at = end;
}

/* ---- Code ---- */

/* "P0 | P1 ;": the threads. */
static void thread_add(struct litmus_reader *reader, const char *from, const char *end) {
    char *stop;
    struct litmus_thread thread = {0};
    char name[16];
    unsigned long number = isdigit((unsigned char)from[1]) ? strtoul(from + 1, &stop, 10) : UINT32_MAX;
    if (*from != 'P' || number > 9999 || stop != end || litmus_thread(reader, (int64_t)number) != NULL) {
        litmus_fail(reader, from, "expected the name of a thread: P0, P1 ...");
        return;
    }
    if (reader->threads.count == MAX_THREADS) {
        litmus_fail(reader, from, "more than %d threads", MAX_THREADS);
        return;
    }
    snprintf(name, sizeof name, "P%lu", number);
    thread.number = (uint32_t)number;
    thread.function = builder_function(&reader->builder, name, 0, 0, 0);
    vector_init(&thread.cells, sizeof(struct litmus_cell));
    vector_push(&reader->threads, &thread);
}

/* One row, up to its ';'.  The first one names the threads. */
static void row_read(struct litmus_reader *reader, bool first) {
    const char *row = reader->at;
    for (size_t column = 0; !reader->failed; column++) {
        size_t length = strcspn(reader->at, "|;");
        const char *from = reader->at;
        const char *end = from + length;
        char separator = *end;
        if (separator == '\0') {
            litmus_fail(reader, row, "the row has no ';' at its end");
            return;
        }
        while (from < end && isspace((unsigned char)*from)) {
            from++;
        }
        while (end > from && isspace((unsigned char)end[-1])) {
            end--;
        }
        if (first) {
            thread_add(reader, from, end);
        } else if (end > from && column >= reader->threads.count) {
            litmus_fail(reader, from, "more columns than threads");
        } else if (end > from) {
            struct litmus_thread *thread = vector_at(&reader->threads, column);
            struct litmus_cell cell = {from, (size_t)(end - from)};
            vector_push(&thread->cells, &cell);
        }
        reader->at += length + 1;
        if (separator == ';') {
            return;
        }
    }
}

static void code_read(struct litmus_reader *reader) {
    for (bool first = true; !reader->failed && (first || !litmus_at_condition(reader)); first = false) {
        litmus_peek(reader);
        row_read(reader, first);
    }
}

/* ---- The test ---- */

/* Creates all threads and ends.  It does not join them: an execution in which some thread is blocked is no deadlock, it
 * just never reaches a final state. */
static void start_build(struct litmus_reader *reader) {
    struct builder *builder = &reader->builder;
    uint32_t count = (uint32_t)reader->threads.count;
    uint32_t zero = builder_constant(builder, 0);
    uint32_t start = builder_function(builder, "picket.start", 0, 0, FUNCTION_LIBRARY);
    builder->entry = start;
    builder_begin(builder, start);
    for (uint32_t i = 0; i < count; i++) {
        const struct litmus_thread *thread = vector_at(&reader->threads, i);
        builder_emit(builder, (struct instruction){.op = OP_SYNC,
                                                   .width = SYNC_THREAD_CREATE,
                                                   .sub = 1,
                                                   .dst = i,
                                                   .a = builder_address(builder, function_address(thread->function)),
                                                   .b = zero,
                                                   .c = zero});
    }
    builder_emit(builder,
                 (struct instruction){
                     .op = OP_SYNC, .width = SYNC_THREAD_EXIT, .dst = NO_REGISTER, .a = zero, .b = zero, .c = zero});
    builder_emit(builder, (struct instruction){.op = OP_EXIT, .dst = NO_REGISTER, .a = zero});
    builder_end(builder, count);
}

/* Widths of variables are final only when all code has been read. */
static void locations_widen(struct litmus_test *test) {
    for (size_t i = 0; i < test->locations.count; i++) {
        struct litmus_location *location = vector_at(&test->locations, i);
        for (size_t v = 0; v < test->variables.count; v++) {
            const struct litmus_variable *variable = vector_at(&test->variables, v);
            if (!location->in_register && location->global == variable->global) {
                location->width = variable->width;
            }
        }
    }
}

static void test_init(struct litmus_test *test) {
    *test = (struct litmus_test){0};
    vector_init(&test->nodes, sizeof(struct litmus_node));
    vector_init(&test->locations, sizeof(struct litmus_location));
    vector_init(&test->shown, sizeof(uint32_t));
    vector_init(&test->variables, sizeof(struct litmus_variable));
}

static void test_delete(struct litmus_test *test) {
    for (size_t i = 0; i < test->locations.count; i++) {
        free(((struct litmus_location *)vector_at(&test->locations, i))->name);
    }
    for (size_t i = 0; i < test->variables.count; i++) {
        free(((struct litmus_variable *)vector_at(&test->variables, i))->name);
    }
    vector_delete(&test->nodes);
    vector_delete(&test->locations);
    vector_delete(&test->shown);
    vector_delete(&test->variables);
    free(test->name);
}

void litmus_delete(struct litmus_test *test) {
    program_delete(&test->program);
    test_delete(test);
}

struct program litmus_take_program(struct litmus_test *test) {
    struct program program = test->program;
    test_delete(test);
    return program;
}

static void parts_read(struct litmus_reader *reader) {
    struct vector initials;
    vector_init(&initials, sizeof(struct initial_register));
    header_read(reader);
    if (!reader->failed) {
        initial_state_read(reader, &initials);
    }
    if (!reader->failed) {
        code_read(reader);
        registers_initialise(reader, &initials);
    }
    if (!reader->failed) {
        litmus_conditions_read(reader);
    }
    if (!reader->failed) {
        litmus_threads_lower(reader);
    }
    vector_delete(&initials);
}

bool litmus_read(const char *file, struct litmus_test *test, struct diagnostics *diagnostics) {
    struct litmus_reader reader = {.file = file, .diagnostics = diagnostics, .test = test};
    test_init(test);
    builder_init(&reader.builder);
    vector_init(&reader.threads, sizeof(struct litmus_thread));
    if (litmus_text_read(&reader)) {
        parts_read(&reader);
    }
    if (!reader.failed) {
        start_build(&reader);
        locations_widen(test);
        uint32_t name = builder_string(&reader.builder, file);
        vector_push(&reader.builder.files, &name);
        builder_finish(&reader.builder, &test->program);
    } else {
        builder_delete(&reader.builder);
        test_delete(test);
    }
    for (size_t i = 0; i < reader.threads.count; i++) {
        vector_delete(&((struct litmus_thread *)vector_at(&reader.threads, i))->cells);
    }
    vector_delete(&reader.threads);
    free(reader.text);
    return !reader.failed;
}
