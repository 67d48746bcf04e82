/* Signals set a flag that searches check.  Measuring memory takes long, and some engines check rarely, so the clock
 * decides how often it is measured. */
#include "engine/limits.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "engine/board.h"
#include "util/exit_code.h"

#define FIRST_INTERVAL 16
#define LAST_INTERVAL (1u << 20)
#define MEMORY_SECONDS 0.01
#define CLOCK_INTERVAL 64

static atomic_bool stop_flag; /* lock-free, so that a handler may set it while any thread reads it */
static volatile sig_atomic_t stop_signal;

static struct board *board;   /* if this process is a child */
static uint64_t inherited_mb; /* what it had when it began */

/* The limits before a search has begun. */
static struct {
    volatile sig_atomic_t active;
    enum limits_watch_mode mode;
    uint64_t memory_mb;
    bool memory_full;
    const char *unread;
    size_t unread_size;
} watch;

static void leave(void) {
    static const char text[] = "picket: interrupted\n";
    if (watch.unread) {
        (void)!write(STDOUT_FILENO, watch.unread, watch.unread_size);
    } else {
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
    }
    _exit(EXIT_UNDECIDED);
}

static void on_signal(int number) {
    if (stop_flag && number == SIGINT && stop_signal == SIGINT) {
        _exit(EXIT_UNDECIDED);
    }
    if (watch.active && (watch.mode == WATCH_SIMPLE || (stop_flag && number == SIGALRM))) {
        leave();
    }
    if (!stop_flag) {
        stop_signal = number;
        stop_flag = true;
        if (watch.active) {
            alarm(1); /* if the reader of the input does not notice the flag */
        }
    }
}

static void start_clock(double timeout) {
    struct itimerval timer = {0};
    timer.it_value.tv_sec = (time_t)timeout;
    timer.it_value.tv_usec = (suseconds_t)((timeout - (double)timer.it_value.tv_sec) * 1e6);
    if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) {
        timer.it_value.tv_usec = 1;
    }
    setitimer(ITIMER_REAL, &timer, NULL);
}

void limits_watch(enum limits_watch_mode mode, double timeout, uint64_t memory_mb, const char *unread) {
    struct sigaction action = {.sa_handler = on_signal};
    watch.mode = mode;
    watch.memory_mb = memory_mb;
    watch.unread = unread;
    watch.unread_size = unread ? strlen(unread) : 0;
    watch.active = true;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    if (timeout > 0) {
        start_clock(timeout);
    }
}

void limits_start(struct limits *limits) {
    watch.active = false;
    limits->countdown = limits->interval = FIRST_INTERVAL;
    limits->looked = limits_now();
}

/* --- Memory ------------------------------------------------------------------------------------------------------- */

/* The memory of a process, in MB, with or without mapped files; 0 if the process does not exist. */
static uint64_t memory_of(const char *statm, bool with_files) {
    unsigned long total = 0;
    unsigned long resident = 0;
    unsigned long shared = 0;
    FILE *file = fopen(statm, "r");
    if (file) {
        if (fscanf(file, "%lu %lu %lu", &total, &resident, &shared) != 3) {
            resident = shared = 0;
        }
        fclose(file);
    }
    return (resident - (with_files ? 0 : shared)) * (unsigned long)sysconf(_SC_PAGESIZE) >> 20;
}

uint64_t limits_memory(void) {
    uint64_t memory = memory_of("/proc/self/statm", true);
    return memory > 0 ? memory : limits_peak_memory();
}

/* The process and its children: the front end and the compilers that it runs.  They share LLVM's code, which is large.
 */
static uint64_t memory_of_reader(int process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/statm", process);
    uint64_t memory = memory_of(path, false);
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", process, process);
    FILE *file = fopen(path, "r");
    int child;
    while (file && fscanf(file, "%d", &child) == 1) {
        snprintf(path, sizeof path, "/proc/%d/statm", child);
        memory += memory_of(path, false);
    }
    if (file) {
        fclose(file);
    }
    return memory;
}

bool limits_stop_reader(int process) {
    watch.memory_full =
        watch.memory_full || (watch.memory_mb > 0 && limits_memory() + memory_of_reader(process) > watch.memory_mb);
    return stop_flag || watch.memory_full;
}

const char *limits_unread_reason(void) {
    return watch.memory_full        ? "the memory limit was reached while the input was being read"
           : !stop_flag             ? NULL
           : stop_signal == SIGALRM ? "the time-out was reached while the input was being read"
                                    : "it was interrupted while the input was being read";
}

static void look_at_memory(struct limits *limits) {
    double now = limits_now();
    double passed = now - limits->looked;
    if (passed > 2 * MEMORY_SECONDS && limits->interval > 1) {
        limits->interval /= 2;
    } else if (passed < MEMORY_SECONDS / 2 && limits->interval < LAST_INTERVAL) {
        limits->interval *= 2;
    }
    limits->looked = now;
    limits->countdown = limits->interval;
    uint64_t memory = limits_memory();
    limits->memory_full = limits->memory_full || memory > limits->memory_mb;
    if (board) {
        atomic_store(&board->memory_mb, memory > inherited_mb ? memory - inherited_mb : 0);
        atomic_fetch_add(&board->looks, limits->interval);
    }
}

bool limits_reached(struct limits *limits) {
    if (limits->memory_mb > 0 && --limits->countdown == 0) {
        look_at_memory(limits);
    }
    if ((limits->until > 0 || limits->until_cpu > 0) && limits->until_asks-- == 0) {
        limits->until_asks = CLOCK_INTERVAL;
        limits->share_over = limits->share_over || (limits->until > 0 && limits_now() > limits->until) ||
                             (limits->until_cpu > 0 && limits_cpu() > limits->until_cpu);
    }
    return atomic_load_explicit(&stop_flag, memory_order_relaxed) || limits->memory_full || limits->share_over;
}

void limits_begin_child(struct board *shown) {
    struct sigaction action = {.sa_handler = on_signal};
    board = shown;
    inherited_mb = limits_memory();
    watch.active = false;
    stop_flag = false;
    stop_signal = 0;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGCONT, SIG_DFL);
    sigaction(SIGUSR1, &action, NULL);
}

bool limits_allow(struct limits *limits, uint64_t bytes) {
    if (limits->memory_mb > 0 && limits_memory() + (bytes >> 20) > limits->memory_mb) {
        limits->memory_full = true;
    }
    return !limits->memory_full;
}

const char *limits_reason(const struct limits *limits) {
    return limits->memory_full      ? "the memory limit was reached"
           : limits->share_over     ? "its share of the time is over"
           : !stop_flag             ? NULL
           : stop_signal == SIGALRM ? "the time-out was reached"
           : stop_signal == SIGUSR1 ? "it was stopped"
                                    : "it was interrupted";
}

const atomic_bool *limits_flag(void) {
    return &stop_flag;
}

double limits_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double limits_cpu(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

uint64_t limits_peak_memory(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss >> 10;
}
