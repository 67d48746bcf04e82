/* The walk over LLVM's module that makes a Program of it.
 *
 * Every value of LLVM's becomes operands: a value of n registers (c_types.h) has a first operand, and the others follow
 * it, be they registers or constants.  Values that need no instruction (casts between pointers and integers,
 * zero-extension) share the operands of what they come from.  Blocks are walked in reverse postorder, so that all
 * operands but those of phis are known when they are met. */
#ifndef PICKET_FRONT_C_WALK_H
#define PICKET_FRONT_C_WALK_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "front/c_debug.h"
#include "front/c_escape.h"
#include "front/c_types.h"
#include "ir/builder.h"
#include "util/diagnostics.h"

struct hash_table;

/* A branch target that is a block, to be filled in when all blocks have their places (c_control.c). */
enum fixup_field { FIXUP_DST, FIXUP_A, FIXUP_B, FIXUP_C, FIXUP_POOL };
struct fixup {
    enum fixup_field field;
    uint32_t where; /* instruction, or index in the pool of operands */
    LLVMBasicBlockRef block;
};

struct walk {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    struct builder *builder;
    struct diagnostics *diagnostics;
    struct c_debug debug;
    struct escapes escapes;

    /* What is reachable (c_reach.c). */
    struct hash_table *functions; /* index in the program */
    struct hash_table *globals;
    struct hash_table *labels; /* block whose address is taken: its number, from 1 */
    uint64_t labels_count;
    struct vector order; /* of LLVMValueRef: the functions in `functions`, by index */

    /* The function that is being walked. */
    LLVMValueRef function;
    LLVMValueRef instruction;
    LLVMBasicBlockRef next_block;
    struct hash_table *values; /* first operand */
    struct hash_table *starts; /* block: index of its first instruction */
    struct vector fixups;      /* of struct fixup */
    uint32_t next_register;
    uint32_t pos;
    uint32_t arguments_block; /* register: where this function puts the variable arguments of its calls */
    uint32_t hidden;          /* register: the variable arguments that this function got */
    bool shares_locals;
};

/* c_walk.c */
bool walk_program(struct walk *walk, const char *program_name);
uint32_t walk_value(struct walk *walk, LLVMValueRef value);  /* first operand of a value */
uint32_t walk_result(struct walk *walk, LLVMValueRef value); /* first register of a value that is being made */
void walk_alias(struct walk *walk, LLVMValueRef value, uint32_t operand);
void walk_unsupported(struct walk *walk, const char *what, const char *detail);
void walk_instruction(struct walk *walk, LLVMValueRef instruction);

/* c_emit.c: instructions with the current position */
uint32_t walk_registers(struct walk *walk, uint32_t count);
uint32_t walk_constant(struct walk *walk, uint64_t value);
void walk_emit(struct walk *walk, struct instruction instruction);
uint32_t walk_unary(struct walk *walk, enum op op, uint32_t width, uint32_t sub, uint32_t a); /* all return dst */
uint32_t walk_binary(struct walk *walk, enum op op, uint32_t width, uint32_t a, uint32_t b);
uint32_t walk_compare(struct walk *walk, enum predicate predicate, uint32_t width, uint32_t a, uint32_t b);
uint32_t walk_select(struct walk *walk, uint32_t condition, uint32_t a, uint32_t b);
void walk_move(struct walk *walk, uint32_t dst, uint32_t source);
uint32_t walk_add(struct walk *walk, uint32_t address, uint64_t offset);
void walk_error(struct walk *walk, enum error_kind kind, const char *message);

/* c_constants.c */
void constant_registers(struct walk *walk, LLVMValueRef constant, uint64_t *registers, bool *is_address);
void constant_bytes(struct walk *walk, LLVMValueRef constant, uint8_t *bytes, uint64_t place,
                    struct vector *relocations);

/* c_reach.c: finds and declares all functions and globals that the entry reaches */
void walk_reach(struct walk *walk);

/* c_start.c: the function in which the program begins */
void walk_start(struct walk *walk, const char *program_name);

/* c_control.c: branches and phis */
void walk_terminator(struct walk *walk, LLVMValueRef terminator);
void walk_patch(struct walk *walk);

/* c_arithmetic.c, c_aggregates.c, c_memory.c, c_calls.c, c_intrinsics.c: return false for what is not theirs */
bool walk_arithmetic(struct walk *walk, LLVMValueRef instruction);
bool walk_aggregate(struct walk *walk, LLVMValueRef instruction);
bool walk_memory(struct walk *walk, LLVMValueRef instruction);
void walk_call(struct walk *walk, LLVMValueRef call);
void walk_intrinsic(struct walk *walk, LLVMValueRef call, const char *name);

/* Loads and stores a whole value; address is an operand. */
struct access {
    uint32_t address;
    uint8_t order;
    uint8_t flags;
};
void walk_load(struct walk *walk, struct access access, LLVMTypeRef type, uint32_t dst);
void walk_store(struct walk *walk, struct access access, LLVMTypeRef type, uint32_t value);

/* Bytes of the block for the variable arguments of a call, 0 if it has none. */
uint64_t walk_arguments_size(struct walk *walk, LLVMValueRef call);

#endif
