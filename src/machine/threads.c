/* Threads: their numbers, stacks and beginnings.
 *
 * A thread's number follows from its position in the creation tree alone.  The first thread has number 0, its k-th
 * child 2k + 1, and the k-th child of thread t > 0 has 2 * pair(t - 1, k) + 2, where pair is Cantor's.  Pairs grow fast
 * with the depth of the tree; beyond PAIRED the number is a hash of parent and index, even as well.  Of two threads
 * with the same hash, the second is not created: its creator is cut there. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/state.h"
#include "util/memory.h"
#include "util/reserve.h"

#define PAIRED 16000u /* numbers up to here are pairs */
#define FRAME_COST 64 /* stack bytes of a call besides its locals, as in a compiled program */

uint64_t machine_child_number(uint64_t parent, uint64_t child) {
    if (parent == 0) {
        return 2 * child + 1;
    }
    uint64_t sum = parent - 1 + child;
    if (sum < PAIRED && sum * (sum + 1) + 2 * child + 2 <= PAIRED) {
        return sum * (sum + 1) + 2 * child + 2;
    }
    uint64_t hash = (parent << 32 | (child & UINT32_MAX)) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    hash ^= hash >> 32;
    return PAIRED + 2 + hash % ((MAX_THREAD_NUMBER - PAIRED) / 2 - 1) * 2;
}

uint32_t thread_child_number(const struct thread *parent) {
    return (uint32_t)machine_child_number(parent->number, parent->now.children);
}

struct thread *thread_search(struct machine *machine, uint64_t number) {
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        struct thread *thread = machine->threads[i];
        if (thread->number == number && thread->now.status != THREAD_ABSENT) {
            return thread;
        }
    }
    return NULL;
}

/* The greatest sizes of a thread's arrays, in their order in one reservation: machines are made often. */
#define FRAMES_BYTES (MAX_FRAMES * sizeof(struct frame))
#define REGISTERS_BYTES (MAX_REGISTERS * sizeof(uint64_t))
#define BUFFER_BYTES (MAX_BUFFER * sizeof(struct buffer_entry))
#define ESCAPING_BYTES (MAX_ESCAPING * sizeof(struct object *))
#define ARRAYS_BYTES (FRAMES_BYTES + REGISTERS_BYTES + BUFFER_BYTES + ESCAPING_BYTES)

static void make_arrays(struct thread *thread) {
    uint8_t *room = reserve_new(ARRAYS_BYTES);
    thread->frames = (struct frame *)room;
    thread->registers = (uint64_t *)(room += FRAMES_BYTES);
    thread->buffer = (struct buffer_entry *)(room += REGISTERS_BYTES);
    thread->escaping = (struct object **)(room + BUFFER_BYTES);
}

static struct thread *slot_new(struct machine *machine, const struct thread *parent, uint32_t child) {
    struct thread *thread = memory_allocate(sizeof *thread);
    thread->slot = machine->threads_count;
    thread->child = child;
    if (parent) {
        thread->depth = parent->depth + 1;
        thread->parent = parent->slot;
        thread->number = (uint32_t)machine_child_number(parent->number, child);
        if (parent->slot == 0) {
            snprintf(thread->name, sizeof thread->name, "%u", child + 1);
        } else {
            snprintf(thread->name, sizeof thread->name, "%.50s.%u", parent->name, child + 1);
        }
    } else {
        thread->parent = NO_THREAD;
        snprintf(thread->name, sizeof thread->name, "main");
    }
    make_arrays(thread);
    effect_init(&thread->effect);
    effect_init(&thread->known);
    if (machine->options.checks & CHECK_FOR_UNINIT) {
        thread->taint = reserve_new(MAX_REGISTERS);
    }
    thread->thread_local_addresses =
        memory_allocate(machine->program->globals_count * sizeof *thread->thread_local_addresses);
    uint64_t base = THREAD_BASE + thread->number * REGION_SIZE;
    thread->heap = region_new(machine, base, false);
    thread->stack = region_new(machine, base + STACK_OFFSET, true);
    machine->threads = memory_resize(machine->threads, (machine->threads_count + 1) * sizeof *machine->threads);
    machine->threads[machine->threads_count++] = thread;
    return thread;
}

void thread_delete(struct thread *thread) {
    effect_delete(&thread->effect);
    effect_delete(&thread->known);
    reserve_free(thread->frames, ARRAYS_BYTES);
    if (thread->taint) {
        reserve_free(thread->taint, MAX_REGISTERS);
    }
    free(thread->thread_local_addresses);
    free(thread);
}

static struct thread *find_slot(struct machine *machine, const struct thread *parent) {
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        struct thread *thread = machine->threads[i];
        if (parent ? thread->parent == parent->slot && thread->child == parent->now.children
                   : thread->parent == NO_THREAD) {
            return thread;
        }
    }
    if (!parent || !machine->options.slots) {
        return slot_new(machine, parent, parent ? parent->now.children : 0);
    }
    uint32_t slot = slots_find(machine->options.slots, (struct birth){parent->slot, parent->now.children});
    while (machine->threads_count <= slot) {
        struct birth birth = slots_at(machine->options.slots, machine->threads_count);
        slot_new(machine, machine->threads[birth.parent], birth.child);
    }
    return machine->threads[slot];
}

#define MAX_PRIVATE_THREAD_LOCAL (UINT64_C(1) << 20)

/* Each thread has its own copy of the thread-local globals.  They are the first objects of its heap; or of its stack,
 * if no other thread can learn their address and the stack has room for them besides the locals. */
static void make_thread_locals(struct machine *machine, struct thread *thread) {
    const struct program *program = machine->program;
    for (size_t g = 0; g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        if (!(global->flags & GLOBAL_THREAD_LOCAL)) {
            continue;
        }
        bool private = global->flags & GLOBAL_PRIVATE;
        bool on_stack = private && global->size <= MAX_PRIVATE_THREAD_LOCAL &&
                        thread->stack->extent.used + global->size <= STACK_LIMIT;
        struct region *region = on_stack ? thread->stack : thread->heap;
        struct object *object = object_new(machine, region, global->size, global->alignment);
        assert(object && "thread-locals fit their region (program_check)");
        object->kind = OBJECT_THREAD_LOCAL;
        object->private = private;
        object->type = global->type;
        object->name = global->name;
        object->pos = global->pos;
        object->thread = thread->slot;
        if (global->initial_size > 0) {
            memcpy(object->bytes, program->bytes + global->initial, global->initial_size);
        }
        thread->thread_local_addresses[g] = object->base;
    }
}

bool thread_is_deepest(const struct machine *machine, const struct thread *thread) {
    return thread->depth >= machine_thread_depth(&machine->options);
}

/* Can the thread have another child?  That depends only on its position in the creation tree, so the order of steps
 * makes no difference. */
static bool has_room(const struct machine *machine, const struct thread *parent) {
    uint32_t number = thread_child_number(parent);
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        const struct thread *thread = machine->threads[i];
        bool is_this = thread->parent == parent->slot && thread->child == parent->now.children;
        if (thread->number == number && !is_this) {
            return false;
        }
    }
    return !thread_is_deepest(machine, parent) && number <= MAX_THREAD_NUMBER;
}

struct thread *thread_create(struct machine *machine, struct thread *parent, uint32_t function,
                             const uint64_t *arguments, unsigned count) {
    if (parent && !has_room(machine, parent)) {
        thread_halt(machine, parent, STOP_CUT);
        return NULL;
    }
    struct thread *thread = find_slot(machine, parent);
    save(machine, &thread->now, sizeof thread->now);
    thread->epoch = machine->epoch;
    thread->touched = 0; /* all its frames are new */
    thread->now = (struct thread_state){.status = THREAD_RUNNING};
    if (parent) {
        parent->now.children++;
    }
    make_thread_locals(machine, thread);
    const struct function *start = &machine->program->functions[function];
    frame_push(machine, thread, start, NO_REGISTER, 0);
    /* The slot may have been used before, and a register may count as live though no path reads it before writing it.
     * The state must not depend on its old contents. */
    memset(thread->registers, 0, start->registers * sizeof *thread->registers);
    for (uint32_t i = 0; i < start->parameters && i < count; i++) {
        thread->registers[i] = arguments[i];
    }
    if (thread->taint) {
        memset(thread->taint, 0, start->registers);
    }
    return thread;
}

bool frame_push(struct machine *machine, struct thread *thread, const struct function *function, uint32_t dst,
                uint32_t results) {
    struct thread_state *now = &thread->now;
    assert(thread->frames && "slot_new made them");
    struct frame *caller = now->depth ? thread_frame(thread) : NULL;
    uint64_t *registers = caller ? caller->registers + caller->function->registers : thread->registers;
    uint64_t cost = FRAME_COST + function->registers * sizeof *registers;
    /* The first frame of a thread always fits: there is no call at which an overflow could be reported. */
    if (caller && (now->depth >= MAX_FRAMES || now->stack_bytes + cost > STACK_LIMIT ||
                   (uint64_t)(registers - thread->registers) + function->registers > MAX_REGISTERS)) {
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_STACK,
                     "the stack overflows: %u calls deep in %s", now->depth,
                     program_string(machine->program, function->name));
        return false;
    }
    thread->frames[now->depth++] = (struct frame){
        .function = function,
        .pc = machine->program->code + function->first,
        .registers = registers,
        .dst = dst,
        .results = results,
        .locals = thread->stack->extent.count,
        .stack_bytes = now->stack_bytes,
        .escaping = now->escaping,
    };
    now->stack_bytes += cost;
    return true;
}

uint32_t thread_user_pos(const struct machine *machine, const struct thread *thread) {
    const struct program *program = machine->program;
    for (uint32_t depth = thread->now.depth; depth-- > 0;) {
        const struct frame *frame = &thread->frames[depth];
        const struct instruction *at = depth + 1 == thread->now.depth ? frame->pc : frame->pc - 1;
        if (!(frame->function->flags & FUNCTION_LIBRARY) && at->pos != 0) {
            return at->pos;
        }
    }
    return thread->now.depth && program->code_count ? thread_frame(thread)->pc->pos : 0;
}

void machine_call_stack(const struct machine *machine, uint32_t thread, struct vector *stack) {
    const struct thread *of = machine->threads[thread];
    for (uint32_t depth = of->now.depth; depth-- > 0;) {
        const struct frame *frame = &of->frames[depth];
        const struct instruction *at = depth + 1 == of->now.depth ? frame->pc : frame->pc - 1;
        uint32_t pos = frame->function->flags & FUNCTION_LIBRARY ? 0 : at->pos;
        for (; pos != 0; pos = machine->program->positions[pos].caller) {
            vector_push(stack, &pos);
        }
    }
}

uint32_t machine_threads(const struct machine *machine) {
    return machine->threads_count;
}

bool machine_thread_exists(const struct machine *machine, uint32_t thread) {
    return thread < machine->threads_count && machine->threads[thread]->now.status != THREAD_ABSENT;
}

bool machine_thread_finished(const struct machine *machine, uint32_t thread) {
    return machine->threads[thread]->now.status == THREAD_FINISHED;
}

bool machine_thread_local(const struct machine *machine, uint32_t thread, uint32_t global, uint64_t *address) {
    if (!machine_thread_exists(machine, thread)) {
        return false;
    }
    *address = machine->threads[thread]->thread_local_addresses[global];
    return true;
}

bool machine_thread_stopped(const struct machine *machine, uint32_t thread) {
    uint8_t stopped = machine->threads[thread]->now.stopped;
    return stopped == STOP_ASSUME || stopped == STOP_CUT;
}

bool machine_thread_halted(const struct machine *machine, uint32_t thread) {
    return machine->threads[thread]->now.stopped == STOP_HALT;
}

uint32_t machine_thread_number(const struct machine *machine, uint32_t thread) {
    return machine->threads[thread]->number;
}

const char *machine_thread_name(const struct machine *machine, uint32_t thread) {
    return machine->threads[thread]->name;
}

int64_t machine_thread_numbered(const struct machine *machine, uint32_t number) {
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        if (machine->threads[i]->number == number) {
            return i;
        }
    }
    return -1;
}

uint32_t machine_thread_pos(const struct machine *machine, uint32_t thread) {
    return thread_user_pos(machine, machine->threads[thread]);
}
