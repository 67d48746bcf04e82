/* Arguments that differ between the threads of a class: the counter of the loop that creates them, an object that is
 * made in the same iteration, or what is computed from one of these so that different ones stay different. */
#include "prove/system.h"

struct trace {
    const struct system *system;
    const struct class *class; /* of the creator */
    const struct instruction *code;
    const struct loop *loop;
};

static bool writes(const struct trace *trace, uint32_t index, uint32_t reg) {
    uint32_t count = instruction_writes(&trace->system->flat, &trace->code[index]);
    return count > 0 && reg - trace->code[index].dst < count;
}

/* The block of the loop from which control comes, if there is only one. */
static uint32_t only_predecessor(const struct trace *trace, uint32_t block) {
    const struct flow *flow = &trace->class->flow;
    const struct block *at = &flow->blocks[block];
    uint32_t only = NO_BLOCK;
    for (uint32_t i = 0; i < at->predecessors_count; i++) {
        uint32_t from = flow->edges[at->predecessors + i];
        if (loop_has(trace->loop, from)) {
            if (only != NO_BLOCK) {
                return NO_BLOCK;
            }
            only = from;
        }
    }
    return only;
}

/* The instruction that has set the register, or UINT32_MAX: on the only path to `at` within the loop, or the only one
 * of the loop.  `crosses`: the path comes past the loop's head, so what was there at the beginning may be something
 * else. */
static uint32_t definition(const struct trace *trace, uint32_t reg, uint32_t at, bool *on_path, bool *crosses) {
    const struct flow *flow = &trace->class->flow;
    uint32_t first = flow->block_of[at];
    *on_path = true;
    for (uint32_t block = first; block != NO_BLOCK;) {
        for (uint32_t i = at; i-- > flow->blocks[block].first;) {
            if (writes(trace, i, reg)) {
                return i;
            }
        }
        *crosses = *crosses || block == trace->loop->header;
        block = only_predecessor(trace, block);
        if (block == first) {
            break;
        }
        at = block == NO_BLOCK ? 0 : flow->blocks[block].end;
    }
    uint32_t found = UINT32_MAX;
    *on_path = false;
    for (uint32_t i = 0; i < flow->function->count; i++) {
        if (loop_has(trace->loop, flow->block_of[i]) && writes(trace, i, reg)) {
            if (found != UINT32_MAX) {
                return UINT32_MAX;
            }
            found = i;
        }
    }
    return found;
}

#define MOST_COUNTED (UINT64_C(1) << 30)
#define MOST_FACTOR (UINT64_C(1) << 30) /* times a counter: still below 2^64 */

/* Is the register changed in the loop by this instruction alone, which adds a number to it, without wrap-around? */
static bool is_counter(const struct trace *trace, uint32_t index) {
    const struct instruction *code = &trace->code[index];
    const struct flow *flow = &trace->class->flow;
    if (code->op != OP_ADD || code->dst != code->a || !(code->b & OPERAND_CONSTANT)) {
        return false;
    }
    for (uint32_t i = 0; i < flow->function->count; i++) {
        if (i != index && loop_has(trace->loop, flow->block_of[i]) && writes(trace, i, code->dst)) {
            return false;
        }
    }
    uint64_t step = trace->system->flat.constants[code->b & ~OPERAND_CONSTANT];
    const struct value *value = &trace->class->in[trace->loop->header][code->dst];
    uint64_t high = 0;
    for (unsigned i = 0; i < value->count; i++) {
        high = value->parts[i].high > high ? value->parts[i].high : high;
    }
    return step != 0 && !value_has_object(value) && value->count > 0 && step < bits_mask(code->width) / 4 &&
           high < bits_mask(code->width) / 4 && high < MOST_COUNTED;
}

/* Does the operation give different results for different operands, none of which is large? */
static bool is_injective(const struct trace *trace, const struct instruction *code) {
    uint64_t number = code->b & OPERAND_CONSTANT ? trace->system->flat.constants[code->b & ~OPERAND_CONSTANT] : 0;
    switch (code->op) {
    case OP_MOV:
    case OP_SEXT:
        return true;
    case OP_ADD:
    case OP_SUB:
        return code->width == 64 && (code->b & OPERAND_CONSTANT);
    case OP_MUL:
        return code->width == 64 && (code->b & OPERAND_CONSTANT) && number > 0 && number <= MOST_FACTOR;
    default:
        return false;
    }
}

/* A counter differs from what it was at the beginning; an object differs from all that was there before it. */
static bool differs(const struct trace *trace, uint32_t operand, uint32_t at) {
    const struct flow *flow = &trace->class->flow;
    bool multiplied = false;
    bool crosses = false;
    for (unsigned steps = 0; steps < 32 && !(operand & OPERAND_CONSTANT); steps++) {
        bool crossed = crosses;
        bool on_path;
        uint32_t found = definition(trace, operand, at, &on_path, &crosses);
        if (found == UINT32_MAX) {
            return false;
        }
        if (is_counter(trace, found)) {
            return !crossed;
        }
        const struct instruction *code = &trace->code[found];
        if (!on_path && (crossed || !flow_dominates(flow, flow->block_of[found], flow->block_of[at]))) {
            return false;
        }
        if (code->op == OP_MALLOC) {
            return !multiplied;
        }
        if (!is_injective(trace, code) || (multiplied && code->op == OP_MUL)) {
            return false;
        }
        multiplied = multiplied || code->op == OP_MUL;
        operand = code->a;
        at = found;
    }
    return false;
}

bool class_is_distinct(const struct system *system, uint32_t number) {
    const struct class *class = class_of(system, number);
    const struct class *creator = class_of(system, class->creator);
    const struct flow *flow = &creator->flow;
    const struct loop *innermost = NULL;
    if (number == 0 || creator->many || flow->irreducible || system->flat.functions[class->function].parameters < 2) {
        return false;
    }
    for (uint32_t i = 0; i < flow->loops_count; i++) {
        if (loop_has(&flow->loops[i], flow->block_of[class->creation])) {
            if (innermost) {
                return false; /* the counter of one loop begins again in the other */
            }
            innermost = &flow->loops[i];
        }
    }
    struct trace trace = {system, creator, class_code(system, creator), innermost};
    return innermost && creator->in[innermost->header] &&
           differs(&trace, trace.code[class->creation].c, class->creation);
}
