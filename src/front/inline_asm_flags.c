/* The flags ZF, CF, SF and OF, computed on demand from the last instruction that set them; and the conditions computed
 * from them. */
#include <string.h>

#include "front/inline_asm_state.h"

enum condition_base { CONDITION_O, CONDITION_C, CONDITION_Z, CONDITION_CZ, CONDITION_S, CONDITION_L, CONDITION_LE };

struct condition {
    const char *name;
    enum condition_base base;
    bool negated;
};

static const struct condition conditions[] = {
    {"o", CONDITION_O, false},   {"no", CONDITION_O, true},   {"b", CONDITION_C, false},   {"c", CONDITION_C, false},
    {"nae", CONDITION_C, false}, {"nb", CONDITION_C, true},   {"nc", CONDITION_C, true},   {"ae", CONDITION_C, true},
    {"e", CONDITION_Z, false},   {"z", CONDITION_Z, false},   {"ne", CONDITION_Z, true},   {"nz", CONDITION_Z, true},
    {"be", CONDITION_CZ, false}, {"na", CONDITION_CZ, false}, {"a", CONDITION_CZ, true},   {"nbe", CONDITION_CZ, true},
    {"s", CONDITION_S, false},   {"ns", CONDITION_S, true},   {"l", CONDITION_L, false},   {"nge", CONDITION_L, false},
    {"ge", CONDITION_L, true},   {"nl", CONDITION_L, true},   {"le", CONDITION_LE, false}, {"ng", CONDITION_LE, false},
    {"g", CONDITION_LE, true},   {"nle", CONDITION_LE, true},
};

int asm_condition_named(const char *name) {
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        if (strcmp(conditions[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static uint32_t unknown(struct asm_state *state) {
    asm_refuse(state, "uses a flag that is not known here");
    return asm_constant(state, 0);
}

static uint32_t result(struct asm_state *state) {
    const struct asm_flags *flags = &state->flags;
    switch (flags->kind) {
    case FLAGS_ADD:
        return asm_emit(state, OP_ADD, flags->width, 0, flags->a, flags->b, 0);
    case FLAGS_SUB:
        return asm_emit(state, OP_SUB, flags->width, 0, flags->a, flags->b, 0);
    case FLAGS_LOGIC:
    case FLAGS_RESULT:
        return flags->a;
    default:
        return unknown(state);
    }
}

static uint32_t compare(struct asm_state *state, enum predicate predicate, uint32_t a, uint32_t b) {
    return asm_emit(state, OP_ICMP, state->flags.width, predicate, a, b, 0);
}

static uint32_t zero_value(struct asm_state *state) {
    const struct asm_flags *flags = &state->flags;
    if (flags->kind == FLAGS_ZERO) {
        return flags->a;
    }
    if (flags->kind == FLAGS_SUB) {
        return compare(state, PREDICATE_EQ, flags->a, flags->b);
    }
    return compare(state, PREDICATE_EQ, result(state), asm_constant(state, 0));
}

uint32_t asm_carry_value(struct asm_state *state) {
    const struct asm_flags *flags = &state->flags;
    if (flags->carry_unknown) {
        return unknown(state);
    }
    switch (flags->kind) {
    case FLAGS_ADD:
        return compare(state, PREDICATE_ULT, result(state), flags->a);
    case FLAGS_SUB:
        return compare(state, PREDICATE_ULT, flags->a, flags->b);
    case FLAGS_LOGIC:
        return asm_constant(state, 0);
    case FLAGS_BIT: {
        uint32_t shifted = asm_emit(state, OP_LSHR, flags->width, 0, flags->a, flags->b, 0);
        return asm_emit(state, OP_AND, flags->width, 0, shifted, asm_constant(state, 1), 0);
    }
    default:
        return unknown(state);
    }
}

static uint32_t sign_value(struct asm_state *state) {
    return compare(state, PREDICATE_SLT, result(state), asm_constant(state, 0));
}

/* OVERFLOW writes a pair; the flag is the second half. */
static uint32_t overflow_value(struct asm_state *state) {
    const struct asm_flags *flags = &state->flags;
    if (flags->kind == FLAGS_LOGIC) {
        return asm_constant(state, 0);
    }
    if (flags->kind != FLAGS_ADD && flags->kind != FLAGS_SUB) {
        return unknown(state);
    }
    enum overflow_kind kind = flags->kind == FLAGS_ADD ? OVERFLOW_SADD : OVERFLOW_SSUB;
    uint32_t pair = asm_emit(state, OP_OVERFLOW, flags->width, kind, flags->a, flags->b, 0);
    (*state->next_register)++;
    return pair + 1;
}

static uint32_t either(struct asm_state *state, enum op op, uint32_t a, uint32_t b) {
    return asm_emit(state, op, 1, 0, a, b, 0);
}

static uint32_t base_value(struct asm_state *state, enum condition_base base) {
    switch (base) {
    case CONDITION_O:
        return overflow_value(state);
    case CONDITION_C:
        return asm_carry_value(state);
    case CONDITION_Z:
        return zero_value(state);
    case CONDITION_S:
        return sign_value(state);
    case CONDITION_CZ: {
        uint32_t carry = asm_carry_value(state);
        return either(state, OP_OR, carry, zero_value(state));
    }
    case CONDITION_L: {
        uint32_t sign = sign_value(state);
        return either(state, OP_XOR, sign, overflow_value(state));
    }
    default: {
        uint32_t less = base_value(state, CONDITION_L);
        return either(state, OP_OR, less, zero_value(state));
    }
    }
}

uint32_t asm_condition_value(struct asm_state *state, int condition) {
    uint32_t value = base_value(state, conditions[condition].base);
    return conditions[condition].negated ? either(state, OP_XOR, value, asm_constant(state, 1)) : value;
}
