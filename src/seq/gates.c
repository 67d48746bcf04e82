/* Gates: hash-consing, folding, and Tseitin's clauses on demand. */
#include "seq/gates.h"

#include <ccadical.h>
#include <stdlib.h>

#include "util/memory.h"

struct definition {
    size_t first; /* in definition_literals */
    size_t count;
    uint8_t given; /* a bit per solver */
};

#define IMPLIES_BUDGET 64

static struct gate *gate_at(const struct gates *gates, literal at) {
    return vector_at(&gates->gates, (size_t)abs(at));
}

static uint8_t selected_bit(const struct gates *gates) {
    return (uint8_t)(1u << gates->selected);
}

/* std::set_new_handler: C++ calls the handler when memory is full, instead of throwing an exception that would not be
 * caught. */
void (*cxx_set_new_handler(void (*handler)(void)))(void) __asm__("_ZSt15set_new_handlerPFvvE");

static void make_solver(struct gates *gates) {
    cxx_set_new_handler(memory_exhausted);
    gates->solver = gates->solvers[gates->selected] = ccadical_init();
    ccadical_set_option(gates->solver, "quiet", 1);
    /* Few solutions or none, found by focused search: on these formulas ten times faster than with stable phases. */
    ccadical_set_option(gates->solver, "stabilize", 0);
    ccadical_set_option(gates->solver, "walk", 0);
    /* Most literals mean that something is executed, or comes first: false is the better first guess. */
    ccadical_set_option(gates->solver, "phase", 0);
    gate_at(gates, 1)->given |= selected_bit(gates);
    ccadical_add(gates->solver, 1);
    ccadical_add(gates->solver, 0);
}

void gates_init(struct gates *gates) {
    *gates = (struct gates){.table_size = 1 << 12};
    vector_init(&gates->gates, sizeof(struct gate));
    vector_init(&gates->definitions, sizeof(struct definition));
    vector_init(&gates->definition_literals, sizeof(literal));
    vector_init(&gates->stack, sizeof(literal));
    gates->table = memory_allocate(gates->table_size * sizeof *gates->table);
    vector_grow(&gates->gates, 2);
    vector_grow(&gates->definitions, 1);
    make_solver(gates);
}

void gates_delete(struct gates *gates) {
    vector_delete(&gates->gates);
    vector_delete(&gates->definitions);
    vector_delete(&gates->definition_literals);
    vector_delete(&gates->stack);
    free(gates->table);
    for (unsigned i = 0; i < MOST_SOLVERS; i++) {
        if (gates->solvers[i]) {
            ccadical_release(gates->solvers[i]);
        }
    }
}

void gates_select(struct gates *gates, unsigned solver) {
    gates->selected = solver;
    gates->solver = gates->solvers[solver];
    if (!gates->solver) {
        make_solver(gates);
    }
}

/* --- Making gates ------------------------------------------------------------------------------------------------- */

static uint64_t mixed(uint64_t kind, literal a, literal b, literal c) {
    uint64_t hash = kind * 0x9e3779b97f4a7c15u + (uint32_t)a;
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u + (uint32_t)b;
    hash = (hash ^ hash >> 32) * 0x94d049bb133111ebu + (uint32_t)c;
    hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static void grow_table(struct gates *gates) {
    free(gates->table);
    gates->table_size *= 2;
    gates->table = memory_allocate(gates->table_size * sizeof *gates->table);
    for (size_t i = 2; i < gates->gates.count; i++) {
        const struct gate *gate = vector_at(&gates->gates, i);
        if (gate->kind == GATE_FREE) {
            continue;
        }
        size_t at = mixed(gate->kind, gate->a, gate->b, gate->c) & (gates->table_size - 1);
        while (gates->table[at]) {
            at = (at + 1) & (gates->table_size - 1);
        }
        gates->table[at] = (uint32_t)i;
    }
}

static literal find_gate(struct gates *gates, enum gate_kind kind, literal a, literal b, literal c) {
    if (gates->gates.count * 2 > gates->table_size) {
        grow_table(gates);
    }
    size_t at = mixed(kind, a, b, c) & (gates->table_size - 1);
    while (gates->table[at]) {
        const struct gate *gate = vector_at(&gates->gates, gates->table[at]);
        if (gate->kind == kind && gate->a == a && gate->b == b && gate->c == c) {
            return (literal)gates->table[at];
        }
        at = (at + 1) & (gates->table_size - 1);
    }
    struct gate gate = {.kind = (uint8_t)kind, .a = a, .b = b, .c = c};
    gates->table[at] = (uint32_t)gates->gates.count;
    vector_push(&gates->gates, &gate);
    return (literal)(gates->gates.count - 1);
}

literal gates_free(struct gates *gates) {
    struct gate gate = {.kind = GATE_FREE};
    vector_push(&gates->gates, &gate);
    return (literal)(gates->gates.count - 1);
}

static bool is_and(const struct gates *gates, literal at) {
    return at > 1 && gate_at(gates, at)->kind == GATE_AND;
}

static bool has_operand(const struct gates *gates, literal conjunction, literal operand) {
    const struct gate *gate = gate_at(gates, conjunction);
    return gate->a == operand || gate->b == operand;
}

/* Two conjunctions that differ in one operand, which is negated in one of them: their disjunction is what they share.
 */
bool gates_or_folds(const struct gates *gates, literal a, literal b, literal *result) {
    if (!is_and(gates, a) || !is_and(gates, b)) {
        return false;
    }
    const struct gate *one = gate_at(gates, a);
    const struct gate *other = gate_at(gates, b);
    literal shared = one->a == other->a || one->a == other->b ? one->a : one->b;
    literal rest = shared == one->a ? one->b : one->a;
    if ((shared == other->a && rest == -other->b) || (shared == other->b && rest == -other->a)) {
        *result = shared;
        return true;
    }
    return false;
}

/* Simplifies a & b with the operands of a; 0 if that is not possible. */
static literal and_folded(struct gates *gates, literal a, literal b) {
    if (is_and(gates, a)) {
        return has_operand(gates, a, b) ? a : has_operand(gates, a, -b) ? LITERAL_FALSE : 0;
    }
    if (is_and(gates, -a)) {
        struct gate gate = *gate_at(gates, a);
        if (gate.a == -b || gate.b == -b) {
            return b;
        }
        if (gate.a == b || gate.b == b) {
            return gates_and(gates, gate.a == b ? -gate.b : -gate.a, b);
        }
    }
    return 0;
}

literal gates_and(struct gates *gates, literal a, literal b) {
    literal folded;
    if (a == LITERAL_FALSE || b == LITERAL_FALSE || a == -b) {
        return LITERAL_FALSE;
    }
    if (a == LITERAL_TRUE || a == b) {
        return b;
    }
    if (b == LITERAL_TRUE) {
        return a;
    }
    if (gates_or_folds(gates, -a, -b, &folded)) {
        return -folded;
    }
    if ((folded = and_folded(gates, a, b)) != 0 || (folded = and_folded(gates, b, a)) != 0) {
        return folded;
    }
    return a < b ? find_gate(gates, GATE_AND, a, b, 0) : find_gate(gates, GATE_AND, b, a, 0);
}

literal gates_xor(struct gates *gates, literal a, literal b) {
    bool negated = (a < 0) != (b < 0);
    a = abs(a);
    b = abs(b);
    literal result;
    if (a == b) {
        result = LITERAL_FALSE;
    } else if (a == LITERAL_TRUE || b == LITERAL_TRUE) {
        result = a == LITERAL_TRUE ? -b : -a;
    } else {
        result = a < b ? find_gate(gates, GATE_XOR, a, b, 0) : find_gate(gates, GATE_XOR, b, a, 0);
    }
    return negated ? -result : result;
}

literal gates_mux(struct gates *gates, literal c, literal a, literal b) {
    if (c < 0) {
        literal swap = a;
        c = -c;
        a = b;
        b = swap;
    }
    if (c == LITERAL_TRUE || a == b) {
        return a;
    }
    if (a == -b) {
        return gates_xor(gates, c, b);
    }
    if (abs(a) == LITERAL_TRUE || a == c || a == -c) {
        bool holds = a == LITERAL_TRUE || a == c;
        return holds ? gates_or(gates, c, b) : gates_and(gates, -c, b);
    }
    if (abs(b) == LITERAL_TRUE || b == c || b == -c) {
        bool holds = b == LITERAL_TRUE || b == -c;
        return holds ? gates_or(gates, -c, a) : gates_and(gates, c, a);
    }
    return a < 0 ? -find_gate(gates, GATE_MUX, -a, -b, c) : find_gate(gates, GATE_MUX, a, b, c);
}

literal gates_majority(struct gates *gates, literal a, literal b, literal c) {
    literal swap;
#define SORT(x, y)                                                                                                     \
    if ((x) > (y)) {                                                                                                   \
        swap = (x);                                                                                                    \
        (x) = (y);                                                                                                     \
        (y) = swap;                                                                                                    \
    }
    SORT(a, b)
    SORT(b, c)
    SORT(a, b)
#undef SORT
    if (a == b || b == c) {
        return b;
    }
    if (a == -b || b == -c || a == -c) {
        return a == -b ? c : b == -c ? a : b;
    }
    if (abs(a) == LITERAL_TRUE) {
        return a == LITERAL_TRUE ? gates_or(gates, b, c) : gates_and(gates, b, c);
    }
    if (abs(b) == LITERAL_TRUE) {
        return b == LITERAL_TRUE ? gates_or(gates, a, c) : gates_and(gates, a, c);
    }
    if (abs(c) == LITERAL_TRUE) {
        return c == LITERAL_TRUE ? gates_or(gates, a, b) : gates_and(gates, a, b);
    }
    return find_gate(gates, GATE_MAJORITY, a, b, c);
}

/* --- Implication -------------------------------------------------------------------------------------------------- */

static bool implies(const struct gates *gates, literal a, literal b, unsigned *budget) {
    if (a == b || a == LITERAL_FALSE || b == LITERAL_TRUE) {
        return true;
    }
    if (*budget == 0 || abs(a) <= 1) {
        return false;
    }
    --*budget;
    const struct gate *gate = gate_at(gates, a);
    if (gate->kind != GATE_AND) {
        return false;
    }
    if (a > 0) { /* one of two that hold */
        return implies(gates, gate->a, b, budget) || implies(gates, gate->b, b, budget);
    }
    return implies(gates, -gate->a, b, budget) && implies(gates, -gate->b, b, budget);
}

bool gates_implies(const struct gates *gates, literal a, literal b) {
    unsigned budget = IMPLIES_BUDGET;
    return implies(gates, a, b, &budget);
}

/* --- What the solver gets ----------------------------------------------------------------------------------------- */

void gates_define(struct gates *gates, literal first, const literal *asserted, size_t count) {
    struct definition definition = {.first = gates->definition_literals.count, .count = count};
    for (size_t i = 0; i < count; i++) {
        vector_push(&gates->definition_literals, &asserted[i]);
    }
    literal number = (literal)gates->definitions.count;
    vector_push(&gates->definitions, &definition);
    for (size_t i = (size_t)first; i < gates->gates.count; i++) {
        struct gate *gate = vector_at(&gates->gates, i);
        if (gate->kind == GATE_FREE && gate->a == 0 && !gate->given) {
            gate->a = number;
        }
    }
}

static void give(struct gates *gates, literal a, literal b, literal c, literal d) {
    const literal literals[] = {a, b, c, d};
    for (int i = 0; i < 4 && literals[i]; i++) {
        ccadical_add(gates->solver, literals[i]);
    }
    ccadical_add(gates->solver, 0);
    gates->clauses++;
}

static bool is_given(const struct gates *gates, literal at) {
    return gate_at(gates, at)->given & selected_bit(gates);
}

static void push_needed(struct gates *gates, literal needed) {
    if (!is_given(gates, needed)) {
        vector_push(&gates->stack, &needed);
    }
}

static void give_definition(struct gates *gates, literal number) {
    struct definition *definition = vector_at(&gates->definitions, (size_t)number);
    if (number == 0 || definition->given & selected_bit(gates)) {
        return;
    }
    definition->given |= selected_bit(gates);
    for (size_t i = 0; i < definition->count; i++) {
        literal asserted = *(literal *)vector_at(&gates->definition_literals, definition->first + i);
        push_needed(gates, asserted);
        give(gates, asserted, 0, 0, 0);
    }
}

static void give_gate(struct gates *gates, literal x, struct gate gate) {
    literal a = gate.a;
    literal b = gate.b;
    literal c = gate.c;
    if (gate.kind == GATE_FREE) {
        give_definition(gates, a);
        return;
    }
    push_needed(gates, a);
    push_needed(gates, b);
    switch (gate.kind) {
    case GATE_AND:
        give(gates, -x, a, 0, 0);
        give(gates, -x, b, 0, 0);
        give(gates, x, -a, -b, 0);
        break;
    case GATE_XOR:
        give(gates, -x, a, b, 0);
        give(gates, -x, -a, -b, 0);
        give(gates, x, -a, b, 0);
        give(gates, x, a, -b, 0);
        break;
    case GATE_MUX:
        push_needed(gates, c);
        give(gates, -c, -a, x, 0);
        give(gates, -c, a, -x, 0);
        give(gates, c, -b, x, 0);
        give(gates, c, b, -x, 0);
        give(gates, -a, -b, x, 0);
        give(gates, a, b, -x, 0);
        break;
    default:
        push_needed(gates, c);
        give(gates, -a, -b, x, 0);
        give(gates, -a, -c, x, 0);
        give(gates, -b, -c, x, 0);
        give(gates, a, b, -x, 0);
        give(gates, a, c, -x, 0);
        give(gates, b, c, -x, 0);
        break;
    }
}

void gates_need(struct gates *gates, literal needed) {
    push_needed(gates, needed);
    while (gates->stack.count > 0) {
        literal next = abs(*(literal *)vector_at(&gates->stack, --gates->stack.count));
        struct gate *gate = gate_at(gates, next);
        if (!is_given(gates, next)) {
            gate->given |= selected_bit(gates);
            gates->variables++;
            give_gate(gates, next, *gate);
        }
    }
}

void gates_clause(struct gates *gates, const literal *literals, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (literals[i] == LITERAL_TRUE) {
            return;
        }
    }
    for (size_t i = 0; i < count; i++) {
        gates_need(gates, literals[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (literals[i] != LITERAL_FALSE) {
            ccadical_add(gates->solver, literals[i]);
        }
    }
    ccadical_add(gates->solver, 0);
    gates->clauses++;
}

void gates_clause_2(struct gates *gates, literal a, literal b) {
    gates_clause(gates, (const literal[]){a, b}, 2);
}

void gates_clause_3(struct gates *gates, literal a, literal b, literal c) {
    gates_clause(gates, (const literal[]){a, b, c}, 3);
}

void gates_clause_4(struct gates *gates, literal a, literal b, literal c, literal d) {
    gates_clause(gates, (const literal[]){a, b, c, d}, 4);
}

/* --- Models ------------------------------------------------------------------------------------------------------- */

bool gates_value(struct gates *gates, literal at) {
    if (at < 0) {
        return !gates_value(gates, -at);
    }
    if (at == LITERAL_TRUE) {
        return true;
    }
    const struct gate *gate = gate_at(gates, at);
    if (is_given(gates, at)) {
        return ccadical_val(gates->solver, at) > 0;
    }
    switch (gate->kind) {
    case GATE_FREE:
        return false;
    case GATE_AND:
        return gates_value(gates, gate->a) && gates_value(gates, gate->b);
    case GATE_XOR:
        return gates_value(gates, gate->a) != gates_value(gates, gate->b);
    case GATE_MUX:
        return gates_value(gates, gates_value(gates, gate->c) ? gate->a : gate->b);
    default:
        return gates_value(gates, gate->a) + gates_value(gates, gate->b) + gates_value(gates, gate->c) >= 2;
    }
}
