/* Implications that follow from what two candidates say, without a question. */
#include "prove/weaker.h"

#include "machine/arithmetic.h"

/* Does "v ONE n" imply "v OTHER m", for all numbers v of this width? */
static bool relation_implies(enum predicate one, uint64_t n, enum predicate other, uint64_t m, unsigned width) {
    uint64_t largest = bits_mask(width) >> 1;
    if (one == PREDICATE_EQ) {
        return compare(other, n, m, width);
    }
    if (other == PREDICATE_EQ) {
        return false;
    }
    if (other == PREDICATE_NE) {
        return one == PREDICATE_NE ? n == m : !compare(one, m, n, width);
    }
    if (one == other) {
        return one != PREDICATE_NE && compare(one, n, m, width);
    }
    /* A number that is at most the largest signed one is the same signed and unsigned. */
    if (one == PREDICATE_ULE && n <= largest) {
        return other == PREDICATE_SLE   ? compare(PREDICATE_SLE, n, m, width)
               : other == PREDICATE_SGE ? compare(PREDICATE_SLE, m, 0, width)
                                        : false;
    }
    return one == PREDICATE_SGE && n <= largest && other == PREDICATE_ULE && m == largest;
}

static bool same_subject(const struct fact *one, const struct fact *other) {
    return one->kind == other->kind && one->place == other->place && one->second == other->second &&
           one->reg == other->reg && one->size == other->size && one->array == other->array;
}

static bool implies(const struct fact *one, const struct fact *other) {
    enum predicate relation = (enum predicate)one->relation;
    enum predicate weaker = (enum predicate)other->relation;
    bool consequence = other->kind == FACT_IMPLIES || other->kind == FACT_IF_VALUE || other->kind == FACT_IF_EQUAL;
    if (one->kind == FACT_PLACE && consequence) {
        return relation == PREDICATE_EQ && one->place == other->other && one->number == other->other_number;
    }
    if (!same_subject(one, other)) {
        return false;
    }
    switch (one->kind) {
    case FACT_PLACE:
    case FACT_VALUE:
        return relation_implies(relation, one->number, weaker, other->number, 8u * one->size);
    case FACT_BELOW_PLACE:
    case FACT_BELOW_VALUE:
        return one->number >= other->number &&
               relation_implies(relation, one->other_number, weaker, other->other_number, 64);
    case FACT_AGAINST:
    case FACT_PLACES:
        return one->number == 0 && other->number == 0 && relation == PREDICATE_EQ &&
               (weaker == PREDICATE_ULE || weaker == PREDICATE_UGE);
    default:
        return false;
    }
}

static void find_stronger(struct inferred *inferred, const struct fact_range *range, size_t index) {
    struct fact *fact = vector_at(&inferred->facts, index);
    fact->first_stronger = (uint32_t)inferred->stronger.count;
    for (size_t i = range->first; i < range->end; i++) {
        const struct fact *other = vector_at(&inferred->facts, i);
        /* Of two that imply each other the second one is left out. */
        if (i != index && implies(other, fact) && (i < index || !implies(fact, other))) {
            uint32_t number = (uint32_t)i;
            vector_push(&inferred->stronger, &number);
        }
    }
    fact->end_stronger = (uint32_t)inferred->stronger.count;
}

void weaker_find(struct inferred *inferred) {
    for (size_t r = 0; r < inferred->ranges.count; r++) {
        const struct fact_range *range = vector_at(&inferred->ranges, r);
        for (size_t i = range->first; !range->of_pairs && i < range->end; i++) {
            find_stronger(inferred, range, i);
        }
    }
}

bool fact_is_implied(const struct inferred *inferred, const struct fact *fact) {
    for (uint32_t i = fact->first_stronger; i < fact->end_stronger; i++) {
        uint32_t number = *(uint32_t *)vector_at(&inferred->stronger, i);
        if (!((const struct fact *)vector_at(&inferred->facts, number))->dropped) {
            return true;
        }
    }
    return false;
}
