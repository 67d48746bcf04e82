/* Instructions with the position of what is being walked. */
#include "front/c_walk.h"

uint32_t walk_registers(struct walk *walk, uint32_t count) {
    uint32_t first = walk->next_register;
    walk->next_register += count;
    return first;
}

uint32_t walk_constant(struct walk *walk, uint64_t value) {
    return builder_constant(walk->builder, value);
}

void walk_emit(struct walk *walk, struct instruction instruction) {
    instruction.pos = walk->pos;
    builder_emit(walk->builder, instruction);
}

uint32_t walk_unary(struct walk *walk, enum op op, uint32_t width, uint32_t sub, uint32_t a) {
    uint32_t dst = walk_registers(walk, 1);
    walk_emit(walk, (struct instruction){
                        .op = (uint8_t)op, .width = (uint8_t)width, .sub = (uint8_t)sub, .dst = dst, .a = a});
    return dst;
}

uint32_t walk_binary(struct walk *walk, enum op op, uint32_t width, uint32_t a, uint32_t b) {
    uint32_t dst = walk_registers(walk, 1);
    walk_emit(walk, (struct instruction){.op = (uint8_t)op, .width = (uint8_t)width, .dst = dst, .a = a, .b = b});
    return dst;
}

uint32_t walk_compare(struct walk *walk, enum predicate predicate, uint32_t width, uint32_t a, uint32_t b) {
    uint32_t dst = walk_registers(walk, 1);
    walk_emit(walk, (struct instruction){
                        .op = OP_ICMP, .width = (uint8_t)width, .sub = (uint8_t)predicate, .dst = dst, .a = a, .b = b});
    return dst;
}

uint32_t walk_select(struct walk *walk, uint32_t condition, uint32_t a, uint32_t b) {
    uint32_t dst = walk_registers(walk, 1);
    walk_emit(walk, (struct instruction){.op = OP_SELECT, .width = 64, .dst = dst, .a = condition, .b = a, .c = b});
    return dst;
}

void walk_move(struct walk *walk, uint32_t dst, uint32_t source) {
    walk_emit(walk, (struct instruction){.op = OP_MOV, .width = 64, .dst = dst, .a = source});
}

uint32_t walk_add(struct walk *walk, uint32_t address, uint64_t offset) {
    return offset == 0 ? address : walk_binary(walk, OP_ADD, 64, address, walk_constant(walk, offset));
}

void walk_error(struct walk *walk, enum error_kind kind, const char *message) {
    walk_emit(walk,
              (struct instruction){.op = OP_ERROR, .sub = (uint8_t)kind, .a = builder_string(walk->builder, message)});
}
