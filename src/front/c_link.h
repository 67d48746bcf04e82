/* Links one module from many: the user's files, and what they need of Picket's C library. */
#ifndef PICKET_FRONT_C_LINK_H
#define PICKET_FRONT_C_LINK_H

#include <llvm-c/Core.h>

#include "util/diagnostics.h"

/* Links the user's modules, and consumes them.  Returns NULL with diagnostics on a clash of symbols. */
LLVMModuleRef c_link(LLVMModuleRef *modules, size_t count, struct diagnostics *diagnostics);

/* Adds the library's definitions of what is undefined in the module and not in the table of library functions.  The
 * user's own definitions take precedence. */
bool c_link_library(LLVMModuleRef module, const char *library_dir, struct diagnostics *diagnostics);

/* Does the function come from Picket's C library? */
bool c_from_library(LLVMValueRef function);

#endif
