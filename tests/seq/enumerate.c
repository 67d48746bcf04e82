/* Runs a printed sequential program natively with all its choices, depth first:
 *
 *     cc -Dmain=sequential_main -c printed.c && cc enumerate.c printed.o && ./a.out
 *
 * A run follows a recorded list of choices and extends it; a failed assumption ends it.  Before each run the program's
 * variables are put back to what they were at first.  Prints the number of runs that came to their end, and of those
 * that failed an assumption; exit code 1 at the first run that meets an error, 3 after too many runs. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CHOICES 100000
#define MOST_RUNS 30000000ul

int sequential_main(void);

/* On the heap, where putting back variables does not touch it. */
static struct state {
    unsigned char chosen[MOST_CHOICES];
    unsigned known; /* choices that are fixed for this run */
    unsigned made;
    unsigned long complete;
    unsigned long dropped;
    jmp_buf dropping;
} *state;

extern char __data_start[];
extern char _end[];

_Bool __VERIFIER_nondet_bool(void) {
    unsigned index = state->made++;
    if (index >= MOST_CHOICES) {
        fputs("too many choices\n", stderr);
        exit(3);
    }
    if (index >= state->known) {
        state->chosen[index] = 0;
        state->known = index + 1;
    }
    return state->chosen[index];
}

void __VERIFIER_assume(int condition) {
    if (!condition) {
        longjmp(state->dropping, 1);
    }
}

void __CPROVER_assume(_Bool condition) {
    __VERIFIER_assume(condition);
}

void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function) {
    printf("error: %s:%u: %s: %s; run %lu\n", file, line, function, assertion, state->complete + state->dropped + 1);
    fflush(stdout);
    _Exit(1);
}

static int next_choices(void) {
    state->known = state->made;
    while (state->known > 0 && state->chosen[state->known - 1] == 1) {
        state->known--;
    }
    if (state->known == 0) {
        return 0;
    }
    state->chosen[state->known - 1] = 1;
    return 1;
}

int main(void) {
    size_t size = (size_t)(_end - __data_start);
    state = calloc(1, sizeof *state);
    char *first = malloc(size);
    if (!state || !first) {
        return 3;
    }
    memcpy(first, __data_start, size);
    do {
        if (state->complete + state->dropped > MOST_RUNS) {
            return 3;
        }
        memcpy(__data_start, first, size);
        state->made = 0;
        if (setjmp(state->dropping) == 0) {
            sequential_main();
            state->complete++;
        } else {
            state->dropped++;
        }
    } while (next_choices());
    printf("no error: %lu runs complete, %lu dropped\n", state->complete, state->dropped);
    return 0;
}
