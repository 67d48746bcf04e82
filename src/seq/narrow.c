/* Narrowing: on a path where a comparison with a constant holds, or does not, its operand has fewer values. */
#include "machine/arithmetic.h"
#include "seq/run.h"

void narrow_note(struct run *run, struct state *state, const struct instruction *code, struct value result) {
    struct terms *terms = &run->execution->terms;
    struct value a = run_operand(run, state, code->a);
    struct value b = run_operand(run, state, code->b);
    uint64_t constant;
    static const uint8_t mirrored[PREDICATE_COUNT] = {
        PREDICATE_EQ,  PREDICATE_NE,  PREDICATE_UGT, PREDICATE_UGE, PREDICATE_ULT,
        PREDICATE_ULE, PREDICATE_SGT, PREDICATE_SGE, PREDICATE_SLT, PREDICATE_SLE,
    };
    struct comparison comparison = {.result = result.term, .predicate = code->sub, .width = code->width};
    if (value_is_constant(terms, b, &constant)) {
        comparison.of = a.term;
    } else if (value_is_constant(terms, a, &constant)) {
        comparison.of = b.term;
        comparison.predicate = mirrored[code->sub];
    } else {
        return;
    }
    comparison.with = constant;
    vector_push(&run->comparisons, &comparison);
}

/* The values of a set for which the comparison holds. */
static set_id narrowed(struct sets *sets, set_id set, const struct comparison *comparison, bool holds) {
    static const uint8_t negated[PREDICATE_COUNT] = {
        PREDICATE_NE,  PREDICATE_EQ,  PREDICATE_UGE, PREDICATE_UGT, PREDICATE_ULE,
        PREDICATE_ULT, PREDICATE_SGE, PREDICATE_SGT, PREDICATE_SLE, PREDICATE_SLT,
    };
    unsigned predicate = holds ? comparison->predicate : negated[comparison->predicate];
    uint64_t with = comparison->with;
    unsigned width = comparison->width;
    uint64_t most = truncated(UINT64_MAX, width);
    uint64_t middle = UINT64_C(1) << (width - 1);
    uint64_t low;
    uint64_t high;
    switch (predicate) {
    case PREDICATE_EQ:
        return set_within(sets, set, with, with);
    case PREDICATE_NE:
        return set_without(sets, set, with);
    case PREDICATE_ULT:
        return with > 0 ? set_within(sets, set, 0, with - 1) : set;
    case PREDICATE_ULE:
        return set_within(sets, set, 0, with);
    case PREDICATE_UGT:
        return with < most ? set_within(sets, set, with + 1, most) : set;
    case PREDICATE_UGE:
        return set_within(sets, set, with, most);
    default:
        break;
    }
    set_bounds(sets, set, &low, &high);
    bool below = predicate == PREDICATE_SLT || predicate == PREDICATE_SLE;
    uint64_t last = predicate == PREDICATE_SLT ? with - 1 : with; /* below */
    uint64_t first = predicate == PREDICATE_SGT ? with + 1 : with;
    if (below && with < middle && high < middle && !(predicate == PREDICATE_SLT && with == 0)) {
        return set_within(sets, set, 0, last);
    }
    if (!below && first <= middle && with < middle) {
        return set_within(sets, set, first, middle - 1);
    }
    return set;
}

void narrow_path(struct run *run, struct state *state, term_id condition, bool holds) {
    const struct comparison *comparison = NULL;
    for (size_t i = run->comparisons.count; i-- > 0 && !comparison;) {
        const struct comparison *at = vector_at(&run->comparisons, i);
        comparison = at->result == condition ? at : NULL;
        if (run->comparisons.count - i > 64) {
            break;
        }
    }
    if (!comparison || comparison->of == 0) {
        return;
    }
    for (uint32_t i = 0; i < run->registers; i++) {
        if (state->registers[i].term == comparison->of) {
            state->registers[i].set = narrowed(&run->execution->sets, state->registers[i].set, comparison, holds);
        }
    }
}
