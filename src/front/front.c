/* Input files to a Program: chooses the reader of a file, and runs the front end for C as a child process. */
#include "front/front.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "front/automaton.h"
#include "front/litmus.h"
#include "ir/check.h"
#include "util/exit_code.h"
#include "util/memory.h"
#include "util/vector.h"

#define LOOK_MILLISECONDS 20 /* between two checks of the limits */

typedef bool reader(const struct front_input *input, struct program *program, struct diagnostics *diagnostics);

static void report_defect(const struct front_input *input, struct diagnostics *diagnostics, const char *what) {
    diagnostics_add(diagnostics, input->files[0], 0, 0, "%s (a defect in Picket)", what);
    if (input->defect != NULL) {
        *input->defect = true;
    }
}

static bool program_accept(const char *file, struct program *program, struct diagnostics *diagnostics) {
    char message[256];
    if (program_check(program, message, sizeof message)) {
        return true;
    }
    diagnostics_add(diagnostics, file, 0, 0, "a damaged program: %s", message);
    program_delete(program);
    return false;
}

static bool read_saved(const struct front_input *input, struct program *program, struct diagnostics *diagnostics) {
    const char *message = program_load(program, input->files[0]);
    if (message != NULL) {
        diagnostics_add(diagnostics, input->files[0], 0, 0, "%s", message);
        return false;
    }
    return program_accept(input->files[0], program, diagnostics);
}

static void push_text(struct vector *texts, const char *text) {
    vector_push(texts, &text);
}

/* Becomes the front end; does not return. */
static void child_run(const struct front_input *input, int output, pid_t parent) {
    struct vector arguments;
    vector_init(&arguments, sizeof(const char *));
    push_text(&arguments, input->front_program);
    push_text(&arguments, memory_format("--lib-dir=%s", input->library_dir));
    push_text(&arguments, memory_format("--include-dir=%s", input->include_dir));
    for (size_t i = 0; i < input->files_count; i++) {
        push_text(&arguments, input->files[i]);
    }
    push_text(&arguments, "--");
    for (size_t i = 0; i < input->clang_args_count; i++) {
        push_text(&arguments, input->clang_args[i]);
    }
    push_text(&arguments, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent && dup2(output, STDOUT_FILENO) >= 0) {
        execv(input->front_program, arguments.data);
    }
    _exit(127);
}

/* Waits until there is something to read; false if the child must be stopped first. */
static bool pipe_wait(const struct front_input *input, int from, pid_t child) {
    struct pollfd wanted = {.fd = from, .events = POLLIN};
    while (!input->must_stop || !input->must_stop(child)) {
        int ready = poll(&wanted, 1, LOOK_MILLISECONDS);
        if (ready > 0 || (ready < 0 && errno != EINTR)) {
            return true;
        }
    }
    return false;
}

/* Reads all that comes out of the pipe, into a block made by malloc; NULL if the child must be stopped. */
static char *pipe_read(const struct front_input *input, int from, pid_t child, size_t *size) {
    size_t room = 1 << 16;
    char *block = memory_allocate(room);
    *size = 0;
    for (;;) {
        if (*size == room) {
            room *= 2;
            block = memory_resize(block, room);
        }
        if (!pipe_wait(input, from, child)) {
            free(block);
            return NULL;
        }
        ssize_t count = read(from, block + *size, room - *size);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return block;
        }
        *size += (size_t)count;
    }
}

static bool child_result(const struct front_input *input, int status, char *block, size_t size, struct program *program,
                         struct diagnostics *diagnostics) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_HOLDS) {
        const char *message = program_adopt(program, block, size);
        if (message == NULL) {
            return true;
        }
        report_defect(input, diagnostics, message);
        return false;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_BAD_INPUT) {
        FILE *lines = size == 0 ? NULL : fmemopen(block, size, "r");
        if (lines != NULL) {
            diagnostics_read(diagnostics, lines);
            fclose(lines);
        }
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        diagnostics_add(diagnostics, NULL, 0, 0, "cannot run the C front end %s", input->front_program);
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_UNDECIDED) {
        diagnostics_add(diagnostics, input->files[0], 0, 0, "the C front end ran out of memory");
    } else if (diagnostics_empty(diagnostics)) {
        char *what = WIFSIGNALED(status) ? memory_format("the C front end crashed: %s", strsignal(WTERMSIG(status)))
                                         : memory_format("the C front end failed with code %d", WEXITSTATUS(status));
        report_defect(input, diagnostics, what);
        free(what);
    }
    free(block);
    return false;
}

static bool read_c(const struct front_input *input, struct program *program, struct diagnostics *diagnostics) {
    if (!input->front_program) {
        report_defect(input, diagnostics, "the C front end is not where it should be");
        return false;
    }
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        diagnostics_add(diagnostics, NULL, 0, 0, "cannot make a pipe: %s", strerror(errno));
        return false;
    }
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        child_run(input, ends[1], parent);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        diagnostics_add(diagnostics, NULL, 0, 0, "cannot run the C front end: %s", strerror(errno));
        return false;
    }
    size_t size = 0;
    char *block = pipe_read(input, ends[0], child, &size);
    close(ends[0]);
    int status = 0;
    if (!block) {
        kill(child, SIGKILL);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return block && child_result(input, status, block, size, program, diagnostics);
}

static bool read_litmus(const struct front_input *input, struct program *program, struct diagnostics *diagnostics) {
    struct litmus_test test;
    if (input->files_count > 1) {
        diagnostics_add(diagnostics, input->files[1], 0, 0, "cannot be read together with %s", input->files[0]);
        return false;
    }
    if (!litmus_read(input->files[0], &test, diagnostics)) {
        return false;
    }
    *program = litmus_take_program(&test);
    return true;
}

static bool read_automata(const struct front_input *input, struct program *program, struct diagnostics *diagnostics) {
    if (input->files_count > 1) {
        diagnostics_add(diagnostics, input->files[1], 0, 0, "cannot be read together with %s", input->files[0]);
        return false;
    }
    return automaton_read(input->files[0], program, diagnostics);
}

/* The readers by the ending of a file's name; add readers of other languages here. */
static const struct {
    const char *ending;
    reader *read;
} readers[] = {{".c", read_c},  {".i", read_c},           {".bc", read_c},
               {".ll", read_c}, {".litmus", read_litmus}, {".aut", read_automata}};

static reader *reader_of(const struct front_input *input, const char *file) {
    const char *dot = strrchr(file, '.');
    for (size_t i = input->clang_args_count; i-- > 0;) {
        if (strncmp(input->clang_args[i], "-x", 2) == 0) {
            const char *language = input->clang_args[i] + 2;
            return strcmp(language, "aut") == 0      ? read_automata
                   : strcmp(language, "litmus") == 0 ? read_litmus
                                                     : read_c;
        }
    }
    for (size_t i = 0; dot != NULL && i < sizeof readers / sizeof *readers; i++) {
        if (strcmp(dot, readers[i].ending) == 0) {
            return readers[i].read;
        }
    }
    return NULL;
}

static void refuse_file(const char *file, struct diagnostics *diagnostics) {
    char endings[64];
    size_t used = 0;
    for (size_t i = 0; i < sizeof readers / sizeof *readers && used < sizeof endings; i++) {
        used += (size_t)snprintf(endings + used, sizeof endings - used, "%s, ", readers[i].ending);
    }
    diagnostics_add(diagnostics, file, 0, 0, "not a file that Picket reads: %sor a saved program", endings);
}

/* Can the file be read, and is it a saved program? */
static bool file_open(const char *file, bool *saved, struct diagnostics *diagnostics) {
    FILE *stream = fopen(file, "rb");
    char magic[sizeof PROGRAM_MAGIC - 1] = {0};
    if (stream != NULL) {
        errno = 0;
        *saved =
            fread(magic, 1, sizeof magic, stream) == sizeof magic && memcmp(magic, PROGRAM_MAGIC, sizeof magic) == 0;
    }
    if (stream == NULL || ferror(stream)) {
        diagnostics_add(diagnostics, file, 0, 0, "cannot open %s: %s", file, strerror(errno));
    }
    bool readable = stream != NULL && !ferror(stream);
    if (stream != NULL) {
        fclose(stream);
    }
    return readable;
}

/* What the front end puts into a program must be given when the program is saved. */
static void refuse_late_options(const struct front_input *input, const char *file, struct diagnostics *diagnostics) {
    static const struct {
        const char *argument;
        const char *option;
    } late[] = {{"-DPICKET_WEAK_FAIL", "--weak-fail"}, {"-DPICKET_NO_MISUSE", "--check no-misuse"}};
    for (size_t i = 0; i < input->clang_args_count; i++) {
        for (size_t k = 0; k < sizeof late / sizeof *late; k++) {
            if (strcmp(input->clang_args[i], late[k].argument) == 0) {
                diagnostics_add(diagnostics, file, 0, 0, "%s comes too late for a saved program: save it with -- %s",
                                late[k].option, late[k].argument);
            }
        }
    }
}

bool front_read(const struct front_input *input, struct program *program, struct diagnostics *diagnostics) {
    if (input->files_count == 0) {
        diagnostics_add(diagnostics, NULL, 0, 0, "no input file");
        return false;
    }
    reader *read = NULL;
    for (size_t i = 0; i < input->files_count; i++) {
        const char *file = input->files[i];
        bool saved = false;
        if (!file_open(file, &saved, diagnostics)) {
            continue;
        }
        reader *wanted = saved ? read_saved : reader_of(input, file);
        if (saved) {
            refuse_late_options(input, file, diagnostics);
        }
        if (wanted == NULL) {
            refuse_file(file, diagnostics);
        } else if (i > 0 && (wanted != read || saved)) {
            diagnostics_add(diagnostics, file, 0, 0, "cannot be read together with %s", input->files[0]);
        }
        read = wanted;
    }
    return read != NULL && diagnostics_empty(diagnostics) && read(input, program, diagnostics);
}
