/* The text of a question lists its nodes.  Each has a number, in the order in which they are met in a search from the
 * conditions that depends on nothing but operators and numerals; its entry names its operator and the numbers of its
 * operands.  Thus the text determines the question up to names. */
#include "prove/answered.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "prove/solver.h"
#include "prove/z3_library.h"
#include "util/hash_table.h"
#include "util/memory.h"

struct answered {
    struct hash_table *texts;
};

struct answered *answered_new(void) {
    struct answered *answered = memory_allocate(sizeof *answered);
    answered->texts = hash_table_new();
    return answered;
}

void answered_free(struct answered *answered) {
    if (answered) {
        hash_table_free(answered->texts);
        free(answered);
    }
}

bool answered_has(const struct answered *answered, const struct vector *text) {
    return hash_table_find(answered->texts, text->data, text->count * text->element_size) != NULL;
}

void answered_add(struct answered *answered, const struct vector *text) {
    hash_table_slot(answered->texts, text->data, text->count * text->element_size, NULL);
}

/* --- Texts -------------------------------------------------------------------------------------------------------- */

#define NUMERAL UINT32_MAX /* no operator has this number */

struct search {
    const struct solver *solver;
    struct hash_table *number_of; /* id of a node: its number */
    struct vector nodes;          /* of Z3_ast, by number */
    struct vector *text;
};

static void add_word(struct search *search, uint32_t word) {
    vector_push(search->text, &word);
}

static uint32_t number_of(struct search *search, Z3_ast node) {
    const struct solver *solver = search->solver;
    unsigned id = solver->z3->get_ast_id(solver->context, node);
    bool found;
    uint64_t *slot = hash_table_slot(search->number_of, &id, sizeof id, &found);
    if (!found) {
        *slot = search->nodes.count;
        vector_push(&search->nodes, &node);
    }
    return (uint32_t)*slot;
}

/* Those of more than 64 bits in decimal digits. */
static void add_numeral(struct search *search, Z3_ast node) {
    const struct solver *solver = search->solver;
    uint64_t number;
    add_word(search, NUMERAL);
    if (solver->z3->get_numeral_uint64(solver->context, node, &number)) {
        add_word(search, 0);
        add_word(search, (uint32_t)number);
        add_word(search, (uint32_t)(number >> 32));
        return;
    }
    const char *digits = solver->z3->get_numeral_string(solver->context, node);
    for (; *digits != '\0'; digits++) {
        add_word(search, (uint32_t)(unsigned char)*digits);
    }
    add_word(search, 0);
}

/* An operator and its operands; for a variable, what is known of it. */
static void add_node(struct search *search, Z3_ast node) {
    const struct solver *solver = search->solver;
    struct z3 *z3 = solver->z3;
    if (z3->get_ast_kind(solver->context, node) == Z3_NUMERAL_AST) {
        add_numeral(search, node);
        return;
    }
    assert(z3->get_ast_kind(solver->context, node) == Z3_APP_AST);
    Z3_app app = z3->to_app(solver->context, node);
    uint32_t kind = (uint32_t)z3->get_decl_kind(solver->context, z3->get_app_decl(solver->context, app));
    unsigned count = z3->get_app_num_args(solver->context, app);
    Z3_ast bound = solver_known(solver, node);
    assert(kind == Z3_OP_UNINTERPRETED ? count == 0 : !bound);
    add_word(search, kind);
    add_word(search, count + (bound != NULL));
    for (unsigned i = 0; i < count; i++) {
        add_word(search, number_of(search, z3->get_app_arg(solver->context, app, i)));
    }
    if (bound) {
        add_word(search, number_of(search, bound));
    }
}

void answered_text(const struct solver *solver, const struct vector *conditions, struct vector *text) {
    struct search search = {.solver = solver, .number_of = hash_table_new(), .text = text};
    vector_init(text, sizeof(uint32_t));
    vector_init(&search.nodes, sizeof(Z3_ast));
    add_word(&search, (uint32_t)conditions->count);
    for (size_t i = 0; i < conditions->count; i++) {
        add_word(&search, number_of(&search, *(Z3_ast *)vector_at(conditions, i)));
    }
    for (size_t i = 0; i < search.nodes.count; i++) {
        add_node(&search, *(Z3_ast *)vector_at(&search.nodes, i));
    }
    vector_delete(&search.nodes);
    hash_table_free(search.number_of);
}
