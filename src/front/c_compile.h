/* From the user's files to LLVM modules: C is compiled by clang, bitcode and LLVM assembly are read. */
#ifndef PICKET_FRONT_C_COMPILE_H
#define PICKET_FRONT_C_COMPILE_H

#include <llvm-c/Core.h>

#include "util/diagnostics.h"

struct c_options {
    const char **files;
    size_t files_count;
    const char **clang_args;
    size_t clang_args_count;
    const char *library_dir; /* has library.bc, Picket's C library */
    const char *include_dir; /* has picket.h */
};

/* A context whose diagnostics are collected instead of ending the process. */
LLVMContextRef c_context_new(struct diagnostics *diagnostics);

/* Makes one module per file in `modules` (room for files_count); returns false with diagnostics if any of them fails,
 * and then disposes of the others. */
bool c_compile(const struct c_options *options, LLVMContextRef context, LLVMModuleRef *modules,
               struct diagnostics *diagnostics);

#endif
