/* Links one module from many: the user's files, and what they need of Picket's C library.
 *
 * The library is one bitcode file, read lazily: its definitions are made `linkonce` before it is linked, and LLVM's
 * linker then takes over only those that are referred to and that the user's files do not define. */
#include "front/c_link.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "front/library.h"
#include "util/memory.h"

static const char library_mark[] = "picket-library";

/* Functions of the library that `picket translate` has printed as C. */
static const char library_section[] = "picket.library";

bool c_from_library(LLVMValueRef function) {
    const char *section = LLVMGetSection(function);
    return (section != NULL && strcmp(section, library_section) == 0) ||
           LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, library_mark, sizeof library_mark - 1) !=
               NULL;
}

/* Replaces aliases by what they stand for, in calls and comparisons. */
static void aliases_resolve(LLVMModuleRef module, struct diagnostics *diagnostics) {
    for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(module); alias; alias = LLVMGetNextGlobalAlias(alias)) {
        LLVMReplaceAllUsesWith(alias, LLVMAliasGetAliasee(alias));
    }
    for (LLVMValueRef ifunc = LLVMGetFirstGlobalIFunc(module); ifunc; ifunc = LLVMGetNextGlobalIFunc(ifunc)) {
        size_t length = 0;
        diagnostics_add(diagnostics, NULL, 0, 0, "not supported: the indirect function '%s'",
                        LLVMGetValueName2(ifunc, &length));
    }
}

LLVMModuleRef c_link(LLVMModuleRef *modules, size_t count, struct diagnostics *diagnostics) {
    LLVMModuleRef module = modules[0];
    for (size_t i = 1; i < count; i++) {
        if (LLVMLinkModules2(module, modules[i]) && diagnostics_empty(diagnostics)) {
            diagnostics_add(diagnostics, NULL, 0, 0, "the files cannot be linked");
        }
    }
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    if (LLVMPointerSize(layout) != 8 || LLVMByteOrder(layout) != LLVMLittleEndian) {
        diagnostics_add(diagnostics, NULL, 0, 0, "not supported: a target other than x86-64");
    }
    size_t length = 0;
    LLVMGetModuleInlineAsm(module, &length);
    if (length > 0) {
        diagnostics_add(diagnostics, NULL, 0, 0, "not supported: assembler outside of functions");
    }
    if (!diagnostics_empty(diagnostics)) {
        LLVMDisposeModule(module);
        return NULL;
    }
    return module;
}

static bool is_undefined(LLVMValueRef global) {
    size_t length = 0;
    const char *name = LLVMGetValueName2(global, &length);
    return LLVMIsDeclaration(global) && LLVMGetFirstUse(global) != NULL && strncmp(name, "llvm.", 5) != 0 &&
           !library_knows(name);
}

static bool has_undefined(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (is_undefined(f)) {
            return true;
        }
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (is_undefined(g)) {
            return true;
        }
    }
    return false;
}

/* Copies may become calls of the library's functions (c_expand.c). */
static bool has_copies(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t length = 0;
        const char *name = LLVMGetValueName2(f, &length);
        if (strncmp(name, "llvm.mem", 8) == 0 && LLVMGetFirstUse(f) != NULL) {
            return true;
        }
    }
    return false;
}

static void declare(LLVMModuleRef module, const char *name) {
    if (LLVMGetNamedFunction(module, name) == NULL) {
        LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
        LLVMAddFunction(module, name, LLVMFunctionType(pointer, NULL, 0, 0));
    }
}

/* Declares what the program will need although nothing refers to it yet. */
static void declare_hidden_needs(LLVMModuleRef module, bool copies) {
    if (copies) {
        declare(module, "__picket_memcpy");
        declare(module, "__picket_memmove");
        declare(module, "__picket_memset");
    }
    bool handlers = LLVMGetNamedFunction(module, "atexit") != NULL;
    if (LLVMGetNamedGlobal(module, "llvm.global_dtors") != NULL) {
        declare(module, "atexit");
        handlers = true;
    }
    if (handlers) {
        declare(module, "exit");
    }
}

static void library_prepare(LLVMModuleRef library) {
    LLVMAttributeRef mark =
        LLVMCreateStringAttribute(LLVMGetModuleContext(library), library_mark, sizeof library_mark - 1, "", 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) {
            continue;
        }
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, mark);
        if (LLVMGetLinkage(f) != LLVMInternalLinkage) {
            LLVMSetLinkage(f, LLVMLinkOnceAnyLinkage);
        }
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(library); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMExternalLinkage) {
            LLVMSetLinkage(g, LLVMLinkOnceAnyLinkage);
        }
    }
}

static bool library_add(LLVMModuleRef module, const char *path, struct diagnostics *diagnostics) {
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        diagnostics_add(diagnostics, NULL, 0, 0, "cannot open Picket's C library %s: %s", path, message);
        LLVMDisposeMessage(message);
        return false;
    }
    LLVMModuleRef library = NULL;
    if (LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(module), buffer, &library)) {
        diagnostics_add(diagnostics, NULL, 0, 0, "Picket's C library %s is damaged", path);
        return false;
    }
    library_prepare(library);
    return !LLVMLinkModules2(module, library);
}

bool c_link_library(LLVMModuleRef module, const char *library_dir, struct diagnostics *diagnostics) {
    bool copies = has_copies(module);
    bool destructors = LLVMGetNamedGlobal(module, "llvm.global_dtors") != NULL;
    bool linked = true;
    if (copies || destructors || has_undefined(module)) {
        declare_hidden_needs(module, copies || has_undefined(module));
        char *path = memory_format("%s/library.bc", library_dir);
        linked = library_add(module, path, diagnostics);
        free(path);
    }
    aliases_resolve(module, diagnostics);
    return linked && diagnostics_empty(diagnostics);
}
