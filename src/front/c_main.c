/* picket-front-c: reads C files (or bitcode, or LLVM assembly) and writes the finished Program to standard output.
 *
 *     picket-front-c --lib-dir=DIR --include-dir=DIR FILE... [-- CLANG-ARGUMENT...]
 *
 * Exits with 0, or, with the diagnostics on standard output, with 2.  It is a program of its own so that LLVM's
 * start-up time, memory and crashes stay outside the verifier. */
#include <stdlib.h>
#include <string.h>

#include "front/c_compile.h"
#include "front/c_link.h"
#include "front/c_locals.h"
#include "front/c_lowering.h"
#include "front/c_map.h"
#include "util/exit_code.h"
#include "util/memory.h"

/* The name of the program as its argv[0] has it: the first file without directory and ending. */
static char *program_name(const char *file) {
    const char *slash = strrchr(file, '/');
    char *name = memory_copy_text(slash == NULL ? file : slash + 1);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) {
        *dot = 0;
    }
    return name;
}

static bool lowering_module(LLVMModuleRef module, LLVMTargetDataRef layout, const struct c_options *options,
                            struct diagnostics *diagnostics, struct program *program) {
    struct builder builder;
    builder_init(&builder);
    struct lowering lowering = {.module = module,
                                .context = LLVMGetModuleContext(module),
                                .layout = layout,
                                .builder = &builder,
                                .diagnostics = diagnostics,
                                .functions = hash_table_new(),
                                .globals = hash_table_new(),
                                .labels = hash_table_new(),
                                .misuse = true,
                                .printed = LLVMGetNamedGlobal(module, "__picket_printed") != NULL};
    vector_init(&lowering.order, sizeof(LLVMValueRef));
    vector_init(&lowering.fixups, sizeof(struct fixup));
    for (size_t i = 0; i < options->clang_args_count; i++) {
        lowering.weak_fail |= strcmp(options->clang_args[i], "-DPICKET_WEAK_FAIL") == 0;
        lowering.misuse &= strcmp(options->clang_args[i], "-DPICKET_NO_MISUSE") != 0;
    }
    escapes_init(&lowering.escapes, module);
    debug_init(&lowering.debug, &builder, lowering.context, layout);
    for (size_t i = 0; i < options->files_count; i++) {
        uint32_t name = builder_string(&builder, options->files[i]);
        vector_push(&builder.files, &name);
    }
    char *name = program_name(options->files[0]);
    bool done = lowering_program(&lowering, name);
    if (done) {
        builder_finish(&builder, program);
    } else {
        builder_delete(&builder);
    }
    free(name);
    debug_delete(&lowering.debug);
    escapes_delete(&lowering.escapes);
    vector_delete(&lowering.order);
    vector_delete(&lowering.fixups);
    hash_table_free(lowering.functions);
    hash_table_free(lowering.globals);
    hash_table_free(lowering.labels);
    return done;
}

static bool translate(const struct c_options *options, struct diagnostics *diagnostics, struct program *program) {
    LLVMContextRef context = c_context_new(diagnostics);
    LLVMModuleRef *modules = memory_allocate(options->files_count * sizeof(LLVMModuleRef));
    LLVMModuleRef module = NULL;
    bool done = false;
    if (c_compile(options, context, modules, diagnostics)) {
        module = c_link(modules, options->files_count, diagnostics);
    }
    free(modules);
    if (module != NULL) {
        if (c_link_library(module, options->library_dir, diagnostics)) {
            LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
            done =
                c_locals(module, layout, diagnostics) && lowering_module(module, layout, options, diagnostics, program);
        }
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    return done;
}

static const char *option_value(const char *argument, const char *option) {
    size_t length = strlen(option);
    return strncmp(argument, option, length) == 0 ? argument + length : NULL;
}

static bool options_read(struct c_options *options, int argc, char **argv) {
    options->files = memory_allocate((size_t)argc * sizeof(const char *));
    options->clang_args = memory_allocate((size_t)argc * sizeof(const char *));
    bool for_clang = false;
    for (int i = 1; i < argc; i++) {
        const char *value = NULL;
        if (for_clang) {
            options->clang_args[options->clang_args_count++] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            for_clang = true;
        } else if ((value = option_value(argv[i], "--lib-dir=")) != NULL) {
            options->library_dir = value;
        } else if ((value = option_value(argv[i], "--include-dir=")) != NULL) {
            options->include_dir = value;
        } else {
            options->files[options->files_count++] = argv[i];
        }
    }
    return options->files_count > 0 && options->library_dir != NULL && options->include_dir != NULL;
}

int main(int argc, char **argv) {
    struct c_options options = {0};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics);
    int code = EXIT_BAD_INPUT;
    if (!options_read(&options, argc, argv)) {
        fprintf(stderr, "usage: picket-front-c --lib-dir=DIR --include-dir=DIR FILE... [-- CLANG-ARGUMENT...]\n");
    } else {
        struct program program;
        if (translate(&options, &diagnostics, &program)) {
            size_t size = program.header->size;
            code = fwrite(program.header, 1, size, stdout) == size && fflush(stdout) == 0 ? EXIT_HOLDS : EXIT_DEFECT;
            program_delete(&program);
        } else {
            diagnostics_write(&diagnostics, stdout);
        }
    }
    free(options.files);
    free(options.clang_args);
    diagnostics_delete(&diagnostics);
    return code;
}
