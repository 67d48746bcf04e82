/* From the user's files to LLVM modules.
 *
 * clang writes its bitcode and its messages to anonymous memory files, so an interrupted run leaves nothing on disk.
 * All clangs run at once. */
#include "front/c_compile.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/memory.h"

static const char clang_program[] = "clang-19";

static void context_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
    static const char clash[] = "Linking globals named '";
    struct diagnostics *diagnostics = data;
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError) {
        char *text = LLVMGetDiagInfoDescription(info);
        const char *symbol = text + sizeof clash - 1;
        if (strncmp(text, clash, sizeof clash - 1) == 0 && strstr(text, "multiply defined") != NULL) {
            diagnostics_add(diagnostics, NULL, 0, 0, "'%.*s' is defined in several files", (int)strcspn(symbol, "'"),
                            symbol);
        } else {
            diagnostics_add(diagnostics, NULL, 0, 0, "%s", text);
        }
        LLVMDisposeMessage(text);
    }
}

LLVMContextRef c_context_new(struct diagnostics *diagnostics) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, context_diagnostic, diagnostics);
    return context;
}

static bool has_ending(const char *path, const char *ending) {
    size_t length = strlen(path);
    size_t tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

static bool is_llvm_file(const char *path) {
    return has_ending(path, ".bc") || has_ending(path, ".ll");
}

/* One running clang. */
struct compilation {
    pid_t pid; /* 0 if there is none */
    int output;
    int messages;
};

static void argument_push(struct vector *arguments, const char *argument) {
    vector_push(arguments, &argument);
}

static void clang_arguments(const struct c_options *options, const char *path, const char *include,
                            struct vector *arguments) {
    argument_push(arguments, clang_program);
    argument_push(arguments, "-D__PICKET__=1");
    argument_push(arguments, include);
    for (size_t i = 0; i < options->clang_args_count; i++) {
        argument_push(arguments, options->clang_args[i]);
    }
    /* After the user's arguments, so that the program is always taken as written. */
    static const char *const fixed[] = {"-O0",
                                        "-Xclang",
                                        "-disable-O0-optnone",
                                        "-g",
                                        "-fno-stack-protector",
                                        "-ffp-contract=off",
                                        "-fno-discard-value-names",
                                        "-fno-crash-diagnostics",
                                        "-fno-color-diagnostics",
                                        "-fno-caret-diagnostics",
                                        "-Qunused-arguments",
                                        "-w",
                                        "-emit-llvm",
                                        "-c",
                                        "-o",
                                        "-"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        argument_push(arguments, fixed[i]);
    }
    argument_push(arguments, path);
    argument_push(arguments, NULL);
}

static void compilation_start(struct compilation *compilation, const struct c_options *options, const char *file,
                              struct diagnostics *diagnostics) {
    compilation->output = memfd_create("bitcode", MFD_CLOEXEC);
    compilation->messages = memfd_create("messages", MFD_CLOEXEC);
    if (compilation->output < 0 || compilation->messages < 0) {
        diagnostics_add(diagnostics, file, 0, 0, "cannot make a temporary file: %s", strerror(errno));
        return;
    }
    struct vector arguments;
    vector_init(&arguments, sizeof(const char *));
    char *include = memory_format("-I%s", options->include_dir);
    char *path =
        memory_format("%s%s", file[0] == '-' ? "./" : "", file); /* so that a name is not taken for an option */
    clang_arguments(options, path, include, &arguments);
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGPIPE, SIG_DFL);
        int nothing = open("/dev/null", O_RDONLY);
        if (getppid() != parent || nothing < 0 || dup2(nothing, 0) < 0 || dup2(compilation->output, 1) < 0 ||
            dup2(compilation->messages, 2) < 0) {
            _exit(126);
        }
        execvp(clang_program, arguments.data);
        _exit(127);
    }
    if (pid < 0) {
        diagnostics_add(diagnostics, file, 0, 0, "cannot run %s: %s", clang_program, strerror(errno));
    } else {
        compilation->pid = pid;
    }
    free(path);
    free(include);
    vector_delete(&arguments);
}

/* Reads `file:line:column` backwards from its end; a missing number stays 0.  Cuts the text after the file. */
static void split_location(char *text, uint32_t *line, uint32_t *column) {
    uint32_t numbers[2] = {0, 0};
    int count = 0;
    while (count < 2) {
        char *colon = strrchr(text, ':');
        if (colon == NULL || colon[1] < '0' || colon[1] > '9') {
            break;
        }
        numbers[count++] = (uint32_t)strtoul(colon + 1, NULL, 10);
        *colon = 0;
    }
    *line = count == 2 ? numbers[1] : numbers[0];
    *column = count == 2 ? numbers[0] : 0;
}

static void message_line(char *text, const char *file, struct diagnostics *diagnostics) {
    static const char *const marks[] = {": fatal error: ", ": error: "};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        char *mark = strstr(text, marks[i]);
        if (mark != NULL) {
            *mark = 0;
            uint32_t line = 0;
            uint32_t column = 0;
            split_location(text, &line, &column);
            diagnostics_add(diagnostics, line != 0 ? text : file, line, column, "%s", mark + strlen(marks[i]));
            return;
        }
    }
}

/* The contents of a memory file as a text of its own. */
static char *file_text(int file, size_t *size) {
    struct stat status;
    *size = fstat(file, &status) == 0 ? (size_t)status.st_size : 0;
    char *text = memory_allocate(*size + 1);
    size_t done = 0;
    while (done < *size) {
        ssize_t count = pread(file, text + done, *size - done, (off_t)done);
        if (count <= 0) {
            break;
        }
        done += (size_t)count;
    }
    text[done] = 0;
    *size = done;
    return text;
}

static void report_messages(const struct compilation *compilation, const char *file, int status,
                            struct diagnostics *diagnostics) {
    size_t before = diagnostics->list.count;
    size_t size = 0;
    char *text = file_text(compilation->messages, &size);
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        message_line(line, file, diagnostics);
    }
    free(text);
    if (diagnostics->list.count > before) {
        return;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        diagnostics_add(diagnostics, file, 0, 0, "cannot run %s", clang_program);
    } else {
        diagnostics_add(diagnostics, file, 0, 0, "%s failed", clang_program);
    }
}

/* Turns bitcode or LLVM assembly into a module, or returns NULL. */
static LLVMModuleRef module_parse(LLVMContextRef context, LLVMMemoryBufferRef buffer, const char *file,
                                  struct diagnostics *diagnostics) {
    LLVMModuleRef module = NULL;
    char *message = NULL;
    size_t before = diagnostics->list.count;
    if (LLVMParseIRInContext(context, buffer, &module, &message)) {
        if (diagnostics->list.count == before) {
            /* LLVM writes "file:line:column: error: text", and shows the line below. */
            char *end = message == NULL ? NULL : strchr(message, '\n');
            if (end != NULL) {
                *end = 0;
            }
            if (message != NULL && strstr(message, ": error: ") != NULL) {
                message_line(message, file, diagnostics);
            } else {
                diagnostics_add(diagnostics, file, 0, 0, "%s", message == NULL ? "not LLVM code" : message);
            }
        }
        LLVMDisposeMessage(message);
        return NULL;
    }
    LLVMSetIsNewDbgInfoFormat(module, 0);
    return module;
}

static LLVMModuleRef compilation_finish(struct compilation *compilation, LLVMContextRef context, const char *file,
                                        struct diagnostics *diagnostics) {
    LLVMModuleRef module = NULL;
    if (compilation->pid > 0) {
        int status = 0;
        while (waitpid(compilation->pid, &status, 0) < 0 && errno == EINTR) {
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            size_t size = 0;
            char *text = file_text(compilation->output, &size);
            LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, size, file);
            free(text);
            module = module_parse(context, buffer, file, diagnostics);
        } else {
            report_messages(compilation, file, status, diagnostics);
        }
    }
    if (compilation->output >= 0) {
        close(compilation->output);
    }
    if (compilation->messages >= 0) {
        close(compilation->messages);
    }
    return module;
}

/* LLVM's reader crashes on some damaged files, so a child process tries them first.  The errors that the child reports
 * in the ordinary way are reported again by the next reader of the file. */
static bool llvm_file_survives(const char *file, LLVMMemoryBufferRef buffer, struct diagnostics *diagnostics) {
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int nothing = open("/dev/null", O_WRONLY);
        if (nothing >= 0) {
            dup2(nothing, 2);
        }
        struct diagnostics ignored;
        diagnostics_init(&ignored);
        LLVMModuleRef module = module_parse(c_context_new(&ignored), buffer, file, &ignored);
        char *message = NULL;
        if (module != NULL) {
            LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
        }
        _exit(0);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        return true;
    }
    diagnostics_add(diagnostics, file, 0, 0, "broken LLVM code: LLVM cannot read it");
    return false;
}

/* Reads a .bc or .ll file, which may come from an untrusted source and so is verified. */
static LLVMModuleRef llvm_file_read(LLVMContextRef context, const char *file, struct diagnostics *diagnostics) {
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message)) {
        diagnostics_add(diagnostics, file, 0, 0, "cannot open %s: %s", file, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    if (!llvm_file_survives(file, buffer, diagnostics)) {
        LLVMDisposeMemoryBuffer(buffer);
        return NULL;
    }
    LLVMModuleRef module = module_parse(context, buffer, file, diagnostics);
    if (module != NULL && LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
        char *end = strchr(message, '\n');
        if (end != NULL) {
            *end = 0;
        }
        diagnostics_add(diagnostics, file, 0, 0, "broken LLVM code: %s", message);
        LLVMDisposeModule(module);
        module = NULL;
    }
    LLVMDisposeMessage(message);
    return module;
}

bool c_compile(const struct c_options *options, LLVMContextRef context, LLVMModuleRef *modules,
               struct diagnostics *diagnostics) {
    size_t count = options->files_count;
    struct compilation *compilations = memory_allocate(count * sizeof *compilations);
    for (size_t i = 0; i < count; i++) {
        const char *file = options->files[i];
        compilations[i] = (struct compilation){.output = -1, .messages = -1};
        const char *slash = strrchr(file, '/');
        if (access(file, R_OK) != 0) {
            diagnostics_add(diagnostics, file, 0, 0, "cannot open %s: %s", file, strerror(errno));
        } else if ((slash != NULL ? slash[1] : file[0]) == '@') {
            diagnostics_add(diagnostics, file, 0, 0,
                            "%s takes a name that begins with @ for that of a file of arguments", clang_program);
        } else if (!is_llvm_file(file)) {
            compilation_start(&compilations[i], options, file, diagnostics);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const char *file = options->files[i];
        modules[i] = NULL;
        if (!is_llvm_file(file)) {
            modules[i] = compilation_finish(&compilations[i], context, file, diagnostics);
        } else if (access(file, R_OK) == 0) {
            modules[i] = llvm_file_read(context, file, diagnostics);
        }
    }
    free(compilations);
    if (diagnostics_empty(diagnostics)) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (modules[i] != NULL) {
            LLVMDisposeModule(modules[i]);
        }
    }
    return false;
}
