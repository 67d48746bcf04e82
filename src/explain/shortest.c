/* Nodes are states, reached by a path that is kept as a tree of moves; the machine goes from one to the next by undoing
 * up to the last common state and taking the rest.  The cheapest node is expanded first; of equal ones the youngest,
 * which is likely to be near. */
#include "explain/shortest.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/visited.h"
#include "explain/linear.h"
#include "util/memory.h"

#define MOST_VALUES 16 /* of a nondeterministic value; of one that has more, those of the witness are tried */
#define NO_NODE UINT32_MAX
#define CHECK_INTERVAL 256
#define LONG_WITNESS 2000 /* steps; a search for a longer one begins with what the threads do in it */

struct move {
    struct transition transition;
    bool drains; /* a store, and its drain right after */
};

struct node {
    uint32_t parent;
    uint32_t depth; /* moves from the beginning */
    struct move move;
    struct cost cost;
    XXH128_hash_t name;
    uint32_t older; /* in the queue: the next one of the same cost */
    bool is_error;
};

/* Nodes of the queue with these numbers of late stores and switches. */
struct level {
    uint32_t late;
    uint32_t switches;
    uint32_t fewest;        /* steps: no node has fewer */
    size_t count;           /* nodes */
    struct vector youngest; /* of uint32_t: by steps, the node that was added last, or NO_NODE */
};

/* One instruction of the witness that chose among many values: those that were chosen. */
struct chosen {
    uint32_t instruction;
    uint64_t value;
};

/* What a thread does in the witness: its steps, in order. */
struct course {
    uint32_t number;     /* the thread's */
    struct vector steps; /* of struct chosen: instruction and choice */
};

struct search {
    const struct shortest_task *task;
    struct machine *machine;
    struct machine_error error; /* the error searched for */
    struct vector nodes;        /* of struct node */
    struct vector levels;       /* of struct level: nodes to be expanded */
    struct vector path;         /* of uint32_t: the nodes from the beginning to where the machine is */
    struct vector marks;        /* of machine_mark: before each of their moves */
    struct vector fresh;        /* of uint32_t: scratch */
    struct vector enabled;      /* of struct transition: scratch */
    struct visited expanded;
    struct vector chosen;  /* of struct chosen */
    struct vector courses; /* of struct course */
    bool confined;         /* to the courses */
    bool left_out;         /* a value was not tried */
    uint8_t *buffer;
    size_t capacity;
    double until;
    uint32_t found;
    uint32_t asks;
    struct cost most; /* what costs more is of no use */
};

int cost_compare(struct cost one, struct cost other) {
    return one.late != other.late           ? (one.late < other.late ? -1 : 1)
           : one.switches != other.switches ? (one.switches < other.switches ? -1 : 1)
           : one.steps != other.steps       ? (one.steps < other.steps ? -1 : 1)
                                            : 0;
}

static struct node *node_at(const struct search *search, uint32_t index) {
    return vector_at(&search->nodes, index);
}

/* --- The queue ---------------------------------------------------------------------------------------------------- */

/* Costs only grow along a path, so levels and, in a level, steps are left for good once they are empty. */
static struct level *level_of(struct search *search, struct cost cost) {
    for (size_t i = search->levels.count; i-- > 0;) {
        struct level *level = vector_at(&search->levels, i);
        if (level->late == cost.late && level->switches == cost.switches) {
            return level;
        }
    }
    struct level *level = vector_grow(&search->levels, 1);
    *level = (struct level){.late = cost.late, .switches = cost.switches, .fewest = UINT32_MAX};
    vector_init(&level->youngest, sizeof(uint32_t));
    return level;
}

static void queue_push(struct search *search, uint32_t index) {
    struct node *node = node_at(search, index);
    struct level *level = level_of(search, node->cost);
    static const uint32_t none = NO_NODE;
    while (level->youngest.count <= node->cost.steps) {
        vector_push(&level->youngest, &none);
    }
    uint32_t *youngest = vector_at(&level->youngest, node->cost.steps);
    node->older = *youngest;
    *youngest = index;
    level->count++;
    level->fewest = node->cost.steps < level->fewest ? node->cost.steps : level->fewest;
}

/* The cheapest node, of equal ones the youngest; NO_NODE if there is none. */
static uint32_t queue_pop(struct search *search) {
    struct level *best = NULL;
    for (size_t i = 0; i < search->levels.count; i++) {
        struct level *level = vector_at(&search->levels, i);
        if (level->count > 0 &&
            (!best || level->late < best->late || (level->late == best->late && level->switches < best->switches))) {
            best = level;
        }
    }
    if (!best) {
        return NO_NODE;
    }
    uint32_t *youngest = best->youngest.data;
    while (youngest[best->fewest] == NO_NODE) {
        best->fewest++;
    }
    uint32_t index = youngest[best->fewest];
    uint32_t older = node_at(search, index)->older;
    youngest[best->fewest] = older;
    if (older != NO_NODE) {
        __builtin_prefetch(node_at(search, older)); /* probably the next to be expanded, and long out of the cache */
    }
    best->count--;
    return index;
}

static void queue_clear(struct search *search) {
    for (size_t i = 0; i < search->levels.count; i++) {
        vector_delete(&((struct level *)vector_at(&search->levels, i))->youngest);
    }
    search->levels.count = 0;
}

/* --- Moves -------------------------------------------------------------------------------------------------------- */

static bool is_buffered(const struct machine *machine, const struct step *step) {
    return machine_model(machine) != MODEL_SC &&
           (step->kind == STEP_STORE || step->kind == STEP_FREE || step->kind == STEP_LEAVE);
}

/* The drain of what the machine has just put into a buffer; false if that was nothing. */
static bool drain_of_last(struct machine *machine, struct transition *drain) {
    const struct step *step = machine_last(machine);
    *drain = (struct transition){.thread = step->thread, .kind = TRANSITION_DRAIN, .choice = step->serial};
    return is_buffered(machine, step) && step->serial != 0;
}

/* False if a store must drain at once and cannot. */
static bool take_move(struct machine *machine, const struct move *move) {
    struct transition drain;
    machine_take(machine, move->transition);
    if (!move->drains) {
        return true;
    }
    if (!drain_of_last(machine, &drain) || !machine_is_enabled(machine, drain)) {
        return false;
    }
    machine_take(machine, drain);
    return true;
}

/* Brings the machine to a node: back to the last state that its path has in common with the current one, then on. */
static void go_to(struct search *search, uint32_t target) {
    uint32_t depth = node_at(search, target)->depth;
    size_t common = depth < search->path.count ? depth : search->path.count;
    search->fresh.count = 0;
    for (uint32_t at = target, d = depth; d > 0; at = node_at(search, at)->parent, d--) {
        if (d <= common && *(uint32_t *)vector_at(&search->path, d - 1) == at) {
            break;
        }
        common = d <= common ? d - 1 : common;
        vector_push(&search->fresh, &at);
    }
    if (common < search->path.count) {
        machine_undo(search->machine, *(machine_mark *)vector_at(&search->marks, common));
        search->path.count = search->marks.count = common;
    }
    while (search->fresh.count > 0) {
        uint32_t next = *(uint32_t *)vector_at(&search->fresh, --search->fresh.count);
        machine_mark mark = machine_set_mark(search->machine);
        vector_push(&search->marks, &mark);
        vector_push(&search->path, &next);
        bool taken = take_move(search->machine, &node_at(search, next)->move);
        assert(taken && "a move that was made can be made again");
        (void)taken;
    }
}

/* --- The witness -------------------------------------------------------------------------------------------------- */

static const struct course *course_of(const struct search *search, uint32_t number) {
    for (size_t i = 0; i < search->courses.count; i++) {
        const struct course *course = vector_at(&search->courses, i);
        if (course->number == number) {
            return course;
        }
    }
    return NULL;
}

static void note_choice(struct search *search, struct transition transition) {
    uint32_t number = machine_thread_number(search->machine, transition.thread);
    struct chosen chosen = {machine_thread_instruction(search->machine, transition.thread), transition.choice};
    struct course *course = (struct course *)course_of(search, number);
    if (!course) {
        course = vector_grow(&search->courses, 1);
        course->number = number;
        vector_init(&course->steps, sizeof(struct chosen));
    }
    vector_push(&course->steps, &chosen);
    for (size_t i = 0; i < search->chosen.count; i++) {
        const struct chosen *known = vector_at(&search->chosen, i);
        if (known->instruction == chosen.instruction && known->value == chosen.value) {
            return;
        }
    }
    vector_push(&search->chosen, &chosen);
}

/* The cost of an execution, transition by transition. */
struct meter {
    struct cost cost;
    uint32_t thread;  /* that took the last step; UINT32_MAX: none yet */
    uint64_t pending; /* number of the store that was put into a buffer last, if nothing has come since; otherwise 0 */
};

static void meter_add(struct meter *meter, const struct machine *machine, struct transition transition) {
    const struct step *step = machine_last(machine);
    bool own_drain = transition.kind == TRANSITION_DRAIN && meter->pending != 0 && transition.thread == meter->thread &&
                     transition.choice == meter->pending;
    meter->cost.late += meter->pending != 0 && !own_drain;
    meter->cost.steps += !own_drain;
    meter->pending = 0;
    if (transition.kind == TRANSITION_STEP) {
        meter->cost.switches += meter->thread != UINT32_MAX && meter->thread != transition.thread;
        meter->thread = transition.thread;
        meter->pending = is_buffered(machine, step) ? step->serial : 0;
    }
}

/* Runs the witness; false if it does not end in its error.  `search` may be NULL. */
static bool follow(struct machine *machine, const struct witness *witness, struct search *search, struct meter *meter) {
    *meter = (struct meter){.thread = UINT32_MAX};
    for (size_t i = 0; i < witness->steps.count; i++) {
        struct transition transition;
        if (!witness_transition(witness, i, machine, &transition)) {
            return false;
        }
        if (search && transition.kind == TRANSITION_STEP) {
            note_choice(search, transition);
        }
        machine_take(machine, transition);
        meter_add(meter, machine, transition);
    }
    return machine_outcome(machine) == OUTCOME_ERROR;
}

struct cost shortest_cost(const struct program *program, const struct witness *witness) {
    struct machine_options options = witness_machine_options(witness);
    struct machine *machine = machine_new(program, &options);
    struct meter meter;
    follow(machine, witness, NULL, &meter);
    machine_free(machine);
    return meter.cost;
}

/* --- The error ---------------------------------------------------------------------------------------------------- */

static bool same_line(const struct program *program, uint32_t one, uint32_t other) {
    const struct position *first = &program->positions[one];
    const struct position *second = &program->positions[other];
    return first->line == second->line && first->file == second->file;
}

/* Is it the error searched for?  Of a deadlock and similar errors only the kind counts: the line depends on which
 * thread came last. */
static bool is_wanted(const struct machine *machine, const struct machine_error *wanted) {
    const struct program *program = machine_program(machine);
    const struct machine_error *error = machine_error(machine);
    if (error->kind != wanted->kind) {
        return false;
    }
    switch (error->kind) {
    case ERROR_DEADLOCK:
    case ERROR_LIVENESS:
    case ERROR_GOAL:
        return true;
    case ERROR_RACE:
        return (same_line(program, error->pos, wanted->pos) &&
                same_line(program, error->other_pos, wanted->other_pos)) ||
               (same_line(program, error->pos, wanted->other_pos) && same_line(program, error->other_pos, wanted->pos));
    default:
        return same_line(program, error->pos, wanted->pos);
    }
}

/* --- Successors --------------------------------------------------------------------------------------------------- */

static XXH128_hash_t state_name(struct search *search, uint32_t thread) {
    size_t size = machine_serialise(search->machine, &search->buffer, &search->capacity);
    return XXH3_128bits_withSeed(search->buffer, size, thread);
}

/* The thread of the last step on the path to a node. */
static uint32_t last_thread(const struct search *search, uint32_t at) {
    for (const struct node *node = node_at(search, at); node->depth > 0; node = node_at(search, node->parent)) {
        if (node->move.transition.kind == TRANSITION_STEP) {
            return node->move.transition.thread;
        }
    }
    return UINT32_MAX;
}

/* The machine is at `parent` and takes the move; then it is put back. */
static void make_node(struct search *search, uint32_t parent, uint32_t thread, struct move move) {
    const struct node *from = node_at(search, parent);
    bool step = move.transition.kind == TRANSITION_STEP;
    struct node node = {.parent = parent, .depth = from->depth + 1, .move = move, .cost = from->cost};
    struct transition drain;
    node.cost.steps++;
    node.cost.switches += step && thread != UINT32_MAX && thread != move.transition.thread;
    machine_mark mark = machine_set_mark(search->machine);
    bool taken = take_move(search->machine, &move);
    enum outcome outcome = taken ? machine_outcome(search->machine) : OUTCOME_COMPLETE;
    node.is_error = outcome == OUTCOME_ERROR;
    bool buffered = step && !move.drains && drain_of_last(search->machine, &drain);
    bool goes_on = outcome == OUTCOME_RUNNING || (node.is_error && is_wanted(search->machine, &search->error));
    if (goes_on) {
        node.cost.late += buffered && !node.is_error;
        node.name = state_name(search, step ? move.transition.thread : thread);
        goes_on = cost_compare(node.cost, search->most) <= 0 && !visited_has(&search->expanded, node.name);
    }
    machine_undo(search->machine, mark);
    if (goes_on) {
        vector_push(&search->nodes, &node);
        queue_push(search, (uint32_t)search->nodes.count - 1);
    }
}

/* The number of steps of the thread on the path to the machine's state. */
static size_t steps_taken(const struct search *search, uint32_t thread) {
    size_t count = 0;
    for (size_t i = 0; i < search->path.count; i++) {
        const struct node *node = node_at(search, *(uint32_t *)vector_at(&search->path, i));
        count += node->move.transition.kind == TRANSITION_STEP && node->move.transition.thread == thread;
    }
    return count;
}

/* Is it what the thread does next in the witness? */
static bool is_on_course(const struct search *search, struct transition transition) {
    const struct course *course = course_of(search, machine_thread_number(search->machine, transition.thread));
    size_t taken = course ? steps_taken(search, transition.thread) : 0;
    if (!course || taken >= course->steps.count) {
        return false;
    }
    const struct chosen *next = vector_at(&course->steps, taken);
    return next->instruction == machine_thread_instruction(search->machine, transition.thread) &&
           next->value == transition.choice;
}

static bool was_chosen(const struct search *search, struct transition transition) {
    uint32_t instruction = machine_thread_instruction(search->machine, transition.thread);
    for (size_t i = 0; i < search->chosen.count; i++) {
        const struct chosen *chosen = vector_at(&search->chosen, i);
        if (chosen->instruction == instruction && chosen->value == transition.choice) {
            return true;
        }
    }
    return false;
}

static void make_step(struct search *search, uint32_t parent, uint32_t thread, struct transition transition,
                      bool buffered) {
    if (search->confined && !is_on_course(search, transition)) {
        return;
    }
    if (buffered) {
        make_node(search, parent, thread, (struct move){transition, true});
    }
    make_node(search, parent, thread, (struct move){transition, false});
}

static void expand(struct search *search, uint32_t at) {
    const struct transition *enabled;
    uint32_t thread = last_thread(search, at);
    size_t count = machine_enabled(search->machine, &enabled);
    search->enabled.count = 0;
    if (count > 0) {
        memcpy(vector_grow(&search->enabled, count), enabled, count * sizeof *enabled);
    }
    for (size_t i = count; i-- > 0;) { /* the youngest of equal nodes comes first */
        struct transition transition = *(struct transition *)vector_at(&search->enabled, i);
        struct step next;
        if (transition.kind != TRANSITION_STEP) {
            make_node(search, at, thread, (struct move){transition, false});
            continue;
        }
        machine_next(search->machine, transition, &next);
        bool buffered = is_buffered(search->machine, &next);
        uint64_t choices = machine_choices(search->machine, transition.thread);
        bool many = next.kind == STEP_NONDET && choices > MOST_VALUES;
        search->left_out |= many;
        for (size_t k = 0; many && k < search->chosen.count; k++) {
            transition.choice = ((const struct chosen *)vector_at(&search->chosen, k))->value;
            if (transition.choice < choices && was_chosen(search, transition)) {
                make_step(search, at, thread, transition, buffered);
            }
        }
        for (transition.choice = 0; !many && transition.choice < choices; transition.choice++) {
            make_step(search, at, thread, transition, buffered);
        }
    }
}

/* --- The search --------------------------------------------------------------------------------------------------- */

static bool must_stop(struct search *search) {
    const struct shortest_task *task = search->task;
    if (limits_reached(task->limits)) {
        return true;
    }
    if (++search->asks % CHECK_INTERVAL != 0) {
        return false;
    }
    size_t bytes = search->nodes.capacity * sizeof(struct node) + search->expanded.capacity * sizeof(XXH128_hash_t);
    return (search->until > 0 && limits_cpu() > search->until) ||
           (task->memory_mb > 0 && bytes >> 20 > task->memory_mb);
}

static void search_init(struct search *search, const struct shortest_task *task) {
    *search = (struct search){.task = task, .found = NO_NODE};
    vector_init(&search->nodes, sizeof(struct node));
    vector_init(&search->levels, sizeof(struct level));
    vector_init(&search->path, sizeof(uint32_t));
    vector_init(&search->fresh, sizeof(uint32_t));
    vector_init(&search->marks, sizeof(machine_mark));
    vector_init(&search->enabled, sizeof(struct transition));
    vector_init(&search->chosen, sizeof(struct chosen));
    vector_init(&search->courses, sizeof(struct course));
    visited_init(&search->expanded);
}

static void search_delete(struct search *search) {
    for (size_t i = 0; i < search->courses.count; i++) {
        vector_delete(&((struct course *)vector_at(&search->courses, i))->steps);
    }
    vector_delete(&search->nodes);
    queue_clear(search);
    vector_delete(&search->levels);
    vector_delete(&search->path);
    vector_delete(&search->fresh);
    vector_delete(&search->marks);
    vector_delete(&search->enabled);
    vector_delete(&search->chosen);
    vector_delete(&search->courses);
    visited_delete(&search->expanded);
    free(search->buffer);
}

enum search_end { SEARCH_FOUND, SEARCH_NONE, SEARCH_STOPPED };

/* Expands until the error comes first.  *late becomes the number of late stores of the node that came last: all
 * executions with fewer were tried. */
static enum search_end run(struct search *search, bool confined, double seconds, uint32_t *late) {
    search->confined = confined;
    search->until = seconds > 0 ? limits_cpu() + seconds : 0;
    queue_clear(search);
    search->nodes.count = search->path.count = search->marks.count = 0;
    visited_delete(&search->expanded);
    visited_init(&search->expanded);
    struct node first = {.parent = NO_NODE};
    first.name = state_name(search, UINT32_MAX);
    first.is_error = machine_outcome(search->machine) == OUTCOME_ERROR;
    vector_push(&search->nodes, &first);
    queue_push(search, 0);
    for (uint32_t at; (at = queue_pop(search)) != NO_NODE;) {
        if (must_stop(search)) {
            return SEARCH_STOPPED;
        }
        *late = node_at(search, at)->cost.late;
        if (node_at(search, at)->is_error) {
            search->found = at;
            return SEARCH_FOUND;
        }
        if (visited_add(&search->expanded, node_at(search, at)->name)) {
            go_to(search, at);
            expand(search, at);
        }
    }
    return SEARCH_NONE;
}

/* The path to the node that was found, as steps of a witness. */
static void keep_found(struct search *search, machine_mark beginning, struct shortest *shortest) {
    struct witness steps = {0};
    uint32_t depth = node_at(search, search->found)->depth;
    struct vector moves;
    vector_init(&moves, sizeof(struct move));
    if (depth > 0) {
        vector_grow(&moves, depth);
    }
    for (uint32_t at = search->found; node_at(search, at)->depth > 0; at = node_at(search, at)->parent) {
        *(struct move *)vector_at(&moves, node_at(search, at)->depth - 1) = node_at(search, at)->move;
    }
    vector_init(&steps.steps, sizeof(struct witness_step));
    machine_undo(search->machine, beginning);
    for (size_t i = 0; i < moves.count; i++) {
        const struct move *move = vector_at(&moves, i);
        struct transition drain;
        witness_add(&steps, search->machine, move->transition);
        machine_take(search->machine, move->transition);
        if (move->drains && drain_of_last(search->machine, &drain)) {
            witness_add(&steps, search->machine, drain);
            machine_take(search->machine, drain);
        }
    }
    vector_delete(&moves);
    vector_delete(&shortest->steps);
    shortest->steps = steps.steps;
    shortest->cost = node_at(search, search->found)->cost;
    shortest->found = true;
}

void shortest_init(struct shortest *shortest) {
    *shortest = (struct shortest){.found = false};
    vector_init(&shortest->steps, sizeof(struct witness_step));
}

void shortest_delete(struct shortest *shortest) {
    vector_delete(&shortest->steps);
}

/* Takes the steps of the witness, and after each store its drain. */
static bool follow_sc(struct machine *machine, const struct witness *sc, struct witness *steps) {
    for (size_t i = 0; i < sc->steps.count && machine_outcome(machine) == OUTCOME_RUNNING; i++) {
        struct transition transition;
        struct transition drain;
        if (!witness_transition(sc, i, machine, &transition)) {
            return false;
        }
        witness_add(steps, machine, transition);
        machine_take(machine, transition);
        if (machine_outcome(machine) == OUTCOME_RUNNING && drain_of_last(machine, &drain)) {
            if (!machine_is_enabled(machine, drain)) {
                return false; /* another thread holds the bus */
            }
            witness_add(steps, machine, drain);
            machine_take(machine, drain);
        }
    }
    return machine_outcome(machine) == OUTCOME_ERROR;
}

/* The execution of SC with the witness' trace, if there is one, is what the search begins with: nothing with a late
 * store is of any use then. */
static void begin_with_sc(struct search *search, machine_mark beginning, struct shortest *shortest) {
    struct witness order = {.model = search->task->witness->model};
    struct witness steps = {.model = order.model};
    struct meter meter;
    vector_init(&order.steps, sizeof(struct witness_step));
    vector_init(&steps.steps, sizeof(struct witness_step));
    bool found = linear_find(search->task->program, search->task->witness, &order.steps) &&
                 follow_sc(search->machine, &order, &steps) && is_wanted(search->machine, &search->error);
    machine_undo(search->machine, beginning);
    if (found && follow(search->machine, &steps, NULL, &meter)) {
        assert(meter.cost.late == 0 && "each store is drained at once");
        vector_delete(&shortest->steps);
        shortest->steps = steps.steps;
        shortest->cost = search->most = meter.cost;
        shortest->found = true;
    } else {
        vector_delete(&steps.steps);
    }
    machine_undo(search->machine, beginning);
    vector_delete(&order.steps);
}

static void search_both(struct search *search, machine_mark beginning, struct shortest *shortest) {
    const struct shortest_task *task = search->task;
    bool is_long = task->witness->steps.count > LONG_WITNESS;
    uint32_t late = 0;
    if (shortest->cost.late > 0) {
        begin_with_sc(search, beginning, shortest);
    }
    if (task->confined) {
        if (run(search, true, task->seconds, &late) == SEARCH_FOUND) {
            keep_found(search, beginning, shortest);
        }
        return;
    }
    if (is_long && task->seconds > 0 && run(search, true, task->seconds / 2, &late) == SEARCH_FOUND) {
        keep_found(search, beginning, shortest);
        search->most = shortest->cost;
    }
    machine_undo(search->machine, beginning);
    late = 0;
    enum search_end end = run(search, false, task->seconds, &late);
    shortest->states = search->expanded.count;
    if (end == SEARCH_FOUND) {
        keep_found(search, beginning, shortest);
    }
    shortest->proved = end != SEARCH_STOPPED && !search->left_out;
    if (shortest->cost.late == 0) {
        shortest->sc = KNOWN_TRUE;
    } else if (late > 0 || end == SEARCH_NONE) {
        shortest->sc = search->left_out ? NOT_KNOWN : KNOWN_FALSE;
    }
    machine_undo(search->machine, beginning);
    if (end == SEARCH_STOPPED && !is_long && run(search, true, task->seconds / 2, &late) == SEARCH_FOUND) {
        keep_found(search, beginning, shortest);
        shortest->sc = shortest->cost.late == 0 ? KNOWN_TRUE : shortest->sc;
    }
}

void shortest_find(const struct shortest_task *task, struct shortest *shortest) {
    struct machine_options options = witness_machine_options(task->witness);
    struct search search;
    struct meter meter;
    options.stop = limits_flag();
    search_init(&search, task);
    search.machine = machine_new(task->program, &options);
    machine_mark beginning = machine_set_mark(search.machine);
    bool replays = follow(search.machine, task->witness, &search, &meter);
    shortest->cost = search.most = meter.cost;
    shortest->found_with = task->witness->steps.count;
    if (replays) {
        search.error = *machine_error(search.machine);
        machine_undo(search.machine, beginning);
        beginning = machine_set_mark(search.machine);
        search_both(&search, beginning, shortest);
    }
    machine_free(search.machine);
    search_delete(&search);
}

bool shortest_adopt(const struct shortest *shortest, const struct program *program, struct verdict *verdict) {
    struct witness *witness = &verdict->witness;
    struct machine_options options = witness_machine_options(witness);
    struct machine *machine = machine_new(program, &options);
    struct vector before = witness->steps;
    struct meter meter;
    witness->steps = shortest->steps;
    bool good = follow(machine, witness, NULL, &meter);
    witness->steps = before;
    if (good) {
        witness->steps.count = 0;
        for (size_t i = 0; i < shortest->steps.count; i++) {
            vector_push(&witness->steps, vector_at(&shortest->steps, i));
        }
        verdict->error = *machine_error(machine);
        witness_set_error(witness, machine, &verdict->error);
    }
    machine_free(machine);
    return good;
}

bool shortest_adopt_sc(const struct program *program, const struct witness *sc, struct verdict *verdict) {
    struct witness *witness = &verdict->witness;
    struct machine_options options = witness_machine_options(witness);
    options.awaits = sc->awaits;
    struct machine *machine = machine_new(program, &options);
    struct witness steps = {0};
    vector_init(&steps.steps, sizeof(struct witness_step));
    bool good = follow_sc(machine, sc, &steps) && is_wanted(machine, &verdict->error);
    if (good) {
        struct vector before = witness->steps;
        witness->steps = steps.steps;
        steps.steps = before;
        witness->awaits = sc->awaits;
        verdict->error = *machine_error(machine);
        witness_set_error(witness, machine, &verdict->error);
    }
    vector_delete(&steps.steps);
    machine_free(machine);
    return good;
}
