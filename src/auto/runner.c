/* A frame is a length of 8 bytes and as many bytes. */
#include "auto/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/exit_code.h"
#include "util/memory.h"
#include "util/write_file.h"

#define GRACE 0.5                      /* seconds to hand in */
#define MOST_BYTES ((uint64_t)1 << 32) /* of a frame */
#define READ_BYTES 65536
#define MOST_COMPLAINT 4096

void child_send(struct child *child, const struct vector *bytes) {
    uint64_t length = bytes->count;
    if (!write_all(child->pipe, &length, sizeof length) || !write_all(child->pipe, bytes->data, bytes->count)) {
        _exit(EXIT_DEFECT);
    }
}

/* --- Faults, for tests of debug builds ---------------------------------------------------------------------------- */

#ifndef NDEBUG
/* PICKET_FAULT=ENGINE:KIND in the environment makes that engine fail. */
static bool has_fault(const char *engine, const char *kind) {
    const char *fault = getenv("PICKET_FAULT");
    size_t length = strlen(engine);
    return fault && strncmp(fault, engine, length) == 0 && fault[length] == ':' &&
           strcmp(fault + length + 1, kind) == 0;
}

static void fail_on_purpose(const char *engine, int pipe) {
    static const char nonsense[] = "\5\0\0\0\0\0\0\0words";
    if (has_fault(engine, "crash")) {
        fputs("this is what it says before it crashes\n", stderr);
        abort();
    }
    if (has_fault(engine, "killed")) {
        raise(SIGKILL);
    }
    if (has_fault(engine, "full")) {
        memory_exhausted();
    }
    if (has_fault(engine, "half") || has_fault(engine, "nonsense")) {
        bool half = has_fault(engine, "half");
        (void)write_all(pipe, nonsense, half ? sizeof nonsense - 3 : sizeof nonsense - 1);
        _exit(EXIT_HOLDS);
    }
}
#else
static bool has_fault(const char *engine, const char *kind) {
    (void)engine;
    (void)kind;
    return false;
}

static void fail_on_purpose(const char *engine, int pipe) {
    (void)engine;
    (void)pipe;
}
#endif

/* --- Start -------------------------------------------------------------------------------------------------------- */

static void report_full(void *data) {
    (void)data; /* the parent sees the exit code */
}

static _Noreturn void run_child(struct runner *runner, const struct member *member, const struct limits *limits,
                                pid_t parent, int pipe) {
    struct child child = {.limits = *limits, .pipe = pipe};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(EXIT_UNDECIDED); /* it was killed before */
    }
    limits_begin_child(runner->board);
    atomic_store(&runner->board->ready, true);
    if (runner->complaints >= 0) {
        dup2(runner->complaints, STDERR_FILENO);
    }
    child.limits.until = 0;
    child.limits.share_over = child.limits.memory_full = false;
    if (child.limits.memory_mb == 0) {
        child.limits.memory_mb = UINT64_MAX; /* so that memory is measured */
    }
    limits_start(&child.limits);
    progress_start_child(&child.progress, runner->board);
    memory_on_full(report_full, NULL);
    fail_on_purpose(member->name, pipe);
    member->run(member->data, &child);
    _exit(EXIT_HOLDS);
}

static int open_complaints(void) {
    int file = memfd_create("stderr", MFD_CLOEXEC);
    return file >= 0 ? file : open("/dev/null", O_RDWR | O_CLOEXEC);
}

bool runner_start(struct runner *runner, const struct member *member, const struct limits *limits) {
    int ends[2];
    *runner = (struct runner){.pipe = -1};
    if (has_fault(member->name, "fork") || has_fault("all", "fork")) {
        return false;
    }
    void *page = mmap(NULL, sizeof *runner->board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return false;
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        munmap(page, sizeof *runner->board);
        return false;
    }
    pid_t parent = getpid();
    runner->board = page;
    runner->complaints = open_complaints();
    runner->process = fork();
    if (runner->process == 0) {
        close(ends[0]);
        run_child(runner, member, limits, parent, ends[1]);
    }
    close(ends[1]);
    if (runner->process < 0) {
        close(ends[0]);
        close(runner->complaints);
        munmap(page, sizeof *runner->board);
        *runner = (struct runner){.pipe = -1};
        return false;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    runner->pipe = ends[0];
    clock_getcpuclockid(runner->process, &runner->clock);
    vector_init(&runner->received, 1);
    return true;
}

/* --- Control ------------------------------------------------------------------------------------------------------ */

void runner_pause(struct runner *runner) {
    if (atomic_load(&runner->board->ready)) {
        kill(runner->process, SIGSTOP);
        runner->paused = true;
    }
}

void runner_continue(struct runner *runner) {
    kill(runner->process, SIGCONT);
    runner->paused = false;
}

void runner_hand_in(struct runner *runner) {
    if (runner->until == 0) {
        runner->until = limits_now() + GRACE;
        if (atomic_load(&runner->board->ready)) {
            kill(runner->process, SIGUSR1);
            runner_continue(runner);
        } else {
            runner_kill(runner); /* it has nothing yet, and does not know the signal */
        }
    }
}

void runner_kill(struct runner *runner) {
    runner->killed = true;
    kill(runner->process, SIGKILL);
}

double runner_time(struct runner *runner) {
    struct timespec time;
    if (runner->process > 0 && clock_gettime(runner->clock, &time) == 0) {
        runner->cpu_s = (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
    }
    return runner->cpu_s;
}

uint64_t runner_memory(const struct runner *runner) {
    return runner->board ? atomic_load(&runner->board->memory_mb) : 0;
}

void runner_text(const struct runner *runner, char *text, size_t size) {
    char copy[BOARD_TEXT];
    if (!runner->board) {
        return;
    }
    uint32_t version = atomic_load(&runner->board->version);
    memcpy(copy, runner->board->text, sizeof copy);
    copy[sizeof copy - 1] = '\0';
    atomic_thread_fence(memory_order_acquire);
    if (version % 2 == 0 && atomic_load(&runner->board->version) == version) {
        snprintf(text, size, "%s", copy);
    }
}

/* --- Answers ------------------------------------------------------------------------------------------------------ */

bool runner_receive(struct runner *runner) {
    for (;;) {
        size_t count = runner->received.count;
        vector_grow(&runner->received, READ_BYTES);
        ssize_t got = read(runner->pipe, vector_at(&runner->received, count), READ_BYTES);
        runner->received.count = count + (got > 0 ? (size_t)got : 0);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
            return false;
        }
        if (got < 0 && errno == EAGAIN) {
            return true;
        }
    }
}

bool runner_frame(struct runner *runner, const void **bytes, size_t *size) {
    struct vector *received = &runner->received;
    uint64_t length;
    if (received->count < sizeof length) {
        return false;
    }
    memcpy(&length, received->data, sizeof length);
    if (length > MOST_BYTES || received->count - sizeof length < length) {
        return false;
    }
    *bytes = vector_at(received, sizeof length);
    *size = length;
    return true;
}

void runner_take_frame(struct runner *runner, size_t size) {
    struct vector *received = &runner->received;
    size_t used = sizeof(uint64_t) + size;
    received->count -= used;
    memmove(received->data, vector_at(received, used), received->count);
}

/* --- The end ------------------------------------------------------------------------------------------------------ */

static char *read_complaint(int file) {
    char text[MOST_COMPLAINT + 1];
    ssize_t size = pread(file, text, MOST_COMPLAINT, 0);
    text[size > 0 ? size : 0] = '\0';
    return size > 0 ? memory_copy_text(text) : NULL;
}

static void release(struct runner *runner) {
    close(runner->pipe);
    close(runner->complaints);
    munmap(runner->board, sizeof *runner->board);
    vector_delete(&runner->received);
    runner->process = 0;
    runner->board = NULL;
}

enum runner_ending runner_end(struct runner *runner, char *defect, size_t size, char **complaint) {
    int status = 0;
    enum runner_ending ending = RUNNER_FAILED;
    runner_time(runner);
    while (waitpid(runner->process, &status, 0) < 0 && errno == EINTR) {
    }
    if (runner->killed) {
        ending = RUNNER_KILLED;
    } else if (WIFSIGNALED(status)) {
        snprintf(defect, size, "was ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) == EXIT_UNDECIDED) {
        ending = RUNNER_FULL;
    } else if (WEXITSTATUS(status) != EXIT_HOLDS) {
        snprintf(defect, size, "ended with exit code %d", WEXITSTATUS(status));
    } else if (runner->received.count > 0) {
        snprintf(defect, size, "sent an answer that is not whole");
    } else {
        ending = RUNNER_ENDED;
    }
    if (ending == RUNNER_FAILED) {
        *complaint = read_complaint(runner->complaints);
    }
    release(runner);
    return ending;
}
