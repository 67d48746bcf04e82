/* Executing the program again and again until it is known which values each cell of memory can have.
 *
 * An execution gives each load the values that the executions before it have seen written to its cell.  Once an
 * execution adds no value, all values are known.  A counter, though, grows in every execution.  Then the length of
 * chains ends the search: a value reaches a load through a chain of stores, each of them read by the thread of the
 * next, and a chain has no store twice.  docs/seq.md ("Values") has the proof.  Where chains may be too long, numbers
 * that still grow become arbitrary. */
#include <stdlib.h>

#include "seq/run.h"
#include "seq/unset.h"
#include "util/memory.h"

#define WIDEN_NUMBERS 5u /* executions after which numbers that still grow may be anything, unless few stores do it */
#define WIDEN_ADDRESSES 60u
#define MOST_GROWING 200u /* stores to cells that grow, for which all executions are made */
#define MOST_WORK 100000u /* ... and the number of events in all of these executions */

/* --- One execution ------------------------------------------------------------------------------------------------ */

static void begin_cell(struct cell *cell) {
    cell->number = NO_CELL;
    cell->set = cell->next;
}

static void begin(struct symbolic *execution) {
    gates_init(&execution->gates);
    terms_init(&execution->terms, &execution->gates, &execution->sets);
    words_init(&execution->initial);
    execution->has_initial = false;
    vector_init(&execution->threads, sizeof(struct seq_thread));
    vector_init(&execution->events, sizeof(struct event));
    vector_init(&execution->accesses, sizeof(struct access));
    vector_init(&execution->cells, sizeof(struct cell_use));
    vector_init(&execution->failures, sizeof(struct failure));
    vector_init(&execution->goals, sizeof(struct goal));
    vector_init(&execution->stuck, sizeof(struct stuck));
    vector_init(&execution->cuts, sizeof(struct cut));
    unset_init(execution);
    vector_init(&execution->final, sizeof(term_id));
    execution->final_event = NO_EVENT;
    execution->assumed = 0;
    execution->dropped = LITERAL_FALSE;
    execution->too_deep = LITERAL_FALSE;
    execution->stale = 0;
    for (size_t i = 0; i < execution->objects.objects.count; i++) {
        struct shared_object *object = *(struct shared_object **)vector_at(&execution->objects.objects, i);
        object->bytes = (struct value){0};
        begin_cell(&object->life);
        for (size_t k = 0; k < object->cells.count; k++) {
            begin_cell(vector_at(&object->cells, k));
        }
    }
}

static void end(struct symbolic *execution) {
    for (size_t i = 0; i < execution->threads.count; i++) {
        vector_delete(&symbolic_thread(execution, i)->steps);
        vector_delete(&symbolic_thread(execution, i)->ends);
    }
    vector_delete(&execution->threads);
    vector_delete(&execution->events);
    vector_delete(&execution->accesses);
    vector_delete(&execution->cells);
    vector_delete(&execution->failures);
    vector_delete(&execution->goals);
    vector_delete(&execution->stuck);
    vector_delete(&execution->cuts);
    vector_delete(&execution->unset);
    vector_delete(&execution->final);
    words_delete(&execution->initial);
    terms_delete(&execution->terms);
    gates_delete(&execution->gates);
}

static struct cell *cell_of(const struct cell_use *use) {
    return use->end ? &use->object->life : object_cell_at(use->object, use->offset);
}

/* The initial values of cells, which count among those that they can have. */
static void settle_cells(struct symbolic *execution) {
    for (size_t i = 0; i < execution->cells.count; i++) {
        struct cell_use *use = vector_at(&execution->cells, i);
        use->initial = initial_read(execution, use->object, use->offset, use->size).value;
        struct cell *cell = cell_of(use);
        if (cell->written && cell->size == use->size) {
            cell_add(&execution->objects, &execution->sets, cell, use->initial.set);
        }
    }
}

/* An event after all others that reads whatever was written. */
static void read_all(struct symbolic *execution) {
    struct event event = {
        .kind = EVENT_LOAD,
        .guard = LITERAL_TRUE,
        .complete = LITERAL_TRUE,
        .reads = NO_ACCESS,
        .writes = NO_ACCESS,
        .reached = NO_ACCESS,
        .partly = LITERAL_FALSE,
    };
    execution->final_event = (uint32_t)execution->events.count;
    vector_push(&execution->events, &event);
    for (size_t i = 0; i < execution->objects.objects.count; i++) {
        struct shared_object *object = *(struct shared_object **)vector_at(&execution->objects.objects, i);
        for (size_t k = 0; k < object->cells.count && object->kind != OBJECT_IS_RECORD; k++) {
            const struct cell *cell = vector_at(&object->cells, k);
            uint64_t offset = cell->offset;
            if (cell->written) {
                event_read(execution, execution->final_event, object, offset, cell->size, LITERAL_TRUE);
            }
        }
    }
    for (uint32_t a = symbolic_event(execution, execution->final_event)->reads; a != NO_ACCESS;) {
        const struct access *access = symbolic_access(execution, a);
        vector_push(&execution->final, &access->value.term);
        a = access->next;
    }
    words_visit(&execution->initial, symbolic_add_final, execution);
}

static void make_globals(struct symbolic *execution) {
    const struct program *program = execution->program;
    for (size_t g = 0; g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        if (global->flags & GLOBAL_THREAD_LOCAL) {
            continue;
        }
        struct shared_object *object =
            object_at_base(&execution->objects, global->address, global->size, OBJECT_IS_GLOBAL);
        object->constant = global->flags & GLOBAL_CONSTANT;
        object->initial = program->bytes + global->initial;
        object->initial_size = global->initial_size;
    }
}

void symbolic_init(struct symbolic *execution, const struct task *task, const struct program *flat) {
    *execution =
        (struct symbolic){.task = task, .program = flat, .iterations = 1, .most_constant = FEW_CONSTANT_ITERATIONS};
    sets_init(&execution->sets);
    objects_init(&execution->objects);
    vector_init(&execution->bounds, sizeof(struct loop_bound));
    make_globals(execution);
    begin(execution);
}

void symbolic_delete(struct symbolic *execution) {
    end(execution);
    sets_delete(&execution->sets);
    objects_delete(&execution->objects);
    vector_delete(&execution->bounds);
}

/* Flow graphs, by function in which a thread starts. */
static struct flow *make_flows(const struct program *program, bool *made) {
    struct flow *flows = memory_allocate(program->functions_count * sizeof *flows);
    for (uint32_t f = 0; f < program->functions_count; f++) {
        made[f] = program->functions[f].count > 0;
        if (made[f]) {
            flow_init(&flows[f], program, f);
        }
    }
    return flows;
}

static void execute_threads(struct symbolic *execution, const struct flow *flows, const struct liveness *liveness) {
    struct seq_thread main = {
        .function = execution->program->entry,
        .creator = NO_EVENT,
        .guard = LITERAL_TRUE,
        .ended = LITERAL_FALSE,
        .exits = LITERAL_FALSE,
    };
    main.arguments[0] = main.arguments[1] = value_constant(&execution->terms, 0);
    vector_init(&main.steps, sizeof(struct step_record));
    vector_init(&main.ends, sizeof(struct own_end));
    vector_push(&execution->threads, &main);
    for (size_t i = 0; i < execution->threads.count; i++) {
        uint32_t function = symbolic_thread(execution, i)->function;
        if (!run_execute(execution, (uint32_t)i, &flows[function], liveness)) {
            return;
        }
    }
    operation_goals(execution);
}

/* --- Until all values are known ----------------------------------------------------------------------------------- */

/* The last execution in which a cell that the event writes got a value; 0: none. */
static uint32_t grown_by(const struct symbolic *execution, const struct event *event) {
    uint32_t last = 0;
    for (uint32_t a = event->writes; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
        const struct access *write = symbolic_access(execution, a);
        const struct cell *cell = cell_of(vector_at(&execution->cells, write->cell));
        last = write->condition != LITERAL_FALSE && cell->grown > last ? cell->grown : last;
    }
    return last;
}

/* counts[i]: the number of events that write to cells which got a value in execution `first` + i or later. */
static void count_growing(const struct symbolic *execution, uint32_t first, uint32_t *counts) {
    uint32_t last = execution->objects.execution;
    for (size_t i = 0; i < execution->events.count; i++) {
        uint32_t grown = grown_by(execution, symbolic_event(execution, i));
        for (uint32_t since = first; since <= grown && since <= last; since++) {
            counts[since - first]++;
        }
    }
}

/* Has every chain of stores been followed to its end?  If not, `growing` is the number of stores to cells that got a
 * value in the last execution. */
static bool chains_are_done(const struct symbolic *execution, uint32_t *growing) {
    const struct objects *objects = &execution->objects;
    uint32_t last = objects->execution;
    uint32_t *counts = memory_allocate((last - objects->changed + 1) * sizeof *counts);
    bool done = false;
    count_growing(execution, objects->changed, counts);
    *growing = counts[last - objects->changed];
    for (uint32_t since = objects->changed + 1; since <= last && !done; since++) {
        done = last - (since - 1) > counts[since - objects->changed];
    }
    free(counts);
    return done;
}

/* Numbers, or addresses, that keep growing may be anything, so that an end is found. */
static void widen(struct symbolic *execution, bool numbers, bool addresses) {
    for (size_t i = 0; i < execution->objects.objects.count; i++) {
        const struct shared_object *object = *(struct shared_object **)vector_at(&execution->objects.objects, i);
        for (size_t k = 0; k < object->cells.count; k++) {
            struct cell *cell = vector_at(&object->cells, k);
            bool grows = cell->next != 0 && cell->grown == execution->objects.execution;
            if (grows && (cell_has_numbers(&execution->sets, cell) ? numbers : addresses)) {
                cell->next = set_of_width(&execution->sets, 8 * cell->size);
            }
        }
    }
}

static void execute_once(struct symbolic *execution, const struct flow *flows, const struct liveness *liveness) {
    end(execution);
    begin(execution);
    execution->objects.execution++;
    execution->refusal[0] = '\0';
    execution->hurried = false;
    execute_threads(execution, flows, liveness);
    if (execution->task->collect == COLLECT_STATES) {
        read_all(execution);
    }
    settle_cells(execution);
}

static void execute_until_known(struct symbolic *execution, const struct flow *flows, const struct liveness *liveness) {
    struct objects *objects = &execution->objects;
    objects_change(objects);
    for (unsigned count = 1;; count++) {
        execute_once(execution, flows, liveness);
        if (execution->stopped || execution->refusal[0]) {
            return;
        }
        if (execution->hurried && objects->grown < objects->execution && objects->changed < objects->execution) {
            execution->settled = true;
            execution->most_constant *= 16;
        }
        if (execution->hurried) {
            objects_change(objects); /* events are missing that would continue chains */
        }
        uint32_t growing;
        if (chains_are_done(execution, &growing)) {
            return;
        }
        bool few = !execution->hurried && growing <= MOST_GROWING && growing * execution->events.count <= MOST_WORK;
        widen(execution, count > (few ? WIDEN_ADDRESSES + MOST_GROWING : WIDEN_NUMBERS), count > WIDEN_ADDRESSES);
    }
}

bool symbolic_run(struct symbolic *execution) {
    const struct program *program = execution->program;
    bool *made = memory_allocate(program->functions_count * sizeof *made);
    struct flow *flows = make_flows(program, made);
    struct liveness liveness;
    liveness_init(&liveness, program);
    execution->stopped = false;
    execute_until_known(execution, flows, &liveness);
    liveness_delete(&liveness);
    for (uint32_t f = 0; f < program->functions_count; f++) {
        if (made[f]) {
            flow_delete(&flows[f]);
        }
    }
    free(flows);
    free(made);
    return !execution->stopped && !execution->refusal[0];
}
