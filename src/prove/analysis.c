/* The data-flow analysis: what registers can hold before each block, and cells at any time.
 *
 * Registers are followed along the flow graph; memory is not, since other threads write it: a cell has one value for
 * the whole program.  Nothing here depends on when a store reaches memory, so the result holds under every memory
 * model. */
#include <stdlib.h>
#include <string.h>

#include "ir/sync.h"
#include "prove/system.h"
#include "util/memory.h"

#define PATIENCE 4u /* visits of a loop's head before its registers are widened */

struct run {
    struct system *system;
    uint32_t number; /* of the class */
    struct class *class;
    const struct instruction *code;
    uint32_t registers;
    struct value *values; /* of registers, where the run is */
    bool changed;
};

static struct value operand_value(struct run *run, uint32_t operand) {
    if (operand & OPERAND_CONSTANT) {
        return space_number(&run->system->space, run->system->flat.constants[operand & ~OPERAND_CONSTANT]);
    }
    return run->values[operand];
}

static void set(struct run *run, uint32_t reg, struct value value) {
    if (reg != NO_REGISTER) {
        run->values[reg] = value;
    }
}

/* --- Comparisons -------------------------------------------------------------------------------------------------- */

/* Sets of addresses at known places become numbers, if all parts are such addresses. */
static struct value as_numbers(const struct run *run, const struct value *value) {
    struct value result = value_none();
    for (unsigned i = 0; i < value->count; i++) {
        struct part part = value->parts[i];
        if (part.object != NUMBERS) {
            const struct object *object = object_of(&run->system->space, part.object);
            if (object->kind != OBJECT_FIXED || part.high > object->size) {
                return value_any();
            }
            part.object = NUMBERS;
            part.low += object->base;
            part.high += object->base;
        }
        value_add_part(&result, part);
    }
    return value->any ? value_any() : result;
}

/* Is every value an address in or just after its object, or a number that is none? */
static bool are_addresses(const struct run *run, const struct value *value, bool numbers) {
    for (unsigned i = 0; i < value->count; i++) {
        const struct part *part = &value->parts[i];
        bool is_number = part->object == NUMBERS;
        if (is_number != numbers || (is_number && part->high >= GLOBAL_BASE) ||
            (!is_number &&
             (part->high > INT64_MAX || part->high > object_of(&run->system->space, part->object)->size))) {
            return false;
        }
    }
    return !value->any && value->count > 0;
}

static int compare_values(const struct run *run, const struct instruction *code, const struct value *a,
                          const struct value *b) {
    bool equality = code->sub == PREDICATE_EQ || code->sub == PREDICATE_NE;
    if (equality && code->width == 64 &&
        ((are_addresses(run, a, false) && are_addresses(run, b, true)) ||
         (are_addresses(run, a, true) && are_addresses(run, b, false)))) {
        return code->sub == PREDICATE_NE;
    }
    struct value one = as_numbers(run, a);
    struct value other = as_numbers(run, b);
    return value_compare((enum predicate)code->sub, code->width, &one, &other);
}

/* What is left of a register that compares like this with a number. */
static struct value refined(const struct run *run, const struct value *value, enum predicate predicate, unsigned width,
                            uint64_t number) {
    struct value result = value_compared(value, predicate, width, number);
    for (unsigned i = 0; predicate == PREDICATE_EQ && width == 64 && number < GLOBAL_BASE && i < result.count;) {
        const struct part *part = &result.parts[i];
        const struct object *object = object_of(&run->system->space, part->object);
        if (part->object == NUMBERS || object->size == UINT64_MAX || part->high > object->size) {
            i++;
            continue;
        }
        struct value rest = value_none();
        for (unsigned k = 0; k < result.count; k++) {
            if (k != i) {
                value_add_part(&rest, result.parts[k]);
            }
        }
        result = rest;
    }
    return result;
}

/* Is the register written by an instruction from..end - 1? */
static bool written_between(const struct run *run, uint32_t reg, uint32_t from, uint32_t end) {
    for (uint32_t i = from; i < end; i++) {
        uint32_t count = instruction_writes(&run->system->flat, &run->code[i]);
        if (count > 0 && reg - run->code[i].dst < count) {
            return true;
        }
    }
    return false;
}

/* A condition that is tested by instruction `at` holds, or does not: the registers that it compares are cut down. */
static void assume(struct run *run, uint32_t first, uint32_t at, uint32_t condition, bool holds) {
    if (condition & OPERAND_CONSTANT) {
        return;
    }
    run->values[condition] = refined(run, &run->values[condition], holds ? PREDICATE_NE : PREDICATE_EQ, 64, 0);
    for (uint32_t i = at; i-- > first;) {
        const struct instruction *code = &run->code[i];
        uint32_t count = instruction_writes(&run->system->flat, code);
        if (count == 0 || condition - code->dst >= count) {
            continue;
        }
        if (code->op != OP_ICMP) {
            return;
        }
        enum predicate predicate = (enum predicate)code->sub;
        predicate = holds ? predicate : predicate_negated(predicate);
        for (int side = 0; side < 2; side++) {
            uint32_t reg = side == 0 ? code->a : code->b;
            struct value with = operand_value(run, side == 0 ? code->b : code->a);
            uint64_t number;
            if ((reg & OPERAND_CONSTANT) || written_between(run, reg, i, at) || !value_is_number(&with, &number) ||
                (!(code->b & OPERAND_CONSTANT) && side == 0 && written_between(run, code->b, i, at)) ||
                (!(code->a & OPERAND_CONSTANT) && side == 1 && written_between(run, code->a, i, at))) {
                continue;
            }
            run->values[reg] = refined(run, &run->values[reg], side == 0 ? predicate : predicate_swapped(predicate),
                                       code->width, number);
        }
        return;
    }
}

/* --- Instructions ------------------------------------------------------------------------------------------------- */

static void note_access(struct run *run, uint32_t index, struct access *access, const struct value *address,
                        uint32_t size, bool reads, bool writes) {
    *access = (struct access){.present = true, .reads = reads, .writes = writes, .size = size, .address = *address};
    if (writes && !space_known(address)) {
        system_refuse(run->system, run->code[index].pos, "a store whose target is not known");
    }
}

/* The result of an access in pieces of at most 8 bytes. */
static void read_to(struct run *run, const struct value *address, unsigned size, uint32_t dst) {
    for (unsigned done = 0; done < size; done += 8) {
        struct value offset = value_number(done);
        struct value at = value_binary(OP_ADD, 64, address, &offset);
        struct value value = space_read(&run->system->space, &at, size - done < 8 ? size - done : 8);
        set(run, dst == NO_REGISTER ? dst : dst + done / 8, value);
    }
}

static void write_at(struct run *run, const struct value *address, unsigned size, unsigned done, struct value value) {
    struct value offset = value_number(done);
    struct value at = value_binary(OP_ADD, 64, address, &offset);
    space_write(&run->system->space, &at, size - done < 8 ? size - done : 8, &value, run->number);
}

static void store_operand(struct run *run, const struct value *address, unsigned size, uint32_t operand) {
    for (unsigned done = 0; done < size; done += 8) {
        write_at(run, address, size, done, operand_value(run, operand + done / 8));
    }
}

static struct value rmw_result(struct run *run, const struct instruction *code, const struct value *old) {
    struct value operand = operand_value(run, code->b);
    unsigned width = 8u * code->width;
    switch (code->c) {
    case RMW_XCHG:
        return operand;
    case RMW_ADD:
        return value_binary(OP_ADD, width, old, &operand);
    case RMW_SUB:
        return value_binary(OP_SUB, width, old, &operand);
    default:
        return value_has_object(old) || value_has_object(&operand) ? value_any() : value_width(width);
    }
}

static void run_rmw(struct run *run, const struct instruction *code, const struct value *address) {
    if (code->width > 8) {
        read_to(run, address, code->width, code->dst);
        write_at(run, address, code->width, 0, value_any());
        write_at(run, address, code->width, 8, value_any());
        return;
    }
    struct value old = space_read(&run->system->space, address, code->width);
    write_at(run, address, code->width, 0, rmw_result(run, code, &old));
    set(run, code->dst, old);
}

/* An abstracted result can be any number.  If the place can hold an address, the result is the value in memory, or
 * null: obligations.c checks that the annotation allows no more. */
static void widen_result(struct run *run, uint32_t index) {
    const struct abstraction *abstraction = class_abstraction(run->class, index);
    const struct instruction *code = &run->code[index];
    if (abstraction) {
        struct value *result = &run->values[code->dst + abstraction->result];
        struct value width = value_width(8u * code->width);
        if (code->width == 8 && !abstraction->numeric) {
            struct value null = value_number(0);
            value_join(result, &null);
        } else {
            *result = value_has_object(result) ? value_any() : width;
        }
    }
}

static bool run_access(struct run *run, uint32_t index) {
    const struct instruction *code = &run->code[index];
    struct value address = operand_value(run, code->a);
    note_access(run, index, &run->class->accesses[index], &address, code->width, code->op != OP_STORE,
                code->op != OP_LOAD);
    if (!value_has_object(&address) && space_known(&address)) {
        return false; /* always an error */
    }
    switch (code->op) {
    case OP_LOAD:
        read_to(run, &address, code->width, code->dst);
        break;
    case OP_STORE:
        store_operand(run, &address, code->width, code->b);
        break;
    case OP_RMW:
        run_rmw(run, code, &address);
        break;
    default:
        read_to(run, &address, code->width, code->dst);
        store_operand(run, &address, code->width, code->c);
        set(run, code->dst == NO_REGISTER ? code->dst : code->dst + (code->width > 8 ? 2 : 1), value_range(0, 1));
        break;
    }
    widen_result(run, index);
    return true;
}

struct operation {
    struct run *run;
    struct value inputs[2];
};

static void run_sync_access(void *data, const struct sync_access *access) {
    struct operation *operation = data;
    struct value offset = value_number(access->offset);
    struct value at = value_binary(OP_ADD, 64, &operation->inputs[access->input], &offset);
    if (access->writes) {
        struct value value = access->known ? value_number(access->value) : value_width(32);
        space_write(&operation->run->system->space, &at, 4, &value, operation->run->number);
    } else {
        space_read(&operation->run->system->space, &at, 4);
    }
}

static void run_creation(struct run *run, uint32_t index) {
    const struct instruction *code = &run->code[index];
    int64_t function = code->a & OPERAND_CONSTANT
                           ? function_at(&run->system->flat, run->system->flat.constants[code->a & ~OPERAND_CONSTANT])
                           : -1;
    if (function < 0) {
        system_refuse(run->system, code->pos, "a thread that begins in an unknown function");
        return;
    }
    uint32_t number = system_class(run->system, run->number, index, (uint32_t)function);
    struct class *class = class_of(run->system, number);
    const uint32_t operands[] = {code->b, code->c};
    for (uint32_t i = 0; i < run->system->flat.functions[function].parameters && i < 2; i++) {
        struct value argument = operand_value(run, operands[i]);
        run->changed = value_join(&class->entry[i], &argument) || run->changed;
    }
}

static void run_operation(struct run *run, uint32_t index) {
    const struct instruction *code = &run->code[index];
    unsigned kind = code->width;
    struct operation operation = {.run = run, .inputs = {operand_value(run, code->a), operand_value(run, code->b)}};
    if (kind == SYNC_BUS_LOCK || kind == SYNC_BUS_UNLOCK) {
        system_refuse(run->system, code->pos, "a locked bus");
    }
    if (kind == SYNC_THREAD_CREATE) {
        run_creation(run, index);
    }
    if (sync_table[kind].bytes > 0) {
        note_access(run, index, &run->class->accesses[index], &operation.inputs[0], sync_table[kind].bytes, true, true);
        if (sync_codes()[kind].second > 0) {
            note_access(run, index, &run->class->seconds[index], &operation.inputs[1], sync_codes()[kind].second, true,
                        true);
        }
        operation_words(kind, run_sync_access, &operation);
    }
    for (uint32_t i = 0; i < code->sub && code->dst != NO_REGISTER; i++) {
        set(run, code->dst + i, i == 0 ? value_width(32) : value_any());
    }
}

static void run_choice(struct run *run, const struct instruction *code) {
    struct value low = operand_value(run, code->a);
    struct value high = operand_value(run, code->b);
    uint64_t first;
    uint64_t last;
    bool known = value_is_number(&low, &first) && value_is_number(&high, &last);
    bool ordered = known && first <= last && (!(code->flags & INSTRUCTION_SIGNED) || (int64_t)first <= (int64_t)last);
    set(run, code->dst, ordered ? value_range(first, last) : value_width(code->width));
}

static void run_allocation(struct run *run, uint32_t index) {
    const struct instruction *code = &run->code[index];
    struct value bytes = operand_value(run, code->a);
    uint64_t size;
    bool known = value_is_number(&bytes, &size);
    bool private = code->op == OP_ALLOCA && (code->flags & INSTRUCTION_PRIVATE);
    set(run, code->dst,
        value_address(space_site(&run->system->space, run->number, index, known ? size : UINT64_MAX, private), 0));
}

/* Locals that others may know and that may end here: all of the function, or those made since a STACK_SAVE.  The code
 * of an expanded call stands in one piece after its STACK_SAVE, so what is made before it is older. */
static struct value ending_locals(const struct run *run, const struct instruction *code) {
    struct value ended = value_none();
    uint32_t first = 0;
    while (code->op == OP_STACK_RESTORE && (run->code[first].op != OP_STACK_SAVE || run->code[first].dst != code->a)) {
        first++;
    }
    for (uint32_t i = 1; i < run->system->space.objects.count; i++) {
        const struct object *object = object_of(&run->system->space, i);
        bool made = object->kind == OBJECT_SITE && object->class == run->number && object->instruction >= first &&
                    run->code[object->instruction].op == OP_ALLOCA;
        bool made_before = run->number == 0 && object->kind == OBJECT_FIXED && object->local;
        if ((made || made_before) && !object->private) {
            value_add_part(&ended, (struct part){.object = i});
        }
    }
    return ended;
}

static void run_end(struct run *run, uint32_t index) {
    const struct instruction *code = &run->code[index];
    struct access *access = &run->class->accesses[index];
    struct value ended = code->op == OP_FREE ? operand_value(run, code->a) : ending_locals(run, code);
    if (!space_known(&ended)) {
        system_refuse(run->system, code->pos, "the end of an object that is not known");
    }
    *access = (struct access){.present = value_has_object(&ended), .writes = true, .ends = true, .address = ended};
    for (unsigned i = 0; i < ended.count; i++) {
        object_of(&run->system->space, ended.parts[i].object)->ends = true;
    }
}

static void run_thread_local(struct run *run, const struct instruction *code) {
    uint64_t address;
    if (run->number == 0 && machine_thread_local(run->system->machine, 0, code->a, &address)) {
        set(run, code->dst, space_number(&run->system->space, address));
    } else {
        set(run, code->dst, value_address(space_thread_local(&run->system->space, run->number, code->a), 0));
    }
}

static void run_other(struct run *run, const struct instruction *code) {
    uint32_t count = instruction_writes(&run->system->flat, code);
    bool wide = code->op == OP_WIDE || code->op == OP_WIDE_SEXT || code->op == OP_WIDE_OVERFLOW || code->op == OP_LIB;
    for (uint32_t i = 0; i < count; i++) {
        set(run, code->dst + i, wide ? value_any() : value_width(64));
    }
}

/* May an execution meet this assumption here (ir/instruction.h, ASSUMED)? */
static bool may_meet(struct run *run, const struct instruction *code) {
    struct value a = operand_value(run, code->a);
    struct value b = operand_value(run, code->b);
    struct value zero = value_number(0);
    uint64_t mask;
    switch (code->sub) {
    case ASSUMPTION_UNINITIALISED:
        return value_compare(PREDICATE_EQ, 64, &a, &zero) != 0;
    case ASSUMPTION_LAYOUT:
        if (value_is_number(&b, &mask) && mask < PAGE_SIZE) {
            return mask != 0 && value_has_object(&a);
        }
        return value_has_object(&a) && value_has_object(&b) &&
               (a.any || b.any || a.count != 1 || b.count != 1 || a.parts[0].object != b.parts[0].object);
    default:
        return true;
    }
}

static void run_select(struct run *run, const struct instruction *code) {
    struct value condition = operand_value(run, code->a);
    struct value zero = value_number(0);
    int is_zero = value_compare(PREDICATE_EQ, 64, &condition, &zero);
    struct value result = operand_value(run, is_zero == 1 ? code->c : code->b);
    struct value other = operand_value(run, code->c);
    if (is_zero < 0) {
        value_join(&result, &other);
    }
    set(run, code->dst, result);
}

static bool may_be_function(const struct system *system, const struct value *value) {
    uint64_t end = function_address((uint32_t)system->flat.functions_count);
    for (unsigned i = 0; i < value->count; i++) {
        if (value->parts[i].high >= FUNCTION_BASE && value->parts[i].low < end) {
            return true;
        }
    }
    return false;
}

/* False if control does not come past the instruction. */
static bool run_instruction(struct run *run, uint32_t first, uint32_t index) {
    const struct instruction *code = &run->code[index];
    struct value a;
    struct value b;
    int truth;
    switch (code->op) {
    case OP_MOV:
        set(run, code->dst, operand_value(run, code->a));
        return true;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        a = operand_value(run, code->a);
        b = operand_value(run, code->b);
        a = value_binary((enum op)code->op, code->width, &a, &b);
        set(run, code->dst, a);
        return !value_is_none(&a);
    case OP_ICMP:
        a = operand_value(run, code->a);
        b = operand_value(run, code->b);
        truth = compare_values(run, code, &a, &b);
        set(run, code->dst, truth < 0 ? value_range(0, 1) : value_number((uint64_t)truth));
        return true;
    case OP_SEXT:
        a = operand_value(run, code->a);
        set(run, code->dst, value_sext(code->width, code->sub, &a));
        return true;
    case OP_TRUNC:
        a = operand_value(run, code->a);
        set(run, code->dst, value_trunc(code->width, &a));
        return true;
    case OP_SELECT:
        run_select(run, code);
        return true;
    case OP_UNINIT:
        set(run, code->dst, value_number(0));
        return true;
    case OP_ASSUMED:
        run->class->meets[index] = may_meet(run, code);
        return true;
    case OP_TLS:
        run_thread_local(run, code);
        return true;
    case OP_SELF:
        set(run, code->dst, run->number == 0 ? value_number(0) : value_range(1, MAX_THREAD_NUMBER));
        return true;
    case OP_CHILD:
        set(run, code->dst, value_range(1, MAX_THREAD_NUMBER));
        return true;
    case OP_ALLOCA:
    case OP_MALLOC:
        run_allocation(run, index);
        return true;
    case OP_LOAD:
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
        return run_access(run, index);
    case OP_FREE:
    case OP_LEAVE:
    case OP_STACK_RESTORE:
        run_end(run, index);
        return true;
    case OP_SYNC:
        run_operation(run, index);
        return code->width != SYNC_THREAD_EXIT;
    case OP_NONDET:
        run_choice(run, code);
        return true;
    case OP_ASSUME:
    case OP_ASSERT:
        assume(run, first, index, code->a, true);
        return true;
    case OP_LIB:
        if (code->a == LIB_FORMAT || code->a == LIB_STRTOD) {
            system_refuse(run->system, code->pos, "text that is formatted or read in memory");
        }
        run_other(run, code);
        return true;
    case OP_CUT:
        system_refuse(run->system, code->pos, "recursion");
        return false;
    case OP_CALL_INDIRECT:
        a = operand_value(run, code->a);
        if (space_known(&a) && !value_has_object(&a) && !may_be_function(run->system, &a)) {
            return false; /* always an error */
        }
        system_refuse(run->system, code->pos, "a call whose target is not known");
        return false;
    case OP_CALL:
        system_refuse(run->system, code->pos, "a call whose target is not known");
        return false;
    case OP_ERROR:
    case OP_EXIT:
    case OP_HALT:
    case OP_RET:
        return false;
    default:
        run_other(run, code);
        return true;
    }
}

/* --- Flow --------------------------------------------------------------------------------------------------------- */

bool block_is_head(const struct flow *flow, uint32_t block) {
    const struct block *at = &flow->blocks[block];
    for (uint32_t i = 0; i < at->predecessors_count; i++) {
        const struct block *from = &flow->blocks[flow->edges[at->predecessors + i]];
        if (from->order != NO_BLOCK && from->order >= at->order) {
            return true;
        }
    }
    return false;
}

/* Control passes from one block to another with the present values of the run. */
static void feed(struct run *run, uint32_t from, uint32_t target) {
    struct class *class = run->class;
    uint32_t to = class->flow.block_of[target];
    const struct block *block = &class->flow.blocks[from];
    for (uint32_t i = 0; i < block->successors_count; i++) {
        if (class->flow.edges[block->successors + i] == to) {
            run->changed = run->changed || !class->feasible[block->successors + i];
            class->feasible[block->successors + i] = true;
        }
    }
    if (!class->in[to]) {
        class->in[to] = memory_allocate(((size_t)run->registers + 1) * sizeof **class->in);
        run->changed = true;
    }
    bool widens = block_is_head(&class->flow, to) && class->visits[to] > PATIENCE;
    const uint64_t *live = liveness_before(&run->system->liveness, class->function, class->flow.blocks[to].first);
    for (uint32_t r = 0; r < run->registers; r++) {
        if (!(live[r / 64] >> r % 64 & 1) || !value_join(&class->in[to][r], &run->values[r])) {
            continue;
        }
        run->changed = true;
        if (widens) {
            value_widen(&class->in[to][r], run->system->thresholds, run->system->thresholds_count);
        }
    }
}

static void feed_branch(struct run *run, uint32_t block, uint32_t first, uint32_t index, struct value *saved) {
    const struct instruction *code = &run->code[index];
    struct value condition = operand_value(run, code->a);
    struct value zero = value_number(0);
    int is_zero = value_compare(PREDICATE_EQ, 64, &condition, &zero);
    memcpy(saved, run->values, run->registers * sizeof *saved);
    if (is_zero != 1) {
        assume(run, first, index, code->a, true);
        feed(run, block, code->b);
    }
    if (is_zero != 0) {
        memcpy(run->values, saved, run->registers * sizeof *saved);
        assume(run, first, index, code->a, false);
        feed(run, block, code->c);
    }
}

static void feed_switch(struct run *run, uint32_t block, uint32_t index, struct value *saved) {
    const struct instruction *code = &run->code[index];
    const uint32_t *pairs = run->system->flat.operands + code->b;
    struct value value = operand_value(run, code->a);
    struct value rest = value;
    memcpy(saved, run->values, run->registers * sizeof *saved);
    for (uint32_t i = 0; i < code->c; i++) {
        uint64_t number = run->system->flat.constants[pairs[2 * i] & ~OPERAND_CONSTANT];
        struct value one = refined(run, &value, PREDICATE_EQ, 64, number);
        rest = refined(run, &rest, PREDICATE_NE, 64, number);
        if (!value_is_none(&one)) {
            if (!(code->a & OPERAND_CONSTANT)) {
                run->values[code->a] = one;
            }
            feed(run, block, pairs[2 * i + 1]);
            memcpy(run->values, saved, run->registers * sizeof *saved);
        }
    }
    if (!value_is_none(&rest)) {
        if (!(code->a & OPERAND_CONSTANT)) {
            run->values[code->a] = rest;
        }
        feed(run, block, code->dst);
    }
}

struct targets {
    struct run *run;
    uint32_t block;
};

static void feed_target(void *data, uint32_t target) {
    struct targets *targets = data;
    feed(targets->run, targets->block, target);
}

static void run_block(struct run *run, uint32_t number, struct value *saved) {
    struct class *class = run->class;
    const struct block *block = &class->flow.blocks[number];
    class->visits[number]++;
    memcpy(run->values, class->in[number], run->registers * sizeof *run->values);
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct instruction *code = &run->code[i];
        class->depth[i] = 0;
        if (code->op == OP_BR) {
            feed_branch(run, number, block->first, i, saved);
            return;
        }
        if (code->op == OP_SWITCH) {
            feed_switch(run, number, i, saved);
            return;
        }
        if (!run_instruction(run, block->first, i) || run->system->refusal) {
            return;
        }
        struct targets targets = {run, number};
        instruction_targets(&run->system->flat, code, feed_target, &targets);
        if (i + 1 == block->end && !instruction_ends_block(code)) {
            feed(run, number, block->end);
        }
    }
}

uint32_t *prove_order_blocks(const struct flow *flow) {
    uint32_t *blocks = memory_allocate(((size_t)flow->blocks_count + 1) * sizeof *blocks);
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        if (flow->blocks[b].order != NO_BLOCK) {
            blocks[flow->blocks[b].order] = b;
        }
    }
    return blocks;
}

static bool run_class(struct system *system, uint32_t number) {
    struct class *class = class_of(system, number);
    struct run run = {
        .system = system,
        .number = number,
        .class = class,
        .code = class_code(system, class),
        .registers = system->flat.functions[class->function].registers,
    };
    run.values = memory_allocate(((size_t)run.registers + 1) * sizeof *run.values);
    struct value *saved = memory_allocate(((size_t)run.registers + 1) * sizeof *saved);
    if (!class->in[0]) {
        class->in[0] = memory_allocate(((size_t)run.registers + 1) * sizeof **class->in);
    }
    for (uint32_t r = 0; r < run.registers; r++) {
        run.changed = value_join(&class->in[0][r], &class->entry[r]) || run.changed;
    }
    uint32_t *blocks = prove_order_blocks(&class->flow);
    for (uint32_t i = 0; i < class->flow.blocks_count && !system->refusal; i++) {
        if (class->flow.blocks[blocks[i]].order == i && class->in[blocks[i]]) {
            run_block(&run, blocks[i], saved);
        }
    }
    free(blocks);
    free(saved);
    free(run.values);
    return run.changed;
}

static void class_forget(const struct program *flat, struct class *class) {
    uint32_t count = flat->functions[class->function].count;
    for (uint32_t i = 0; i < count; i++) {
        class->depth[i] = UINT32_MAX;
        class->accesses[i] = class->seconds[i] = (struct access){0};
    }
    for (uint32_t b = 0; b < class->flow.blocks_count; b++) {
        const struct block *block = &class->flow.blocks[b];
        for (uint32_t i = 0; i < block->successors_count; i++) {
            class->feasible[block->successors + i] = false;
        }
    }
}

static void forget(struct system *system) {
    space_forget(&system->space);
    for (uint32_t c = 0; c < system->classes.count; c++) {
        struct class *class = class_of(system, c);
        for (uint32_t b = 0; b < class->flow.blocks_count; b++) {
            free(class->in[b]);
            class->in[b] = NULL;
            class->visits[b] = 0;
        }
        class_forget(&system->flat, class);
        uint32_t parameters = system->flat.functions[class->function].parameters;
        for (uint32_t r = 0; c > 0 && r < parameters; r++) {
            class->entry[r] = value_none();
        }
    }
}

/* Abstractions of words in which no address is ever stored may return any number; true if that is new of some. */
static bool find_numeric(struct system *system) {
    bool changed = false;
    for (uint32_t c = 0; c < system->classes.count; c++) {
        struct class *class = class_of(system, c);
        for (size_t i = 0; i < class->abstractions.count; i++) {
            struct abstraction *abstraction = vector_at(&class->abstractions, i);
            const struct access *access =
                abstraction->access == UINT32_MAX ? NULL : &class->accesses[abstraction->access];
            if (!access || !access->present || abstraction->numeric || access->size != 8) {
                continue;
            }
            struct value value = space_read(&system->space, &access->address, 8);
            abstraction->numeric = !value_has_object(&value);
            changed = changed || abstraction->numeric;
        }
    }
    return changed;
}

void analysis_run(struct system *system) {
    bool changed = true;
    while (changed && !system->refusal) {
        changed = false;
        system->space.changed = false;
        for (uint32_t c = 0; c < system->classes.count && !system->refusal; c++) {
            changed = run_class(system, c) || changed;
        }
        if (limits_reached(system->task->limits)) {
            system->undecided = limits_reason(system->task->limits);
            return;
        }
        if (system->space.restart) {
            forget(system);
            changed = true;
        }
        changed = changed || system->space.changed;
        if (!changed && !system->refusal && find_numeric(system)) {
            forget(system);
            changed = true;
        }
    }
}
