/* LLVM's own passes inline small callees and promote private locals to registers. */
#ifndef PICKET_FRONT_C_LOCALS_H
#define PICKET_FRONT_C_LOCALS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "util/diagnostics.h"

/* Prefix of the functions whose results stand for uninitialised values; the type follows. */
#define UNINIT_NAME "picket.uninit."
/* Integer divisions, as functions of two arguments: "picket.divide.sdiv.i32". */
#define DIVIDE_NAME "picket.divide."
/* Functions that return their argument. */
#define OPAQUE_NAME "picket.opaque."

bool c_locals(LLVMModuleRef module, LLVMTargetDataRef layout, struct diagnostics *diagnostics);

/* Is the value an uninitialised value of a local? */
bool c_locals_is_mark(LLVMValueRef value);

#endif
