/* How fast the search by components is: states and transitions per second, bytes per state.
 *
 *     bench_reach [-j N] [--shortest] [--model sc|tso|pso] FILE.aut...
 *
 * The time is that of the search alone, and the best of several: of as many as take two seconds, but no more than ten.
 * With -j N a second line has the same for N threads, and a third how much faster that is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "front/automaton.h"
#include "ir/passes.h"
#include "reach/buffered.h"
#include "reach/search.h"

#define ENOUGH 2.0 /* seconds */
#define MOST_RUNS 10

struct measurement {
    double time;
    double cores; /* time of all cores */
    struct search_result result;
};

/* What is searched, and how. */
struct subject {
    const struct program *program;
    const char *name;
    enum memory_model model;
    bool shortest;
};

static void run_once(const struct subject *subject, uint32_t jobs, struct measurement *measurement) {
    struct limits limits = {0};
    struct search_task task = {
        .program = subject->program,
        .machine = {.model = subject->model, .awaits = AWAIT_SPIN},
        .limits = &limits,
        .jobs = jobs,
        .shortest = subject->shortest,
    };
    search_result_init(&measurement->result);
    double start = limits_now();
    clock_t used = clock();
    (subject->model == MODEL_SC ? search_run : buffered_run)(&task, &measurement->result);
    measurement->time = limits_now() - start;
    measurement->cores = (double)(clock() - used) / CLOCKS_PER_SEC;
    search_result_delete(&measurement->result);
}

static double measure(const struct subject *subject, uint32_t jobs) {
    static const char *const ends[] = {"found", "exhausted", "limit"};
    struct measurement best = {.time = 1e9};
    double sum = 0;
    for (int i = 0; i < MOST_RUNS && sum < ENOUGH; i++) {
        struct measurement next;
        run_once(subject, jobs, &next);
        sum += next.time;
        best = next.time < best.time ? next : best;
    }
    double states = (double)best.result.states;
    double transitions = (double)best.result.transitions;
    printf("%-24s %-3s -j %u %-9s %10.0f states %11.0f transitions %7.3f s (%.3f s of cores) %6.2f M states/s %6.2f M "
           "transitions/s  %.1f bytes a state in the vector, %.1f on top\n",
           subject->name, model_names[subject->model], jobs, ends[best.result.end], states, transitions, best.time,
           best.cores, states / best.time / 1e6, transitions / best.time / 1e6,
           (double)best.result.vector_bytes / states, (double)best.result.table_bytes / states);
    fflush(stdout);
    return best.time;
}

int main(int count, char **arguments) {
    uint32_t jobs = 1;
    struct subject subject = {.model = MODEL_SC};
    int failures = 0;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "-j") == 0 && i + 1 < count) {
            jobs = (uint32_t)strtoul(arguments[++i], NULL, 10);
            continue;
        }
        if (strcmp(arguments[i], "--shortest") == 0) {
            subject.shortest = true;
            continue;
        }
        if (strcmp(arguments[i], "--model") == 0 && i + 1 < count) {
            i++;
            for (int m = 0; m < MODEL_COUNT; m++) {
                subject.model = strcmp(arguments[i], model_names[m]) == 0 ? (enum memory_model)m : subject.model;
            }
            continue;
        }
        struct program program;
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics);
        if (!automaton_read(arguments[i], &program, &diagnostics)) {
            diagnostics_print(&diagnostics, stderr);
            failures++;
        } else {
            pass_simplify(&program);
            pass_narrow(&program);
            pass_awaits(&program);
            pass_compact(&program);
            const char *slash = strrchr(arguments[i], '/');
            subject.name = slash ? slash + 1 : arguments[i];
            subject.program = &program;
            double one = measure(&subject, 1);
            if (jobs > 1) {
                printf("%-24s %.2f times as fast\n", subject.name, one / measure(&subject, jobs));
            }
            program_delete(&program);
        }
        diagnostics_delete(&diagnostics);
    }
    return failures > 0;
}
