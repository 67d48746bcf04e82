/* Transitions: which are enabled, what they would do; taking and undoing them. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "machine/arithmetic.h"
#include "machine/memory_model.h"
#include "machine/state.h"
#include "util/memory.h"

#define BUFFERED_RUN 64

const char *const model_names[MODEL_COUNT] = {"sc", "tso", "pso"};
const char *const await_names[AWAIT_COUNT] = {"spin", "block", "free", "twice"};

/* --- Making and freeing ------------------------------------------------------------------------------------------- */

struct machine *machine_new(const struct program *program, const struct machine_options *options) {
    static const struct memory_model_operations *const models[] = {&model_sc, &model_tso, &model_pso};
    struct machine *machine = memory_allocate(sizeof *machine);
    machine->program = program;
    machine->options = *options;
    if (machine->options.local_limit == 0) {
        machine->options.local_limit = DEFAULT_LOCAL_LIMIT;
    }
    machine->model = models[options->model];
    machine->now.atomic_owner = NO_THREAD;
    machine->now.bus_owner = NO_THREAD;
    machine->record = options->record;
    machine->shadows = (options->checks & CHECK_FOR_UNINIT) ||
                       (options->assumed && !(options->assumed->lifted >> ASSUMPTION_UNINITIALISED & 1));
    machine->epoch = 1;
    machine->codes = sync_codes();
    liveness_init(&machine->liveness, program);
    undo_log_init(&machine->log);
    vector_init(&machine->enabled, sizeof(struct transition));
    vector_init(&machine->output, sizeof(struct output_record));
    vector_init(&machine->output_text, 1);
    memory_init(machine);
    struct thread *main = thread_create(machine, NULL, program->entry, NULL, 0);
    machine->looked.thread = NO_THREAD;
    interpret(machine, main);
    machine->logging = !options->no_undo;
    return machine;
}

void machine_free(struct machine *machine) {
    if (!machine) {
        return;
    }
    memory_delete(machine);
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        thread_delete(machine->threads[i]);
    }
    free(machine->threads);
    liveness_delete(&machine->liveness);
    undo_log_delete(&machine->log);
    vector_delete(&machine->enabled);
    vector_delete(&machine->output);
    vector_delete(&machine->output_text);
    free(machine->hash_buffer);
    free(machine);
}

const struct program *machine_program(const struct machine *machine) {
    return machine->program;
}

enum memory_model machine_model(const struct machine *machine) {
    return machine->options.model;
}

void machine_record(struct machine *machine, struct vector *passed) {
    machine->record = passed;
}

uint32_t machine_thread_instruction(const struct machine *machine, uint32_t thread) {
    return (uint32_t)(thread_frame(machine->threads[thread])->pc - machine->program->code);
}

uint64_t machine_register(const struct machine *machine, uint32_t thread, uint32_t index) {
    return thread_frame(machine->threads[thread])->registers[index];
}

enum await_mode machine_awaits(const struct machine *machine) {
    return machine->options.awaits;
}

/* --- What is enabled ---------------------------------------------------------------------------------------------- */

bool machine_thread_awaits(const struct machine *machine, uint32_t thread) {
    const struct thread *at = machine->threads[thread];
    return at->now.status == THREAD_RUNNING && is_in_await(at) &&
           (machine->options.awaits != AWAIT_TWICE || failing_iteration_blocks(machine, at));
}

/* The object of the thread's next access, if that is no error (apart from a write to a constant), else NULL.  An object
 * that was there when the thread arrived remains: only undoing removes objects. */
static struct object *good_object(const struct machine *machine, const struct thread *thread, uint64_t address,
                                  unsigned size) {
    struct object *object = thread->now.object ? thread->now.object : object_at(machine, address);
    return object && object_serves(machine, thread, object, address, size) ? object : NULL;
}

static bool load_enabled(struct machine *machine, struct thread *thread, const struct instruction *pc) {
    bool may_block = failing_iteration_blocks(machine, thread) && is_in_await(thread);
    if (!may_block && thread->now.buffer_count == 0) {
        return true;
    }
    uint64_t address = operand_value(machine, thread_frame(thread), pc->a);
    uint64_t value[2];
    uint64_t serial;
    if (!may_block && store_buffer_forward(thread, address, pc->width, value, &serial) != FORWARD_PARTIAL) {
        return true;
    }
    const struct object *object = good_object(machine, thread, address, pc->width);
    if (!object) {
        return true;
    }
    if (!memory_load(thread, object, address, pc->width, value, &serial)) {
        return false;
    }
    return !may_block || !interpret_fails_iteration(machine, thread, value);
}

/* Would a read-modify-write or operation change nothing, and the iteration of a waiting loop fail by it?  An example is
 * a trylock of a lock that is held.  It is then not enabled if failing iterations block. */
static bool only_fails_iteration(struct machine *machine, struct thread *thread, const struct instruction *pc) {
    if (!failing_iteration_blocks(machine, thread) || !is_in_await(thread)) {
        return false;
    }
    if (pc->op == OP_SYNC) {
        struct effect outcome;
        sync_outcome(machine, thread, pc, 0, &outcome);
        return effect_fails_iteration(machine, thread, &outcome, outcome.results);
    }
    struct transition step = {.thread = thread->slot, .kind = TRANSITION_STEP};
    machine_effect(machine, step, NULL, &thread->effect);
    return thread->effect.fails_iteration;
}

/* Can the execution continue at all? */
static inline bool machine_runs(const struct machine *machine) {
    return machine->now.outcome == OUTCOME_RUNNING && (!machine->now.exited || machine->options.run_on);
}

/* Does an atomic section of another thread block the thread and its buffer? */
static inline bool held_up(const struct machine *machine, const struct thread *thread) {
    return machine->now.atomic_owner != NO_THREAD && machine->now.atomic_owner != thread->slot;
}

/* Is the thread's step enabled, in an execution that can continue? */
static inline bool step_enabled(struct machine *machine, struct thread *thread) {
    const struct thread_state *now = &thread->now;
    if (now->status != THREAD_RUNNING || now->stopped || held_up(machine, thread)) {
        return false;
    }
    if (now->waiting && now->version == machine->now.version && machine->options.awaits != AWAIT_FREE &&
        machine->options.awaits != AWAIT_TWICE) {
        return false;
    }
    const struct instruction *pc = thread_frame(thread)->pc;
    bool empty = now->buffer_count == 0;
    if (pc->op == OP_LOAD) {
        return load_enabled(machine, thread, pc);
    }
    switch (pc->op) {
    case OP_STORE:
    case OP_FREE:
    case OP_LEAVE:
    case OP_STACK_RESTORE:
        return now->buffer_count < MAX_BUFFER - 1 && (machine->model->buffers || !bus_taken(machine, thread));
    case OP_RMW:
    case OP_CAS:
        return empty && !bus_taken(machine, thread) && !only_fails_iteration(machine, thread, pc);
    case OP_SYNC:
        return empty && sync_enabled(machine, thread, pc) && !only_fails_iteration(machine, thread, pc);
    case OP_NONDET:
    case OP_MALLOC:
        return true;
    case OP_AWAIT:
        return now->version != machine->now.version || machine->options.awaits == AWAIT_FREE;
    default: /* FENCE, ATOMIC_BEGIN, ATOMIC_END, EXIT, ASSUME and CUT, the last RET */
        return empty;
    }
}

/* Can entries of the thread's buffer drain, in an execution that can continue? */
static inline bool drains(const struct machine *machine, const struct thread *thread) {
    return thread->now.buffer_count > 0 && machine->model->buffers && !held_up(machine, thread) &&
           !bus_taken(machine, thread);
}

/* Makes room for `more` enabled transitions after those that end at `next`; returns where they go. */
static inline struct transition *enabled_room(struct machine *machine, const struct transition *next, size_t more) {
    struct vector *enabled = &machine->enabled;
    enabled->count = next ? (size_t)(next - (const struct transition *)enabled->data) : 0;
    if (enabled->count + more > enabled->capacity) {
        size_t count = enabled->count;
        vector_grow(enabled, more);
        enabled->count = count;
    }
    return (struct transition *)enabled->data + enabled->count;
}

/* Adds the enabled drains to the list, which ends at `next`; returns its new end. */
static struct transition *list_drains(const struct machine *machine, struct transition *next) {
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        const struct thread *thread = machine->threads[i];
        if (!drains(machine, thread)) {
            continue;
        }
        for (uint32_t k = 0; k < thread->now.buffer_count; k++) {
            if (k < thread->now.buffer_abstract) {
                for (uint64_t choice = 2 * k; choice < 2 * k + 2; choice++) {
                    if (store_buffer_may_advance(machine, thread, choice)) {
                        *next++ = (struct transition){.thread = i, .kind = TRANSITION_ABSTRACT, .choice = choice};
                    }
                }
                continue;
            }
            if (machine->model->may_drain(thread, k)) {
                *next++ = (struct transition){
                    .thread = i, .kind = TRANSITION_DRAIN, .choice = store_buffer_entry(thread, k)->serial};
            }
            if (machine->options.model == MODEL_TSO) {
                break;
            }
        }
    }
    return next;
}

/* Lists the enabled transitions in machine->enabled, in an execution that can continue: steps, then drains.  Inlined,
 * since engines call it all the time. */
__attribute__((always_inline)) static inline void list_enabled(struct machine *machine) {
    struct transition *next = enabled_room(machine, NULL, machine->threads_count);
    size_t entries = 0;
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        struct thread *thread = machine->threads[i];
        entries += thread->now.buffer_count + thread->now.buffer_abstract;
        if (step_enabled(machine, thread)) {
            *next++ = (struct transition){.thread = i, .kind = TRANSITION_STEP};
        }
    }
    if (entries > 0) {
        next = list_drains(machine, enabled_room(machine, next, entries));
    }
    machine->enabled.count = (size_t)(next - (struct transition *)machine->enabled.data);
}

/* An atomic section blocks the steps of other threads, but races with them remain. */
__attribute__((noinline)) static bool has_race(struct machine *machine) {
    uint32_t owner = machine->now.atomic_owner;
    machine->now.atomic_owner = NO_THREAD;
    list_enabled(machine);
    bool found = races_find(machine, machine->enabled.data, machine->enabled.count);
    machine->now.atomic_owner = owner;
    return found;
}

size_t machine_enabled(struct machine *machine, const struct transition **transitions) {
    if (machine_runs(machine) && !((machine->options.checks & CHECK_FOR_RACES) && has_race(machine))) {
        list_enabled(machine);
    } else {
        machine->enabled.count = 0;
    }
    *transitions = machine->enabled.data;
    return machine->enabled.count;
}

/* The index in the buffer of the entry with this serial number, or -1. */
static int64_t entry_index(const struct thread *thread, uint64_t serial) {
    for (uint32_t k = 0; k < thread->now.buffer_count; k++) {
        if (store_buffer_entry(thread, k)->serial == serial) {
            return k;
        }
    }
    return -1;
}

/* The index in the buffer of the entry that drains. */
static size_t draining_index(const struct thread *thread, struct transition transition) {
    return transition.kind == TRANSITION_ABSTRACT ? transition.choice / 2
                                                  : (size_t)entry_index(thread, transition.choice);
}

bool machine_is_enabled(struct machine *machine, struct transition transition) {
    if (transition.thread >= machine->threads_count || !machine_runs(machine)) {
        return false;
    }
    struct thread *thread = machine->threads[transition.thread];
    if (transition.kind == TRANSITION_STEP) {
        return step_enabled(machine, thread) &&
               (transition.choice == 0 || transition.choice < machine_choices(machine, transition.thread));
    }
    if (transition.kind == TRANSITION_ABSTRACT) {
        return drains(machine, thread) && store_buffer_may_advance(machine, thread, transition.choice);
    }
    int64_t index = entry_index(thread, transition.choice);
    return index >= (int64_t)thread->now.buffer_abstract && drains(machine, thread) &&
           machine->model->may_drain(thread, (size_t)index);
}

bool machine_thread_waits(struct machine *machine, uint32_t thread) {
    struct thread *at = machine->threads[thread];
    bool steps = at->now.status == THREAD_RUNNING && (at->now.stopped == STOP_NONE || at->now.stopped == STOP_ERROR);
    return steps && !(machine_runs(machine) && step_enabled(machine, at));
}

uint32_t machine_first_active(struct machine *machine, uint32_t thread) {
    uint32_t count = machine_runs(machine) ? machine->threads_count : 0;
    while (thread < count && machine->threads[thread]->now.buffer_count == 0 &&
           !step_enabled(machine, machine->threads[thread])) {
        thread++;
    }
    return thread < count ? thread : machine->threads_count;
}

bool machine_ends_or_joins(struct machine *machine, uint32_t thread) {
    struct thread *at = machine->threads[thread];
    if (at->now.status != THREAD_RUNNING) {
        return false;
    }
    const struct instruction *pc = thread_frame(at)->pc;
    switch (pc->op) {
    case OP_RET:
    case OP_ASSUME:
    case OP_CUT:
        break;
    case OP_EXIT:
        if (machine->options.checks & CHECK_FOR_LEAKS) {
            return false;
        }
        break;
    case OP_SYNC:
        if (pc->width != SYNC_THREAD_EXIT && !(pc->width == SYNC_THREAD_JOIN && sync_joins(machine, at, pc))) {
            return false;
        }
        break;
    default:
        return false;
    }
    return at->now.buffer_count == 0 && !at->now.stopped && machine_runs(machine) && !held_up(machine, at);
}

bool machine_only_buffers(const struct machine *machine, uint32_t thread) {
    const struct thread *at = machine->threads[thread];
    if (at->now.status != THREAD_RUNNING || at->now.stopped) {
        return false;
    }
    const struct instruction *pc = thread_frame(at)->pc;
    bool stores =
        pc->op == OP_STORE && at->now.buffer_count < MAX_BUFFER - 1 && (at->now.serial + 1) % BUFFERED_RUN != 0;
    bool passes = pc->op == OP_FENCE && at->now.buffer_count == 0;
    return (stores || passes) && machine->model->buffers && !is_in_await(at) && machine_runs(machine) &&
           !held_up(machine, at);
}

uint32_t machine_thread_joiner(struct machine *machine, uint32_t thread) {
    if (machine->threads[thread]->now.status != THREAD_FINISHED) {
        return NO_THREAD;
    }
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        struct thread *at = machine->threads[i];
        const struct instruction *pc = at->now.status == THREAD_RUNNING ? thread_frame(at)->pc : NULL;
        if (pc && pc->op == OP_SYNC && pc->width == SYNC_THREAD_JOIN &&
            operand_value(machine, thread_frame(at), pc->a) == machine->threads[thread]->number && !at->now.stopped) {
            return i;
        }
    }
    return NO_THREAD;
}

/* The bounds of a nondeterministic value: its domain has `count` values from `low` on; 0 if it is empty. */
static uint64_t nondet_domain(const struct machine *machine, const struct thread *thread, const struct instruction *pc,
                              uint64_t *low) {
    const struct frame *frame = thread_frame(thread);
    uint64_t from = operand_value(machine, frame, pc->a);
    uint64_t to = operand_value(machine, frame, pc->b);
    *low = from;
    if (compare(pc->flags & INSTRUCTION_SIGNED ? PREDICATE_SGT : PREDICATE_UGT, from, to, pc->width)) {
        return 0;
    }
    uint64_t last = truncated(to - from, pc->width);
    return last == UINT64_MAX ? last : last + 1;
}

uint64_t machine_choices(struct machine *machine, uint32_t thread) {
    struct thread *at = machine->threads[thread];
    if (at->now.status != THREAD_RUNNING) {
        return 1;
    }
    const struct instruction *pc = thread_frame(at)->pc;
    uint64_t low;
    uint64_t count;
    switch (pc->op) {
    case OP_NONDET:
        count = nondet_domain(machine, at, pc, &low);
        return count ? count : 1;
    case OP_SYNC:
        return sync_choices(machine, at, pc);
    case OP_MALLOC:
        return 2;
    default:
        return 1;
    }
}

/* --- Describing a step -------------------------------------------------------------------------------------------- */

/* Returns the object accessed, or NULL if the access is an error. */
static struct object *describe_access(struct machine *machine, struct thread *thread, const struct instruction *pc,
                                      struct step *step) {
    const struct frame *frame = thread_frame(thread);
    uint64_t expected[2];
    step->address = operand_value(machine, frame, pc->a);
    step->size = pc->width;
    step->order = pc->sub;
    step->atomic = pc->flags & INSTRUCTION_ATOMIC;
    step->reads = pc->op != OP_STORE;
    step->writes = pc->op != OP_LOAD;
    struct object *object = good_object(machine, thread, step->address, pc->width);
    if (step->reads && object) {
        uint64_t serial;
        memory_load(thread, object, step->address, pc->width, step->read, &serial);
        step->forwarded = serial != 0;
        step->serial = serial;
    }
    switch (pc->op) {
    case OP_STORE:
        operand_pair(machine, frame, pc->b, pc->width, step->written);
        step->serial = thread->now.serial + 1;
        break;
    case OP_RMW:
        operand_pair(machine, frame, pc->b, pc->width, expected);
        step->sub = (uint8_t)pc->c;
        rmw_apply(pc->c, pc->width, step->read, expected, step->written);
        break;
    case OP_CAS:
        operand_pair(machine, frame, pc->b, pc->width, expected);
        memcpy(step->expected, expected, sizeof expected);
        step->writes = expected[0] == step->read[0] && expected[1] == step->read[1];
        if (step->writes) {
            operand_pair(machine, frame, pc->c, pc->width, step->written);
        }
        break;
    default:
        break;
    }
    return object;
}

static void describe_end(struct machine *machine, struct thread *thread, uint64_t address, struct step *step) {
    const struct object *object = object_at(machine, address);
    step->address = address;
    step->other = object ? object->size : 0;
    step->writes = true;
    step->serial = thread->now.serial + 1;
}

/* The thread's position for reports; nearly always the newest frame has it. */
static uint32_t step_pos(const struct machine *machine, const struct thread *thread, const struct frame *frame) {
    bool own = !(frame->function->flags & FUNCTION_LIBRARY) && frame->pc->pos != 0;
    return own ? frame->pc->pos : thread_user_pos(machine, thread);
}

/* Accesses are by far the most frequent steps: one comparison recognises them. */
static inline bool is_access(const struct instruction *pc) {
    _Static_assert(OP_CAS - OP_LOAD == 3 && STEP_STORE - STEP_LOAD == OP_STORE - OP_LOAD &&
                       STEP_RMW - STEP_LOAD == OP_RMW - OP_LOAD && STEP_CAS - STEP_LOAD == OP_CAS - OP_LOAD,
                   "accesses stand in the same order as operations and as steps");
    return pc->op >= OP_LOAD && pc->op <= OP_CAS;
}

/* Returns the object of an access; NULL for other steps and for an access that is an error. */
static struct object *describe_step(struct machine *machine, struct thread *thread, struct step *step) {
    *step = (struct step){.kind = STEP_NONE, .thread = thread->slot};
    if (thread->now.status != THREAD_RUNNING) {
        return NULL;
    }
    const struct frame *frame = thread_frame(thread);
    const struct instruction *pc = frame->pc;
    step->pos = step_pos(machine, thread, frame);
    if (is_access(pc)) {
        step->kind = (uint8_t)(STEP_LOAD + (pc->op - OP_LOAD));
        return describe_access(machine, thread, pc, step);
    }
    switch (pc->op) {
    case OP_FENCE:
        step->kind = STEP_FENCE;
        step->order = pc->sub;
        break;
    case OP_FREE:
        step->kind = STEP_FREE;
        describe_end(machine, thread, operand_value(machine, frame, pc->a), step);
        break;
    case OP_LEAVE:
    case OP_STACK_RESTORE:
        step->kind = STEP_LEAVE;
        describe_end(machine, thread, thread->escaping[thread->now.escaping - 1]->base, step);
        break;
    case OP_SYNC:
        step->kind = STEP_SYNC;
        sync_describe(machine, thread, pc, step);
        break;
    case OP_ATOMIC_BEGIN:
        step->kind = STEP_ATOMIC_BEGIN;
        break;
    case OP_ATOMIC_END:
        step->kind = STEP_ATOMIC_END;
        break;
    case OP_NONDET:
        step->kind = STEP_NONDET;
        step->size = pc->width;
        break;
    case OP_MALLOC:
        step->kind = STEP_MALLOC;
        break;
    case OP_RET:
        step->kind = STEP_SYNC;
        sync_describe(machine, thread, &last_return, step);
        break;
    case OP_ASSUME:
    case OP_CUT:
        step->kind = STEP_HALT;
        break;
    default:
        step->kind = STEP_EXIT;
        break;
    }
    return NULL;
}

static void describe_drain(const struct thread *thread, size_t index, struct step *step) {
    const struct buffer_entry *entry = store_buffer_entry(thread, index);
    *step = (struct step){
        .kind = STEP_DRAIN,
        .thread = thread->slot,
        .pos = entry->pos,
        .address = entry->address,
        .size = entry->is_end ? 0 : (uint8_t)entry->size,
        .written = {entry->value[0], entry->value[1]},
        .serial = entry->serial,
        .ends_object = entry->is_end,
        .atomic = entry->atomic,
        .other = entry->is_end ? entry->size : 0,
        .writes = true,
    };
}

/* Describes a transition before it is taken, and returns the object of an access. */
static struct object *foresee(struct machine *machine, struct transition transition, struct step *step) {
    struct thread *thread = machine->threads[transition.thread];
    if (transition.kind != TRANSITION_STEP) {
        describe_drain(thread, draining_index(thread, transition), step);
        return NULL;
    }
    struct object *object = describe_step(machine, thread, step);
    if (step->kind == STEP_SYNC) {
        const struct instruction *pc = thread_frame(thread)->pc;
        sync_foresee(machine, thread, pc->op == OP_SYNC ? pc : &last_return, transition.choice, step);
    }
    return object;
}

void machine_next(struct machine *machine, struct transition transition, struct step *step) {
    foresee(machine, transition, step);
}

const struct step *machine_look(struct machine *machine, struct transition transition) {
    machine->looked = transition;
    machine->next_object = foresee(machine, transition, &machine->last);
    return &machine->last;
}

/* Does `last` describe this transition, and was none taken since? */
static bool is_looked_at(const struct machine *machine, struct transition transition) {
    return machine->looked.thread == transition.thread && machine->looked.kind == transition.kind &&
           machine->looked.choice == transition.choice;
}

/* --- Taking a step ------------------------------------------------------------------------------------------------ */

static void take_access(struct machine *machine, struct thread *thread, const struct instruction *pc,
                        struct object *object, struct step *step) {
    struct frame *frame = thread_frame(thread);
    if (!object || (object->constant && pc->op != OP_LOAD)) {
        memory_check(machine, thread, step->address, pc->width, pc->op != OP_LOAD);
        assert(machine->now.errors > 0 && "a bad access is reported");
        return;
    }
    uint64_t *dst = frame->registers + pc->dst;
    bool wide = pc->width > 8;
    if (object->uninitialised && step->reads && !step->forwarded && !(pc->flags & INSTRUCTION_UNASSUMED)) {
        memory_note_new(machine, thread, object, step->address, pc->width);
    }
    switch (pc->op) {
    case OP_LOAD:
        register_set(dst, step->read, wide);
        break;
    case OP_STORE: {
        struct buffer_entry entry = {
            .address = step->address,
            .value = {step->written[0], step->written[1]},
            .size = pc->width,
            .pos = step->pos,
            .atomic = step->atomic,
        };
        machine->model->store(machine, thread, &entry, pc->sub);
        step->serial = entry.serial;
        break;
    }
    default:
        if (pc->op == OP_CAS && pc->width == 8) {
            memory_note_stale(machine, thread, step->read[0]);
            memory_note_stale(machine, thread, operand_value(machine, frame, pc->b));
        }
        if (step->writes) {
            if (step->read[0] != step->written[0] || step->read[1] != step->written[1]) {
                memory_changed(machine);
            }
            object_write(machine, object, step->address, pc->width, step->written);
        }
        register_set(dst, step->read, wide);
        if (pc->op == OP_CAS) {
            dst[wide ? 2 : 1] = step->writes;
        }
        break;
    }
}

/* Ends the life of an object, through the thread's buffer. */
static void end_object(struct machine *machine, struct thread *thread, const struct object *object, struct step *step) {
    struct buffer_entry entry = {.address = object->base, .size = object->size, .pos = step->pos, .is_end = true};
    machine->model->store(machine, thread, &entry, ORDER_RELAXED);
    step->serial = entry.serial;
}

static void take_free(struct machine *machine, struct thread *thread, struct step *step) {
    struct object *object = object_at(machine, step->address);
    char name[128];
    if (!object || object->base != step->address || object->kind != OBJECT_HEAP) {
        machine_describe(machine, step->address, 0, name, sizeof name);
        machine_fail(machine, thread, step->pos, ERROR_BAD_FREE, "free of %s, which is not the start of a heap object",
                     name);
    } else if (object_ended_for(machine, thread, object)) {
        machine_describe(machine, step->address, 0, name, sizeof name);
        machine_fail(machine, thread, step->pos, ERROR_DOUBLE_FREE, "%s is freed a second time", name);
    } else {
        end_object(machine, thread, object, step);
    }
}

/* Ends the newest escaping local of the frame; the instruction is repeated until there is none. */
static void take_leave(struct machine *machine, struct thread *thread, struct step *step) {
    const struct object *local = thread->escaping[--thread->now.escaping];
    thread->now.stack_bytes -= local->size;
    end_object(machine, thread, local, step);
}

static void take_nondet(struct machine *machine, struct thread *thread, const struct instruction *pc, uint64_t choice,
                        struct step *step) {
    uint64_t low;
    if (nondet_domain(machine, thread, pc, &low) == 0) {
        thread_halt(machine, thread, STOP_ASSUME);
        return;
    }
    step->result = truncated(low + choice, pc->width);
    thread_frame(thread)->registers[pc->dst] = step->result;
}

static void take_malloc(struct machine *machine, struct thread *thread, uint64_t choice) {
    if (choice == 1) {
        struct frame *frame = thread_frame(thread);
        frame->registers[frame->pc->dst] = 0;
    } else {
        heap_allocate(machine, thread);
    }
}

static void take_exit(struct machine *machine, struct thread *thread, uint64_t code) {
    save(machine, &machine->now, offsetof(struct machine_state, error));
    machine->now.exited = true;
    machine->now.exit_code = (int)(code & 255);
    machine->now.outcome = OUTCOME_COMPLETE;
    thread->now.stopped = STOP_EXIT;
    thread_leave_atomic(machine, thread);
    if (machine->options.checks & CHECK_FOR_LEAKS) {
        memory_find_leaks(machine);
    }
    if (machine->options.run_on && machine->now.outcome == OUTCOME_COMPLETE) {
        machine->now.outcome = OUTCOME_RUNNING;
    }
}

static void take_atomic(struct machine *machine, struct thread *thread, bool begin) {
    save(machine, &machine->now.atomic_owner, 2 * sizeof(uint32_t));
    if (begin) {
        machine->now.atomic_owner = thread->slot;
        machine->now.atomic_depth++;
    } else if (machine->now.atomic_depth > 0 && --machine->now.atomic_depth == 0) {
        machine->now.atomic_owner = NO_THREAD;
    }
}

/* Does the step change something that a repetition of the iteration would not change in the same way? */
static bool changes_something(const struct instruction *pc, const struct step *step) {
    switch (pc->op) {
    case OP_LOAD:
    case OP_FENCE:
    case OP_AWAIT:
    case OP_ATOMIC_BEGIN:
    case OP_ATOMIC_END:
        return false;
    case OP_STORE:
        return !(pc->flags & INSTRUCTION_AWAIT);
    case OP_RMW:
        return step->read[0] != step->written[0] || step->read[1] != step->written[1];
    case OP_CAS:
        return step->writes;
    case OP_SYNC:
        return step->changes;
    default:
        return true;
    }
}

/* Takes a step that is not an access.  Returns false if the thread stays at the instruction. */
static bool take_other(struct machine *machine, struct thread *thread, uint64_t choice, struct step *step) {
    const struct frame *frame = thread_frame(thread);
    const struct instruction *pc = frame->pc;
    switch (pc->op) {
    case OP_FREE:
        take_free(machine, thread, step);
        return true;
    case OP_LEAVE:
    case OP_STACK_RESTORE:
        take_leave(machine, thread, step);
        return false;
    case OP_SYNC:
        sync_take(machine, thread, pc, choice, step);
        return true;
    case OP_RET:
        step->sub = SYNC_THREAD_EXIT;
        thread->now.status = THREAD_FINISHED;
        thread->now.result = pc->b > 0 ? operand_value(machine, frame, machine->program->operands[pc->a]) : 0;
        return false;
    case OP_ATOMIC_BEGIN:
    case OP_ATOMIC_END:
        take_atomic(machine, thread, pc->op == OP_ATOMIC_BEGIN);
        return true;
    case OP_NONDET:
        take_nondet(machine, thread, pc, choice, step);
        return true;
    case OP_MALLOC:
        take_malloc(machine, thread, choice);
        return true;
    case OP_EXIT:
        take_exit(machine, thread, operand_value(machine, frame, pc->a));
        return true;
    case OP_ASSUME:
    case OP_CUT:
        thread_halt(machine, thread, pc->op == OP_CUT ? STOP_CUT : STOP_ASSUME);
        return false;
    default: /* FENCE; AWAIT, which reads again */
        return pc->op == OP_FENCE;
    }
}

static void take_step(struct machine *machine, struct thread *thread, uint64_t choice) {
    struct step *step = &machine->last;
    thread_touch(machine, thread);
    struct transition transition = {.thread = thread->slot, .kind = TRANSITION_STEP, .choice = choice};
    struct object *object =
        is_looked_at(machine, transition) ? machine->next_object : describe_step(machine, thread, step);
    struct frame *frame = thread_frame(thread);
    machine->looked.thread = NO_THREAD;
    bool advance = true;
    bool in_await = is_in_await(thread);
    thread->now.waiting = false;
    if (is_access(frame->pc)) {
#ifndef NDEBUG
        bool at_once = frame->pc->op == OP_RMW || frame->pc->op == OP_CAS;
        struct effect effect;
        effect_init(&effect);
        if (at_once) {
            machine_effect(machine, transition, NULL, &effect);
        }
#endif
        take_access(machine, thread, frame->pc, object, step);
#ifndef NDEBUG
        assert((!at_once || effect_has_come(machine, &effect)) && "a step does what its effect said (M6)");
        effect_delete(&effect);
#endif
    } else {
        advance = take_other(machine, thread, choice, step);
    }
    if (machine->now.outcome != OUTCOME_RUNNING || thread->now.status != THREAD_RUNNING || thread->now.stopped) {
        return;
    }
    if (!in_await) {
        thread->now.in_await = false;
    }
    thread->now.dirty |= changes_something(frame->pc, step);
    frame->pc += advance;
    interpret(machine, thread);
}

void machine_take(struct machine *machine, struct transition transition) {
    struct thread *thread = machine->threads[transition.thread];
    assert(machine_is_enabled(machine, transition) && "only enabled transitions are taken");
    machine->counts.steps++;
    if (transition.kind == TRANSITION_STEP) {
        take_step(machine, thread, transition.choice);
        if (thread->now.stopped) {
            thread_leave_halted(machine, thread);
        }
        return;
    }
    size_t index = draining_index(thread, transition);
    if (!is_looked_at(machine, transition)) {
        describe_drain(thread, index, &machine->last);
    }
    machine->looked.thread = NO_THREAD;
    save(machine, &thread->now, sizeof thread->now);
    if (transition.kind == TRANSITION_ABSTRACT) {
        store_buffer_advance(machine, thread, transition.choice);
    } else {
        store_buffer_drain(machine, thread, index);
    }
    thread_leave_halted(machine, thread);
}

const struct step *machine_last(const struct machine *machine) {
    return &machine->last;
}

size_t machine_buffer(const struct machine *machine, uint32_t thread, const struct buffer_entry **entries) {
    const struct thread *at = machine->threads[thread];
    *entries = &at->buffer[at->now.buffer_first];
    return at->now.buffer_count;
}

size_t machine_buffer_exact(const struct machine *machine, uint32_t thread) {
    const struct thread_state *now = &machine->threads[thread]->now;
    return now->buffer_count - now->buffer_abstract;
}

/* --- Marks -------------------------------------------------------------------------------------------------------- */

/* Debug builds: the whole state is looked at now and then, as it may be large. */
static void check_sometimes(const struct machine *machine) {
    uint64_t steps = machine->counts.steps;
    if ((steps & (steps - 1)) == 0 || steps % 256 == 0) {
        machine_check(machine);
    }
}

machine_mark machine_set_mark(struct machine *machine) {
    assert(machine->logging && "marks need the log");
#ifndef NDEBUG
    /* In debug builds the log has the hash of the state, in a record that restores the hash to itself. */
    machine->mark_hash = machine_hash(machine);
    undo_log_save(&machine->log, &machine->mark_hash, sizeof machine->mark_hash);
#endif
    check_sometimes(machine);
    machine->epoch++;
    return machine->log.count;
}

void machine_undo(struct machine *machine, machine_mark mark) {
    undo_log_restore(&machine->log, mark);
    machine->epoch++;
    machine->looked.thread = NO_THREAD;
#ifndef NDEBUG
    uint64_t expected;
    memcpy(&expected, machine->log.words + mark - 2, sizeof expected);
    assert(machine_hash(machine) == expected && "undo restores the state (M1)");
#endif
    check_sometimes(machine);
}
