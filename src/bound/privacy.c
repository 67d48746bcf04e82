/* Propagates forwards where values come from, and backwards at which uses private addresses are lost; repeats both
 * until no more locals are given up. */
#include "bound/privacy.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

enum origin { FROM_PRIVATE = 1, FROM_ELSEWHERE = 2, FROM_BOTH = 3 };

/* --- Values, forwards --------------------------------------------------------------------------------------------- */

static uint8_t value_of(const struct privacy *privacy, uint32_t function, uint32_t operand) {
    return operand & OPERAND_CONSTANT ? FROM_ELSEWHERE : privacy->values[privacy->first[function] + operand];
}

static void join(struct privacy *privacy, uint8_t *to, uint8_t value) {
    if ((*to | value) != *to) {
        *to |= value;
        privacy->changed = true;
    }
}

static void join_register(struct privacy *privacy, uint32_t function, uint32_t reg, uint8_t value) {
    join(privacy, &privacy->values[privacy->first[function] + reg], value);
}

/* An address and a number make an address; the difference of two is a number. */
static uint8_t computed(enum op op, uint8_t a, uint8_t b) {
    if (op == OP_SUB && (b & FROM_PRIVATE)) {
        return FROM_ELSEWHERE;
    }
    uint8_t address = 0;
    address |= a & FROM_PRIVATE ? a : 0;
    address |= b & FROM_PRIVATE ? b : 0;
    return address ? address : (uint8_t)(a | b);
}

static void flow_call(struct privacy *privacy, uint32_t function, const struct instruction *call) {
    const struct program *program = privacy->program;
    const struct function *callee = &program->functions[call->a];
    for (uint32_t i = 0; i < call->c && i < callee->parameters; i++) {
        join_register(privacy, call->a, i, value_of(privacy, function, program->operands[call->b + i]));
    }
    for (uint32_t i = 0; call->dst != NO_REGISTER && i < callee->results; i++) {
        join_register(privacy, function, call->dst + i, privacy->results[privacy->first_back[call->a] + i]);
    }
}

static void flow(struct privacy *privacy, uint32_t function, const struct instruction *at) {
    const struct program *program = privacy->program;
    switch (at->op) {
    case OP_ALLOCA: {
        bool private = (at->flags & INSTRUCTION_PRIVATE) && !privacy->given_up[at - program->code];
        join_register(privacy, function, at->dst, private ? FROM_PRIVATE : FROM_ELSEWHERE);
        return;
    }
    case OP_TLS: {
        bool private = (program->globals[at->a].flags & GLOBAL_PRIVATE) && !privacy->shared[at->a];
        join_register(privacy, function, at->dst, private ? FROM_PRIVATE : FROM_ELSEWHERE);
        return;
    }
    case OP_MOV:
        join_register(privacy, function, at->dst, value_of(privacy, function, at->a));
        return;
    case OP_SELECT:
        join_register(privacy, function, at->dst,
                      value_of(privacy, function, at->b) | value_of(privacy, function, at->c));
        return;
    case OP_ADD:
    case OP_SUB:
    case OP_AND:
    case OP_OR:
        join_register(privacy, function, at->dst,
                      computed(at->op, value_of(privacy, function, at->a), value_of(privacy, function, at->b)));
        return;
    case OP_CALL:
        flow_call(privacy, function, at);
        return;
    case OP_RET:
        for (uint32_t i = 0; i < at->b && i < program->functions[function].results; i++) {
            join(privacy, &privacy->results[privacy->first_back[function] + i],
                 value_of(privacy, function, program->operands[at->a + i]));
        }
        return;
    default:
        for (unsigned i = 0; i < instruction_writes(program, at); i++) {
            join_register(privacy, function, at->dst + i, FROM_ELSEWHERE);
        }
    }
}

static void each_instruction(struct privacy *privacy,
                             void (*visit)(struct privacy *privacy, uint32_t function, const struct instruction *at)) {
    const struct program *program = privacy->program;
    do {
        privacy->changed = false;
        for (uint32_t f = 0; f < program->functions_count; f++) {
            const struct instruction *code = function_code(program, f);
            for (uint32_t i = 0; i < program->functions[f].count; i++) {
                visit(privacy, f, &code[i]);
            }
        }
    } while (privacy->changed);
}

/* --- What is lost, backwards -------------------------------------------------------------------------------------- */

static void mark(struct privacy *privacy, bool *lost) {
    privacy->changed = privacy->changed || !*lost;
    *lost = true;
}

static void lose(struct privacy *privacy, uint32_t function, uint32_t operand) {
    if (value_of(privacy, function, operand) & FROM_PRIVATE) {
        mark(privacy, &privacy->lost[privacy->first[function] + operand]);
    }
}

static void lose_list(struct privacy *privacy, uint32_t function, uint32_t start, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        lose(privacy, function, privacy->program->operands[start + i]);
    }
}

static bool is_lost(const struct privacy *privacy, uint32_t function, uint32_t reg) {
    return privacy->lost[privacy->first[function] + reg];
}

static void trace_call(struct privacy *privacy, uint32_t function, const struct instruction *call) {
    const struct program *program = privacy->program;
    const struct function *callee = &program->functions[call->a];
    for (uint32_t i = 0; i < call->c && i < callee->parameters; i++) {
        if (is_lost(privacy, call->a, i)) {
            lose(privacy, function, program->operands[call->b + i]);
        }
    }
    for (uint32_t i = 0; call->dst != NO_REGISTER && i < callee->results; i++) {
        if (is_lost(privacy, function, call->dst + i)) {
            mark(privacy, &privacy->lost_results[privacy->first_back[call->a] + i]);
        }
    }
}

/* Propagates a lost result to the operands from which it is computed; and finds uses by which an address is lost. */
static void trace(struct privacy *privacy, uint32_t function, const struct instruction *at) {
    const struct program *program = privacy->program;
    bool writes = instruction_writes(program, at) > 0;
    bool lost = writes && is_lost(privacy, function, at->dst);
    switch (at->op) {
    case OP_ALLOCA:
        if (lost) {
            mark(privacy, &privacy->given_up[at - program->code]);
        }
        break;
    case OP_TLS:
        if (lost) {
            mark(privacy, &privacy->shared[at->a]);
        }
        break;
    case OP_MOV:
    case OP_SELECT:
    case OP_ADD:
    case OP_SUB:
    case OP_AND:
    case OP_OR:
        if (lost) {
            lose(privacy, function, at->a);
            if (at->op != OP_MOV) {
                lose(privacy, function, at->b);
            }
            if (at->op == OP_SELECT) {
                lose(privacy, function, at->c);
            }
        }
        break;
    case OP_CALL:
        trace_call(privacy, function, at);
        break;
    case OP_CALL_INDIRECT:
        lose_list(privacy, function, at->b, at->c);
        break;
    case OP_RET:
        for (uint32_t i = 0; i < at->b && i < program->functions[function].results; i++) {
            if (privacy->lost_results[privacy->first_back[function] + i]) {
                lose(privacy, function, program->operands[at->a + i]);
            }
        }
        break;
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
        lose(privacy, function, at->b);
        if (at->op == OP_CAS) {
            lose(privacy, function, at->c);
        }
        break;
    case OP_SYNC:
        lose(privacy, function, at->b);
        lose(privacy, function, at->c);
        break;
    case OP_LOAD:
    case OP_ICMP:
    case OP_LIB:
    case OP_FREE:
    case OP_BR:
        break;
    default:
        /* The results of other computations are not followed. */
        for (int i = 0; i < 3; i++) {
            char shape = op_table[at->op].shape[i + 1];
            uint32_t operand = i == 0 ? at->a : i == 1 ? at->b : at->c;
            if (shape == 'r' || shape == 'v') {
                lose(privacy, function, operand);
            }
        }
    }
}

/* --- The whole ---------------------------------------------------------------------------------------------------- */

/* A function whose address is taken may be called with any arguments, in threads too. */
static void find_addresses(struct privacy *privacy) {
    const struct program *program = privacy->program;
    for (size_t i = 0; i < program->constants_count; i++) {
        int64_t function = function_at(program, program->constants[i]);
        if (function >= 0) {
            privacy->anywhere[function] = true;
        }
    }
    for (size_t i = 0; i < program->relocations_count; i++) {
        uint64_t address;
        memcpy(&address, program->bytes + program->relocations[i], sizeof address);
        int64_t function = function_at(program, address);
        if (function >= 0) {
            privacy->anywhere[function] = true;
        }
    }
}

static size_t count_given_up(const struct privacy *privacy) {
    size_t count = 0;
    for (size_t i = 0; i < privacy->program->code_count; i++) {
        count += privacy->given_up[i];
    }
    for (size_t g = 0; g < privacy->program->globals_count; g++) {
        count += privacy->shared[g];
    }
    return count;
}

void privacy_init(struct privacy *privacy, const struct program *program) {
    size_t registers = 0;
    size_t results = 0;
    *privacy = (struct privacy){.program = program};
    privacy->first = memory_allocate((program->functions_count + 1) * sizeof *privacy->first);
    privacy->first_back = memory_allocate((program->functions_count + 1) * sizeof *privacy->first_back);
    for (size_t f = 0; f < program->functions_count; f++) {
        privacy->first[f] = registers;
        privacy->first_back[f] = results;
        registers += program->functions[f].registers;
        results += program->functions[f].results;
    }
    privacy->values = memory_allocate(registers + 1);
    privacy->results = memory_allocate(results + 1);
    privacy->lost = memory_allocate(registers + 1);
    privacy->lost_results = memory_allocate(results + 1);
    privacy->given_up = memory_allocate(program->code_count + 1);
    privacy->shared = memory_allocate(program->globals_count + 1);
    privacy->anywhere = memory_allocate(program->functions_count + 1);
    find_addresses(privacy);
    bool again = true;
    while (again) {
        memset(privacy->values, 0, registers);
        memset(privacy->results, 0, results);
        for (size_t f = 0; f < program->functions_count; f++) {
            memset(privacy->values + privacy->first[f], privacy->anywhere[f] ? FROM_ELSEWHERE : 0,
                   program->functions[f].parameters);
        }
        each_instruction(privacy, flow);
        again = false;
        for (size_t r = 0; r < registers; r++) {
            if (privacy->values[r] == FROM_BOTH && !privacy->lost[r]) {
                privacy->lost[r] = true;
                again = true;
            }
        }
        size_t before = count_given_up(privacy);
        each_instruction(privacy, trace);
        again = again || count_given_up(privacy) > before;
    }
}

void privacy_delete(struct privacy *privacy) {
    free(privacy->first);
    free(privacy->first_back);
    free(privacy->values);
    free(privacy->results);
    free(privacy->lost);
    free(privacy->lost_results);
    free(privacy->given_up);
    free(privacy->shared);
    free(privacy->anywhere);
}

bool privacy_holds(const struct privacy *privacy, uint32_t function, uint32_t operand) {
    return value_of(privacy, function, operand) == FROM_PRIVATE;
}
