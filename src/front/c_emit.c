/* Instructions with the position of the present LLVM instruction. */
#include "front/c_lowering.h"

uint32_t lowering_registers(struct lowering *lowering, uint32_t count) {
    uint32_t first = lowering->next_register;
    lowering->next_register += count;
    return first;
}

uint32_t lowering_constant(struct lowering *lowering, uint64_t value) {
    return builder_constant(lowering->builder, value);
}

void lowering_emit(struct lowering *lowering, struct instruction instruction) {
    instruction.pos = lowering->pos;
    builder_emit(lowering->builder, instruction);
}

uint32_t lowering_unary(struct lowering *lowering, enum op op, uint32_t width, uint32_t sub, uint32_t a) {
    uint32_t dst = lowering_registers(lowering, 1);
    lowering_emit(lowering, (struct instruction){
                                .op = (uint8_t)op, .width = (uint8_t)width, .sub = (uint8_t)sub, .dst = dst, .a = a});
    return dst;
}

uint32_t lowering_binary(struct lowering *lowering, enum op op, uint32_t width, uint32_t a, uint32_t b) {
    uint32_t dst = lowering_registers(lowering, 1);
    lowering_emit(lowering,
                  (struct instruction){.op = (uint8_t)op, .width = (uint8_t)width, .dst = dst, .a = a, .b = b});
    return dst;
}

uint32_t lowering_compare(struct lowering *lowering, enum predicate predicate, uint32_t width, uint32_t a, uint32_t b) {
    uint32_t dst = lowering_registers(lowering, 1);
    lowering_emit(lowering,
                  (struct instruction){
                      .op = OP_ICMP, .width = (uint8_t)width, .sub = (uint8_t)predicate, .dst = dst, .a = a, .b = b});
    return dst;
}

uint32_t lowering_select(struct lowering *lowering, uint32_t condition, uint32_t a, uint32_t b) {
    uint32_t dst = lowering_registers(lowering, 1);
    lowering_emit(lowering,
                  (struct instruction){.op = OP_SELECT, .width = 64, .dst = dst, .a = condition, .b = a, .c = b});
    return dst;
}

void lowering_move(struct lowering *lowering, uint32_t dst, uint32_t source) {
    lowering_emit(lowering, (struct instruction){.op = OP_MOV, .width = 64, .dst = dst, .a = source});
}

uint32_t lowering_add(struct lowering *lowering, uint32_t address, uint64_t offset) {
    return offset == 0 ? address : lowering_binary(lowering, OP_ADD, 64, address, lowering_constant(lowering, offset));
}

void lowering_error(struct lowering *lowering, enum error_kind kind, const char *message) {
    lowering_emit(lowering, (struct instruction){
                                .op = OP_ERROR, .sub = (uint8_t)kind, .a = builder_string(lowering->builder, message)});
}

void lowering_assumed(struct lowering *lowering, enum assumption assumption, uint32_t a, uint32_t b) {
    if (!lowering->printed) {
        lowering_emit(lowering, (struct instruction){.op = OP_ASSUMED, .sub = (uint8_t)assumption, .a = a, .b = b});
    }
}
