/* The text of a program with fences at some of its places. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fence/places.h"
#include "util/memory.h"

#define INDENT 4

struct writer {
    const struct source *source;
    struct written *written;
    struct vector out; /* of char */
    uint32_t line;     /* line of the source that is being written */
    uint32_t new_line; /* of the new text */
};

static void put(struct writer *writer, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        vector_push(&writer->out, &text[i]);
        if (text[i] == '\n') {
            writer->new_line++;
            vector_push(&writer->written->lines, &writer->line);
        }
    }
}

/* Copies text of the source, and counts its lines. */
static void copy(struct writer *writer, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        writer->line += writer->source->text[i] == '\n';
        put(writer, &writer->source->text[i], 1);
    }
}

static void note_fence(struct writer *writer, uint32_t place) {
    vector_push(&writer->written->fences, &(struct written_fence){.place = place, .line = writer->new_line});
}

/* --- C ------------------------------------------------------------------------------------------------------------ */

static const char *c_fence(uint8_t kind, bool includes) {
    if (!includes) {
        return kind == FENCE_FULL ? "__atomic_thread_fence(__ATOMIC_SEQ_CST);"
                                  : "__atomic_thread_fence(__ATOMIC_RELEASE);";
    }
    return kind == FENCE_FULL ? "atomic_thread_fence(memory_order_seq_cst);"
                              : "atomic_thread_fence(memory_order_release);";
}

static size_t line_begin(const struct source *source, size_t at) {
    while (at > 0 && source->text[at - 1] != '\n') {
        at--;
    }
    return at;
}

static size_t blanks_at(const struct source *source, size_t at) {
    size_t count = 0;
    while (at + count < source->size && (source->text[at + count] == ' ' || source->text[at + count] == '\t')) {
        count++;
    }
    return count;
}

/* Writes the blanks before a fence at the place: those of the next statement, or of the one before. */
static void put_indent(struct writer *writer, const struct place *place) {
    const struct source *source = writer->source;
    size_t like = place->splits ? line_begin(source, place->offset) : place->offset;
    size_t more = 0;
    while (!place->splits && like < source->size) { /* lines without code */
        size_t code = like + blanks_at(source, like);
        if (source->text[code] != '\n' && source->text[code] != '#' && source->text[code] != '\r') {
            break;
        }
        const char *newline = memchr(source->text + code, '\n', source->size - code);
        like = newline ? (size_t)(newline - source->text) + 1 : source->size;
    }
    size_t code = like + blanks_at(source, like);
    if (code < source->size && source->text[code] == '}') {
        more = INDENT; /* the end of a block is indented one step less than its contents */
    }
    put(writer, source->text + like, blanks_at(source, like));
    put(writer, "    ", more);
}

static bool has_header(const struct source *source) {
    for (const char *at = strstr(source->text, "stdatomic.h"); at; at = strstr(at + 1, "stdatomic.h")) {
        const char *line = source->text + line_begin(source, (size_t)(at - source->text));
        if (line[strspn(line, " \t")] == '#') {
            return true;
        }
    }
    return false;
}

/* The position of the header: before the first one that is included, or at the start. */
static size_t header_place(const struct source *source) {
    for (const char *at = strstr(source->text, "#include"); at; at = strstr(at + 1, "#include")) {
        size_t begin = line_begin(source, (size_t)(at - source->text));
        if (begin + blanks_at(source, begin) == (size_t)(at - source->text)) {
            return begin;
        }
    }
    return 0;
}

static void write_c(struct writer *writer, uint32_t index, const struct vector *places, const uint8_t *kinds,
                    bool includes) {
    const struct source *source = writer->source;
    size_t done = 0;
    bool fenced = false;
    for (size_t p = 0; p < places->count; p++) {
        const struct place *place = vector_at(places, p);
        fenced = fenced || (place->source == index && kinds[p] != FENCE_NONE);
    }
    if (includes && fenced && !has_header(source)) {
        static const char header[] = "#include <stdatomic.h>\n";
        done = header_place(source);
        copy(writer, 0, done);
        put(writer, header, strlen(header));
    }
    for (uint32_t p = 0; p < places->count; p++) {
        const struct place *place = vector_at(places, p);
        if (place->source != index || place->dropped || kinds[p] == FENCE_NONE) {
            continue;
        }
        const char *text = c_fence(kinds[p], includes);
        size_t until = place->offset;
        while (place->splits && until > done && isblank((unsigned char)source->text[until - 1])) {
            until--;
        }
        copy(writer, done, until);
        put(writer, "\n", place->splits);
        put_indent(writer, place);
        note_fence(writer, p);
        put(writer, text, strlen(text));
        put(writer, "\n", 1);
        if (place->splits) {
            put_indent(writer, place);
        }
        done = place->offset;
    }
    copy(writer, done, source->size);
}

/* --- Automata ----------------------------------------------------------------------------------------------------- */

/* A name for new states with which no word of the text begins. */
static char *fresh_name(const struct source *source) {
    char *name = memory_copy_text("fence");
    while (strstr(source->text, name)) {
        char *longer = memory_format("%s_", name);
        free(name);
        name = longer;
    }
    return name;
}

static size_t word_end(const struct source *source, size_t at) {
    while (at < source->size && !isspace((unsigned char)source->text[at])) {
        at++;
    }
    return at;
}

static const char *automaton_fence(uint8_t kind) {
    return kind == FENCE_FULL ? "mfence" : "sfence";
}

static void put_transition(struct writer *writer, const char *from, const char *to, const char *instruction) {
    char *text = memory_format("transition %s %s %s", from, to, instruction);
    put(writer, text, strlen(text));
    free(text);
}

/* One transition becomes a chain, with new states between its links. */
static void write_transition(struct writer *writer, const char *name, size_t begin, size_t end, uint32_t before,
                             uint32_t after, const uint8_t *kinds) {
    const struct source *source = writer->source;
    size_t from = begin + strlen("transition") + blanks_at(source, begin + strlen("transition"));
    size_t from_end = word_end(source, from);
    size_t to = from_end + blanks_at(source, from_end);
    size_t to_end = word_end(source, to);
    size_t instruction = to_end + blanks_at(source, to_end);
    char *first = memory_format("%.*s", (int)(from_end - from), source->text + from);
    char *last = memory_format("%.*s", (int)(to_end - to), source->text + to);
    char *what = memory_format("%.*s", (int)(end - instruction), source->text + instruction);
    char *one = memory_format("%s%u", name, before);
    char *other = memory_format("%s%u", name, after);
    size_t indent = line_begin(source, begin);
    if (before != UINT32_MAX) {
        note_fence(writer, before);
        put_transition(writer, first, one, automaton_fence(kinds[before]));
        put(writer, "\n", 1);
        put(writer, source->text + indent, begin - indent);
    }
    put_transition(writer, before != UINT32_MAX ? one : first, after != UINT32_MAX ? other : last, what);
    if (after != UINT32_MAX) {
        put(writer, "\n", 1);
        put(writer, source->text + indent, begin - indent);
        note_fence(writer, after);
        put_transition(writer, other, last, automaton_fence(kinds[after]));
    }
    free(first);
    free(last);
    free(what);
    free(one);
    free(other);
}

static void write_automata(struct writer *writer, uint32_t index, const struct vector *places, const uint8_t *kinds) {
    const struct source *source = writer->source;
    char *name = fresh_name(source);
    size_t done = 0;
    for (uint32_t p = 0; p < places->count;) {
        const struct place *place = vector_at(places, p);
        uint32_t sides[2] = {UINT32_MAX, UINT32_MAX};
        uint32_t next = p;
        for (; next < places->count; next++) {
            const struct place *other = vector_at(places, next);
            if (other->source != place->source || other->offset != place->offset) {
                break;
            }
            if (!other->dropped && kinds[next] != FENCE_NONE) {
                sides[other->side == PLACE_AFTER] = next;
            }
        }
        p = next;
        if (place->source != index || (sides[0] == UINT32_MAX && sides[1] == UINT32_MAX)) {
            continue;
        }
        const char *newline = memchr(source->text + place->offset, '\n', source->size - place->offset);
        size_t end = newline ? (size_t)(newline - source->text) : source->size;
        copy(writer, done, place->offset);
        write_transition(writer, name, place->offset, end, sides[0], sides[1], kinds);
        done = end;
    }
    copy(writer, done, source->size);
    free(name);
}

void source_write(const struct source *source, uint32_t index, const struct vector *places, const uint8_t *kinds,
                  bool includes, struct written *written) {
    struct writer writer = {.source = source, .written = written, .line = 1, .new_line = 1};
    vector_init(&written->lines, sizeof(uint32_t));
    vector_init(&written->fences, sizeof(struct written_fence));
    vector_init(&writer.out, 1);
    vector_push(&written->lines, &(uint32_t){0}); /* no line has this number */
    vector_push(&written->lines, &(uint32_t){1});
    if (source->language == SOURCE_C) {
        write_c(&writer, index, places, kinds, includes);
    } else {
        write_automata(&writer, index, places, kinds);
    }
    written->size = writer.out.count;
    vector_push(&writer.out, "");
    written->text = writer.out.data;
}

void written_delete(struct written *written) {
    free(written->text);
    vector_delete(&written->lines);
    vector_delete(&written->fences);
}
