/* Copies of memory become accesses of at most 8 bytes. */
#ifndef PICKET_FRONT_C_EXPAND_H
#define PICKET_FRONT_C_EXPAND_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

/* Expands llvm.memcpy, llvm.memmove and llvm.memset in all functions.  With keep_local, copies between simple locals
 * are left to LLVM's promotion of locals. */
void c_expand(LLVMModuleRef module, LLVMTargetDataRef layout, bool keep_local);

/* Marks an access as volatile in the source; LLVM's own flag has another use (c_locals.c). */
void access_mark_volatile(LLVMValueRef access);
bool access_is_volatile(LLVMValueRef access);

/* Is the address of this local only used to access it, in its function? */
bool local_is_simple(LLVMValueRef local);

#endif
