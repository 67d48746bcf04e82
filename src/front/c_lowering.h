/* Lowering: makes a Program from LLVM's module.
 *
 * Every value of LLVM's becomes operands: a value of n registers (c_types.h) has a first operand, and the others follow
 * it, as registers or constants.  Values that need no instruction (casts between pointers and integers, zero-extension)
 * share the operands of their source.  Blocks are visited in reverse postorder, so that all operands but those of phis
 * are known when they are used. */
#ifndef PICKET_FRONT_C_LOWERING_H
#define PICKET_FRONT_C_LOWERING_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "front/c_debug.h"
#include "front/c_escape.h"
#include "front/c_types.h"
#include "ir/assumption.h"
#include "ir/builder.h"
#include "util/diagnostics.h"

struct hash_table;

/* A branch target that is a block, to be set when all blocks have their code (c_control.c). */
enum fixup_field { FIXUP_DST, FIXUP_A, FIXUP_B, FIXUP_C, FIXUP_POOL };
struct fixup {
    enum fixup_field field;
    uint32_t where; /* instruction, or index in the pool of operands */
    LLVMBasicBlockRef block;
};

struct lowering {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    struct builder *builder;
    struct diagnostics *diagnostics;
    struct c_debug debug;
    struct escapes escapes;
    bool printed;   /* Picket has printed the program, which contains its assumptions */
    bool weak_fail; /* weak compare-and-swaps may fail spuriously */
    bool misuse;    /* misuse of locks and threads is an error */

    /* What is reachable (c_reach.c). */
    struct hash_table *functions; /* index in the program */
    struct hash_table *globals;
    struct hash_table *labels; /* block whose address is taken: its number, from 1 */
    uint64_t labels_count;
    struct vector order; /* of LLVMValueRef: the functions in `functions`, by index */

    /* The present function. */
    LLVMValueRef function;
    LLVMValueRef instruction;
    LLVMBasicBlockRef next_block;
    struct hash_table *values; /* first operand */
    struct hash_table *starts; /* block: index of its first instruction */
    struct hash_table *flags;  /* phi: the register that tells whether it is initialised (c_uninitialised.c) */
    struct vector fixups;      /* of struct fixup */
    uint32_t next_register;
    uint32_t pos;
    uint32_t arguments_block; /* register: the block for the variable arguments of this function's calls */
    uint32_t hidden;          /* register: the variable arguments of this function */
    bool shares_locals;
};

/* c_lowering.c */
bool lowering_program(struct lowering *lowering, const char *program_name);
uint32_t lowering_value(struct lowering *lowering, LLVMValueRef value);  /* first operand of a value that is read */
uint32_t lowering_passed(struct lowering *lowering, LLVMValueRef value); /* likewise, of one that a phi passes on */
uint32_t lowering_result(struct lowering *lowering, LLVMValueRef value); /* first register of a value being made */
void lowering_alias(struct lowering *lowering, LLVMValueRef value, uint32_t operand);
void lowering_unsupported(struct lowering *lowering, const char *what, const char *detail);
void lowering_instruction(struct lowering *lowering, LLVMValueRef instruction);

/* c_emit.c: instructions with the current position */
uint32_t lowering_registers(struct lowering *lowering, uint32_t count);
uint32_t lowering_constant(struct lowering *lowering, uint64_t value);
void lowering_emit(struct lowering *lowering, struct instruction instruction);
uint32_t lowering_unary(struct lowering *lowering, enum op op, uint32_t width, uint32_t sub,
                        uint32_t a); /* all of them return dst */
uint32_t lowering_binary(struct lowering *lowering, enum op op, uint32_t width, uint32_t a, uint32_t b);
uint32_t lowering_compare(struct lowering *lowering, enum predicate predicate, uint32_t width, uint32_t a, uint32_t b);
uint32_t lowering_select(struct lowering *lowering, uint32_t condition, uint32_t a, uint32_t b);
void lowering_move(struct lowering *lowering, uint32_t dst, uint32_t source);
uint32_t lowering_add(struct lowering *lowering, uint32_t address, uint64_t offset);
void lowering_error(struct lowering *lowering, enum error_kind kind, const char *message);
void lowering_assumed(struct lowering *lowering, enum assumption assumption, uint32_t a,
                      uint32_t b); /* ir/assumption.h */

/* c_constants.c */
void constant_registers(struct lowering *lowering, LLVMValueRef constant, uint64_t *registers, bool *is_address);
void constant_bytes(struct lowering *lowering, LLVMValueRef constant, uint8_t *bytes, uint64_t location,
                    struct vector *relocations);

/* c_reach.c: finds and declares all functions and globals that the entry reaches */
void lowering_reach(struct lowering *lowering);

/* c_start.c: the function in which the program begins */
void lowering_start(struct lowering *lowering, const char *program_name);

/* c_control.c: branches and phis */
void lowering_terminator(struct lowering *lowering, LLVMValueRef terminator);
void lowering_patch(struct lowering *lowering);

/* c_uninitialised.c: gives flags to the phis of a function; the flag of a value, an operand that is 0 while the
 * value is uninitialised; the value is read. */
void uninitialised_find(struct lowering *lowering, const struct vector *blocks);
uint32_t uninitialised_flag(struct lowering *lowering, LLVMValueRef value);
void uninitialised_note(struct lowering *lowering, LLVMValueRef value);

/* c_arithmetic.c, c_aggregates.c, c_memory.c, c_calls.c, c_intrinsics.c: each returns false for other instructions */
bool lowering_arithmetic(struct lowering *lowering, LLVMValueRef instruction);
bool lowering_aggregate(struct lowering *lowering, LLVMValueRef instruction);
bool lowering_memory(struct lowering *lowering, LLVMValueRef instruction);
void lowering_call(struct lowering *lowering, LLVMValueRef call);
void lowering_intrinsic(struct lowering *lowering, LLVMValueRef call, const char *name);

/* Loads and stores a complete value; address is an operand. */
struct access {
    uint32_t address;
    uint8_t order;
    uint8_t flags;
};
void lowering_load(struct lowering *lowering, struct access access, LLVMTypeRef type, uint32_t dst);
void lowering_store(struct lowering *lowering, struct access access, LLVMTypeRef type, uint32_t value);

/* Bytes of the block for the variable arguments of a call, 0 if it has none. */
uint64_t lowering_arguments_size(struct lowering *lowering, LLVMValueRef call);

/* c_layout.c: layout_mark marks what belongs to Picket's library, before functions are inlined; later, an address
 * becomes this number; two addresses, or numbers computed from addresses, are compared by size. */
void layout_mark(LLVMValueRef instruction, void *data);
void layout_note_constants(struct lowering *lowering, LLVMValueRef instruction); /* operands that are such numbers */
void layout_note_number(struct lowering *lowering, LLVMValueRef instruction, uint32_t address);
void layout_note_pair(struct lowering *lowering, LLVMValueRef instruction, uint32_t a, uint32_t b);

#endif
