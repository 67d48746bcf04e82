/* The parent's loop: starts engines that are due, schedules them, reads answers, checks memory and limits. */
#include "auto/portfolio.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "auto/runner.h"
#include "auto/turns.h"
#include "util/memory.h"

#define TICK 0.05 /* greatest interval between checks of memory and progress, in seconds */
#define MOST_LINE 400

const char *const member_states[] = {
    [MEMBER_WAITS] = "not needed", [MEMBER_RUNS] = "runs",        [MEMBER_ENDED] = "ended",
    [MEMBER_STOPPED] = "stopped",  [MEMBER_FULL] = "memory full", [MEMBER_FAILED] = "failed",
};

struct work {
    struct portfolio *portfolio;
    struct runner runners[MOST_MEMBERS];
    double start;
    double slice_end; /* 0: no engine waits for its turn */
    bool changed;     /* an engine has started or ended since turns were assigned */
    bool won;
    bool closing; /* no engine starts any more */
    size_t started;
};

/* Set when the terminal continues the whole process group: the kernel has then continued those that were to wait. */
static volatile sig_atomic_t was_continued;

static void on_continue(int number) {
    (void)number;
    was_continued = 1;
}

unsigned portfolio_default_jobs(void) {
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return cores < 1 ? 1 : cores > 4 ? 4 : (unsigned)cores;
}

static void tell(const struct work *work, const char *format, const char *name, const char *more) {
    if (work->portfolio->verbose) {
        progress_end(work->portfolio->progress);
        fprintf(stderr, "%.2f s  ", limits_now() - work->start);
        fprintf(stderr, format, name, more);
        fputc('\n', stderr);
    }
}

static bool is_live(const struct work *work, size_t i) {
    return work->runners[i].process > 0;
}

static size_t live_count(const struct work *work) {
    size_t count = 0;
    for (size_t i = 0; i < work->portfolio->count; i++) {
        count += is_live(work, i);
    }
    return count;
}

/* --- Turns -------------------------------------------------------------------------------------------------------- */

/* Those that share the processors: not those that hand in. */
static size_t find_takers(struct work *work, struct turn_taker *takers, unsigned *threads) {
    size_t count = 0;
    *threads = 0;
    for (size_t i = 0; i < work->portfolio->count; i++) {
        if (is_live(work, i) && work->runners[i].until == 0 && !work->runners[i].killed) {
            takers[count++] = (struct turn_taker){&work->runners[i], work->portfolio->members[i].threads};
            *threads += work->portfolio->members[i].threads;
        }
    }
    return count;
}

/* Stops again those that wait for their turn. */
static void restore_turns(struct work *work) {
    for (size_t i = 0; i < work->portfolio->count; i++) {
        if (is_live(work, i) && work->runners[i].paused) {
            runner_pause(&work->runners[i]);
        }
    }
}

static void hand_out_turns(struct work *work) {
    struct turn_taker takers[MOST_MEMBERS];
    unsigned threads;
    if (was_continued) {
        was_continued = 0;
        restore_turns(work);
    }
    double now = limits_now();
    if (!work->changed && (work->slice_end == 0 || now < work->slice_end)) {
        return;
    }
    size_t count = find_takers(work, takers, &threads);
    double slice = turns_assign(takers, count, work->portfolio->jobs);
    work->slice_end = slice > 0 ? now + slice : 0;
    work->changed = false;
}

/* --- Beginning and end of an member ------------------------------------------------------------------------------ */

static void start_member(struct work *work, size_t i) {
    struct portfolio *portfolio = work->portfolio;
    struct turn_taker takers[MOST_MEMBERS];
    unsigned threads;
    size_t others = find_takers(work, takers, &threads);
    tell(work, "%s begins%s", portfolio->members[i].name, "");
    if (!runner_start(&work->runners[i], &portfolio->members[i], portfolio->limits)) {
        portfolio->results[i].state = MEMBER_FULL;
        tell(work, "%s cannot begin%s", portfolio->members[i].name, "");
        return;
    }
    turns_welcome(&work->runners[i], takers, others);
    portfolio->results[i].state = MEMBER_RUNS;
    work->changed = true;
    work->started++;
}

/* In their order: those whose time has come, and while a processor is free the next one. */
static void start_due(struct work *work) {
    struct portfolio *portfolio = work->portfolio;
    double passed = limits_now() - work->start;
    for (size_t i = 0; i < portfolio->count && !work->closing; i++) {
        struct turn_taker takers[MOST_MEMBERS];
        unsigned threads;
        if (portfolio->results[i].state != MEMBER_WAITS) {
            continue;
        }
        find_takers(work, takers, &threads);
        if (passed >= portfolio->members[i].after || threads == 0 ||
            threads + portfolio->members[i].threads <= portfolio->jobs) {
            start_member(work, i);
        }
    }
}

/* The pipe of its child has ended. */
static void end_member(struct work *work, size_t i) {
    static const enum member_state states[] = {
        [RUNNER_ENDED] = MEMBER_ENDED,
        [RUNNER_FULL] = MEMBER_FULL,
        [RUNNER_KILLED] = MEMBER_STOPPED,
        [RUNNER_FAILED] = MEMBER_FAILED,
    };
    struct member_result *result = &work->portfolio->results[i];
    struct runner *runner = &work->runners[i];
    bool handed_in = runner->until > 0;
    result->memory_mb = runner_memory(runner);
    runner_text(runner, result->text, sizeof result->text);
    char defect[sizeof result->defect] = "";
    enum runner_ending ending = runner_end(runner, defect, sizeof defect, &result->complaint);
    if (ending == RUNNER_FAILED && !result->defect[0]) {
        memcpy(result->defect, defect, sizeof defect);
    }
    if (result->state == MEMBER_RUNS) { /* otherwise it is known why it ends */
        result->state = ending == RUNNER_ENDED && handed_in ? MEMBER_STOPPED : states[ending];
    }
    result->cpu_s = runner->cpu_s;
    work->changed = true;
    tell(work, "%s: %s", work->portfolio->members[i].name,
         result->defect[0] ? result->defect : member_states[result->state]);
}

/* --- Answers ------------------------------------------------------------------------------------------------------ */

static void judge_frames(struct work *work, size_t i) {
    struct portfolio *portfolio = work->portfolio;
    struct member_result *result = &portfolio->results[i];
    const void *bytes;
    size_t size;
    while (result->state != MEMBER_FAILED && runner_frame(&work->runners[i], &bytes, &size)) {
        const char *defect = NULL;
        bool late = work->won && !portfolio->all_finish;
        enum answer_class class = late ? ANSWER_NOTHING : portfolio->judge(portfolio->data, i, bytes, size, &defect);
        runner_take_frame(&work->runners[i], size);
        if (defect) {
            result->state = MEMBER_FAILED;
            snprintf(result->defect, sizeof result->defect, "%s", defect);
            runner_kill(&work->runners[i]);
            return;
        }
        if (class > result->best) {
            result->best = class;
        }
        work->won = work->won || class == ANSWER_CONCLUSIVE;
    }
}

/* Waits until something arrives, or for at most `seconds`, and reads what has arrived. */
static void receive(struct work *work, double seconds) {
    struct pollfd files[MOST_MEMBERS];
    size_t who[MOST_MEMBERS];
    nfds_t count = 0;
    for (size_t i = 0; i < work->portfolio->count; i++) {
        if (is_live(work, i)) {
            who[count] = i;
            files[count++] = (struct pollfd){.fd = work->runners[i].pipe, .events = POLLIN};
        }
    }
    if (poll(files, count, seconds > 0 ? (int)(seconds * 1000) + 1 : 0) <= 0) {
        return;
    }
    for (nfds_t k = 0; k < count; k++) {
        if (files[k].revents) {
            bool more = runner_receive(&work->runners[who[k]]);
            judge_frames(work, who[k]);
            if (!more) {
                end_member(work, who[k]);
            }
        }
    }
}

/* --- Memory and progress ------------------------------------------------------------------------------------------ */

/* If all together use too much memory, the largest has to end; the last one left keeps the limit itself. */
static void look_at_memory(struct work *work) {
    struct portfolio *portfolio = work->portfolio;
    uint64_t sum = limits_memory();
    size_t largest = portfolio->count;
    size_t sharing = 0;
    for (size_t i = 0; i < portfolio->count; i++) {
        if (is_live(work, i)) {
            uint64_t memory = runner_memory(&work->runners[i]);
            sum += memory;
            if (work->runners[i].until == 0) {
                sharing++;
                largest = largest == portfolio->count || memory > runner_memory(&work->runners[largest]) ? i : largest;
            }
        }
    }
    if (portfolio->limits->memory_mb > 0 && sum > portfolio->limits->memory_mb && sharing > 1) {
        portfolio->results[largest].state = MEMBER_FULL;
        runner_hand_in(&work->runners[largest]);
        work->changed = true;
    }
}

static void kill_late(struct work *work) {
    for (size_t i = 0; i < work->portfolio->count; i++) {
        struct runner *runner = &work->runners[i];
        if (is_live(work, i) && runner->until > 0 && limits_now() > runner->until && !runner->killed) {
            runner_kill(runner);
        }
    }
}

/* "explore 41,203 executions; reach 2.1 M states", as far as the terminal is wide. */
static void show_progress(struct work *work) {
    struct portfolio *portfolio = work->portfolio;
    struct winsize window;
    char line[MOST_LINE] = "";
    size_t used = 0;
    if (!progress_due_by_clock(portfolio->progress)) {
        return;
    }
    for (size_t i = 0; i < portfolio->count; i++) {
        char text[BOARD_TEXT] = "";
        if (!is_live(work, i) || used >= sizeof line) {
            continue;
        }
        runner_text(&work->runners[i], text, sizeof text);
        int written = snprintf(line + used, sizeof line - used, "%s%s%s%s", used > 0 ? "; " : "",
                               portfolio->members[i].name, text[0] ? " " : "", text);
        used += written > 0 ? (size_t)written : 0;
        uint64_t memory = runner_memory(&work->runners[i]);
        if (memory >= 100 && used < sizeof line) {
            written = snprintf(line + used, sizeof line - used, ", %llu MB", (unsigned long long)memory);
            used += written > 0 ? (size_t)written : 0;
        }
    }
    int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 20 ? window.ws_col - 12 : MOST_LINE;
    progress_show(portfolio->progress, "%.*s", width, line);
}

/* --- All of it -----------------------------------------------------------------------------------------------------
 */

/* Until when nothing needs to be done. */
static double time_to_wait(const struct work *work) {
    const struct portfolio *portfolio = work->portfolio;
    double now = limits_now();
    double until = now + TICK;
    for (size_t i = 0; i < portfolio->count; i++) {
        double begins = work->start + portfolio->members[i].after;
        if (portfolio->results[i].state == MEMBER_WAITS && begins < until) {
            until = begins;
        }
    }
    if (work->slice_end > 0 && work->slice_end < until) {
        until = work->slice_end;
    }
    return until - now;
}

static bool some_wait(const struct portfolio *portfolio) {
    for (size_t i = 0; i < portfolio->count; i++) {
        if (portfolio->results[i].state == MEMBER_WAITS) {
            return true;
        }
    }
    return false;
}

/* No engine starts any more; the running ones are asked for their results if these may matter, or else stopped. */
static void close_portfolio(struct work *work, bool ask) {
    work->closing = true;
    for (size_t i = 0; i < work->portfolio->count; i++) {
        if (is_live(work, i)) {
            if (ask) {
                runner_hand_in(&work->runners[i]);
            } else {
                runner_kill(&work->runners[i]);
            }
        }
    }
    while (live_count(work) > 0) {
        receive(work, TICK);
        kill_late(work);
    }
}

static enum portfolio_end run_work(struct work *work) {
    struct portfolio *portfolio = work->portfolio;
    while ((portfolio->all_finish || !work->won) && !limits_reached(portfolio->limits)) {
        start_due(work);
        if (work->started == 0) {
            return PORTFOLIO_NONE;
        }
        if (live_count(work) == 0 && !some_wait(portfolio)) {
            return work->won ? PORTFOLIO_WON : PORTFOLIO_EXHAUSTED;
        }
        hand_out_turns(work);
        receive(work, time_to_wait(work));
        look_at_memory(work);
        kill_late(work);
        show_progress(work);
    }
    bool won = work->won;
    close_portfolio(work, portfolio->all_finish || !won);
    return work->won ? PORTFOLIO_WON : PORTFOLIO_LIMIT;
}

enum portfolio_end portfolio_run(struct portfolio *portfolio) {
    struct work work = {.portfolio = portfolio, .start = limits_now(), .changed = true};
    struct sigaction action = {.sa_handler = on_continue};
    struct sigaction before;
    memset(portfolio->results, 0, sizeof portfolio->results);
    fflush(NULL);
    sigaction(SIGCONT, &action, &before);
    enum portfolio_end end = run_work(&work);
    sigaction(SIGCONT, &before, NULL);
    progress_end(portfolio->progress);
    return end;
}

void portfolio_explain(const struct portfolio *portfolio, struct verdict *verdict) {
    for (size_t i = 0; i < portfolio->count; i++) {
        const struct member_result *result = &portfolio->results[i];
        if (result->state == MEMBER_FAILED) {
            verdict->word = VERDICT_DEFECT;
            snprintf(verdict->reason, sizeof verdict->reason, "engine %s %s", portfolio->members[i].name,
                     result->defect);
        } else if (result->state == MEMBER_FULL && verdict->word == VERDICT_UNDECIDED) {
            snprintf(verdict->reason, sizeof verdict->reason, "memory is full");
        }
    }
}

void portfolio_delete(struct portfolio *portfolio) {
    for (size_t i = 0; i < portfolio->count; i++) {
        free(portfolio->results[i].complaint);
        portfolio->results[i].complaint = NULL;
    }
}
