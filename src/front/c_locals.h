/* Small callees are inlined and private locals promoted to registers, by LLVM's own passes. */
#ifndef PICKET_FRONT_C_LOCALS_H
#define PICKET_FRONT_C_LOCALS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "util/diagnostics.h"

/* The functions whose results stand for values that nobody has initialised are called this, plus their type. */
#define UNINIT_NAME "picket.uninit."
/* Integer divisions, as functions of two arguments: "picket.divide.sdiv.i32". */
#define DIVIDE_NAME "picket.divide."
/* Functions that return their argument. */
#define OPAQUE_NAME "picket.opaque."

bool c_locals(LLVMModuleRef module, LLVMTargetDataRef layout, struct diagnostics *diagnostics);

#endif
