/* LLVM's types in registers and in memory.
 *
 * A value takes one register for each scalar in it, two for integers of 65 to 128 bits and x87 numbers; those of one
 * value are consecutive.  A leaf is such a scalar and its position in memory. */
#ifndef PICKET_FRONT_C_TYPES_H
#define PICKET_FRONT_C_TYPES_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/vector.h"

enum leaf_kind { LEAF_INTEGER, LEAF_POINTER, LEAF_FLOAT };

struct leaf {
    enum leaf_kind kind;
    uint32_t width;     /* bits */
    uint32_t registers; /* 1 or 2 */
    uint32_t first;     /* its first register, relative to the value's first */
    uint64_t offset;    /* bytes from the start of the value in memory */
    LLVMTypeRef type;
};

/* Does Picket support values of this type?  Void counts as supported. */
bool type_supported(LLVMTypeRef type);

/* The number of registers of a value of the type. */
uint32_t type_registers(LLVMTypeRef type);

/* Bits of a scalar (or of a vector's element); pointers have 64. */
uint32_t type_width(LLVMTypeRef type);

/* Appends the leaves of a type to a vector of struct leaf. */
void type_leaves(LLVMTargetDataRef layout, LLVMTypeRef type, struct vector *leaves);

/* The element type of a vector, the type itself otherwise; and the number of elements. */
LLVMTypeRef type_scalar(LLVMTypeRef type);
uint32_t type_lanes(LLVMTypeRef type);

/* The register at which part `index` of a struct, array or vector begins. */
uint32_t type_part_register(LLVMTypeRef type, uint32_t index);
LLVMTypeRef type_part(LLVMTypeRef type, uint32_t index);

/* One index of a getelementptr, with what it adds to the address. */
struct gep_step {
    LLVMValueRef index; /* NULL: a constant */
    int64_t scale;      /* bytes per index, or the constant itself */
};

/* The steps of a getelementptr (instruction or constant), in a vector of struct gep_step. */
void gep_steps(LLVMTargetDataRef layout, LLVMValueRef gep, struct vector *steps);

/* Is it a getelementptr of constant offset, and which? */
bool gep_constant(LLVMTargetDataRef layout, LLVMValueRef gep, int64_t *offset);

/* Is the value a getelementptr (or bit cast of a pointer), as an instruction or a constant? */
bool value_is(LLVMValueRef value, LLVMOpcode opcode);

/* Follows getelementptrs of constant offset and casts back to their origin. */
LLVMValueRef pointer_base(LLVMTargetDataRef layout, LLVMValueRef pointer, int64_t *offset);

#endif
