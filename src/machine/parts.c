/* A state in parts: see parts.h.  A part has a copy of the thread with its frames, registers, store buffer, private
 * locals and private thread-local variables.  It has no heap objects and no escaping locals, so programs with these
 * have no parts. */
#include "machine/parts.h"

#include <string.h>

#include "machine/state.h"
#include "util/memory.h"

/* The version of memory whenever parts are loaded.  A thread whose iteration has not seen a change has this version
 * too. */
#define PART_VERSION (UINT64_C(1) << 32)

struct part {
    struct thread_state now;
    uint32_t atomic_depth; /* if it holds the section, else 0 */
    uint32_t bus_depth;
    bool current;                 /* memory has its version */
    uint64_t registers;           /* after the frames */
    struct region_extent locals;  /* private: after the registers, objects first, then their bytes */
    struct region_extent globals; /* thread-local: then the bytes of each */
};

static bool allocates(const struct instruction *instruction) {
    switch (instruction->op) {
    case OP_ALLOCA:
        return !(instruction->flags & INSTRUCTION_PRIVATE);
    case OP_MALLOC:
    case OP_FREE:
    case OP_LIB:
        return true;
    default:
        return false;
    }
}

bool machine_has_parts(const struct machine *machine) {
    const struct program *program = machine->program;
    if ((machine->options.checks & CHECK_FOR_UNINIT) || machine->options.run_on || machine->options.run_past_errors) {
        return false;
    }
    for (size_t i = 0; i < program->code_count; i++) {
        if (allocates(&program->code[i])) {
            return false;
        }
    }
    for (size_t g = 0; g < program->globals_count; g++) {
        if ((program->globals[g].flags & GLOBAL_THREAD_LOCAL) && !(program->globals[g].flags & GLOBAL_PRIVATE)) {
            return false;
        }
    }
    return true;
}

static const struct thread *thread_of(const struct machine *machine, uint32_t thread) {
    return thread < machine->threads_count && machine->threads[thread]->now.status != THREAD_ABSENT
               ? machine->threads[thread]
               : NULL;
}

static bool runs(const struct thread *thread) {
    return thread && thread->now.status == THREAD_RUNNING;
}

/* Registers in use: up to the end of the newest frame. */
static size_t registers_of(const struct thread *thread) {
    const struct frame *frame = thread_frame(thread);
    return (size_t)(frame->registers - thread->registers) + frame->function->registers;
}

size_t machine_part_size(const struct machine *machine, uint32_t thread) {
    const struct thread *at = thread_of(machine, thread);
    size_t size = sizeof(struct part);
    if (!runs(at)) {
        return size;
    }
    size += at->now.depth * sizeof(struct frame) + registers_of(at) * sizeof(uint64_t);
    size += at->now.buffer_count * sizeof(struct buffer_entry);
    size += at->stack->extent.count * sizeof(struct object) + at->stack->extent.used;
    size += at->stack->uninitialised ? at->stack->extent.used : 0;
    for (uint64_t i = 0; i < at->heap->extent.count; i++) {
        size += at->heap->objects[i]->size;
    }
    return size;
}

static uint8_t *put(uint8_t *to, const void *from, size_t size) {
    if (size > 0) {
        memcpy(to, from, size);
    }
    return to + size;
}

static const uint8_t *get(const uint8_t *from, void *to, size_t size) {
    if (size > 0) {
        memcpy(to, from, size);
    }
    return from + size;
}

void machine_part_save(const struct machine *machine, uint32_t thread, uint8_t *to) {
    const struct thread *at = thread_of(machine, thread);
    struct part part = {.now = at ? at->now : (struct thread_state){.status = THREAD_ABSENT}};
    if (at && machine->now.atomic_owner == thread) {
        part.atomic_depth = machine->now.atomic_depth;
    }
    if (at && machine->now.bus_owner == thread) {
        part.bus_depth = machine->now.bus_depth;
    }
    part.current = at && at->now.version == machine->now.version;
    if (!runs(at)) {
        put(to, &part, sizeof part);
        return;
    }
    part.registers = registers_of(at);
    part.locals = at->stack->extent;
    part.globals = at->heap->extent;
    to = put(to, &part, sizeof part);
    to = put(to, at->frames, at->now.depth * sizeof *at->frames);
    to = put(to, at->registers, part.registers * sizeof *at->registers);
    to = put(to, at->buffer + at->now.buffer_first, at->now.buffer_count * sizeof *at->buffer);
    for (uint64_t i = 0; i < part.locals.count; i++) {
        to = put(to, at->stack->objects[i], sizeof(struct object));
    }
    to = put(to, at->stack->memory, part.locals.used);
    to = put(to, at->stack->uninitialised, at->stack->uninitialised ? part.locals.used : 0);
    for (uint64_t i = 0; i < part.globals.count; i++) {
        to = put(to, at->heap->objects[i]->bytes, at->heap->objects[i]->size);
    }
}

/* Makes the region empty. */
static void region_clear(struct region *region) {
    region->extent = (struct region_extent){.next = region->base + PAGE_SIZE};
}

void machine_parts_begin(struct machine *machine) {
    struct machine_state *now = &machine->now;
    now->version = PART_VERSION;
    now->atomic_owner = NO_THREAD;
    now->atomic_depth = 0;
    now->bus_owner = NO_THREAD;
    now->bus_depth = 0;
    now->goals = 0;
    now->outcome = OUTCOME_RUNNING;
    now->exited = false;
    now->errors = 0;
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        machine->threads[i]->now.status = THREAD_ABSENT;
        machine->threads[i]->now.buffer_count = 0;
        region_clear(machine->threads[i]->stack);
        region_clear(machine->threads[i]->heap);
    }
}

void machine_part_load(struct machine *machine, uint32_t thread, const uint8_t *from) {
    struct part part;
    from = get(from, &part, sizeof part);
    if (part.now.status == THREAD_ABSENT) {
        return;
    }
    struct thread *at = machine->threads[thread];
    at->now = part.now;
    at->now.version = machine->now.version - !part.current;
    if (runs(at)) {
        from = get(from, at->frames, part.now.depth * sizeof *at->frames);
        from = get(from, at->registers, part.registers * sizeof *at->registers);
        from = get(from, at->buffer, at->now.buffer_count * sizeof *at->buffer);
        at->now.buffer_first = 0;
        at->stack->extent = part.locals;
        at->heap->extent = part.globals;
        for (uint64_t i = 0; i < part.locals.count; i++) {
            from = get(from, at->stack->objects[i], sizeof(struct object));
        }
        from = get(from, at->stack->memory, part.locals.used);
        from = get(from, at->stack->uninitialised, at->stack->uninitialised ? part.locals.used : 0);
        for (uint64_t i = 0; i < part.globals.count; i++) {
            from = get(from, at->heap->objects[i]->bytes, at->heap->objects[i]->size);
        }
    }
    if (part.atomic_depth > 0) {
        machine->now.atomic_owner = thread;
        machine->now.atomic_depth = part.atomic_depth;
    }
    if (part.bus_depth > 0) {
        machine->now.bus_owner = thread;
        machine->now.bus_depth = part.bus_depth;
    }
    machine->now.goals += part.now.stopped == STOP_GOAL;
    if (part.now.stopped == STOP_EXIT) {
        machine->now.exited = true;
        machine->now.outcome = OUTCOME_COMPLETE;
    } else if (part.now.stopped == STOP_ASSUME || part.now.stopped == STOP_CUT) {
        machine->now.outcome = part.now.stopped == STOP_CUT ? OUTCOME_CUT : OUTCOME_ASSUME;
    }
}

bool machine_parts_changed(const struct machine *machine) {
    return machine->now.version != PART_VERSION;
}

void machine_part_age(struct machine *machine, uint32_t thread) {
    machine->threads[thread]->now.version = machine->now.version - 1;
}

struct part_info machine_part_info(const struct machine *machine, uint32_t thread) {
    const struct thread *at = thread_of(machine, thread);
    struct part_info info = {
        .exists = at, .standing = true, .stopped = OUTCOME_RUNNING, .execution = machine->now.outcome};
    if (!at) {
        return info;
    }
    info.finished = at->now.status == THREAD_FINISHED;
    info.joinable = !info.finished && !at->now.joined && !at->now.detached;
    info.holds_atomic = machine->now.atomic_owner == thread;
    info.holds_bus = machine->now.bus_owner == thread;
    info.in_iteration =
        !info.finished && (at->now.in_await || at->now.waiting) && at->now.version == machine->now.version;
    info.waits = info.in_iteration && (at->now.waiting || thread_frame(at)->pc->op == OP_AWAIT);
    info.standing = info.finished || at->now.stopped;
    info.goal = at->now.stopped == STOP_GOAL ? thread_frame(at)->pc->a : 0;
    info.stopped = at->now.stopped == STOP_ASSUME ? OUTCOME_ASSUME
                   : at->now.stopped == STOP_CUT  ? OUTCOME_CUT
                   : at->now.stopped == STOP_EXIT ? OUTCOME_COMPLETE
                                                  : OUTCOME_RUNNING;
    return info;
}

size_t machine_part_depth(const struct machine *machine, uint32_t thread) {
    const struct thread *at = thread_of(machine, thread);
    return runs(at) ? at->now.depth : 0;
}

void machine_part_frame(const struct machine *machine, uint32_t thread, size_t frame, uint32_t *function,
                        uint32_t *instruction) {
    const struct frame *at = &machine->threads[thread]->frames[frame];
    *function = (uint32_t)(at->function - machine->program->functions);
    *instruction = (uint32_t)(at->pc - machine->program->code) - at->function->first;
}

/* --- The row of globals ------------------------------------------------------------------------------------------- */

static const struct region *globals_of(const struct machine *machine) {
    return machine->regions[GLOBAL_BASE >> HALF_SHIFT];
}

/* Objects begin at multiples of 8, so that an aligned access does not cross one. */
static size_t row_width(const struct object *object) {
    return object->constant ? 0 : (object->size + 7) / 8 * 8;
}

size_t machine_row_size(const struct machine *machine) {
    const struct region *region = globals_of(machine);
    size_t size = 0;
    for (uint64_t i = 0; i < region->extent.count; i++) {
        size += row_width(region->objects[i]);
    }
    return size;
}

void machine_row_save(const struct machine *machine, uint8_t *to) {
    const struct region *region = globals_of(machine);
    for (uint64_t i = 0; i < region->extent.count; i++) {
        const struct object *object = region->objects[i];
        if (!object->constant) {
            memset(to, 0, row_width(object));
            memcpy(to, object->bytes, object->size);
            to += row_width(object);
        }
    }
}

void machine_row_load(struct machine *machine, size_t offset, const uint8_t *from, size_t size) {
    const struct region *region = globals_of(machine);
    size_t start = 0;
    for (uint64_t i = 0; i < region->extent.count && start < offset + size; i++) {
        struct object *object = region->objects[i];
        size_t width = row_width(object);
        size_t begin = offset > start ? offset : start;
        size_t end = offset + size < start + object->size ? offset + size : start + object->size;
        if (width > 0 && begin < end) {
            memcpy(object->bytes + (begin - start), from + (begin - offset), end - begin);
        }
        start += width;
    }
}

int64_t machine_row_offset(const struct machine *machine, uint64_t address, size_t size) {
    const struct region *region = globals_of(machine);
    size_t start = 0;
    for (uint64_t i = 0; i < region->extent.count; i++) {
        const struct object *object = region->objects[i];
        if (!object->constant && address >= object->base && address - object->base < object->size) {
            return size <= object->size - (address - object->base) ? (int64_t)(start + (address - object->base)) : -1;
        }
        start += row_width(object);
    }
    return -1;
}
