/* Operations on threads and synchronisation objects: their codes (ir/sync.h) are evaluated in the present state or in a
 * view of it, and the evaluation is applied when the step is taken.  Creation, the end of a thread and the bus have no
 * code, but effects.
 *
 * Every operation waits for the own store buffer to be empty (step.c sees to that), so it acts on memory directly. */
#include <assert.h>
#include <string.h>

#include "machine/state.h"

const struct instruction last_return = {.op = OP_SYNC, .width = SYNC_THREAD_EXIT};

static uint64_t argument(const struct machine *machine, const struct thread *thread, uint32_t operand) {
    return operand_value(machine, thread_frame(thread), operand);
}

/* --- Records of threads ------------------------------------------------------------------------------------------- */

/* A field of a thread's record; the thread may be absent. */
static uint64_t record_field(const struct thread *thread, uint64_t offset) {
    if (!thread) {
        return 0;
    }
    switch (offset) {
    case RECORD_CREATED:
        return 1;
    case RECORD_ENDED:
        return thread->now.status == THREAD_FINISHED;
    case RECORD_JOINED:
        return thread->now.joined;
    case RECORD_DETACHED:
        return thread->now.detached;
    case RECORD_RESULT:
        return thread->now.result;
    default:
        return thread->now.waits;
    }
}

uint64_t record_value(struct machine *machine, uint64_t address) {
    return record_field(thread_with_number(machine, record_number(address)), (address - RECORD_BASE) % RECORD_BYTES);
}

/* The same in a view, which is asked for 8 bytes: one field or two. */
static uint64_t record_in_view(const struct thread *thread, const struct view *view, uint64_t address, unsigned size) {
    uint64_t word = address & ~UINT64_C(7);
    uint64_t offset = (word - RECORD_BASE) % RECORD_BYTES;
    uint64_t value = record_field(thread, offset);
    if (offset < RECORD_RESULT) {
        value |= record_field(thread, offset + 4) << 32;
    }
    view->word(view, word, (uint8_t *)&value);
    value >>= (address - word) * 8;
    return size == 8 ? value : (uint32_t)value;
}

static void record_write(struct machine *machine, uint64_t address, uint64_t value) {
    struct thread *thread = thread_with_number(machine, record_number(address));
    save(machine, &thread->now, sizeof thread->now);
    switch ((address - RECORD_BASE) % RECORD_BYTES) {
    case RECORD_JOINED:
        thread->now.joined = value;
        break;
    case RECORD_DETACHED:
        thread->now.detached = value;
        break;
    default:
        thread->now.waits = value;
        break;
    }
}

/* --- Evaluating a code -------------------------------------------------------------------------------------------- */

struct evaluation {
    struct machine *machine;
    const struct view *view;
    struct effect *effect;
    const struct object *object; /* at a */
    const struct object *second; /* at b */
    uint64_t number;             /* of the thread whose record was read last */
    const struct thread *thread; /* it, or NULL */
    uint64_t registers[SYNC_MAX_REGISTERS + SYNC_CONSTANTS];
};

static uint64_t word_in_view(struct evaluation *evaluation, uint64_t address, unsigned size) {
    if (is_record(address)) {
        uint64_t number = record_number(address);
        if (number != evaluation->number) {
            evaluation->number = number;
            evaluation->thread = thread_with_number(evaluation->machine, number);
        }
        return evaluation->view ? record_in_view(evaluation->thread, evaluation->view, address, size)
                                : record_field(evaluation->thread, (address - RECORD_BASE) % RECORD_BYTES);
    }
    const struct object *object = evaluation->object;
    if (evaluation->second && address - evaluation->registers[SYNC_B] < MUTEX_BYTES) {
        object = evaluation->second;
    }
    uint64_t value[2];
    if (evaluation->view) {
        view_read(evaluation->view, object, address, size, value);
    } else {
        object_read(object, address, size, value);
    }
    return value[0];
}

/* The access to a word, with what is there. */
static inline struct effect_access *access_to(struct evaluation *evaluation, uint64_t address, unsigned size) {
    struct vector *accesses = &evaluation->effect->accesses;
    struct effect_access *access = accesses->data;
    for (size_t i = 0; i < accesses->count; i++, access++) {
        if (access->address == address) {
            return access;
        }
    }
    access = vector_room(accesses);
    access->address = address;
    access->size = size;
    access->kind = 0;
    access->before[0] = word_in_view(evaluation, address, size);
    access->before[1] = access->written[0] = access->written[1] = 0;
    return access;
}

static uint64_t load(struct evaluation *evaluation, uint64_t address, unsigned size) {
    struct effect_access *access = access_to(evaluation, address, size);
    access->kind |= ACCESS_READ;
    return access->before[0];
}

static void change(struct evaluation *evaluation, uint64_t address, unsigned size, unsigned kind, uint64_t value) {
    struct effect_access *access = access_to(evaluation, address, size);
    access->kind |= kind;
    access->written[0] = value;
}

/* Wakes the chosen one of the threads that wait at the address, or all of them. */
static void wake(struct evaluation *evaluation, uint64_t address, bool all, uint64_t choice) {
    struct machine *machine = evaluation->machine;
    uint64_t waiters = 0;
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        const struct thread *thread = machine->threads[i];
        uint64_t waits = record_address(thread->number) + RECORD_WAITS;
        if (thread->now.status != THREAD_ABSENT && word_in_view(evaluation, waits, 8) == address) {
            if (all || waiters == choice) {
                change(evaluation, waits, 8, ACCESS_WRITE, 0);
            }
            waiters++;
        }
    }
    if (!all && waiters > 1) {
        evaluation->effect->choices = waiters;
    }
}

/* Runs the code from its beginning; at its choice it takes the one given. */
static void run_code(struct evaluation *evaluation, const struct sync_op *ops, uint64_t choice) {
    struct effect *effect = evaluation->effect;
    uint64_t *registers = evaluation->registers;
    memcpy(registers + SYNC_MAX_REGISTERS, sync_constants, sizeof sync_constants);
    for (const struct sync_op *at = ops;; at++) {
        uint64_t a = registers[at->a];
        uint64_t b = registers[at->b];
        switch ((enum sync_op_kind)at->kind) {
        case SYNC_OP_LOAD:
            registers[at->dst] = load(evaluation, a + at->offset, at->size);
            break;
        case SYNC_OP_STORE:
            change(evaluation, a + at->offset, at->size, ACCESS_WRITE, b);
            break;
        case SYNC_OP_ADD_TO:
            change(evaluation, a + at->offset, at->size, ACCESS_ADD, b);
            break;
        case SYNC_OP_BRANCH:
            at = ops + (a ? at->b : at->offset) - 1;
            break;
        case SYNC_OP_BRANCH_EQUAL:
            at = a == b ? at : ops + at->offset - 1;
            break;
        case SYNC_OP_BRANCH_DIFFER:
            at = a != b ? at : ops + at->offset - 1;
            break;
        case SYNC_OP_EQUAL:
            registers[at->dst] = a == b;
            break;
        case SYNC_OP_DIFFER:
            registers[at->dst] = a != b;
            break;
        case SYNC_OP_LESS:
            registers[at->dst] = a < b;
            break;
        case SYNC_OP_ADD:
            registers[at->dst] = a + b;
            break;
        case SYNC_OP_ADD_32:
            registers[at->dst] = (uint32_t)(a + b);
            break;
        case SYNC_OP_SUB_32:
            registers[at->dst] = (uint32_t)(a - b);
            break;
        case SYNC_OP_OR:
            registers[at->dst] = a | b;
            break;
        case SYNC_OP_RECORD:
            registers[at->dst] = record_address(a);
            break;
        case SYNC_OP_CHOOSE:
            effect->choices = 2;
            registers[at->dst] = choice;
            break;
        case SYNC_OP_WAKE:
            wake(evaluation, a, b, choice);
            break;
        case SYNC_OP_WAIT_UNLESS:
            if (!a) {
                effect->enabled = false;
                effect->waits_for = b;
                return;
            }
            break;
        case SYNC_OP_ERROR:
            effect->error = at->b;
            effect->text = sync_texts[at->a];
            return;
        case SYNC_OP_RESULT:
            effect->results[0] = a;
            effect->results[1] = b;
            return;
        }
    }
}

/* An object that cannot be accessed counts as written: whoever makes it accessible comes before or after. */
static void bad_object(struct effect *effect, uint64_t address, unsigned bytes) {
    effect->bad = true;
    effect_add(effect, &(struct effect_access){.address = address, .size = bytes, .kind = ACCESS_WRITE});
}

/* Creation, the end of a thread, the bus. */
static void special_effect(const struct thread *thread, unsigned kind, struct effect *effect) {
    struct effect_access access = {.size = 4, .kind = ACCESS_WRITE, .written = {1, 0}};
    switch (kind) {
    case SYNC_THREAD_CREATE:
        access.address = record_address(thread_child_number(thread)) + RECORD_CREATED;
        break;
    case SYNC_THREAD_EXIT:
        access.address = record_address(thread->number) + RECORD_RESULT;
        access.size = 8;
        effect_add(effect, &access);
        access.address = record_address(thread->number) + RECORD_ENDED;
        access.size = 4;
        break;
    default:
        access.address = BUS_ADDRESS;
        break;
    }
    effect_add(effect, &access);
}

void sync_evaluate(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t choice, const struct view *view, struct effect *effect) {
    const struct sync_code *code = &machine->codes[instruction->width];
    unsigned bytes = sync_table[instruction->width].bytes;
    effect_clear(effect);
    if (!code->instructions) {
        special_effect(thread, instruction->width, effect);
        return;
    }
    struct evaluation evaluation; /* its registers are written before they are read */
    uint64_t *registers = evaluation.registers;
    evaluation.machine = machine;
    evaluation.view = view;
    evaluation.effect = effect;
    evaluation.object = evaluation.second = NULL;
    evaluation.number = UINT64_MAX;
    registers[SYNC_A] = argument(machine, thread, instruction->a);
    registers[SYNC_B] = argument(machine, thread, instruction->b);
    registers[SYNC_SELF] = thread->number + 1;
    registers[SYNC_OWN] = record_address(thread->number);
    registers[SYNC_SPURIOUS] = machine->options.spurious;
    if (bytes > 0) {
        evaluation.object = view_object(machine, thread, view, registers[SYNC_A], bytes);
        if (!evaluation.object || evaluation.object->constant) {
            bad_object(effect, registers[SYNC_A], bytes);
        }
    }
    if (code->second > 0) {
        evaluation.second = view_object(machine, thread, view, registers[SYNC_B], code->second);
        if (!evaluation.second || evaluation.second->constant) {
            bad_object(effect, registers[SYNC_B], code->second);
        }
    }
    if (!effect->bad) {
        run_code(&evaluation, code->ops, choice);
    }
}

/* Is what the thread's effect has read still as it was? */
static bool reads_the_same(struct machine *machine, const struct thread *thread,
                           const struct instruction *instruction) {
    const struct effect *effect = &thread->effect;
    const struct effect_access *accesses = effect->accesses.data;
    const struct object *object = NULL;
    const struct thread *target = NULL;
    uint64_t number = UINT64_MAX;
    unsigned bytes = sync_table[instruction->width].bytes;
    if (bytes > 0) {
        object = object_at(machine, thread->effect_a);
        if (!object || !object_serves(machine, thread, object, thread->effect_a, bytes)) {
            return false;
        }
    }
    for (size_t i = 0; i < effect->accesses.count; i++) {
        uint64_t value[2];
        if (is_record(accesses[i].address)) {
            if (record_number(accesses[i].address) != number) {
                number = record_number(accesses[i].address);
                target = thread_with_number(machine, number);
            }
            value[0] = record_field(target, (accesses[i].address - RECORD_BASE) % RECORD_BYTES);
        } else if (object) {
            object_read(object, accesses[i].address, accesses[i].size, value);
        } else {
            return false;
        }
        if (value[0] != accesses[i].before[0]) {
            return false;
        }
    }
    return true;
}

/* For an assertion: does an evaluation say the same as the thread's effect? */
__attribute__((unused)) static bool is_evaluated_alike(struct machine *machine, struct thread *thread,
                                                       const struct instruction *instruction) {
    struct effect effect;
    effect_init(&effect);
    sync_evaluate(machine, thread, instruction, thread->effect_choice, NULL, &effect);
    bool alike = effects_equal(&effect, &thread->effect);
    effect_delete(&effect);
    return alike;
}

/* Is the thread's effect, for some choice, that of its next step in the present state? */
static bool effect_holds(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    if (thread->effect_of == machine->moves) {
        return true;
    }
    const struct sync_code *code = &machine->codes[instruction->width];
    bool holds = thread->effect_at == instruction && !thread->effect.bad && code->instructions && !code->wakes &&
                 code->second == 0 && thread->effect_a == argument(machine, thread, instruction->a) &&
                 thread->effect_b == argument(machine, thread, instruction->b) &&
                 reads_the_same(machine, thread, instruction);
    if (holds) {
        thread->effect_of = machine->moves;
        assert(is_evaluated_alike(machine, thread, instruction) && "an effect stays the same (M7)");
    }
    return holds;
}

const struct effect *sync_effect(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                                 uint64_t choice) {
    struct effect *effect = &thread->effect;
    if (!effect_holds(machine, thread, instruction) || (effect->choices > 1 && thread->effect_choice != choice)) {
        sync_evaluate(machine, thread, instruction, choice, NULL, effect);
        thread->effect_of = machine->moves;
        thread->effect_at = instruction;
        thread->effect_choice = choice;
        if (machine->codes[instruction->width].instructions) {
            thread->effect_a = argument(machine, thread, instruction->a);
            thread->effect_b = argument(machine, thread, instruction->b);
        }
    }
    return effect;
}

/* The effect for whatever choice is known, which says as well whether the operation is enabled and how many choices
 * there are. */
static const struct effect *any_effect(struct machine *machine, struct thread *thread,
                                       const struct instruction *instruction) {
    bool known = effect_holds(machine, thread, instruction);
    return known ? &thread->effect : sync_effect(machine, thread, instruction, 0);
}

/* --- Applying an effect ------------------------------------------------------------------------------------------- */

static void apply_access(struct machine *machine, const struct effect_access *access) {
    uint64_t value[2] = {(uint32_t)(access->written[0] + (access->kind & ACCESS_ADD ? access->before[0] : 0)), 0};
    if (value[0] != access->before[0]) {
        save(machine, &machine->now.version, sizeof machine->now.version);
        machine->now.version++;
        object_write(machine, object_at(machine, access->address), access->address, access->size, value);
    }
}

/* Does what the code says. */
static void apply(struct machine *machine, struct thread *thread, const struct effect *effect, uint64_t object,
                  struct step *step) {
    if (effect->error != ERROR_NONE) {
        char name[128];
        machine_describe(machine, object, 0, name, sizeof name);
        machine_fail(machine, thread, thread_user_pos(machine, thread), effect->error, effect->text, name);
        return;
    }
    const struct effect_access *accesses = effect->accesses.data;
    for (size_t i = 0; i < effect->accesses.count; i++) {
        if (!(accesses[i].kind & (ACCESS_WRITE | ACCESS_ADD))) {
            continue;
        }
        if (is_record(accesses[i].address)) {
            record_write(machine, accesses[i].address, accesses[i].written[0]);
            step->other = thread_with_number(machine, record_number(accesses[i].address))->slot;
        } else {
            apply_access(machine, &accesses[i]);
        }
    }
}

/* --- The bus ------------------------------------------------------------------------------------------------------ */

static void bus_lock(struct machine *machine, const struct thread *thread) {
    save(machine, &machine->now.bus_owner, 2 * sizeof(uint32_t));
    machine->now.bus_owner = thread->slot;
    machine->now.bus_depth++;
}

static void bus_unlock(struct machine *machine, struct thread *thread) {
    if (machine->now.bus_owner != thread->slot) {
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_NOT_OWNER,
                     "a thread unlocks without having locked");
        return;
    }
    save(machine, &machine->now.bus_owner, 2 * sizeof(uint32_t));
    if (--machine->now.bus_depth == 0) {
        machine->now.bus_owner = NO_THREAD;
    }
}

/* --- Threads ------------------------------------------------------------------------------------------------------ */

static void create(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t *results, struct step *step) {
    uint64_t address = argument(machine, thread, instruction->a);
    int64_t function = function_at(machine->program, address);
    const uint64_t arguments[] = {argument(machine, thread, instruction->b), argument(machine, thread, instruction->c)};
    if (function < 0) {
        machine_fail(machine, thread, thread_user_pos(machine, thread),
                     address < PAGE_SIZE ? ERROR_NULL_POINTER : ERROR_MISUSE, "a thread is created with no function");
        return;
    }
    struct thread *child = thread_create(machine, thread, (uint32_t)function, arguments, 2);
    if (!child) {
        return;
    }
    results[0] = child->number;
    step->other = child->slot;
    interpret(machine, child);
}

static void end_thread(struct machine *machine, struct thread *thread, uint64_t value) {
    while (thread->now.escaping > 0) {
        struct object *object = thread->escaping[--thread->now.escaping];
        save(machine, &object->life, sizeof object->life);
        object->life.ended_by = thread->slot + 1;
        object->life.ended_pos = thread_user_pos(machine, thread);
    }
    region_cut(machine, thread->stack, 0);
    thread->now.status = THREAD_FINISHED;
    thread->now.result = value;
}

/* --- The interface ------------------------------------------------------------------------------------------------ */

struct thread *sync_joins(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    struct thread *target = thread_with_number(machine, argument(machine, thread, instruction->a));
    if (!target || target->now.status != THREAD_FINISHED) {
        return NULL;
    }
    const struct effect *effect = sync_effect(machine, thread, instruction, 0);
    return effect->enabled && effect->results[0] == 0 ? target : NULL;
}

uint64_t sync_choices(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    return machine->codes[instruction->width].may_choose ? any_effect(machine, thread, instruction)->choices : 1;
}

bool sync_enabled(struct machine *machine, struct thread *thread, const struct instruction *instruction) {
    unsigned kind = instruction->width;
    if ((sync_table[kind].bytes > 0 || kind == SYNC_BUS_LOCK) && bus_taken(machine, thread)) {
        return false;
    }
    return !machine->codes[kind].may_wait || any_effect(machine, thread, instruction)->enabled;
}

void sync_describe(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                   uint64_t choice, struct step *step) {
    unsigned kind = instruction->width;
    step->sub = (uint8_t)kind;
    step->atomic = true;
    step->size = sync_table[kind].bytes;
    step->effect = sync_effect(machine, thread, instruction, choice);
    if (kind == SYNC_THREAD_EXIT) {
        step->address = thread->number;
    } else {
        step->address = argument(machine, thread, instruction->a);
    }
    if (kind == SYNC_BUS_LOCK || kind == SYNC_BUS_UNLOCK) {
        step->address = BUS_ADDRESS;
        step->size = BUS_BYTES;
    }
    step->result = step->effect->results[0];
    if ((kind == SYNC_THREAD_JOIN || kind == SYNC_THREAD_TRYJOIN) && step->effect->enabled && step->result == 0) {
        step->other = thread_with_number(machine, step->address)->slot;
    }
}

/* Does an operation that has no code. */
static void take_special(struct machine *machine, struct thread *thread, const struct instruction *instruction,
                         uint64_t results[2], struct step *step) {
    switch (instruction->width) {
    case SYNC_THREAD_CREATE:
        create(machine, thread, instruction, results, step);
        break;
    case SYNC_BUS_LOCK:
        bus_lock(machine, thread);
        break;
    case SYNC_BUS_UNLOCK:
        bus_unlock(machine, thread);
        break;
    default: /* SYNC_THREAD_EXIT */
        end_thread(machine, thread, argument(machine, thread, instruction->a));
        break;
    }
}

void sync_take(struct machine *machine, struct thread *thread, const struct instruction *instruction, uint64_t choice,
               struct step *step) {
    unsigned bytes = sync_table[instruction->width].bytes;
    unsigned second = machine->codes[instruction->width].second;
    uint64_t a = argument(machine, thread, instruction->a);
    uint64_t results[2] = {0};
    const struct effect *effect = sync_effect(machine, thread, instruction, choice);
    if (effect->bad) {
        if (memory_check(machine, thread, a, bytes, true) && second > 0) {
            memory_check(machine, thread, argument(machine, thread, instruction->b), second, true);
        }
        return;
    }
    if (machine->codes[instruction->width].instructions) {
        memcpy(results, effect->results, sizeof results);
        apply(machine, thread, effect, a, step);
        assert(effect_has_come(machine, effect) && "a step does what its effect said (M6)");
    } else {
        take_special(machine, thread, instruction, results, step);
    }
    step->result = results[0];
    if (instruction->dst != NO_REGISTER && thread->now.status == THREAD_RUNNING) {
        uint64_t *dst = thread_frame(thread)->registers + instruction->dst;
        memcpy(dst, results, (instruction->sub < 2 ? instruction->sub : 2) * sizeof *dst);
    }
}
