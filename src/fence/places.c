/* C is read just far enough to find the ends of statements: comments, texts and preprocessor lines are skipped, and the
 * text before a brace decides whether it encloses statements.  If this finds a place that is none (the end of a
 * structure written as an expression, say), clang reports it. */
#include "fence/places.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

/* --- C ------------------------------------------------------------------------------------------------------------ */

struct scanner {
    const struct source *source;
    uint32_t index;
    struct vector *places;
    struct vector braces; /* of bool: does it enclose statements? */
    size_t at;
    uint32_t line;
    int parentheses;
    bool line_is_new; /* only blanks so far */
    char last;        /* significant character */
    char word[16];    /* the last word, if nothing significant came after it */
};

static char peek(const struct scanner *scanner, size_t ahead) {
    return scanner->at + ahead < scanner->source->size ? scanner->source->text[scanner->at + ahead] : '\0';
}

static void skip(struct scanner *scanner, size_t count) {
    for (; count > 0 && scanner->at < scanner->source->size; count--) {
        if (scanner->source->text[scanner->at++] == '\n') {
            scanner->line++;
            scanner->line_is_new = true;
        }
    }
}

/* Skips a comment or preprocessor line; true if there was one. */
static bool skip_passed_over(struct scanner *scanner) {
    if (peek(scanner, 0) == '/' && peek(scanner, 1) == '*') {
        skip(scanner, 2);
        while (scanner->at < scanner->source->size && !(peek(scanner, 0) == '*' && peek(scanner, 1) == '/')) {
            skip(scanner, 1);
        }
        skip(scanner, 2);
        return true;
    }
    bool line_comment = peek(scanner, 0) == '/' && peek(scanner, 1) == '/';
    bool directive = peek(scanner, 0) == '#' && scanner->line_is_new;
    if (!line_comment && !directive) {
        return false;
    }
    while (scanner->at < scanner->source->size && peek(scanner, 0) != '\n') {
        if (directive && peek(scanner, 0) == '/' && peek(scanner, 1) == '*') {
            skip_passed_over(scanner);
        } else {
            skip(scanner, peek(scanner, 0) == '\\' ? 2 : 1);
        }
    }
    return true;
}

static void skip_text(struct scanner *scanner, char quote) {
    skip(scanner, 1);
    while (scanner->at < scanner->source->size && peek(scanner, 0) != quote && peek(scanner, 0) != '\n') {
        skip(scanner, peek(scanner, 0) == '\\' ? 2 : 1);
    }
    skip(scanner, 1);
}

static bool in_statements(const struct scanner *scanner) {
    return scanner->parentheses == 0 && scanner->braces.count > 0 &&
           *(bool *)vector_at(&scanner->braces, scanner->braces.count - 1);
}

/* Is the text at this position the word? */
static bool word_is(const char *text, const char *word) {
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && !isalnum((unsigned char)text[length]) && text[length] != '_';
}

/* A statement or a block begins or has ended right before: the position after it may be a place. */
static void add_place(struct scanner *scanner) {
    struct scanner ahead = *scanner;
    size_t same_line = SIZE_MAX; /* offset of the rest of this line, if there is any code on it */
    size_t next_line = SIZE_MAX; /* the beginning of the first line after this one */
    uint32_t line = scanner->line;
    while (ahead.at < ahead.source->size) {
        if (isspace((unsigned char)peek(&ahead, 0))) {
            skip(&ahead, 1);
        } else if (!skip_passed_over(&ahead)) {
            break;
        }
        if (next_line == SIZE_MAX && ahead.line > line) {
            const char *newline =
                memchr(scanner->source->text + scanner->at, '\n', scanner->source->size - scanner->at);
            next_line = (size_t)(newline - scanner->source->text) + 1;
        }
    }
    if (ahead.line == line) {
        same_line = ahead.at;
    }
    const char *code = scanner->source->text + ahead.at;
    bool do_ends = scanner->last == '}' && word_is(code, "while");
    if (ahead.at >= ahead.source->size || word_is(code, "else") || do_ends || *code == ';') {
        return;
    }
    /* The comment that begins on this line may continue on the next ones: then the place is where the code begins. */
    bool splits = same_line != SIZE_MAX;
    size_t offset = splits ? same_line : next_line;
    if (!splits) {
        const char *begin = scanner->source->text + scanner->at;
        const char *comment = strstr(begin, "/*");
        const char *end = comment ? strstr(comment, "*/") : NULL;
        if (comment && end && (size_t)(comment - scanner->source->text) < offset &&
            (size_t)(end - scanner->source->text) > offset) {
            while (ahead.at > 0 && scanner->source->text[ahead.at - 1] != '\n') {
                ahead.at--;
            }
            offset = ahead.at;
        }
    }
    uint32_t place_line = line;
    for (size_t i = scanner->at; i < offset; i++) {
        place_line += scanner->source->text[i] == '\n';
    }
    vector_push(scanner->places,
                &(struct place){.source = scanner->index, .line = place_line, .offset = offset, .splits = splits});
}

/* Does the brace that opens here enclose statements? */
static bool opens_statements(const struct scanner *scanner) {
    bool word = strcmp(scanner->word, "else") == 0 || strcmp(scanner->word, "do") == 0;
    return scanner->parentheses == 0 && (word || strchr(");{}:", scanner->last) != NULL);
}

static void scan_code(struct scanner *scanner) {
    char at = peek(scanner, 0);
    if (isalnum((unsigned char)at) || at == '_') {
        size_t length = 0;
        while (isalnum((unsigned char)peek(scanner, length)) || peek(scanner, length) == '_') {
            length++;
        }
        snprintf(scanner->word, sizeof scanner->word, "%.*s", (int)(length < 15 ? length : 15),
                 scanner->source->text + scanner->at);
        scanner->last = 'a';
        scanner->line_is_new = false;
        skip(scanner, length);
        return;
    }
    if (at == '{') {
        bool statements = opens_statements(scanner);
        vector_push(&scanner->braces, &statements);
    } else if (at == '}' && scanner->braces.count > 0) {
        scanner->braces.count--;
    } else if (at == '(' || at == '[') {
        scanner->parentheses++;
    } else if (at == ')' || at == ']') {
        scanner->parentheses--;
    }
    bool label = at == ':' && peek(scanner, 1) == '\n';
    scanner->last = at;
    scanner->word[0] = '\0';
    scanner->line_is_new = false;
    skip(scanner, 1);
    if ((at == ';' || at == '{' || at == '}' || label) && in_statements(scanner)) {
        add_place(scanner);
    }
}

static void find_places_in_c(const struct source *source, uint32_t index, struct vector *places) {
    struct scanner scanner = {
        .source = source, .index = index, .places = places, .line = 1, .line_is_new = true, .last = ';'};
    vector_init(&scanner.braces, sizeof(bool));
    while (scanner.at < source->size) {
        char at = peek(&scanner, 0);
        if (isspace((unsigned char)at)) {
            skip(&scanner, 1);
        } else if (at == '"' || at == '\'') {
            skip_text(&scanner, at);
            scanner.last = at;
        } else if (!skip_passed_over(&scanner)) {
            scan_code(&scanner);
        }
    }
    vector_delete(&scanner.braces);
}

/* --- Automata ----------------------------------------------------------------------------------------------------- */

/* A line `transition FROM TO INSTRUCTION`, with the offsets of its words. */
struct transition_line {
    size_t word[4]; /* offsets of `transition`, FROM, TO and the instruction */
    size_t length[3];
    size_t end; /* of the line */
    uint32_t line;
};

static size_t next_word(const char *text, size_t at, size_t end, size_t *length) {
    while (at < end && isspace((unsigned char)text[at])) {
        at++;
    }
    for (*length = 0; at + *length < end && !isspace((unsigned char)text[at + *length]);) {
        ++*length;
    }
    return at;
}

static bool line_is_transition(const char *text, size_t begin, size_t end, struct transition_line *line) {
    size_t at = begin;
    for (int i = 0; i < 3; i++) {
        line->word[i] = next_word(text, at, end, &line->length[i]);
        at = line->word[i] + line->length[i];
    }
    size_t length;
    line->word[3] = next_word(text, at, end, &length);
    line->end = end;
    return length > 0 && line->length[0] == strlen("transition") &&
           strncmp(text + line->word[0], "transition", line->length[0]) == 0;
}

static bool same_word(const char *text, const struct transition_line *one, int i, const struct transition_line *other,
                      int k) {
    return one->length[i] == other->length[k] &&
           memcmp(text + one->word[i], text + other->word[k], one->length[i]) == 0;
}

/* Number of transitions of the thread that leave the state which a transition leaves, and that enter it. */
struct neighbours {
    size_t leaving;
    size_t entering;
};

static struct neighbours neighbours_of(const char *text, const struct vector *lines,
                                       const struct transition_line *line) {
    struct neighbours neighbours = {0};
    for (size_t i = 0; i < lines->count; i++) {
        const struct transition_line *other = vector_at(lines, i);
        neighbours.leaving += same_word(text, other, 1, line, 1);
        neighbours.entering += same_word(text, other, 2, line, 1);
    }
    return neighbours;
}

static bool instruction_is(const char *text, const struct transition_line *line, const char *name) {
    return word_is(text + line->word[3], name);
}

static bool drains(const char *text, const struct transition_line *line) {
    return instruction_is(text, line, "mfence") || instruction_is(text, line, "lock") ||
           instruction_is(text, line, "unlock");
}

/* The place before a transition is the one after the transition before it, if that is the only one; likewise the one
 * after a transition that does not access memory. */
static void add_transition_places(const struct source *source, uint32_t index, const struct vector *lines,
                                  const char *initial, size_t initial_length, struct vector *places) {
    const char *text = source->text;
    for (size_t i = 0; i < lines->count; i++) {
        const struct transition_line *line = vector_at(lines, i);
        struct neighbours neighbours = neighbours_of(text, lines, line);
        bool starts = line->length[1] == initial_length && memcmp(text + line->word[1], initial, initial_length) == 0;
        bool alone = neighbours.leaving == 1 && neighbours.entering == 1 && !starts;
        bool accesses = instruction_is(text, line, "read") || instruction_is(text, line, "write");
        struct place place = {.source = index, .line = line->line, .offset = line->word[0]};
        if (accesses && !alone && !(starts && neighbours.entering == 0)) {
            place.side = PLACE_BEFORE;
            vector_push(places, &place);
        }
        if (!drains(text, line) && (accesses || !alone)) {
            place.side = PLACE_AFTER;
            vector_push(places, &place);
        }
    }
}

static void find_places_in_automata(const struct source *source, uint32_t index, struct vector *places) {
    struct vector lines;
    const char *initial = "";
    size_t initial_length = 0;
    uint32_t number = 0;
    vector_init(&lines, sizeof(struct transition_line));
    for (size_t begin = 0; begin < source->size;) {
        const char *newline = memchr(source->text + begin, '\n', source->size - begin);
        size_t end = newline ? (size_t)(newline - source->text) : source->size;
        size_t length;
        size_t word = next_word(source->text, begin, end, &length);
        struct transition_line line = {.line = ++number};
        if (line_is_transition(source->text, begin, end, &line)) {
            vector_push(&lines, &line);
        } else if (word_is(source->text + word, "initial")) {
            initial = source->text + next_word(source->text, word + length, end, &initial_length);
        } else if (word_is(source->text + word, "end")) {
            add_transition_places(source, index, &lines, initial, initial_length, places);
            lines.count = 0;
        }
        begin = end + 1;
    }
    vector_delete(&lines);
}

void source_find_places(const struct source *source, uint32_t index, struct vector *places) {
    (source->language == SOURCE_C ? find_places_in_c : find_places_in_automata)(source, index, places);
}
