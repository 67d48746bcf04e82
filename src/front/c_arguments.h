/* Arguments that the x86-64 ABI passes in memory. */
#ifndef PICKET_FRONT_C_ARGUMENTS_H
#define PICKET_FRONT_C_ARGUMENTS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

/* Gives every struct passed by value its copy in the caller, and marks the variable arguments that are the first half
 * of a 16-byte aligned integer. */
void c_arguments(LLVMModuleRef module, LLVMTargetDataRef layout);

/* Must this variable argument be aligned to 16 bytes, although its own type does not require it? */
bool argument_is_aligned(LLVMValueRef call, unsigned argument);

#endif
