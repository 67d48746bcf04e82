/* Objects: where they lie, what they hold, when they end.
 *
 * Each half region (4 GB) of the address space has its objects in ascending order.  A table of pages finds globals and
 * heap objects; binary search finds private locals, since their addresses are used again. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/memory_model.h"
#include "machine/state.h"
#include "util/memory.h"
#include "util/reserve.h"

#define STACK_MEMORY (2 * STACK_LIMIT)
_Static_assert(HALF_SIZE == UINT64_C(1) << HALF_SHIFT, "regions are divided as addresses are");
#define SHORT_TABLE 4096u
#define MOST_REGIONS ((THREAD_BASE >> HALF_SHIFT) + 2 * ((size_t)MAX_THREAD_NUMBER + 1))

/* Threads with small numbers have their regions in a short table; a large number needs a long one, most of whose pages
 * are never touched. */
static void make_room(struct machine *machine, size_t index) {
    if (index < machine->regions_count) {
        return;
    }
    size_t before = machine->regions_count;
    size_t count = index < SHORT_TABLE ? index + 8 : MOST_REGIONS;
    struct region **regions = reserve_new(count * sizeof *regions);
    if (before > 0) {
        memcpy(regions, machine->regions, before * sizeof *regions);
        reserve_free(machine->regions, before * sizeof *regions);
    }
    machine->regions = regions;
    machine->regions_count = count;
}

struct region *region_new(struct machine *machine, uint64_t base, bool stack) {
    size_t index = base >> HALF_SHIFT;
    make_room(machine, index);
    struct region *region = memory_allocate(sizeof *region);
    region->base = base;
    region->extent.next = base + PAGE_SIZE;
    if (stack) {
        region->memory = reserve_new(STACK_MEMORY);
        region->uninitialised = machine->shadows ? reserve_new(STACK_MEMORY) : NULL;
    } else {
        region->pages_count = 16;
        region->pages = memory_allocate(region->pages_count * sizeof *region->pages);
        memset(region->pages, 0xff, region->pages_count * sizeof *region->pages);
    }
    machine->regions[index] = region;
    return region;
}

/* Gives the pages of the object, and the one after it, to the object. */
static void map_pages(struct region *region, const struct object *object, uint64_t index) {
    size_t first = (object->base - region->base) / PAGE_SIZE;
    size_t end = (object->base + object->size - region->base) / PAGE_SIZE + 2;
    if (end > region->pages_count) {
        size_t count = end * 2;
        region->pages = memory_resize(region->pages, count * sizeof *region->pages);
        memset(region->pages + region->pages_count, 0xff, (count - region->pages_count) * sizeof *region->pages);
        region->pages_count = count;
    }
    for (size_t page = first; page < end; page++) {
        region->pages[page] = (uint32_t)index;
    }
}

/* The next object of the region; only its bytes are kept from an earlier use. */
static struct object *object_reuse(struct machine *machine, struct region *region, uint64_t size) {
    uint64_t index = region->extent.count;
    if (index == region->capacity) {
        size_t capacity = region->capacity * 2 + 16;
        region->objects = memory_resize(region->objects, capacity * sizeof(struct object *));
        for (size_t i = region->capacity; i < capacity; i++) {
            region->objects[i] = NULL;
        }
        region->capacity = capacity;
    }
    if (!region->objects[index]) {
        region->objects[index] = memory_allocate(sizeof(struct object));
    }
    struct object *object = region->objects[index];
    if (region->memory) {
        /* Undoing may bring back the object that was here before. */
        save(machine, object, sizeof *object);
        object->bytes = region->memory + region->extent.used;
        object->uninitialised = region->uninitialised ? region->uninitialised + region->extent.used : NULL;
        if (size > 0) {
            save(machine, object->bytes, size);
            memset(object->bytes, 0, size);
        }
        if (size > 0 && object->uninitialised) {
            save(machine, object->uninitialised, size);
        }
    } else if (object->capacity < size || !object->bytes) {
        free(object->bytes);
        free(object->uninitialised);
        object->bytes = memory_allocate(size + 8);
        object->uninitialised = machine->shadows ? memory_allocate(size + 8) : NULL;
        object->capacity = size;
    } else {
        memset(object->bytes, 0, size);
    }
    if (object->uninitialised) {
        memset(object->uninitialised, 0, size);
    }
    *object =
        (struct object){.bytes = object->bytes, .uninitialised = object->uninitialised, .capacity = object->capacity};
    return object;
}

struct object *object_new(struct machine *machine, struct region *region, uint64_t size, uint64_t alignment) {
    uint64_t base = object_address_from(region->extent.next, alignment);
    if (!object_fits(base - region->base, size) || (region->memory && size + 16 > STACK_MEMORY - region->extent.used)) {
        return NULL;
    }
    struct object *object = object_reuse(machine, region, size);
    object->base = base;
    object->size = size;
    object->aligned = alignment > 1 ? (uint8_t)__builtin_ctzll(alignment) : 0;
    uint64_t index = region->extent.count;
    save(machine, &region->extent, sizeof region->extent);
    region->extent.count++;
    region->extent.next = object_end(base, size);
    region->extent.used += (size + 15) / 16 * 16;
    if (region->pages) {
        map_pages(region, object, index);
    }
    return object;
}

void region_cut(struct machine *machine, struct region *region, uint64_t keep) {
    if (region->extent.count > keep) {
        const struct object *first = region->objects[keep];
        save(machine, &region->extent, sizeof region->extent);
        region->extent.next = first->base;
        region->extent.used = (uint64_t)(first->bytes - region->memory);
        region->extent.count = keep;
    }
}

struct object *local_at(const struct region *region, uint64_t address) {
    uint64_t low = 0;
    uint64_t high = region->extent.count;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (region->objects[middle]->base <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return NULL;
    }
    struct object *object = region->objects[low - 1];
    return address - object->base < object->size + 2 * (uint64_t)PAGE_SIZE ? object : NULL;
}

void memory_init(struct machine *machine) {
    const struct program *program = machine->program;
    struct region *region = region_new(machine, GLOBAL_BASE, false);
    region_new(machine, GLOBAL_BASE + HALF_SIZE, false);
    for (size_t g = 0; g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        if (global->flags & GLOBAL_THREAD_LOCAL) {
            continue;
        }
        /* The builder computed the addresses by the same rule; this skips a gap for a large alignment. */
        region->extent.next = global->address;
        struct object *object = object_new(machine, region, global->size, global->alignment);
        assert(object && object->base == global->address && "globals fit their region (program_check)");
        object->kind = OBJECT_GLOBAL;
        object->constant = global->flags & GLOBAL_CONSTANT;
        object->type = global->type;
        object->name = global->name;
        object->pos = global->pos;
        if (global->initial_size > 0) {
            memcpy(object->bytes, program->bytes + global->initial, global->initial_size);
        }
    }
}

static void region_delete(struct region *region) {
    for (size_t k = 0; k < region->capacity; k++) {
        if (region->objects[k] && !region->memory) {
            free(region->objects[k]->bytes);
            free(region->objects[k]->uninitialised);
        }
        free(region->objects[k]);
    }
    if (region->memory) {
        reserve_free(region->memory, STACK_MEMORY);
    }
    if (region->uninitialised) {
        reserve_free(region->uninitialised, STACK_MEMORY);
    }
    free(region->objects);
    free(region->pages);
    free(region);
}

void memory_delete(struct machine *machine) {
    region_delete(machine->regions[GLOBAL_BASE >> HALF_SHIFT]);
    region_delete(machine->regions[(GLOBAL_BASE + HALF_SIZE) >> HALF_SHIFT]);
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        region_delete(machine->threads[i]->heap);
        region_delete(machine->threads[i]->stack);
    }
    reserve_free(machine->regions, machine->regions_count * sizeof *machine->regions);
}

bool object_ended_for(const struct machine *machine, const struct thread *thread, const struct object *object) {
    if (object->life.ended_by) {
        return true;
    }
    if (object->life.pending == 0) {
        return false;
    }
    const struct buffer_entry *entries;
    size_t count = machine_buffer(machine, thread->slot, &entries);
    for (size_t i = 0; i < count; i++) {
        if (entries[i].is_end && entries[i].address == object->base) {
            return true;
        }
    }
    return false;
}

/* The object that begins within half a page after the address, or NULL. */
static const struct object *object_after(const struct machine *machine, uint64_t address) {
    const struct object *object = object_at(machine, address + PAGE_SIZE / 2);
    return object && object->base > address ? object : NULL;
}

static void report_no_object(struct machine *machine, struct thread *thread, uint64_t address, const char *verb) {
    uint32_t pos = thread_user_pos(machine, thread);
    const struct object *before = object_after(machine, address);
    if (address < PAGE_SIZE) {
        machine_fail(machine, thread, pos, ERROR_NULL_POINTER, "%s through a null pointer (address %" PRIu64 ")", verb,
                     address);
    } else if (function_at(machine->program, address) >= 0) {
        machine_fail(machine, thread, pos, ERROR_MISUSE, "%s the code of function %s", verb,
                     function_name(machine->program, (uint32_t)function_at(machine->program, address)));
    } else if (before) {
        char name[160];
        machine_describe(machine, before->base, 0, name, sizeof name);
        machine_fail(machine, thread, pos, ERROR_BOUNDS, "%s of bytes that begin %" PRIu64 " before %s", verb,
                     before->base - address, name);
    } else {
        machine_fail(machine, thread, pos, ERROR_WILD, "%s address 0x%" PRIx64 ", where no object lies", verb, address);
    }
}

struct object *memory_check(struct machine *machine, struct thread *thread, uint64_t address, uint64_t size,
                            bool write) {
    const char *verb = write ? "write" : "read";
    struct object *object = object_at(machine, address);
    if (!object || (address - object->base >= object->size && object_after(machine, address))) {
        report_no_object(machine, thread, address, verb);
        return NULL;
    }
    if (object_serves(machine, thread, object, address, size) && !(write && object->constant)) {
        return object;
    }
    uint64_t offset = address - object->base;
    char name[160];
    machine_describe(machine, object->base, 0, name, sizeof name);
    uint32_t pos = thread_user_pos(machine, thread);
    if (object_ended_for(machine, thread, object)) {
        machine_fail(machine, thread, pos, ERROR_DANGLING, "%s of %s after its life has ended", verb, name);
    } else if (write && object->constant && offset < object->size) {
        machine_fail(machine, thread, pos, ERROR_READ_ONLY, "write to constant %s", name);
    } else {
        machine_fail(machine, thread, pos, ERROR_BOUNDS,
                     "%s of %" PRIu64 " bytes at offset %" PRIu64 " of %s, which has %" PRIu64 " bytes", verb, size,
                     offset, name, object->size);
    }
    return NULL;
}

/* Marks bytes as written.  Nearly always they are marked already. */
__attribute__((noinline)) static void mark_written(struct machine *machine, uint8_t *shadow, unsigned size) {
    uint64_t marks[2] = {0};
    switch (size) {
    case 4:
        memcpy(marks, shadow, 4);
        break;
    case 8:
        memcpy(marks, shadow, 8);
        break;
    default:
        memcpy(marks, shadow, size);
    }
    if (marks[0] | marks[1]) {
        save(machine, shadow, size);
        memset(shadow, 0, size);
    }
}

void object_write(struct machine *machine, struct object *object, uint64_t address, unsigned size,
                  const uint64_t value[2]) {
    uint8_t *bytes = object->bytes + (address - object->base);
    save(machine, bytes, size);
    switch (size) {
    case 1:
        *bytes = (uint8_t)value[0];
        break;
    case 2: {
        uint16_t half = (uint16_t)value[0];
        memcpy(bytes, &half, sizeof half);
        break;
    }
    case 4: {
        uint32_t word = (uint32_t)value[0];
        memcpy(bytes, &word, sizeof word);
        break;
    }
    case 8:
        memcpy(bytes, value, 8);
        break;
    default:
        memcpy(bytes, value, size);
    }
    if (object->uninitialised) {
        mark_written(machine, object->uninitialised + (address - object->base), size);
    }
}

bool memory_load(const struct thread *thread, const struct object *object, uint64_t address, unsigned size,
                 uint64_t value[2], uint64_t *serial) {
    *serial = 0;
    if (thread->now.buffer_count > 0 && !object->private) {
        switch (store_buffer_forward(thread, address, size, value, serial)) {
        case FORWARD_COVERED:
            return true;
        case FORWARD_PARTIAL:
            return false;
        case FORWARD_NONE:
            break;
        }
    }
    object_read(object, address, size, value);
    return true;
}

bool object_is_new(const struct object *object, uint64_t address, unsigned size) {
    const uint8_t *shadow = object->uninitialised + (address - object->base);
    for (unsigned i = 0; i < size; i++) {
        if (!shadow[i]) {
            return false;
        }
    }
    return true;
}

void heap_allocate(struct machine *machine, struct thread *thread) {
    struct frame *frame = thread_frame(thread);
    const struct instruction *pc = frame->pc;
    uint64_t size = operand_value(machine, frame, pc->a);
    struct object *object = object_new(machine, thread->heap, size, operand_value(machine, frame, pc->b));
    frame->registers[pc->dst] = object ? object->base : 0;
    if (object) {
        object->kind = OBJECT_HEAP;
        object->pos = thread_user_pos(machine, thread);
        object->thread = thread->slot;
        if (object->uninitialised && !(pc->flags & INSTRUCTION_ZEROED)) {
            memset(object->uninitialised, 1, size);
        }
    }
}

bool machine_peek(const struct machine *machine, uint64_t address, unsigned size, uint64_t value[2]) {
    const struct object *object = object_at(machine, address);
    if (!object || address - object->base >= object->size || size > object->size - (address - object->base)) {
        return false;
    }
    object_read(object, address, size, value);
    return true;
}

bool machine_object_at(const struct machine *machine, uint64_t address, struct machine_object *object) {
    const struct object *found = object_at(machine, address);
    if (!found) {
        return false;
    }
    *object = (struct machine_object){.base = found->base,
                                      .size = found->size,
                                      .private = found->private,
                                      .local = found->kind == OBJECT_LOCAL,
                                      .pos = found->pos};
    return true;
}

static void add_life(struct machine *machine, const struct object *object, struct life_note note) {
    note.object = object->base;
    if (machine->options.lives && machine->lookahead == LOOKAHEAD_NONE && object->kind == OBJECT_HEAP) {
        vector_push(machine->options.lives, &note);
    }
}

void memory_note_end(struct machine *machine, const struct object *object) {
    add_life(machine, object, (struct life_note){.pos = object->life.ended_pos, .ends = true});
}

/* Does this state need the end of the process, a failed assumption or a cut? */
static bool is_past_an_end(const struct machine *machine) {
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        if (machine_thread_exists(machine, i) && machine_thread_stopped(machine, i)) {
            return true;
        }
    }
    return machine->now.exited;
}

/* Comparing the address of a freed object is an assumption: on a real machine a new object could have that address. */
void memory_note_stale(struct machine *machine, struct thread *thread, uint64_t value) {
    const struct object *object = value >= THREAD_BASE ? object_at(machine, value) : NULL;
    if (!object || object->kind != OBJECT_HEAP) {
        return;
    }
    bool ended = object_ended_for(machine, thread, object);
    bool open = ended && machine->options.lives && is_past_an_end(machine);
    add_life(machine, object, (struct life_note){.pos = thread_user_pos(machine, thread), .stale = open});
    if (!ended || open) {
        return;
    }
    machine_assume(machine, thread, ASSUMPTION_REUSE);
    if (machine->options.checks & CHECK_FOR_STALE) {
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_STALE,
                     "the address of a freed object is compared: a new object could have it");
    }
}

/* --- Leaks ------------------------------------------------------------------------------------------------------
 *
 * A leak is a heap object that was never freed and that cannot be reached from a global when the process has ended. */

static void push_reachable(const struct machine *machine, const struct object *from, struct vector *stack,
                           uint8_t *const *seen) {
    for (uint64_t offset = 0; offset + 8 <= from->size; offset += 8) {
        uint64_t word;
        memcpy(&word, from->bytes + offset, sizeof word);
        struct object *object = object_at(machine, word);
        if (!object || object->kind != OBJECT_HEAP || word - object->base > object->size) {
            continue;
        }
        const struct region *region = machine->threads[object->thread]->heap;
        uint8_t *mark = &seen[object->thread][region->pages[(object->base - region->base) / PAGE_SIZE]];
        if (!*mark) {
            *mark = 1;
            vector_push(stack, &object);
        }
    }
}

void memory_find_leaks(struct machine *machine) {
    uint8_t **seen = memory_allocate(machine->threads_count * sizeof *seen); /* by thread and heap object */
    struct vector stack;
    vector_init(&stack, sizeof(struct object *));
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        seen[i] = memory_allocate(machine->threads[i]->heap->extent.count + 1);
    }
    const struct region *globals = machine->regions[GLOBAL_BASE >> HALF_SHIFT];
    assert(globals && "memory_init made it");
    for (uint64_t g = 0; g < globals->extent.count; g++) {
        push_reachable(machine, globals->objects[g], &stack, seen);
    }
    while (stack.count > 0) {
        struct object *object = *(struct object **)vector_at(&stack, --stack.count);
        push_reachable(machine, object, &stack, seen);
    }
    /* Only one leak is reported, even if the machine runs past errors: that of the thread with the smallest number. */
    const struct object *lost = NULL;
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        const struct region *region = machine->threads[i]->heap;
        bool is_first = !lost || machine->threads[i]->number < machine->threads[lost->thread]->number;
        for (uint64_t k = 0; k < region->extent.count && is_first; k++) {
            const struct object *object = region->objects[k];
            if (object->kind == OBJECT_HEAP && !object->life.ended_by && !object->life.pending && !seen[i][k]) {
                lost = object;
                is_first = false;
            }
        }
        free(seen[i]);
    }
    if (lost) {
        machine_fail(machine, machine->threads[lost->thread], lost->pos, ERROR_LEAK,
                     "%" PRIu64 " bytes were allocated here and never freed", lost->size);
    }
    free(seen);
    vector_delete(&stack);
}
