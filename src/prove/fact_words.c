/* Facts in words. */
#include <stdio.h>

#include "machine/arithmetic.h"
#include "machine/describe.h"
#include "prove/weaker.h"
#include "util/memory.h"

size_t inferred_count(const struct inferred *inferred) {
    size_t count = 0;
    for (size_t i = 0; i < inferred->facts.count; i++) {
        const struct fact *fact = vector_at(&inferred->facts, i);
        count += !fact->dropped && !fact_is_implied(inferred, fact);
    }
    for (size_t i = 0; i < inferred->pairs.count; i++) {
        count += !((struct fact_pair *)vector_at(&inferred->pairs, i))->dropped;
    }
    return count;
}

static const char *relation_sign(uint8_t relation) {
    switch (relation) {
    case PREDICATE_EQ:
        return "=";
    case PREDICATE_NE:
        return "!=";
    case PREDICATE_ULE:
        return "<=";
    case PREDICATE_SLE:
        return "(as a signed number) <=";
    case PREDICATE_SGE:
        return "(as a signed number) >=";
    default:
        return ">=";
    }
}

static void place_name(const struct inferred *inferred, uint32_t number, char name[128]) {
    const struct fact_place *place = vector_at(&inferred->places, number);
    machine_describe(inferred->questions->system->machine, place->address, place->size, name, 128);
}

/* The instruction that sets the register on every path to the point; UINT32_MAX: none is known. */
static uint32_t setter(const struct inferred *inferred, uint32_t class, uint32_t point, uint32_t reg) {
    const struct system *system = inferred->questions->system;
    const struct class *of = class_of(system, class);
    const struct instruction *code = class_code(system, of);
    uint32_t b = of->flow.block_of[point];
    uint32_t end = point;
    for (uint32_t steps = 0; steps < of->flow.blocks_count; steps++) {
        const struct block *block = &of->flow.blocks[b];
        while (end > block->first) {
            uint32_t written = instruction_writes(&system->flat, &code[--end]);
            if (written > 0 && reg - code[end].dst < written) {
                return end;
            }
        }
        if (block->predecessors_count != 1) {
            break;
        }
        b = of->flow.edges[block->predecessors];
        end = of->flow.blocks[b].end;
    }
    return UINT32_MAX;
}

/* What was read where, if a load or the like sets the register. */
static const char *register_name(const struct inferred *inferred, uint32_t class, uint32_t point, uint32_t reg,
                                 char name[160]) {
    const struct system *system = inferred->questions->system;
    uint32_t at = setter(inferred, class, point, reg);
    const struct instruction *code = at == UINT32_MAX ? NULL : &class_code(system, class_of(system, class))[at];
    const char *variable = "";
    if (code && (code->op == OP_LOAD || code->op == OP_RMW || code->op == OP_CAS) && code->dst == reg) {
        variable = program_string(&system->flat, system->flat.positions[code->pos].variable);
    }
    if (*variable) {
        snprintf(name, 160, "%s as read in line %u", variable, system->flat.positions[code->pos].line);
    } else {
        snprintf(name, 160, "register %u", reg);
    }
    return name;
}

static const char *field_name(const struct inferred *inferred, uint32_t number, char name[32]) {
    const struct fact_target *target = vector_at(&inferred->targets, number);
    unsigned long long first = target->offset;
    if (target->size == 1) {
        snprintf(name, 32, "byte %llu", first);
    } else {
        snprintf(name, 32, "bytes %llu to %llu", first, first + target->size - 1);
    }
    return name;
}

/* The number as the relation takes it. */
static long long shown(const struct fact *fact) {
    bool is_signed = fact->relation == PREDICATE_SLE || fact->relation == PREDICATE_SGE;
    return is_signed ? sign_extended(fact->number, 8 * (unsigned)fact->size) : (long long)fact->number;
}

static char *elements_text(const struct inferred *inferred, const struct fact *fact, uint32_t line) {
    const struct array *array = vector_at(&inferred->arrays, fact->array);
    char place[128];
    char bound[160];
    char element[128];
    machine_describe(inferred->questions->system->machine, array->address, array->size, element, sizeof element);
    register_name(inferred, fact->class, fact->point, fact->reg, bound);
    if (fact->kind == FACT_BELOW_PLACE) {
        place_name(inferred, fact->place, place);
    }
    return memory_format("line %u: of the %llu elements from %s on, each whose index is below %s%s %s %llu", line,
                         (unsigned long long)array->count, element, fact->kind == FACT_BELOW_PLACE ? place : bound,
                         fact->number ? " + 1" : "", relation_sign(fact->relation),
                         (unsigned long long)fact->other_number);
}

static char *fact_text(const struct inferred *inferred, const struct fact *fact) {
    uint32_t line = questions_line(inferred->questions, fact->class, fact->point);
    const char *sign = relation_sign(fact->relation);
    unsigned long long number = fact->number;
    char place[128] = "";
    char other[128] = "";
    char second[128] = "";
    char field[32];
    char own[160];
    char own_second[160];
    register_name(inferred, fact->class, fact->point, fact->reg, own);
    register_name(inferred, fact->class, fact->point, fact->second_reg, own_second);
    if (fact_has_place(fact)) {
        place_name(inferred, fact->place, place);
        place_name(inferred, fact->other, other);
        place_name(inferred, fact->second, second);
    }
    switch (fact->kind) {
    case FACT_PLACE:
        return memory_format("line %u: %s %s %lld", line, place, sign, shown(fact));
    case FACT_SELF:
        return memory_format("line %u: %s is the thread's own number", line, place);
    case FACT_VALUE:
        return memory_format("line %u: %s %s %lld", line, own, sign, shown(fact));
    case FACT_AGAINST:
        return memory_format("line %u: %s %s %s%s", line, own, sign, place,
                             number == 0  ? ""
                             : number > 1 ? " - 1"
                                          : " + 1");
    case FACT_PARITY:
        return memory_format("line %u: %s is %s", line, place, number ? "odd" : "even");
    case FACT_IF_EVEN:
        return memory_format("line %u: %s is even implies %s = %s", line, place, second, other);
    case FACT_WHILE:
        return memory_format("line %u: %s = %s implies %s = %s", line, place, own, second, own_second);
    case FACT_PLACES:
        return memory_format("line %u: %s %s %s", line, place, sign, second);
    case FACT_FIELD:
        return memory_format("line %u: %s is null, or %s of its object %s %llu", line, own,
                             field_name(inferred, fact->target, field), sign, number);
    case FACT_POINTED:
        return memory_format("line %u: %s is null, or %s of its object %s %llu", line, place,
                             field_name(inferred, fact->target, field), sign, number);
    case FACT_IF_FIELD:
        return memory_format("line %u: %s = %s implies that it is null, or %s of its object %s %llu", line, place, own,
                             field_name(inferred, fact->target, field), sign, number);
    case FACT_BELOW_PLACE:
    case FACT_BELOW_VALUE:
        return elements_text(inferred, fact, line);
    case FACT_IMPLIES:
        return memory_format("line %u: %s = %llu implies %s = %llu", line, place, number, other,
                             (unsigned long long)fact->other_number);
    case FACT_IF_VALUE:
        return memory_format("line %u: %s = %s implies %s = %llu", line, place, own, other,
                             (unsigned long long)fact->other_number);
    default:
        return memory_format("line %u: %s = %s implies %s = %llu", line, place, second, other,
                             (unsigned long long)fact->other_number);
    }
}

static char *pair_text(const struct inferred *inferred, const struct fact_pair *pair) {
    uint32_t one = questions_line(inferred->questions, pair->class[0], pair->point[0]);
    uint32_t other = questions_line(inferred->questions, pair->class[1], pair->point[1]);
    char own[160];
    char others[160];
    if (!pair->differ) {
        return memory_format("lines %u and %u: never two threads at both", one, other);
    }
    register_name(inferred, pair->class[0], pair->point[0], pair->reg[0], own);
    register_name(inferred, pair->class[1], pair->point[1], pair->reg[1], others);
    return memory_format("lines %u and %u: %s%s and %s%s differ", one, other, own, pair->plus[0] ? " + 1" : "", others,
                         pair->plus[1] ? " + 1" : "");
}

char *inferred_text(const struct inferred *inferred, size_t index) {
    for (size_t i = 0; i < inferred->facts.count; i++) {
        const struct fact *fact = vector_at(&inferred->facts, i);
        if (!fact->dropped && !fact_is_implied(inferred, fact) && index-- == 0) {
            return fact_text(inferred, fact);
        }
    }
    for (size_t i = 0; i < inferred->pairs.count; i++) {
        const struct fact_pair *pair = vector_at(&inferred->pairs, i);
        if (!pair->dropped && index-- == 0) {
            return pair_text(inferred, pair);
        }
    }
    return NULL;
}
