/* The state as bytes: few, and the same for equal states.
 *
 * Numbers are written in 7-bit groups; bytes of objects in a form in which zeros take hardly any room.  Registers that
 * are dead at the thread's position, serial numbers and output are left out. */
#include <string.h>
#include <xxhash.h>

#include "machine/parts.h"
#include "machine/state.h"
#include "util/memory.h"

#define ZERO_RUN 64 /* bytes compared at once */

struct writer {
    uint8_t **buffer;
    size_t *capacity;
    size_t size;
};

static void reserve(struct writer *writer, size_t more) {
    if (writer->size + more > *writer->capacity) {
        *writer->capacity = (writer->size + more) * 2 + 256;
        *writer->buffer = memory_resize(*writer->buffer, *writer->capacity);
    }
}

static void put_number(struct writer *writer, uint64_t number) {
    reserve(writer, 10);
    uint8_t *to = *writer->buffer;
    while (number >= 0x80) {
        to[writer->size++] = (uint8_t)(number | 0x80);
        number >>= 7;
    }
    to[writer->size++] = (uint8_t)number;
}

/* Writes groups of eight bytes that are not all zero: the distance from the last such group, a mask of the bytes that
 * are not zero, and these bytes.  A 0 ends the list. */
static void put_bytes(struct writer *writer, const uint8_t *bytes, uint64_t count) {
    static const uint8_t zeros[ZERO_RUN];
    uint64_t last = 0;
    for (uint64_t group = 0; group * 8 < count; group++) {
        while (group * 8 + ZERO_RUN <= count && memcmp(bytes + group * 8, zeros, ZERO_RUN) == 0) {
            group += ZERO_RUN / 8;
        }
        if (group * 8 >= count) {
            break;
        }
        uint64_t word = 0;
        memcpy(&word, bytes + group * 8, count - group * 8 < 8 ? count - group * 8 : 8);
        if (word == 0) {
            continue;
        }
        put_number(writer, group + 1 - last);
        last = group;
        reserve(writer, 9);
        uint8_t *to = *writer->buffer;
        size_t mask_at = writer->size++;
        to[mask_at] = 0;
        for (unsigned i = 0; i < 8; i++) {
            uint8_t byte = (uint8_t)(word >> 8 * i);
            if (byte) {
                to[mask_at] |= (uint8_t)(1u << i);
                to[writer->size++] = byte;
            }
        }
    }
    put_number(writer, 0);
}

static void put_region(struct writer *writer, const struct region *region) {
    put_number(writer, region->extent.count);
    for (uint64_t i = 0; i < region->extent.count; i++) {
        const struct object *object = region->objects[i];
        put_number(writer, (uint64_t)object->size << 1 | (object->life.ended_by != 0));
        if (!object->life.ended_by && !object->constant) {
            put_bytes(writer, object->bytes, object->size);
        }
    }
}

/* Writes which bytes no thread has written: each position at which that changes. */
static void put_shadows(struct writer *writer, const struct region *region) {
    for (uint64_t i = 0; i < region->extent.count; i++) {
        const struct object *object = region->objects[i];
        const uint8_t *shadow = object->uninitialised;
        uint8_t last = 0;
        for (uint64_t at = 0; shadow && !object->life.ended_by && at < object->size; at++) {
            if (shadow[at] != last) {
                last = shadow[at];
                put_number(writer, i + 1);
                put_number(writer, at);
            }
        }
    }
    put_number(writer, 0);
}

static void put_globals(struct writer *writer, const struct machine *machine, size_t globals) {
    const struct region *region = machine->regions[GLOBAL_BASE >> 32];
    uint64_t count = 0;
    for (size_t g = 0; g < globals; g++) {
        count += !(machine->program->globals[g].flags & GLOBAL_THREAD_LOCAL);
    }
    for (uint64_t i = 0; i < (globals ? count : region->extent.count); i++) {
        if (!region->objects[i]->constant) {
            put_bytes(writer, region->objects[i]->bytes, region->objects[i]->size);
        }
    }
}

static void put_frame(struct writer *writer, const struct machine *machine, const struct frame *frame,
                      const struct frame *callee) {
    const struct program *program = machine->program;
    uint32_t function = (uint32_t)(frame->function - program->functions);
    uint32_t index = (uint32_t)(frame->pc - program->code) - frame->function->first;
    const uint64_t *live = liveness_before(&machine->liveness, function, index);
    put_number(writer, function);
    put_number(writer, index);
    for (uint32_t w = 0; w < liveness_words(program, function); w++) {
        for (uint64_t set = live[w]; set; set &= set - 1) {
            uint32_t reg = w * 64 + (uint32_t)__builtin_ctzll(set);
            /* The results of a call in progress are not written yet. */
            if (!callee || reg < callee->dst || reg - callee->dst >= callee->results) {
                put_number(writer, frame->registers[reg]);
            }
        }
    }
}

/* Of store barriers only their positions between entries matter.  The instruction of an entry matters only in a
 * chain. */
static void put_buffer(struct writer *writer, const struct thread *thread, bool chains) {
    uint32_t barrier = thread->now.buffer_count > 0 ? thread->buffer[thread->now.buffer_first].barrier : 0;
    put_number(writer, thread->now.buffer_count);
    for (uint32_t i = 0; i < thread->now.buffer_count; i++) {
        const struct buffer_entry *entry = &thread->buffer[thread->now.buffer_first + i];
        put_number(writer, entry->address);
        put_number(writer, entry->size << 6 | entry->abstract << 2 | entry->is_end << 1 | entry->atomic);
        put_number(writer, entry->barrier != barrier);
        barrier = entry->barrier;
        put_number(writer, entry->value[0]);
        if (entry->size > 8) {
            put_number(writer, entry->value[1]);
        }
        if (chains) {
            put_number(writer, entry->next);
            put_number(writer, entry->context);
            put_number(writer, entry->pos);
        }
    }
    if (thread->now.buffer_count > 0) {
        put_number(writer, thread->now.barriers != barrier);
    }
}

static void put_thread(struct writer *writer, const struct machine *machine, const struct thread *thread,
                       bool with_buffer, bool versions) {
    const struct thread_state *now = &thread->now;
    bool current = versions && now->version == machine->now.version;
    bool waits = now->waiting && current;
    put_number(writer, now->status | now->detached << 5 | now->joined << 6 | waits << 7 | now->stopped << 8 |
                           (now->in_await && current) << 11 | (now->in_await && now->dirty) << 12);
    put_number(writer, now->children);
    if (now->status == THREAD_FINISHED) {
        put_number(writer, now->joined || now->detached ? 0 : now->result);
        return;
    }
    put_number(writer, now->waits);
    put_number(writer, now->depth);
    for (uint32_t d = 0; d < now->depth; d++) {
        put_frame(writer, machine, &thread->frames[d], d + 1 < now->depth ? &thread->frames[d + 1] : NULL);
    }
    if (with_buffer) {
        put_buffer(writer, thread, machine->options.abstract == BUFFERS_AS_CHAINS);
    }
    put_region(writer, thread->stack);
}

size_t machine_serialise_first(struct machine *machine, size_t globals, uint8_t **buffer, size_t *capacity) {
    struct writer writer = {buffer, capacity, 0};
    put_globals(&writer, machine, globals);
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        if (machine->threads[i]->now.status != THREAD_ABSENT) {
            put_number(&writer, machine->threads[i]->number);
            put_region(&writer, machine->threads[i]->heap);
        }
    }
    return writer.size;
}

size_t machine_serialise_shared(struct machine *machine, uint8_t **buffer, size_t *capacity) {
    return machine_serialise_first(machine, 0, buffer, capacity);
}

size_t machine_serialise_unbuffered(struct machine *machine, uint32_t thread, uint8_t **buffer, size_t *capacity) {
    struct writer writer = {buffer, capacity, machine_serialise_shared(machine, buffer, capacity)};
    put_number(&writer, machine->now.outcome);
    put_number(&writer, (uint64_t)machine->now.atomic_owner + 1 + ((uint64_t)machine->now.atomic_depth << 32));
    put_number(&writer, (uint64_t)machine->now.bus_owner + 1 + ((uint64_t)machine->now.bus_depth << 32));
    put_number(&writer, machine->now.exited);
    for (uint32_t i = 0; i < machine->threads_count; i++) {
        if (machine->threads[i]->now.status != THREAD_ABSENT) {
            put_thread(&writer, machine, machine->threads[i], i != thread, true);
            if (machine->shadows) {
                put_shadows(&writer, machine->threads[i]->stack);
                put_shadows(&writer, machine->threads[i]->heap);
            }
        }
    }
    return writer.size;
}

size_t machine_serialise(struct machine *machine, uint8_t **buffer, size_t *capacity) {
    return machine_serialise_unbuffered(machine, NO_THREAD, buffer, capacity);
}

size_t machine_part_key(const struct machine *machine, uint32_t thread, bool versions, uint8_t **buffer,
                        size_t *capacity) {
    struct writer writer = {buffer, capacity, 0};
    bool exists = machine_thread_exists(machine, thread);
    put_number(&writer, thread);
    put_number(&writer, exists);
    if (exists) {
        put_number(&writer, machine->now.atomic_owner == thread ? machine->now.atomic_depth : 0);
        put_number(&writer, machine->now.bus_owner == thread ? machine->now.bus_depth : 0);
        put_thread(&writer, machine, machine->threads[thread], true, versions);
        if (machine->threads[thread]->now.status == THREAD_RUNNING) {
            put_region(&writer, machine->threads[thread]->heap);
            if (machine->shadows) {
                put_shadows(&writer, machine->threads[thread]->stack);
            }
        }
    }
    return writer.size;
}

uint64_t machine_hash(struct machine *machine) {
    size_t size = machine_serialise(machine, &machine->hash_buffer, &machine->hash_capacity);
    return XXH3_64bits(machine->hash_buffer, size);
}
