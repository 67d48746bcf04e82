/* Questions to Z3: what bounds they need, how long they may take, and where they are written down. */
#include "prove/solver.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "prove/answered.h"
#include "prove/z3_library.h"
#include "util/hash_table.h"
#include "util/memory.h"

#define WATCH_NS 20000000L

struct bound {
    Z3_ast variable;
    Z3_ast known;
};

/* --- The watchdog ------------------------------------------------------------------------------------------------- */

/* A thread that checks the limits while Z3 works; outside of questions only the caller checks them.  It looks from time
 * to time, so that a short question costs nothing. */
struct watchdog {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    struct solver *solver;
    atomic_bool asking;
    bool over;
};

static void *watch(void *data) {
    struct watchdog *watchdog = data;
    pthread_mutex_lock(&watchdog->mutex);
    while (!watchdog->over) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WATCH_NS;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&watchdog->condition, &watchdog->mutex, &until);
        if (atomic_load(&watchdog->asking) && limits_reached(watchdog->solver->limits)) {
            watchdog->solver->z3->interrupt(watchdog->solver->context);
        }
    }
    pthread_mutex_unlock(&watchdog->mutex);
    return NULL;
}

static struct watchdog *watchdog_new(struct solver *solver) {
    struct watchdog *watchdog = memory_allocate(sizeof *watchdog);
    watchdog->solver = solver;
    pthread_mutex_init(&watchdog->mutex, NULL);
    pthread_cond_init(&watchdog->condition, NULL);
    if (pthread_create(&watchdog->thread, NULL, watch, watchdog) != 0) {
        free(watchdog);
        return NULL;
    }
    return watchdog;
}

static void watchdog_free(struct watchdog *watchdog) {
    pthread_mutex_lock(&watchdog->mutex);
    watchdog->over = true;
    pthread_cond_signal(&watchdog->condition);
    pthread_mutex_unlock(&watchdog->mutex);
    pthread_join(watchdog->thread, NULL);
    pthread_cond_destroy(&watchdog->condition);
    pthread_mutex_destroy(&watchdog->mutex);
    free(watchdog);
}

/* --- Making a solver ---------------------------------------------------------------------------------------------- */

/* An answer that does not come is no proof; but without memory nothing else will come either. */
static void on_error(Z3_context context, Z3_error_code code) {
    (void)context;
    if (code == Z3_MEMOUT_FAIL) {
        memory_exhausted();
    }
}

void solver_set_resources(struct solver *solver, unsigned resources) {
    struct z3 *z3 = solver->z3;
    Z3_params params = z3->mk_params(solver->context);
    z3->params_inc_ref(solver->context, params);
    z3->params_set_uint(solver->context, params, z3->mk_string_symbol(solver->context, "rlimit"), resources);
    /* Otherwise Ctrl-C would end only a single question. */
    z3->params_set_bool(solver->context, params, z3->mk_string_symbol(solver->context, "ctrl_c"), false);
    z3->solver_set_params(solver->context, solver->solver, params);
    z3->params_dec_ref(solver->context, params);
}

const char *solver_init(struct solver *solver, struct limits *limits, const char *directory,
                        struct answered *answered) {
    *solver = (struct solver){.limits = limits, .directory = directory, .answered = answered};
    solver->z3 = z3_load();
    if (!solver->z3) {
        return "the library libz3.so.4 (Debian's package libz3-4) cannot be loaded";
    }
    struct z3 *z3 = solver->z3;
    Z3_config config = z3->mk_config();
    solver->context = z3->mk_context(config);
    z3->del_config(config);
    if (!solver->context) {
        memory_exhausted();
    }
    z3->set_error_handler(solver->context, on_error);
    solver->integer = z3->mk_int_sort(solver->context);
    solver->boolean = z3->mk_bool_sort(solver->context);
    solver->solver = z3->mk_simple_solver(solver->context);
    z3->solver_inc_ref(solver->context, solver->solver);
    solver_set_resources(solver, SOLVER_RESOURCES);
    vector_init(&solver->bounds, sizeof(struct bound));
    vector_init(&solver->fresh, sizeof(struct term));
    solver->bound_of = hash_table_new();
    solver->fresh_of = hash_table_new();
    solver->watchdog = watchdog_new(solver);
    return solver->watchdog ? NULL : "no thread can be made that watches the limits";
}

static void drop_model(struct solver *solver) {
    if (solver->z3->model) {
        solver->z3->model_dec_ref(solver->context, solver->z3->model);
        solver->z3->model = NULL;
    }
}

void solver_delete(struct solver *solver) {
    if (!solver->z3) {
        return;
    }
    if (solver->watchdog) {
        watchdog_free(solver->watchdog);
    }
    drop_model(solver);
    solver->z3->solver_dec_ref(solver->context, solver->solver);
    solver->z3->del_context(solver->context);
    z3_unload(solver->z3);
    vector_delete(&solver->bounds);
    vector_delete(&solver->fresh);
    hash_table_free(solver->bound_of);
    hash_table_free(solver->fresh_of);
}

/* --- Variables ---------------------------------------------------------------------------------------------------- */

struct term solver_free(struct solver *solver, const char *name) {
    char text[96];
    snprintf(text, sizeof text, "%s.%llu", name, (unsigned long long)solver->names++);
    Z3_symbol symbol = solver->z3->mk_string_symbol(solver->context, text);
    return (struct term){.ast = solver->z3->mk_const(solver->context, symbol, solver->integer)};
}

void solver_bound(struct solver *solver, struct term variable, Z3_ast known) {
    unsigned id = solver->z3->get_ast_id(solver->context, variable.ast);
    bool found;
    uint64_t *slot = hash_table_slot(solver->bound_of, &id, sizeof id, &found);
    if (found) {
        struct bound *bound = vector_at(&solver->bounds, *slot);
        bound->known = solver_and(solver, bound->known, known);
        return;
    }
    *slot = solver->bounds.count;
    vector_push(&solver->bounds, &(struct bound){variable.ast, known});
}

Z3_ast solver_known(const struct solver *solver, Z3_ast variable) {
    unsigned id = solver->z3->get_ast_id(solver->context, variable);
    const uint64_t *slot = hash_table_find(solver->bound_of, &id, sizeof id);
    return slot ? ((struct bound *)vector_at(&solver->bounds, *slot))->known : NULL;
}

struct term solver_variable(struct solver *solver, const char *name, uint64_t low, uint64_t high) {
    struct term variable = solver_free(solver, name);
    solver_bound(solver, variable,
                 solver_and(solver, solver_at_most(solver, term_number(low), variable),
                            solver_at_most(solver, variable, term_number(high))));
    variable.bits = term_bits(term_number(high));
    return variable;
}

/* --- Questions ---------------------------------------------------------------------------------------------------- */

/* What a question mentions, and the bounds of that, found by a search through its terms. */
struct mentioned {
    struct solver *solver;
    struct hash_table *seen;
    const struct hash_table *before; /* what was seen already; may be NULL */
    struct vector stack;             /* of Z3_ast */
};

static void mention(struct mentioned *mentioned, Z3_ast ast) {
    bool found;
    unsigned id = mentioned->solver->z3->get_ast_id(mentioned->solver->context, ast);
    if (mentioned->before && hash_table_find(mentioned->before, &id, sizeof id)) {
        return;
    }
    hash_table_slot(mentioned->seen, &id, sizeof id, &found);
    if (!found) {
        vector_push(&mentioned->stack, &ast);
    }
}

static void assert_bounds(struct solver *solver, Z3_ast question, struct hash_table *seen,
                          const struct hash_table *before) {
    struct z3 *z3 = solver->z3;
    struct mentioned mentioned = {.solver = solver, .seen = seen, .before = before};
    vector_init(&mentioned.stack, sizeof(Z3_ast));
    mention(&mentioned, question);
    while (mentioned.stack.count > 0) {
        Z3_ast ast = *(Z3_ast *)vector_at(&mentioned.stack, --mentioned.stack.count);
        if (z3->get_ast_kind(solver->context, ast) != Z3_APP_AST) {
            continue;
        }
        Z3_ast bound = solver_known(solver, ast);
        if (bound) {
            z3->solver_assert(solver->context, solver->solver, bound);
            mention(&mentioned, bound);
        }
        Z3_app app = z3->to_app(solver->context, ast);
        unsigned count = z3->get_app_num_args(solver->context, app);
        for (unsigned i = 0; i < count; i++) {
            mention(&mentioned, z3->get_app_arg(solver->context, app, i));
        }
    }
    vector_delete(&mentioned.stack);
}

void solver_suppose(struct solver *solver, Z3_ast condition) {
    assert(!solver->supposition);
    solver->supposition = condition;
}

void solver_forget(struct solver *solver) {
    if (solver->supposed) {
        hash_table_free(solver->supposed);
        solver->supposed = NULL;
        solver->z3->solver_pop(solver->context, solver->solver, 1);
    }
    solver->supposition = NULL;
}

/* Z3 is told what is supposed when the first question has to be asked. */
static void tell_supposition(struct solver *solver) {
    if (solver->supposition && !solver->supposed) {
        solver->z3->solver_push(solver->context, solver->solver);
        solver->supposed = hash_table_new();
        assert_bounds(solver, solver->supposition, solver->supposed, NULL);
        solver->z3->solver_assert(solver->context, solver->solver, solver->supposition);
    }
}

/* The question as an SMT-LIB file. */
static void write_question(struct solver *solver, const char *name) {
    char *path = memory_format("%s/%04llu.smt2", solver->directory, (unsigned long long)solver->queries);
    FILE *file = fopen(path, "w");
    if (file) {
        fprintf(file, "; %s\n(set-info :status unsat)\n(set-logic ALL)\n%s(check-sat)\n", name,
                solver->z3->solver_to_string(solver->context, solver->solver));
        fclose(file);
    } else {
        fprintf(stderr, "picket: cannot write %s\n", path);
    }
    free(path);
}

/* Z3's answer to the question. */
static enum answer ask_z3(struct solver *solver, Z3_ast condition, const char *name) {
    struct z3 *z3 = solver->z3;
    tell_supposition(solver);
    z3->solver_push(solver->context, solver->solver);
    struct hash_table *seen = hash_table_new();
    assert_bounds(solver, condition, seen, solver->supposed);
    hash_table_free(seen);
    z3->solver_assert(solver->context, solver->solver, condition);
    atomic_store(&solver->watchdog->asking, true);
    Z3_lbool result = z3->solver_check(solver->context, solver->solver);
    atomic_store(&solver->watchdog->asking, false);
    if (result == Z3_L_TRUE) {
        z3->model = z3->solver_get_model(solver->context, solver->solver);
        z3->model_inc_ref(solver->context, z3->model);
    } else if (result == Z3_L_FALSE && solver->directory) {
        write_question(solver, name);
    }
    z3->solver_pop(solver->context, solver->solver, 1);
    solver->undecided = solver->undecided || result == Z3_L_UNDEF;
    return result == Z3_L_TRUE ? ANSWER_YES : result == Z3_L_FALSE ? ANSWER_NO : ANSWER_NONE;
}

/* What is supposed, and the condition. */
static void find_text(const struct solver *solver, Z3_ast condition, struct vector *text) {
    struct vector conditions;
    vector_init(&conditions, sizeof(Z3_ast));
    vector_push(&conditions, &condition);
    if (solver->supposition) {
        vector_push(&conditions, &solver->supposition);
    }
    answered_text(solver, &conditions, text);
    vector_delete(&conditions);
}

enum answer solver_ask(struct solver *solver, Z3_ast condition, const char *name) {
    drop_model(solver);
    if (solver_is_false(solver, condition)) {
        return ANSWER_NO;
    }
    if (limits_reached(solver->limits)) {
        solver->undecided = true;
        return ANSWER_NONE;
    }
    solver->queries++;
    if (!solver->answered) {
        return ask_z3(solver, condition, name);
    }
    struct vector text;
    find_text(solver, condition, &text);
    enum answer answer = ANSWER_NO;
    if (!answered_has(solver->answered, &text)) {
        answer = ask_z3(solver, condition, name);
    }
    if (answer == ANSWER_NO) {
        answered_add(solver->answered, &text);
    }
    vector_delete(&text);
    return answer;
}

bool solver_holds(struct solver *solver, Z3_ast condition) {
    Z3_ast value;
    return solver->z3->model && solver->z3->model_eval(solver->context, solver->z3->model, condition, true, &value) &&
           solver_is_true(solver, value);
}

uint64_t solver_value(struct solver *solver, struct term term) {
    uint64_t number = 0;
    Z3_ast value;
    if (!term.ast) {
        return term.number;
    }
    if (solver->z3->model && solver->z3->model_eval(solver->context, solver->z3->model, term.ast, true, &value)) {
        solver->z3->get_numeral_uint64(solver->context, value, &number);
    }
    return number;
}
