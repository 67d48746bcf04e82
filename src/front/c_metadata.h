/* The nodes of LLVM's debug information for which the C API has no functions, read by the positions of their
 * operands. */
#ifndef PICKET_FRONT_C_METADATA_H
#define PICKET_FRONT_C_METADATA_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdint.h>

/* DWARF's tags. */
enum {
    TAG_ARRAY = 0x01,
    TAG_ENUMERATION = 0x04,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_BASE = 0x24,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_ATOMIC = 0x47
};

/* Operand i of a node, NULL if it is empty. */
LLVMMetadataRef node_operand(LLVMContextRef context, LLVMMetadataRef node, unsigned i);
unsigned node_operands(LLVMContextRef context, LLVMMetadataRef node);

/* Operand i as text, NULL if it is none. */
const char *node_text(LLVMContextRef context, LLVMMetadataRef node, unsigned i);

/* The number that a constant in metadata is, or a default. */
int64_t node_number(LLVMContextRef context, LLVMMetadataRef constant, int64_t otherwise);

/* Names, base types and elements of types; the name and the type of a variable; the scope around a scope. */
const char *node_type_name(LLVMContextRef context, LLVMMetadataRef type);
LLVMMetadataRef node_type_base(LLVMContextRef context, LLVMMetadataRef type);
LLVMMetadataRef node_type_elements(LLVMContextRef context, LLVMMetadataRef type);
const char *node_variable_name(LLVMContextRef context, LLVMMetadataRef variable);
LLVMMetadataRef node_variable_type(LLVMContextRef context, LLVMMetadataRef variable);
LLVMMetadataRef node_scope_parent(LLVMContextRef context, LLVMMetadataRef scope);

/* The type without typedefs and qualifiers; NULL stays NULL. */
LLVMMetadataRef node_type_strip(LLVMContextRef context, LLVMMetadataRef type);
unsigned node_type_tag(LLVMMetadataRef type);

/* The number of elements in dimension i of an array type, 0 if not constant; and the number of dimensions. */
uint64_t node_array_count(LLVMContextRef context, LLVMMetadataRef array, unsigned i);
unsigned node_array_dimensions(LLVMContextRef context, LLVMMetadataRef array);

/* The local that an instruction describes for debugging, NULL if it is no such instruction. */
LLVMValueRef node_described(LLVMValueRef instruction);

/* The variable of a global's debug information, NULL if it has none. */
LLVMMetadataRef node_of_global(LLVMValueRef global);

#endif
