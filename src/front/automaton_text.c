/* The text of `.aut` files: lines of words.
 *
 * The states are those that a transition names; `initial` must name one that some transition leaves, `final` one that
 * exists (unless the thread has no transitions at all).  A word that begins with `#` ends its line. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/automaton.h"
#include "ir/instruction.h"
#include "util/memory.h"

const struct automaton_operator automaton_operators[AUTOMATON_OPERATORS] = {
    {"!", 1, OP_ICMP, PREDICATE_EQ},
    {"==", 2, OP_ICMP, PREDICATE_EQ},
    {"!=", 2, OP_ICMP, PREDICATE_NE},
    {"<", 2, OP_ICMP, PREDICATE_SLT},
    {"<=", 2, OP_ICMP, PREDICATE_SLE},
    {">", 2, OP_ICMP, PREDICATE_SGT},
    {">=", 2, OP_ICMP, PREDICATE_SGE},
    {"&&", 2, OP_SELECT, 0},
    {"||", 2, OP_SELECT, 0},
    {"+", 2, OP_ADD, 0},
    {"-", 2, OP_SUB, 0},
    {"*", 2, OP_MUL, 0},
    {"/", 2, OP_SDIV, 0},
    {"%", 2, OP_SREM, 0},
    {"&", 2, OP_AND, 0},
};

static const struct {
    const char *text;
    unsigned expressions;
    bool has_register;
} commands[COMMAND_COUNT] = {
#define X(name, text, expressions, has_register) {text, expressions, has_register},
    AUTOMATON_COMMANDS(X)
#undef X
};

struct word {
    char *text; /* NULL: the line has ended */
    uint32_t column;
};

struct parser {
    const char *file;
    struct diagnostics *diagnostics;
    struct automata *automata;
    struct automaton_thread *thread; /* the one being read, or NULL */
    uint32_t line;
    char *at;
    char *start; /* of the line */
    bool failed; /* in this line */
};

__attribute__((format(printf, 3, 4))) static void fail(struct parser *parser, uint32_t column, const char *format,
                                                       ...) {
    if (parser->failed) {
        return;
    }
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    diagnostics_add(parser->diagnostics, parser->file, parser->line, column, "%s", message);
    parser->failed = true;
}

/* --- Words -------------------------------------------------------------------------------------------------------- */

static struct word next_word(struct parser *parser) {
    while (isspace((unsigned char)*parser->at)) {
        parser->at++;
    }
    struct word word = {.column = (uint32_t)(parser->at - parser->start) + 1};
    if (*parser->at == '\0' || *parser->at == '#') {
        return word;
    }
    word.text = parser->at;
    while (*parser->at != '\0' && !isspace((unsigned char)*parser->at)) {
        parser->at++;
    }
    if (*parser->at != '\0') {
        *parser->at++ = '\0';
    }
    return word;
}

static struct word need_word(struct parser *parser, const char *what) {
    struct word word = next_word(parser);
    if (!word.text) {
        fail(parser, word.column, "expected %s", what);
    }
    return word;
}

static void need_end(struct parser *parser) {
    struct word word = next_word(parser);
    if (word.text) {
        fail(parser, word.column, "unexpected '%.60s'", word.text);
    }
}

static bool is_name(const char *text) {
    return isalnum((unsigned char)*text) || *text == '_';
}

/* The index of a name in a list of texts; adds the name if it is new. */
static uint32_t name_index(struct vector *names, const char *name) {
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(*(char **)vector_at(names, i), name) == 0) {
            return (uint32_t)i;
        }
    }
    char *copy = memory_copy_text(name);
    vector_push(names, &copy);
    return (uint32_t)names->count - 1;
}

static uint32_t need_state(struct parser *parser) {
    struct word word = need_word(parser, "a state");
    return word.text ? name_index(&parser->thread->states, word.text) : 0;
}

static uint32_t need_register(struct parser *parser) {
    struct word word = need_word(parser, "a register");
    if (!word.text) {
        return 0;
    }
    if (!is_name(word.text) || isdigit((unsigned char)*word.text)) {
        fail(parser, word.column, "'%.60s' is not the name of a register", word.text);
        return 0;
    }
    return name_index(&parser->thread->registers, word.text);
}

/* --- Expressions -------------------------------------------------------------------------------------------------- */

static bool is_number(const char *text) {
    return isdigit((unsigned char)*text) || ((*text == '-' || *text == '+') && isdigit((unsigned char)text[1]));
}

static int32_t read_number(struct parser *parser, struct word word) {
    char *end;
    errno = 0;
    long long value = strtoll(word.text, &end, 10);
    if (*end != '\0') {
        fail(parser, word.column, "'%.60s' is not a number", word.text);
    } else if (errno != 0 || value < INT32_MIN || value > INT32_MAX) {
        fail(parser, word.column, "%.60s does not fit into 32 bits", word.text);
    }
    return (int32_t)value;
}

static void read_atom(struct parser *parser, struct word word, struct atom *atom) {
    if (is_number(word.text)) {
        *atom = (struct atom){ATOM_NUMBER, read_number(parser, word)};
        return;
    }
    for (int i = 0; i < AUTOMATON_OPERATORS; i++) {
        if (strcmp(word.text, automaton_operators[i].text) == 0) {
            *atom = (struct atom){ATOM_OPERATOR, i};
            return;
        }
    }
    if (!is_name(word.text)) {
        fail(parser, word.column, "unknown operator '%.60s'", word.text);
        return;
    }
    *atom = (struct atom){ATOM_REGISTER, (int32_t)name_index(&parser->thread->registers, word.text)};
}

/* Returns the index of the expression.  An array has the number of missing operands at each level of nesting, so no
 * text can overflow the reader's own stack. */
static uint32_t read_expression(struct parser *parser) {
    uint32_t first = (uint32_t)parser->thread->atoms.count;
    unsigned missing[AUTOMATON_NESTING + 1] = {1};
    unsigned level = 0;
    for (;;) {
        struct word word = need_word(parser, "an expression");
        struct atom atom = {0};
        if (word.text) {
            read_atom(parser, word, &atom);
        }
        if (parser->failed) {
            return first;
        }
        vector_push(&parser->thread->atoms, &atom);
        if (atom.kind == ATOM_OPERATOR) {
            if (level == AUTOMATON_NESTING) {
                fail(parser, word.column, "the expression is nested more than %d deep", AUTOMATON_NESTING);
                return first;
            }
            missing[++level] = automaton_operators[atom.value].operands;
            continue;
        }
        while (--missing[level] == 0) {
            if (level-- == 0) {
                return first;
            }
        }
    }
}

/* --- Lines -------------------------------------------------------------------------------------------------------- */

static void read_thread(struct parser *parser) {
    struct word name = need_word(parser, "the name of a thread");
    if (parser->thread) {
        fail(parser, name.column, "thread %s, which begins in line %u, has no 'end'", parser->thread->name,
             parser->thread->line);
        parser->thread = NULL;
    }
    if (!name.text) {
        return;
    }
    for (size_t i = 0; i < parser->automata->threads.count; i++) {
        const struct automaton_thread *other = vector_at(&parser->automata->threads, i);
        if (strcmp(other->name, name.text) == 0) {
            fail(parser, name.column, "a second thread %.60s, the first is in line %u", name.text, other->line);
        }
    }
    struct automaton_thread *thread = vector_grow(&parser->automata->threads, 1);
    *thread = (struct automaton_thread){
        .name = memory_copy_text(name.text), .line = parser->line, .initial = NO_STATE, .final = NO_STATE};
    vector_init(&thread->states, sizeof(char *));
    vector_init(&thread->registers, sizeof(char *));
    vector_init(&thread->transitions, sizeof(struct automaton_transition));
    vector_init(&thread->atoms, sizeof(struct atom));
    parser->thread = thread;
    need_end(parser);
}

static void read_transition(struct parser *parser) {
    struct automaton_transition transition = {.from = need_state(parser), .to = need_state(parser)};
    struct word name = need_word(parser, "an instruction");
    transition.line = parser->line;
    transition.column = name.column;
    while (name.text && transition.command < COMMAND_COUNT &&
           strcmp(commands[transition.command].text, name.text) != 0) {
        transition.command++;
    }
    if (!name.text || transition.command == COMMAND_COUNT) {
        fail(parser, name.column, "unknown instruction '%.60s'", name.text ? name.text : "");
        return;
    }
    if (commands[transition.command].has_register) {
        transition.reg = need_register(parser);
    }
    for (unsigned i = 0; i < commands[transition.command].expressions && !parser->failed; i++) {
        transition.expressions[i] = read_expression(parser);
    }
    need_end(parser);
    vector_push(&parser->thread->transitions, &transition);
}

/* `initial` or `final`. */
static void read_state(struct parser *parser, const char *what, uint32_t *state) {
    struct word word = need_word(parser, "a state");
    if (*state != NO_STATE) {
        fail(parser, word.column, "thread %s has two %s states", parser->thread->name, what);
    } else if (word.text) {
        *state = name_index(&parser->thread->states, word.text);
    }
    need_end(parser);
}

static bool state_is_used(const struct automaton_thread *thread, uint32_t state, bool must_leave) {
    for (size_t i = 0; i < thread->transitions.count; i++) {
        const struct automaton_transition *transition = vector_at(&thread->transitions, i);
        if (transition->from == state || (!must_leave && transition->to == state)) {
            return true;
        }
    }
    return thread->transitions.count == 0;
}

static void read_end(struct parser *parser) {
    const struct automaton_thread *thread = parser->thread;
    need_end(parser);
    if (thread->initial == NO_STATE) {
        fail(parser, 1, "thread %s has no initial state", thread->name);
    } else if (!state_is_used(thread, thread->initial, true)) {
        fail(parser, 1, "undefined state: no transition of thread %s leaves its initial state %s", thread->name,
             *(char **)vector_at(&thread->states, thread->initial));
    } else if (thread->final != NO_STATE && thread->final != thread->initial &&
               !state_is_used(thread, thread->final, false)) {
        fail(parser, 1, "undefined state: no transition of thread %s has to do with its final state %s", thread->name,
             *(char **)vector_at(&thread->states, thread->final));
    }
    parser->thread = NULL;
}

static void read_memory_size(struct parser *parser) {
    struct word word = need_word(parser, "a number of cells");
    if (!word.text) {
        return;
    }
    int32_t size = is_number(word.text) ? read_number(parser, word) : 0;
    if (size < 1 || size > AUTOMATON_CELLS) {
        fail(parser, word.column, "'%.60s' is not a number of cells from 1 to %d", word.text, AUTOMATON_CELLS);
    } else if (parser->automata->memory_size > 0) {
        fail(parser, word.column, "a second memory_size");
    }
    parser->automata->memory_size = (uint32_t)size;
    need_end(parser);
}

static void read_line(struct parser *parser) {
    struct word word = next_word(parser);
    if (!word.text) {
        return;
    }
    if (strcmp(word.text, "thread") == 0) {
        read_thread(parser);
    } else if (strcmp(word.text, "memory_size") == 0 && !parser->thread) {
        read_memory_size(parser);
    } else if (strcmp(word.text, "initial") != 0 && strcmp(word.text, "final") != 0 &&
               strcmp(word.text, "transition") != 0 && strcmp(word.text, "end") != 0) {
        fail(parser, word.column, "unknown word '%.60s': expected thread, initial, final, transition or end",
             word.text);
    } else if (!parser->thread) {
        fail(parser, word.column, "'%s' outside of a thread", word.text);
    } else if (*word.text == 'i') {
        read_state(parser, "initial", &parser->thread->initial);
    } else if (*word.text == 'f') {
        parser->thread->final_line = parser->line;
        read_state(parser, "final", &parser->thread->final);
    } else if (*word.text == 't') {
        read_transition(parser);
    } else {
        read_end(parser);
    }
}

bool automata_parse(struct automata *automata, const char *file, struct diagnostics *diagnostics) {
    struct parser parser = {.file = file, .diagnostics = diagnostics, .automata = automata};
    automata->memory_size = 0;
    vector_init(&automata->threads, sizeof(struct automaton_thread));
    FILE *stream = fopen(file, "rb");
    if (!stream) {
        diagnostics_add(diagnostics, file, 0, 0, "cannot open %s: %s", file, strerror(errno));
        return false;
    }
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&text, &capacity, stream)) >= 0) {
        parser.line++;
        parser.at = parser.start = text;
        parser.failed = false;
        if (strlen(text) != (size_t)length) {
            fail(&parser, (uint32_t)strlen(text) + 1, "a zero byte: this is not a text");
        } else {
            while (length > 0 && isspace((unsigned char)text[length - 1])) {
                text[--length] = '\0';
            }
            read_line(&parser);
        }
    }
    parser.failed = false;
    if (!feof(stream) && !ferror(stream)) {
        memory_exhausted(); /* there was no memory for the line */
    }
    if (ferror(stream)) {
        diagnostics_add(diagnostics, file, 0, 0, "cannot read %s: %s", file, strerror(errno));
    } else if (parser.thread) {
        parser.line = parser.thread->line;
        fail(&parser, 1, "thread %s has no 'end'", parser.thread->name);
    } else if (automata->threads.count == 0 && diagnostics_empty(diagnostics)) {
        diagnostics_add(diagnostics, file, parser.line, 0, "there is no thread");
    }
    free(text);
    fclose(stream);
    return diagnostics_empty(diagnostics);
}

static void texts_delete(struct vector *texts) {
    for (size_t i = 0; i < texts->count; i++) {
        free(*(char **)vector_at(texts, i));
    }
    vector_delete(texts);
}

void automata_delete(struct automata *automata) {
    for (size_t i = 0; i < automata->threads.count; i++) {
        struct automaton_thread *thread = vector_at(&automata->threads, i);
        free(thread->name);
        texts_delete(&thread->states);
        texts_delete(&thread->registers);
        vector_delete(&thread->transitions);
        vector_delete(&thread->atoms);
    }
    vector_delete(&automata->threads);
}
