/* Instructions that may meet an assumption. */
#include "prove/outside.h"

/* Is the object a block of the heap, or a local, that nobody has written when it is made? */
static bool begins_unset(const struct system *system, const struct object *object) {
    return object->kind == OBJECT_SITE &&
           !(class_code(system, class_of(system, object->class))[object->instruction].flags & INSTRUCTION_ZEROED);
}

/* May the access read what nobody has written? */
static bool may_read_unset(const struct system *system, const struct access *access) {
    bool may = access->present && access->reads && access->address.any;
    for (unsigned i = 0; access->present && access->reads && i < access->address.count; i++) {
        uint32_t object = access->address.parts[i].object;
        may = may || (object != NUMBERS && begins_unset(system, object_of(&system->space, object)));
    }
    return may;
}

/* Does an instruction that some thread reaches end blocks of the heap? */
static bool some_block_ends(const struct system *system) {
    for (uint32_t c = 0; c < system->classes.count; c++) {
        const struct class *class = class_of(system, c);
        for (uint32_t i = 0; i < system->flat.functions[class->function].count; i++) {
            if (class_code(system, class)[i].op == OP_FREE && instruction_reached(class, i)) {
                return true;
            }
        }
    }
    return false;
}

/* Might two addresses be compared? */
static bool may_compare_addresses(const struct instruction *code) {
    bool compares = code->op == OP_ICMP && code->width == 64 && code->sub <= PREDICATE_NE;
    return (compares && !(code->a & OPERAND_CONSTANT) && !(code->b & OPERAND_CONSTANT)) ||
           (code->op == OP_CAS && code->width == 8);
}

static void note_instruction(struct system *system, const struct class *class, uint32_t index, bool blocks_end) {
    const struct instruction *code = &class_code(system, class)[index];
    bool noted = !(code->flags & INSTRUCTION_UNASSUMED);
    if (class->meets[index]) {
        assumptions_note(&system->outside, &system->flat, code->sub, code->pos);
    }
    if (code->op == OP_MALLOC && noted) {
        assumptions_note(&system->outside, &system->flat, ASSUMPTION_MALLOC, code->pos);
    }
    if (noted && may_read_unset(system, &class->accesses[index])) {
        assumptions_note(&system->outside, &system->flat, ASSUMPTION_UNINITIALISED, code->pos);
    }
    if (blocks_end && may_compare_addresses(code)) {
        assumptions_note(&system->outside, &system->flat, ASSUMPTION_REUSE, code->pos);
    }
}

void outside_note(struct system *system) {
    bool blocks_end = some_block_ends(system);
    for (uint32_t c = 0; c < system->classes.count; c++) {
        const struct class *class = class_of(system, c);
        for (uint32_t i = 0; i < system->flat.functions[class->function].count; i++) {
            if (instruction_reached(class, i)) {
                note_instruction(system, class, i, blocks_end);
            }
        }
    }
}
