/* Signals set a flag that searches ask for; memory is looked at now and then, and as it takes long and some ask rarely,
 * the clock decides how often. */
#include "engine/limits.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "util/exit_code.h"

#define FIRST_INTERVAL 16
#define LAST_INTERVAL (1u << 20)
#define MEMORY_SECONDS 0.01
#define CLOCK_INTERVAL 64

static atomic_bool stop_flag; /* lock-free, so that a handler may set it while any thread looks */
static volatile sig_atomic_t stop_signal;

static void on_signal(int number) {
    if (stop_flag && number == SIGINT && stop_signal == SIGINT) {
        _exit(EXIT_UNDECIDED);
    }
    if (!stop_flag) {
        stop_signal = number;
    }
    stop_flag = true;
}

static void on_early_signal(int number) {
    static const char text[] = "picket: interrupted\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(EXIT_UNDECIDED);
}

void limits_watch(void) {
    struct sigaction action = {.sa_handler = on_early_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void limits_start(struct limits *limits) {
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    limits->countdown = limits->interval = FIRST_INTERVAL;
    limits->looked = limits_now();
    if (limits->timeout > 0) {
        sigaction(SIGALRM, &action, NULL);
        struct itimerval timer = {0};
        timer.it_value.tv_sec = (time_t)limits->timeout;
        timer.it_value.tv_usec = (suseconds_t)((limits->timeout - (double)timer.it_value.tv_sec) * 1e6);
        if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) {
            timer.it_value.tv_usec = 1;
        }
        setitimer(ITIMER_REAL, &timer, NULL);
    }
}

static uint64_t memory_now(void) {
    unsigned long total = 0;
    unsigned long resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%lu %lu", &total, &resident) != 2) {
            resident = 0;
        }
        fclose(file);
    }
    return resident * (unsigned long)sysconf(_SC_PAGESIZE) >> 20;
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
    limits->memory_full = limits->memory_full || memory_now() > limits->memory_mb;
}

bool limits_reached(struct limits *limits) {
    if (limits->memory_mb > 0 && --limits->countdown == 0) {
        look_at_memory(limits);
    }
    if (limits->until > 0 && limits->until_asks-- == 0) {
        limits->until_asks = CLOCK_INTERVAL;
        limits->share_over = limits->share_over || limits_now() > limits->until;
    }
    return atomic_load_explicit(&stop_flag, memory_order_relaxed) || limits->memory_full || limits->share_over;
}

bool limits_allow(struct limits *limits, uint64_t bytes) {
    if (limits->memory_mb > 0 && memory_now() + (bytes >> 20) > limits->memory_mb) {
        limits->memory_full = true;
    }
    return !limits->memory_full;
}

const char *limits_reason(const struct limits *limits) {
    return limits->memory_full      ? "the memory limit was reached"
           : limits->share_over     ? "its share of the time is over"
           : !stop_flag             ? NULL
           : stop_signal == SIGALRM ? "the time-out was reached"
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

uint64_t limits_peak_memory(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss >> 10;
}
