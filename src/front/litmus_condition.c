/* The part of a litmus test after the code: which locations are shown, which executions count, and the condition.
 *
 * As in herd's grammar, `=>` binds more tightly than /\, and that more tightly than \/; `not` and ~ bind most. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "front/inline_asm_state.h"
#include "front/litmus_reader.h"
#include "util/memory.h"

#define MAX_DEPTH 2000

static struct litmus_node *node_at(const struct litmus_test *test, uint32_t node) {
    return vector_at(&test->nodes, node);
}

/* ---- Locations ---- */

/* herd lists a thread's registers in this order, narrow ones after wide ones. */
static uint64_t register_rank(const struct litmus_reference *reference) {
    static const uint8_t order[] = {
        [X86_AX] = 0, [X86_BX] = 1, [X86_CX] = 2, [X86_DX] = 3, [X86_SI] = 4, [X86_DI] = 5,
    };
    uint64_t rank = reference->number < sizeof order ? order[reference->number] : reference->number;
    return (uint64_t)reference->thread->number << 32 | rank << 8 | (64 - reference->width) | reference->high;
}

static struct litmus_location register_location(const struct litmus_reader *reader,
                                                const struct litmus_reference *reference) {
    struct litmus_location location = {
        .name = memory_format("%u:%.*s", reference->thread->number, (int)reference->length, reference->name),
        .rank = register_rank(reference),
        .offset = reference->high,
        .width = reference->width,
        .thread = (uint32_t)(reference->thread - (struct litmus_thread *)reader->threads.data),
        .number = reference->number,
        .in_register = true,
    };
    for (char *c = location.name; *c; c++) {
        *c = (char)(reader->wide ? tolower((unsigned char)*c) : toupper((unsigned char)*c));
    }
    return location;
}

static struct litmus_location variable_location(struct litmus_reader *reader,
                                                const struct litmus_reference *reference) {
    const struct litmus_variable *variable = litmus_variable(reader, reference->name, reference->length);
    return (struct litmus_location){
        .name = memory_format("[%s]", variable->name),
        .global = variable->global,
        .width = variable->width,
    };
}

/* Reads a location and returns its index; the same location has the same index. */
static uint32_t location_read(struct litmus_reader *reader, bool shown) {
    struct litmus_reference reference;
    struct vector *locations = &reader->test->locations;
    if (!litmus_reference_read(reader, &reference)) {
        return 0;
    }
    struct litmus_location location =
        reference.in_register ? register_location(reader, &reference) : variable_location(reader, &reference);
    for (size_t i = 0; i < locations->count; i++) {
        struct litmus_location *other = vector_at(locations, i);
        if (strcmp(other->name, location.name) == 0) {
            free(location.name);
            other->shown = other->shown || shown;
            return (uint32_t)i;
        }
    }
    location.shown = shown;
    vector_push(locations, &location);
    return (uint32_t)(locations->count - 1);
}

/* `locations [x; 0:EAX;]`; a type after a location adds nothing. */
static void locations_read(struct litmus_reader *reader) {
    const char *type;
    litmus_expect(reader, "[", "after 'locations'");
    while (!reader->failed && !litmus_accept(reader, "]")) {
        location_read(reader, true);
        litmus_word(reader, &type);
        litmus_accept(reader, "*");
        if (!litmus_accept(reader, ";") && litmus_peek(reader) != ']') {
            litmus_fail(reader, reader->at, "expected ';' or ']' in the list of locations");
        }
    }
}

/* ---- Conditions ---- */

static uint32_t node_new(struct litmus_reader *reader, struct litmus_node node) {
    bool unary = node.kind == LITMUS_NOT;
    if (unary || node.kind >= LITMUS_AND) {
        uint32_t left = node_at(reader->test, node.left)->depth;
        uint32_t right = unary ? 0 : node_at(reader->test, node.right)->depth;
        node.depth = 1 + (left > right ? left : right);
    }
    if (node.depth > MAX_DEPTH) {
        litmus_fail(reader, reader->at, "the condition is too deep");
    }
    vector_push(&reader->test->nodes, &node);
    return (uint32_t)(reader->test->nodes.count - 1);
}

static uint32_t binary_new(struct litmus_reader *reader, enum litmus_node_kind kind, uint32_t left, uint32_t right) {
    return reader->failed ? left : node_new(reader, (struct litmus_node){.kind = kind, .left = left, .right = right});
}

/* Is the right-hand side of an equation a location: [x], 0:EAX? */
static bool at_location(struct litmus_reader *reader) {
    char first = litmus_peek(reader);
    if (first == '[') {
        return true;
    }
    const char *c = reader->at + (first == 'P');
    if (!isdigit((unsigned char)*c)) {
        return false;
    }
    while (isdigit((unsigned char)*c)) {
        c++;
    }
    return *c == ':';
}

static uint32_t atom_read(struct litmus_reader *reader, bool shown) {
    struct litmus_node node = {.kind = LITMUS_EQUAL, .left = location_read(reader, shown)};
    bool differs = litmus_accept(reader, "!=");
    if (!differs && !reader->failed && !litmus_accept(reader, "==")) {
        litmus_expect(reader, "=", "after the location");
    }
    if (reader->failed) {
        return 0;
    }
    if (at_location(reader)) {
        node.kind = LITMUS_SAME;
        node.right = location_read(reader, shown);
    } else {
        litmus_value_read(reader, &node.value, &node.symbol);
    }
    if (reader->failed) {
        return 0;
    }
    uint32_t atom = node_new(reader, node);
    return differs ? node_new(reader, (struct litmus_node){.kind = LITMUS_NOT, .left = atom}) : atom;
}

static uint32_t condition_read(struct litmus_reader *reader, bool shown, unsigned depth);

static bool accept_word(struct litmus_reader *reader, const char *expected) {
    const char *from = reader->at;
    const char *word;
    size_t length = litmus_word(reader, &word);
    if (!litmus_is(word, length, expected)) {
        reader->at = from;
        return false;
    }
    return true;
}

static uint32_t unary_read(struct litmus_reader *reader, bool shown, unsigned depth) {
    if (depth > MAX_DEPTH) {
        litmus_fail(reader, reader->at, "the condition is too deep");
    }
    if (reader->failed) {
        return 0;
    }
    if (litmus_accept(reader, "~") || accept_word(reader, "not")) {
        uint32_t inner = unary_read(reader, shown, depth + 1);
        return reader->failed ? 0 : node_new(reader, (struct litmus_node){.kind = LITMUS_NOT, .left = inner});
    }
    if (litmus_accept(reader, "(")) {
        uint32_t inner = condition_read(reader, shown, depth + 1);
        litmus_expect(reader, ")", "in the condition");
        return inner;
    }
    if (accept_word(reader, "true")) {
        return node_new(reader, (struct litmus_node){.kind = LITMUS_TRUE});
    }
    if (accept_word(reader, "false")) {
        return node_new(reader, (struct litmus_node){.kind = LITMUS_FALSE});
    }
    return atom_read(reader, shown);
}

static uint32_t implication_read(struct litmus_reader *reader, bool shown, unsigned depth) {
    uint32_t left = unary_read(reader, shown, depth);
    if (reader->failed || !litmus_accept(reader, "=>")) {
        return left;
    }
    return binary_new(reader, LITMUS_IMPLIES, left, implication_read(reader, shown, depth + 1));
}

static uint32_t conjunction_read(struct litmus_reader *reader, bool shown, unsigned depth) {
    uint32_t left = implication_read(reader, shown, depth);
    while (!reader->failed && litmus_accept(reader, "/\\")) {
        left = binary_new(reader, LITMUS_AND, left, implication_read(reader, shown, depth));
    }
    return left;
}

static uint32_t condition_read(struct litmus_reader *reader, bool shown, unsigned depth) {
    uint32_t left = conjunction_read(reader, shown, depth);
    while (!reader->failed && litmus_accept(reader, "\\/")) {
        left = binary_new(reader, LITMUS_OR, left, conjunction_read(reader, shown, depth));
    }
    return left;
}

bool litmus_at_condition(struct litmus_reader *reader) {
    static const char *const words[] = {"exists", "forall", "locations", "filter", "final", "not"};
    char first = litmus_peek(reader);
    const char *from = reader->at;
    const char *word;
    size_t length = litmus_word(reader, &word);
    bool found = first == '~' || first == '(' || first == '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        found = found || litmus_is(word, length, words[i]);
    }
    reader->at = from;
    return found;
}

static int compare_locations(const void *left, const void *right, void *data) {
    const struct vector *locations = data;
    const struct litmus_location *a = vector_at(locations, *(const uint32_t *)left);
    const struct litmus_location *b = vector_at(locations, *(const uint32_t *)right);
    if (a->in_register != b->in_register) {
        return a->in_register ? -1 : 1;
    }
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

static void shown_sort(struct litmus_test *test) {
    for (uint32_t i = 0; i < test->locations.count; i++) {
        if (((struct litmus_location *)vector_at(&test->locations, i))->shown) {
            vector_push(&test->shown, &i);
        }
    }
    if (test->shown.count > 1) {
        qsort_r(test->shown.data, test->shown.count, sizeof(uint32_t), compare_locations, &test->locations);
    }
}

/* Makes the thread-local array of registers, as small as possible: it is part of every state. */
static void registers_place(struct litmus_reader *reader) {
    struct vector *locations = &reader->test->locations;
    uint32_t named = 0;
    for (size_t i = 0; i < locations->count; i++) {
        const struct litmus_location *location = vector_at(locations, i);
        named |= location->in_register ? 1U << location->number : 0;
    }
    if (named == 0) {
        return;
    }
    uint64_t size = 8 * (uint64_t)__builtin_popcount(named);
    reader->registers = builder_global(&reader->builder, "registers", size, 8, GLOBAL_THREAD_LOCAL | GLOBAL_PRIVATE);
    for (size_t i = 0; i < locations->count; i++) {
        struct litmus_location *location = vector_at(locations, i);
        if (location->in_register) {
            location->global = reader->registers;
            location->offset += 8 * (uint32_t)__builtin_popcount(named & ((1U << location->number) - 1));
        }
    }
}

void litmus_conditions_read(struct litmus_reader *reader) {
    struct litmus_test *test = reader->test;
    uint32_t always = node_new(reader, (struct litmus_node){.kind = LITMUS_TRUE});
    test->filter = always;
    test->condition = always;
    test->quantifier = LITMUS_FORALL;
    litmus_peek(reader);
    if (accept_word(reader, "locations")) {
        locations_read(reader);
    }
    if (accept_word(reader, "filter")) {
        test->filter = condition_read(reader, false, 0);
    }
    if (litmus_peek(reader) != '\0' && !reader->failed) {
        bool negated = litmus_accept(reader, "~") || accept_word(reader, "not");
        bool forall = !negated && accept_word(reader, "forall");
        bool named = forall || accept_word(reader, "exists") || (!negated && accept_word(reader, "final"));
        test->quantifier = negated ? LITMUS_NOT_EXISTS : forall ? LITMUS_FORALL : LITMUS_EXISTS;
        if (!named && (negated || litmus_peek(reader) != '(')) {
            litmus_fail(reader, reader->at, "expected exists, ~exists or forall");
        }
        test->condition = condition_read(reader, true, 0);
        litmus_accept(reader, ";");
    }
    if (litmus_peek(reader) != '\0') {
        litmus_fail(reader, reader->at, "unexpected text after the condition");
    }
    shown_sort(test);
    registers_place(reader);
}

/* ---- Evaluation ---- */

int64_t litmus_signed(const struct litmus_location *location, uint64_t value) {
    unsigned unused = 64 - location->width;
    return (int64_t)(value << unused) >> unused;
}

static const struct litmus_location *location_at(const struct litmus_test *test, uint32_t location) {
    return vector_at(&test->locations, location);
}

bool litmus_holds(const struct litmus_test *test, uint32_t index, const uint64_t *values) {
    const struct litmus_node *node = node_at(test, index);
    switch (node->kind) {
    case LITMUS_TRUE:
        return true;
    case LITMUS_FALSE:
        return false;
    case LITMUS_EQUAL: {
        const struct litmus_location *location = location_at(test, node->left);
        return litmus_signed(location, values[node->left]) == litmus_signed(location, (uint64_t)node->value);
    }
    case LITMUS_SAME:
        return litmus_signed(location_at(test, node->left), values[node->left]) ==
               litmus_signed(location_at(test, node->right), values[node->right]);
    case LITMUS_NOT:
        return !litmus_holds(test, node->left, values);
    case LITMUS_AND:
        return litmus_holds(test, node->left, values) && litmus_holds(test, node->right, values);
    case LITMUS_OR:
        return litmus_holds(test, node->left, values) || litmus_holds(test, node->right, values);
    case LITMUS_IMPLIES:
        return !litmus_holds(test, node->left, values) || litmus_holds(test, node->right, values);
    }
    return false;
}

/* ---- Printing ---- */

/* Parentheses enclose only operands of an operator with another precedence. */
static bool needs_parentheses(enum litmus_node_kind above, enum litmus_node_kind here) {
    if (here < LITMUS_AND || above < LITMUS_AND || above == here) {
        return false;
    }
    return above != LITMUS_OR || here == LITMUS_IMPLIES;
}

static void print_node(const struct litmus_test *test, uint32_t index, enum litmus_node_kind above, FILE *out) {
    static const char *const operators[] = {[LITMUS_AND] = " /\\ ", [LITMUS_OR] = " \\/ ", [LITMUS_IMPLIES] = " => "};
    const struct litmus_node *node = node_at(test, index);
    switch (node->kind) {
    case LITMUS_TRUE:
        fputs("true", out);
        return;
    case LITMUS_FALSE:
        fputs("false", out);
        return;
    case LITMUS_EQUAL:
        if (node->symbol != NULL) {
            fprintf(out, "%s=%s", location_at(test, node->left)->name, node->symbol);
        } else {
            fprintf(out, "%s=%lld", location_at(test, node->left)->name, (long long)node->value);
        }
        return;
    case LITMUS_SAME:
        fprintf(out, "%s=%s", location_at(test, node->left)->name, location_at(test, node->right)->name);
        return;
    case LITMUS_NOT:
        fputs("not (", out);
        print_node(test, node->left, LITMUS_NOT, out);
        fputs(")", out);
        return;
    default: {
        bool parentheses = needs_parentheses(above, node->kind);
        fputs(parentheses ? "(" : "", out);
        print_node(test, node->left, node->kind, out);
        fputs(operators[node->kind], out);
        print_node(test, node->right, node->kind, out);
        fputs(parentheses ? ")" : "", out);
    }
    }
}

void litmus_print_condition(const struct litmus_test *test, FILE *out) {
    static const char *const words[] = {"exists", "~exists", "forall"};
    fprintf(out, "%s (", words[test->quantifier]);
    print_node(test, test->condition, LITMUS_TRUE, out);
    fputs(")", out);
}

static const char *symbol_of(const struct litmus_test *test, const struct litmus_location *location, uint64_t value) {
    for (size_t i = 0; test->uses_addresses && location->width >= 32 && i < test->variables.count; i++) {
        const struct litmus_variable *variable = vector_at(&test->variables, i);
        if (variable->number == value) {
            return variable->name;
        }
    }
    return NULL;
}

void litmus_print_state(const struct litmus_test *test, const uint64_t *values, FILE *out) {
    for (size_t i = 0; i < test->shown.count; i++) {
        uint32_t index = *(uint32_t *)vector_at(&test->shown, i);
        const struct litmus_location *location = location_at(test, index);
        const char *symbol = symbol_of(test, location, values[index]);
        fprintf(out, "%s%s=", i == 0 ? "" : " ", location->name);
        if (symbol != NULL) {
            fprintf(out, "%s;", symbol);
        } else {
            fprintf(out, "%lld;", (long long)litmus_signed(location, values[index]));
        }
    }
}
