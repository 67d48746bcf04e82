/* Emitting instructions and resolving jumps. */
#include "bound/assembler.h"

#include <assert.h>

uint32_t emit_constant(struct assembler *out, uint64_t value) {
    return builder_constant(out->builder, value);
}

uint32_t emit_register(struct assembler *out) {
    return out->registers++;
}

static uint32_t emit(struct assembler *out, struct instruction instruction) {
    instruction.pos = out->pos;
    return builder_emit(out->builder, instruction);
}

uint32_t emit_binary(struct assembler *out, enum op op, uint32_t a, uint32_t b) {
    uint32_t dst = emit_register(out);
    emit(out, (struct instruction){.op = (uint8_t)op, .width = 64, .dst = dst, .a = a, .b = b});
    return dst;
}

uint32_t emit_compare(struct assembler *out, enum predicate predicate, uint32_t a, uint32_t b) {
    uint32_t dst = emit_register(out);
    emit(out, (struct instruction){.op = OP_ICMP, .width = 64, .sub = (uint8_t)predicate, .dst = dst, .a = a, .b = b});
    return dst;
}

uint32_t emit_select(struct assembler *out, uint32_t condition, uint32_t yes, uint32_t no) {
    uint32_t dst = emit_register(out);
    emit(out, (struct instruction){.op = OP_SELECT, .width = 64, .dst = dst, .a = condition, .b = yes, .c = no});
    return dst;
}

void emit_move(struct assembler *out, uint32_t to, uint32_t from) {
    emit(out, (struct instruction){.op = OP_MOV, .width = 64, .dst = to, .a = from});
}

uint32_t emit_self(struct assembler *out) {
    uint32_t dst = emit_register(out);
    emit(out, (struct instruction){.op = OP_SELF, .dst = dst});
    return dst;
}

uint32_t emit_load(struct assembler *out, uint32_t address, unsigned size) {
    uint32_t dst = emit_register(out);
    emit(out, (struct instruction){.op = OP_LOAD, .width = (uint8_t)size, .dst = dst, .a = address});
    return dst;
}

void emit_store(struct assembler *out, uint32_t address, uint32_t value, unsigned size) {
    emit(out,
         (struct instruction){.op = OP_STORE, .width = (uint8_t)size, .dst = NO_REGISTER, .a = address, .b = value});
}

uint32_t emit_nondet(struct assembler *out, unsigned width, uint32_t low, uint32_t high) {
    uint32_t dst = emit_register(out);
    emit(out, (struct instruction){.op = OP_NONDET, .width = (uint8_t)width, .dst = dst, .a = low, .b = high});
    return dst;
}

void emit_assume(struct assembler *out, uint32_t condition) {
    emit(out, (struct instruction){.op = OP_ASSUME, .dst = NO_REGISTER, .a = condition});
}

void emit_error(struct assembler *out, enum error_kind kind, const char *message) {
    emit(out,
         (struct instruction){
             .op = OP_ERROR, .sub = (uint8_t)kind, .dst = NO_REGISTER, .a = builder_string(out->builder, message)});
}

void emit_plain(struct assembler *out, enum op op) {
    emit(out, (struct instruction){.op = (uint8_t)op, .dst = NO_REGISTER});
}

void emit_return(struct assembler *out, const uint32_t *values, unsigned count) {
    emit(out, (struct instruction){
                  .op = OP_RET, .dst = NO_REGISTER, .a = builder_operands(out->builder, values, count), .b = count});
}

uint32_t emit_call(struct assembler *out, uint32_t function, const uint32_t *arguments, unsigned count) {
    uint32_t results = builder_function_at(out->builder, function)->results;
    uint32_t dst = results ? out->registers : NO_REGISTER;
    out->registers += results;
    emit(out, (struct instruction){.op = OP_CALL,
                                   .dst = dst,
                                   .a = function,
                                   .b = builder_operands(out->builder, arguments, count),
                                   .c = count});
    return dst;
}

/* --- Jumps -------------------------------------------------------------------------------------------------------- */

static void set_target(struct assembler *out, uint32_t index, bool second, uint32_t target) {
    struct instruction *instruction = builder_at(out->builder, index);
    if (instruction->op == OP_JMP) {
        instruction->a = target;
    } else if (second) {
        instruction->c = target;
    } else {
        instruction->b = target;
    }
}

static void label_use(struct assembler *out, struct label *label, uint32_t index, bool second) {
    if (label->is_put) {
        set_target(out, index, second, label->target);
        return;
    }
    assert(label->uses_count < LABEL_USES && "few jumps lead to one place");
    label->uses[label->uses_count].index = index;
    label->uses[label->uses_count++].second = second;
}

void label_put(struct assembler *out, struct label *label) {
    label->target = builder_here(out->builder);
    label->is_put = true;
    for (unsigned i = 0; i < label->uses_count; i++) {
        set_target(out, label->uses[i].index, label->uses[i].second, label->target);
    }
}

void emit_jump(struct assembler *out, struct label *label) {
    label_use(out, label, emit(out, (struct instruction){.op = OP_JMP, .dst = NO_REGISTER}), false);
}

void emit_branch(struct assembler *out, uint32_t condition, struct label *yes, struct label *no) {
    uint32_t index = emit(out, (struct instruction){.op = OP_BR, .width = 1, .dst = NO_REGISTER, .a = condition});
    label_use(out, yes, index, false);
    label_use(out, no, index, true);
}

void emit_jump_if(struct assembler *out, uint32_t condition, struct label *label) {
    struct label next = {0};
    emit_branch(out, condition, label, &next);
    label_put(out, &next);
}

void emit_jump_unless(struct assembler *out, uint32_t condition, struct label *label) {
    struct label next = {0};
    emit_branch(out, condition, &next, label);
    label_put(out, &next);
}
