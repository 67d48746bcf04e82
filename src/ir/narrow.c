/* Domains of nondeterministic values.
 *
 * Programs contain "any int, and assume that it is between 0 and 3".  Trying all ints would be hopeless, so this pass
 * uses the assumptions on a value before its next other use.  From the NONDET on it follows all paths through the code
 * with an interval for the value and what is known of other registers: a constant, a copy of the value, or a condition
 * on the value: a comparison with a constant, or several of these with and, or, not.  A branch on a condition splits
 * the interval; a failed assumption ends the path; any other use of the value, or anything that is not computation,
 * ends the path with its interval.  The hull of the intervals of all paths is the new domain; the assumptions remain in
 * the program. */
#include <stdlib.h>
#include <string.h>

#include "ir/passes.h"
#include "ir/rewrite.h"
#include "util/memory.h"

#define MAX_STEPS 64  /* instructions of one path */
#define MAX_KNOWN 32  /* registers known at the same time */
#define MAX_SPLITS 12 /* branches of one path */

struct interval {
    __int128 low;
    __int128 high;
};

enum knowledge_kind { KNOWN_CONSTANT, KNOWN_VALUE, KNOWN_CONDITION };

struct knowledge {
    uint32_t reg;
    enum knowledge_kind kind;
    uint64_t constant;
    /* Of a condition: the interval of the value if it holds, and if it does not. */
    struct interval holds;
    struct interval fails;
};

/* Bounds are numbers in the order of the domain, unsigned or signed. */
struct path {
    struct knowledge known[MAX_KNOWN];
    unsigned known_count;
    struct interval value;
};

struct narrowing {
    const struct program *program;
    const struct instruction *code;
    uint32_t count;
    unsigned width;
    bool is_signed;
    struct interval domain; /* the original one */
    struct interval hull;   /* of the paths that end with an interval */
    bool any;               /* is there such a path? */
};

static __int128 number(const struct narrowing *narrowing, uint64_t bits) {
    if (!narrowing->is_signed) {
        return (__int128)bits;
    }
    unsigned shift = 64 - narrowing->width;
    return (int64_t)(bits << shift) >> shift;
}

static const struct knowledge *find_known(const struct path *path, uint32_t reg) {
    for (unsigned i = 0; i < path->known_count; i++) {
        if (path->known[i].reg == reg) {
            return &path->known[i];
        }
    }
    return NULL;
}

static void forget(struct path *path, uint32_t reg) {
    for (unsigned i = 0; i < path->known_count; i++) {
        if (path->known[i].reg == reg) {
            path->known[i] = path->known[--path->known_count];
            return;
        }
    }
}

static bool learn(struct path *path, struct knowledge knowledge) {
    forget(path, knowledge.reg);
    if (path->known_count == MAX_KNOWN) {
        return false;
    }
    path->known[path->known_count++] = knowledge;
    return true;
}

/* Finds what is known of an operand; constants are always known. */
static bool known_operand(const struct narrowing *narrowing, const struct path *path, uint32_t operand,
                          struct knowledge *result) {
    if (operand & OPERAND_CONSTANT) {
        *result = (struct knowledge){.kind = KNOWN_CONSTANT,
                                     .constant = narrowing->program->constants[operand & ~OPERAND_CONSTANT]};
        return true;
    }
    const struct knowledge *known = find_known(path, operand);
    if (known) {
        *result = *known;
    }
    return known;
}

static struct interval intersection(struct interval one, struct interval other) {
    return (struct interval){one.low > other.low ? one.low : other.low, one.high < other.high ? one.high : other.high};
}

static bool is_empty(struct interval interval) {
    return interval.low > interval.high;
}

static struct interval hull(struct interval one, struct interval other) {
    if (is_empty(one) || is_empty(other)) {
        return is_empty(one) ? other : one;
    }
    return (struct interval){one.low < other.low ? one.low : other.low, one.high > other.high ? one.high : other.high};
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

/* Is the comparison in the order of the domain?  Others do not give an interval. */
static bool predicate_fits(const struct narrowing *narrowing, enum predicate predicate) {
    bool is_signed = predicate >= PREDICATE_SLT;
    return predicate <= PREDICATE_NE || is_signed == narrowing->is_signed;
}

/* The condition that the value is in this relation to a constant. */
static struct knowledge condition(const struct narrowing *narrowing, enum predicate predicate, uint64_t constant) {
    __int128 bound = number(narrowing, constant);
    struct interval domain = narrowing->domain;
    struct interval below = {domain.low, bound - 1};
    struct interval above = {bound + 1, domain.high};
    struct interval equal = {bound, bound};
    struct interval not_above = {domain.low, bound};
    struct interval not_below = {bound, domain.high};
    struct interval other = hull(intersection(domain, below), intersection(domain, above));
    struct knowledge result = {.kind = KNOWN_CONDITION};
    switch (predicate) {
    case PREDICATE_EQ:
        result.holds = equal;
        result.fails = other;
        break;
    case PREDICATE_NE:
        result.holds = other;
        result.fails = equal;
        break;
    case PREDICATE_ULT:
    case PREDICATE_SLT:
        result.holds = below;
        result.fails = not_below;
        break;
    case PREDICATE_ULE:
    case PREDICATE_SLE:
        result.holds = not_above;
        result.fails = above;
        break;
    case PREDICATE_UGT:
    case PREDICATE_SGT:
        result.holds = above;
        result.fails = not_above;
        break;
    default:
        result.holds = not_below;
        result.fails = below;
        break;
    }
    result.holds = intersection(result.holds, domain);
    result.fails = intersection(result.fails, domain);
    return result;
}

static struct knowledge negation(struct knowledge known) {
    struct interval holds = known.holds;
    known.holds = known.fails;
    known.fails = holds;
    return known;
}

static void keep_path(struct narrowing *narrowing, const struct path *path) {
    narrowing->hull = narrowing->any ? hull(narrowing->hull, path->value) : path->value;
    narrowing->any = true;
}

/* A comparison: of the value with a constant, of an earlier outcome with 0, or of two constants. */
static bool follow_comparison(const struct narrowing *narrowing, struct path *path, const struct instruction *at) {
    struct knowledge a;
    struct knowledge b;
    enum predicate predicate = at->sub;
    if (!known_operand(narrowing, path, at->a, &a) || !known_operand(narrowing, path, at->b, &b)) {
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
    if (a.kind == KNOWN_VALUE) {
        struct knowledge result = condition(narrowing, predicate, b.constant);
        result.reg = at->dst;
        return at->width == narrowing->width && predicate_fits(narrowing, predicate) && learn(path, result);
    }
    if (a.kind == KNOWN_CONDITION && b.constant == 0 && predicate <= PREDICATE_NE) {
        a = predicate == PREDICATE_NE ? a : negation(a);
        a.reg = at->dst;
        return learn(path, a);
    }
    if (a.kind == KNOWN_CONSTANT && predicate <= PREDICATE_NE) {
        bool equal = a.constant == b.constant;
        return learn(path, (struct knowledge){.reg = at->dst,
                                              .kind = KNOWN_CONSTANT,
                                              .constant = equal == (predicate == PREDICATE_EQ)});
    }
    return false;
}

/* Conditions joined by and or or, or negated by xor with 1. */
static bool follow_connective(const struct narrowing *narrowing, struct path *path, const struct instruction *at) {
    struct knowledge a;
    struct knowledge b;
    if (!known_operand(narrowing, path, at->a, &a) || !known_operand(narrowing, path, at->b, &b) ||
        a.kind != KNOWN_CONDITION) {
        return false;
    }
    struct knowledge result = a;
    if (at->op == OP_XOR && b.kind == KNOWN_CONSTANT && b.constant == 1) {
        result = negation(a);
    } else if (at->op == OP_AND && b.kind == KNOWN_CONDITION) {
        result.holds = intersection(a.holds, b.holds);
        result.fails = hull(a.fails, b.fails);
    } else if (at->op == OP_OR && b.kind == KNOWN_CONDITION) {
        result.holds = hull(a.holds, b.holds);
        result.fails = intersection(a.fails, b.fails);
    } else {
        return false;
    }
    result.reg = at->dst;
    return learn(path, result);
}

/* One computation of the path.  False if it is a use that ends the path. */
static bool follow_computation(const struct narrowing *narrowing, struct path *path, const struct instruction *at) {
    struct knowledge a;
    switch (at->op) {
    case OP_NOP:
    case OP_ASSUMED:
        return true;
    case OP_MOV:
    case OP_TRUNC:
        if (!known_operand(narrowing, path, at->a, &a) ||
            (at->op == OP_TRUNC && a.kind == KNOWN_VALUE && at->width < narrowing->width)) {
            return false;
        }
        a.reg = at->dst;
        return learn(path, a);
    case OP_ICMP:
        return follow_comparison(narrowing, path, at);
    case OP_XOR:
    case OP_AND:
    case OP_OR:
        return follow_connective(narrowing, path, at);
    default:
        return false;
    }
}

static void follow(struct narrowing *narrowing, struct path *path, uint32_t index, unsigned steps, unsigned splits);

/* Follows both branches of a decision, each with its part of the interval. */
static void follow_branch(struct narrowing *narrowing, const struct path *path, const struct instruction *at,
                          const struct knowledge *known, unsigned steps, unsigned splits) {
    if (known->kind == KNOWN_CONSTANT) {
        struct path same = *path;
        follow(narrowing, &same, known->constant ? at->b : at->c, steps, splits);
        return;
    }
    struct path holds = *path;
    struct path fails = *path;
    holds.value = intersection(path->value, known->holds);
    fails.value = intersection(path->value, known->fails);
    if (!is_empty(holds.value)) {
        follow(narrowing, &holds, at->b, steps, splits + 1);
    }
    if (!is_empty(fails.value)) {
        follow(narrowing, &fails, at->c, steps, splits + 1);
    }
}

static void follow(struct narrowing *narrowing, struct path *path, uint32_t index, unsigned steps, unsigned splits) {
    for (; steps < MAX_STEPS && splits < MAX_SPLITS && index < narrowing->count; steps++) {
        const struct instruction *at = &narrowing->code[index];
        struct knowledge known;
        if (at->op == OP_JMP) {
            index = at->a;
        } else if (at->op == OP_BR) {
            if (!known_operand(narrowing, path, at->a, &known) || known.kind == KNOWN_VALUE) {
                break;
            }
            follow_branch(narrowing, path, at, &known, steps + 1, splits);
            return;
        } else if (at->op == OP_ASSUME) {
            if (!known_operand(narrowing, path, at->a, &known)) {
                break;
            }
            if (known.kind == KNOWN_CONSTANT && known.constant == 0) {
                return;
            }
            if (known.kind == KNOWN_VALUE) {
                known = condition(narrowing, PREDICATE_NE, 0);
            }
            if (known.kind == KNOWN_CONDITION) {
                path->value = intersection(path->value, known.holds);
            }
            if (is_empty(path->value)) {
                return;
            }
            index++;
        } else if (follow_computation(narrowing, path, at)) {
            index++;
        } else {
            break;
        }
    }
    keep_path(narrowing, path);
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
        narrowing.domain.low = number(&narrowing, program->constants[nondet->a & ~OPERAND_CONSTANT]);
        narrowing.domain.high = number(&narrowing, program->constants[nondet->b & ~OPERAND_CONSTANT]);
        struct path path = {.value = narrowing.domain};
        learn(&path, (struct knowledge){.reg = nondet->dst, .kind = KNOWN_VALUE});
        follow(&narrowing, &path, i + 1, 0, 0);
        if (narrowing.any) {
            uint64_t mask = nondet->width == 64 ? UINT64_MAX : (UINT64_C(1) << nondet->width) - 1;
            nondet->a = builder_constant(rewrite->builder, (uint64_t)narrowing.hull.low & mask);
            nondet->b = builder_constant(rewrite->builder, (uint64_t)narrowing.hull.high & mask);
        }
    }
}

void pass_narrow(struct program *program) {
    program_rewrite(program, narrow, NULL);
}
