/* Domains of nondeterministic values.
 *
 * Programs say "any int, and assume that it is between 0 and 3".  Trying all ints would be hopeless, so the assumptions
 * on a value before its next other use are read here.  From the NONDET on, all ways through the code are walked with an
 * interval for the value and what is known of other registers: a constant, a copy of the value, or the outcome of
 * comparing it with a constant.  A branch on such an outcome splits the interval; a failed assumption ends the way; any
 * other use of the value, or anything that is not computation, ends it with the interval it has.  The hull of all that
 * remain is the new domain; the assumptions stay where they are. */
#include <stdlib.h>
#include <string.h>

#include "ir/passes.h"
#include "ir/rewrite.h"
#include "util/memory.h"

#define MAX_STEPS 64  /* instructions on one way */
#define MAX_KNOWN 32  /* registers followed at the same time */
#define MAX_SPLITS 12 /* branches on one way */

enum knowledge_kind { KNOWN_CONSTANT, KNOWN_VALUE, KNOWN_COMPARISON };

struct knowledge {
    uint32_t reg;
    enum knowledge_kind kind;
    enum predicate predicate;
    uint64_t constant; /* the constant, or what the value is compared with */
};

/* Bounds are kept as numbers in the order of the domain: unsigned ones as they are, signed ones as signed. */
struct way {
    struct knowledge known[MAX_KNOWN];
    unsigned known_count;
    __int128 low;
    __int128 high;
};

struct narrowing {
    const struct program *program;
    const struct instruction *code;
    uint32_t count;
    unsigned width;
    bool is_signed;
    __int128 low; /* of the hull */
    __int128 high;
    bool any; /* some way remains */
};

static __int128 number(const struct narrowing *narrowing, uint64_t bits) {
    if (!narrowing->is_signed) {
        return (__int128)bits;
    }
    unsigned shift = 64 - narrowing->width;
    return (int64_t)(bits << shift) >> shift;
}

static const struct knowledge *find_known(const struct way *way, uint32_t reg) {
    for (unsigned i = 0; i < way->known_count; i++) {
        if (way->known[i].reg == reg) {
            return &way->known[i];
        }
    }
    return NULL;
}

static void forget(struct way *way, uint32_t reg) {
    for (unsigned i = 0; i < way->known_count; i++) {
        if (way->known[i].reg == reg) {
            way->known[i] = way->known[--way->known_count];
            return;
        }
    }
}

static bool learn(struct way *way, struct knowledge knowledge) {
    forget(way, knowledge.reg);
    if (way->known_count == MAX_KNOWN) {
        return false;
    }
    way->known[way->known_count++] = knowledge;
    return true;
}

/* What is known of an operand; constants are always known. */
static bool known_operand(const struct narrowing *narrowing, const struct way *way, uint32_t operand,
                          struct knowledge *result) {
    if (operand & OPERAND_CONSTANT) {
        *result = (struct knowledge){.kind = KNOWN_CONSTANT,
                                     .constant = narrowing->program->constants[operand & ~OPERAND_CONSTANT]};
        return true;
    }
    const struct knowledge *known = find_known(way, operand);
    if (known) {
        *result = *known;
    }
    return known;
}

static enum predicate negated(enum predicate predicate) {
    static const enum predicate table[] = {
        [PREDICATE_EQ] = PREDICATE_NE,   [PREDICATE_NE] = PREDICATE_EQ,   [PREDICATE_ULT] = PREDICATE_UGE,
        [PREDICATE_ULE] = PREDICATE_UGT, [PREDICATE_UGT] = PREDICATE_ULE, [PREDICATE_UGE] = PREDICATE_ULT,
        [PREDICATE_SLT] = PREDICATE_SGE, [PREDICATE_SLE] = PREDICATE_SGT, [PREDICATE_SGT] = PREDICATE_SLE,
        [PREDICATE_SGE] = PREDICATE_SLT,
    };
    return table[predicate];
}

static enum predicate mirrored(enum predicate predicate) {
    static const enum predicate table[] = {
        [PREDICATE_EQ] = PREDICATE_EQ,   [PREDICATE_NE] = PREDICATE_NE,   [PREDICATE_ULT] = PREDICATE_UGT,
        [PREDICATE_ULE] = PREDICATE_UGE, [PREDICATE_UGT] = PREDICATE_ULT, [PREDICATE_UGE] = PREDICATE_ULE,
        [PREDICATE_SLT] = PREDICATE_SGT, [PREDICATE_SLE] = PREDICATE_SGE, [PREDICATE_SGT] = PREDICATE_SLT,
        [PREDICATE_SGE] = PREDICATE_SLE,
    };
    return table[predicate];
}

/* Comparisons in the order of the domain; others say nothing about an interval. */
static bool predicate_fits(const struct narrowing *narrowing, enum predicate predicate) {
    bool is_signed = predicate >= PREDICATE_SLT;
    return predicate <= PREDICATE_NE || is_signed == narrowing->is_signed;
}

/* Cuts the way's interval down to where the comparison holds; false if nothing is left. */
static bool restrict_way(const struct narrowing *narrowing, struct way *way, enum predicate predicate,
                         uint64_t constant) {
    __int128 bound = number(narrowing, constant);
    switch (predicate) {
    case PREDICATE_EQ:
        way->low = way->low > bound ? way->low : bound;
        way->high = way->high < bound ? way->high : bound;
        break;
    case PREDICATE_NE:
        way->low += way->low == bound;
        way->high -= way->high == bound;
        break;
    case PREDICATE_ULT:
    case PREDICATE_SLT:
        way->high = way->high < bound - 1 ? way->high : bound - 1;
        break;
    case PREDICATE_ULE:
    case PREDICATE_SLE:
        way->high = way->high < bound ? way->high : bound;
        break;
    case PREDICATE_UGT:
    case PREDICATE_SGT:
        way->low = way->low > bound + 1 ? way->low : bound + 1;
        break;
    default:
        way->low = way->low > bound ? way->low : bound;
        break;
    }
    return way->low <= way->high;
}

static void keep_way(struct narrowing *narrowing, const struct way *way) {
    narrowing->low = !narrowing->any || way->low < narrowing->low ? way->low : narrowing->low;
    narrowing->high = !narrowing->any || way->high > narrowing->high ? way->high : narrowing->high;
    narrowing->any = true;
}

/* A comparison: of the value with a constant, of an earlier outcome with 0, or of two constants. */
static bool walk_comparison(const struct narrowing *narrowing, struct way *way, const struct instruction *at) {
    struct knowledge a;
    struct knowledge b;
    enum predicate predicate = at->sub;
    if (!known_operand(narrowing, way, at->a, &a) || !known_operand(narrowing, way, at->b, &b)) {
        return false;
    }
    if (a.kind == KNOWN_CONSTANT && b.kind != KNOWN_CONSTANT) {
        struct knowledge other = a;
        a = b;
        b = other;
        predicate = mirrored(predicate);
    }
    if (b.kind != KNOWN_CONSTANT) {
        return false;
    }
    struct knowledge result = {
        .reg = at->dst, .kind = KNOWN_COMPARISON, .predicate = predicate, .constant = b.constant};
    if (a.kind == KNOWN_VALUE) {
        return at->width == narrowing->width && predicate_fits(narrowing, predicate) && learn(way, result);
    }
    if (a.kind == KNOWN_COMPARISON && b.constant == 0 && predicate <= PREDICATE_NE) {
        result = a;
        result.reg = at->dst;
        result.predicate = predicate == PREDICATE_NE ? a.predicate : negated(a.predicate);
        return learn(way, result);
    }
    if (a.kind == KNOWN_CONSTANT && predicate <= PREDICATE_NE) {
        bool equal = a.constant == b.constant;
        return learn(way, (struct knowledge){.reg = at->dst,
                                             .kind = KNOWN_CONSTANT,
                                             .constant = equal == (predicate == PREDICATE_EQ)});
    }
    return false;
}

/* One computation on the way.  False if it is a use that ends the way. */
static bool walk_computation(const struct narrowing *narrowing, struct way *way, const struct instruction *at) {
    struct knowledge a;
    switch (at->op) {
    case OP_NOP:
        return true;
    case OP_MOV:
    case OP_TRUNC:
        if (!known_operand(narrowing, way, at->a, &a) ||
            (at->op == OP_TRUNC && a.kind == KNOWN_VALUE && at->width < narrowing->width)) {
            return false;
        }
        a.reg = at->dst;
        return learn(way, a);
    case OP_ICMP:
        return walk_comparison(narrowing, way, at);
    case OP_XOR: {
        struct knowledge b;
        if (!known_operand(narrowing, way, at->a, &a) || !known_operand(narrowing, way, at->b, &b) ||
            a.kind != KNOWN_COMPARISON || b.kind != KNOWN_CONSTANT || b.constant != 1) {
            return false;
        }
        a.reg = at->dst;
        a.predicate = negated(a.predicate);
        return learn(way, a);
    }
    default:
        return false;
    }
}

static void walk(struct narrowing *narrowing, struct way *way, uint32_t index, unsigned steps, unsigned splits);

/* Goes both ways of a decision, each with its part of the interval. */
static void walk_branch(struct narrowing *narrowing, const struct way *way, const struct instruction *at,
                        const struct knowledge *known, unsigned steps, unsigned splits) {
    if (known->kind == KNOWN_CONSTANT) {
        struct way same = *way;
        walk(narrowing, &same, known->constant ? at->b : at->c, steps, splits);
        return;
    }
    struct way holds = *way;
    struct way fails = *way;
    if (restrict_way(narrowing, &holds, known->predicate, known->constant)) {
        walk(narrowing, &holds, at->b, steps, splits + 1);
    }
    if (restrict_way(narrowing, &fails, negated(known->predicate), known->constant)) {
        walk(narrowing, &fails, at->c, steps, splits + 1);
    }
}

static void walk(struct narrowing *narrowing, struct way *way, uint32_t index, unsigned steps, unsigned splits) {
    for (; steps < MAX_STEPS && splits < MAX_SPLITS && index < narrowing->count; steps++) {
        const struct instruction *at = &narrowing->code[index];
        struct knowledge known;
        if (at->op == OP_JMP) {
            index = at->a;
        } else if (at->op == OP_BR) {
            if (!known_operand(narrowing, way, at->a, &known) || known.kind == KNOWN_VALUE) {
                break;
            }
            walk_branch(narrowing, way, at, &known, steps + 1, splits);
            return;
        } else if (at->op == OP_ASSUME) {
            if (!known_operand(narrowing, way, at->a, &known)) {
                break;
            }
            if (known.kind == KNOWN_VALUE) {
                known.predicate = PREDICATE_NE;
                known.constant = 0;
            } else if (known.kind == KNOWN_CONSTANT) {
                if (known.constant == 0) {
                    return;
                }
                index++;
                continue;
            }
            if (!restrict_way(narrowing, way, known.predicate, known.constant)) {
                return;
            }
            index++;
        } else if (walk_computation(narrowing, way, at)) {
            index++;
        } else {
            break;
        }
    }
    keep_way(narrowing, way);
}

static void narrow(struct rewrite *rewrite, void *data) {
    (void)data;
    const struct program *program = rewrite->program;
    const struct function *function = &program->functions[rewrite->function];
    for (uint32_t i = 0; i < function->count; i++) {
        struct instruction *nondet = &rewrite->code[i];
        if (nondet->op != OP_NONDET || !(nondet->a & OPERAND_CONSTANT) || !(nondet->b & OPERAND_CONSTANT)) {
            continue;
        }
        struct narrowing narrowing = {
            .program = program,
            .code = function_code(program, rewrite->function),
            .count = function->count,
            .width = nondet->width,
            .is_signed = nondet->flags & INSTRUCTION_SIGNED,
        };
        struct way way = {
            .low = number(&narrowing, program->constants[nondet->a & ~OPERAND_CONSTANT]),
            .high = number(&narrowing, program->constants[nondet->b & ~OPERAND_CONSTANT]),
        };
        learn(&way, (struct knowledge){.reg = nondet->dst, .kind = KNOWN_VALUE});
        walk(&narrowing, &way, i + 1, 0, 0);
        if (narrowing.any) {
            uint64_t mask = nondet->width == 64 ? UINT64_MAX : (UINT64_C(1) << nondet->width) - 1;
            nondet->a = builder_constant(rewrite->builder, (uint64_t)narrowing.low & mask);
            nondet->b = builder_constant(rewrite->builder, (uint64_t)narrowing.high & mask);
        }
    }
}

void pass_narrow(struct program *program) {
    program_rewrite(program, narrow, NULL);
}
