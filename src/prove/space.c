/* Cells of objects: found by the accesses of the analysis, which runs until nothing new turns up. */
#include "prove/space.h"

#include <string.h>

#include "util/memory.h"
#include "util/range.h"

#define MOST_OFFSETS 16u /* of one access before its object gets a stride */
#define PATIENCE 12u     /* changes of a cell before its value is widened */

void space_init(struct space *space, const struct program *program, const struct machine *machine) {
    *space = (struct space){.program = program, .machine = machine};
    vector_init(&space->objects, sizeof(struct object));
    struct object *none = vector_grow(&space->objects, 1);
    vector_init(&none->cells, sizeof(struct cell));
}

void space_delete(struct space *space) {
    for (size_t i = 0; i < space->objects.count; i++) {
        vector_delete(&object_of(space, (uint32_t)i)->cells);
    }
    vector_delete(&space->objects);
}

void space_forget(struct space *space) {
    for (size_t i = 0; i < space->objects.count; i++) {
        object_of(space, (uint32_t)i)->cells.count = 0;
    }
    space->restart = false;
}

static uint32_t add_object(struct space *space, struct object object) {
    vector_init(&object.cells, sizeof(struct cell));
    vector_push(&space->objects, &object);
    space->changed = true;
    return (uint32_t)space->objects.count - 1;
}

/* --- Objects ------------------------------------------------------------------------------------------------------ */

struct value space_number(struct space *space, uint64_t number) {
    struct machine_object found;
    if (number < GLOBAL_BASE || !machine_object_at(space->machine, number, &found) ||
        number > found.base + found.size) {
        return value_number(number);
    }
    for (size_t i = 1; i < space->objects.count; i++) {
        const struct object *object = object_of(space, (uint32_t)i);
        if (object->kind == OBJECT_FIXED && object->base == found.base) {
            return value_address((uint32_t)i, number - found.base);
        }
    }
    uint32_t index = add_object(space, (struct object){.kind = OBJECT_FIXED,
                                                       .private = found.private,
                                                       .local = found.local,
                                                       .base = found.base,
                                                       .size = found.size});
    return value_address(index, number - found.base);
}

uint32_t space_site(struct space *space, uint32_t class, uint32_t instruction, uint64_t size, bool private) {
    for (size_t i = 1; i < space->objects.count; i++) {
        struct object *object = object_of(space, (uint32_t)i);
        if (object->kind == OBJECT_SITE && object->class == class && object->instruction == instruction) {
            if (object->size != size && object->size != UINT64_MAX) {
                object->size = UINT64_MAX;
                space->changed = true;
            }
            return (uint32_t)i;
        }
    }
    return add_object(
        space, (struct object){
                   .kind = OBJECT_SITE, .private = private, .size = size, .class = class, .instruction = instruction});
}

uint32_t space_thread_local(struct space *space, uint32_t class, uint32_t global) {
    for (size_t i = 1; i < space->objects.count; i++) {
        const struct object *object = object_of(space, (uint32_t)i);
        if (object->kind == OBJECT_THREAD_LOCAL && object->class == class && object->global == global) {
            return (uint32_t)i;
        }
    }
    return add_object(space, (struct object){.kind = OBJECT_THREAD_LOCAL,
                                             .private = space->program->globals[global].flags & GLOBAL_PRIVATE,
                                             .size = space->program->globals[global].size,
                                             .class = class,
                                             .global = global});
}

bool space_known(const struct value *address) {
    for (unsigned i = 0; i < address->count; i++) {
        const struct part *part = &address->parts[i];
        if (part->object == NUMBERS && part->high >= GLOBAL_BASE) {
            return false;
        }
    }
    return !address->any;
}

bool space_private(const struct space *space, const struct value *address) {
    bool some = false;
    for (unsigned i = 0; i < address->count; i++) {
        const struct part *part = &address->parts[i];
        if (part->object != NUMBERS && !object_of(space, part->object)->private) {
            return false;
        }
        some = some || part->object != NUMBERS;
    }
    return some && space_known(address);
}

/* --- Cells -------------------------------------------------------------------------------------------------------- */

static uint64_t initial_bytes(const struct space *space, const struct object *object, uint64_t offset, unsigned size) {
    uint64_t value[2] = {0, 0};
    if (object->kind == OBJECT_FIXED) {
        machine_peek(space->machine, object->base + offset, size, value);
    } else if (object->kind == OBJECT_THREAD_LOCAL) {
        const struct global *global = &space->program->globals[object->global];
        for (unsigned i = 0; i < size; i++) {
            if (offset + i < global->initial_size) {
                value[0] |= (uint64_t)space->program->bytes[global->initial + offset + i] << 8 * i;
            }
        }
    }
    return value[0];
}

static struct value initial_value(struct space *space, uint32_t index, uint64_t offset, unsigned size) {
    struct value value = value_none();
    struct object *object = object_of(space, index);
    uint64_t stride = object->stride;
    uint64_t end = object->size;
    if (object->kind == OBJECT_SITE) {
        return value_number(0);
    }
    do {
        if (offset + size > end) {
            break;
        }
        uint64_t bytes = initial_bytes(space, object_of(space, index), offset, size);
        struct value more = size == 8 ? space_number(space, bytes) : value_number(bytes);
        value_join(&value, &more);
        offset += stride;
    } while (stride > 0);
    return value;
}

static void note_mixed(struct space *space, struct object *object, struct cell *cell) {
    for (size_t i = 0; i < object->cells.count; i++) {
        struct cell *other = vector_at(&object->cells, i);
        if (other == cell || !ranges_overlap(cell->offset, cell->size, other->offset, other->size)) {
            continue;
        }
        if (cell->written || other->written) {
            space->changed = space->changed || !cell->mixed || !other->mixed;
            cell->mixed = other->mixed = true;
        }
    }
}

static struct cell *cell_at(struct space *space, uint32_t index, uint64_t offset, unsigned size) {
    struct object *object = object_of(space, index);
    if (object->stride > 0) {
        offset %= object->stride;
        if (offset + size > object->stride) {
            space->changed = space->changed || !object->smeared;
            object->smeared = true;
        }
    }
    for (size_t i = 0; i < object->cells.count; i++) {
        struct cell *cell = vector_at(&object->cells, i);
        if (cell->offset == offset && cell->size == size) {
            return cell;
        }
    }
    struct cell made = {.offset = offset, .size = size, .value = initial_value(space, index, offset, size)};
    object = object_of(space, index);
    vector_push(&object->cells, &made);
    space->changed = true;
    struct cell *cell = vector_at(&object->cells, object->cells.count - 1);
    note_mixed(space, object, cell);
    return cell;
}

/* The offsets of a part that an access of this size may have, as low and number of steps; false if there is none. */
static bool part_offsets(const struct object *object, const struct part *part, unsigned size, uint64_t *low,
                         uint64_t *steps) {
    uint64_t last = object->size == UINT64_MAX ? UINT64_MAX : object->size - size;
    if ((object->size != UINT64_MAX && object->size < size) || part->low > last) {
        return false;
    }
    *low = part->low;
    *steps = part->stride == 0 ? 0 : ((part->high < last ? part->high : last) - part->low) / part->stride;
    return true;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

typedef void (*cell_visitor)(void *data, struct space *space, uint32_t object, struct cell *cell);

/* Visits the cells of one access, which are made if they do not exist. */
static void make_cells(struct space *space, const struct value *address, unsigned size, cell_visitor visit,
                       void *data) {
    for (unsigned i = 0; i < address->count; i++) {
        const struct part *part = &address->parts[i];
        uint64_t low;
        uint64_t steps;
        if (part->object == NUMBERS || !part_offsets(object_of(space, part->object), part, size, &low, &steps)) {
            continue;
        }
        struct object *object = object_of(space, part->object);
        if (steps >= MOST_OFFSETS || (object->stride > 0 && steps > 0)) {
            uint64_t stride = common_divisor(object->stride, part->stride);
            if (stride != object->stride) {
                object->stride = stride;
                space->restart = true;
            }
            steps = 0;
        }
        for (uint64_t step = 0; step <= steps; step++) {
            visit(data, space, part->object, cell_at(space, part->object, low + step * part->stride, size));
        }
    }
}

void space_cells(const struct space *space, const struct value *address, unsigned size,
                 void (*visit)(void *data, uint32_t object, struct cell *cell), void *data) {
    for (unsigned i = 0; i < address->count; i++) {
        const struct part *part = &address->parts[i];
        uint64_t low;
        uint64_t steps;
        if (part->object == NUMBERS || !part_offsets(object_of(space, part->object), part, size, &low, &steps)) {
            continue;
        }
        const struct object *object = object_of(space, part->object);
        steps = object->stride > 0 ? 0 : steps;
        for (size_t c = 0; c < object->cells.count; c++) {
            struct cell *cell = vector_at(&object->cells, c);
            for (uint64_t step = 0; step <= steps; step++) {
                uint64_t offset = low + step * part->stride;
                offset = object->stride > 0 ? offset % object->stride : offset;
                if (object->smeared || ranges_overlap(offset, size, cell->offset, cell->size)) {
                    visit(data, part->object, cell);
                    break;
                }
            }
        }
    }
}

/* --- Reading and writing ------------------------------------------------------------------------------------------ */

static void read_cell(void *data, struct space *space, uint32_t object, struct cell *cell) {
    struct value *result = data;
    struct value unknown = cell->size >= 8 ? value_any() : value_width(8 * cell->size);
    value_join(result, object_of(space, object)->smeared || cell->mixed ? &unknown : &cell->value);
}

struct value space_read(struct space *space, const struct value *address, unsigned size) {
    struct value result = value_none();
    if (!space_known(address)) {
        return size >= 8 ? value_any() : value_width(8 * size);
    }
    make_cells(space, address, size, read_cell, &result);
    return result;
}

struct writing {
    const struct value *value;
    uint32_t class;
};

static void write_cell(void *data, struct space *space, uint32_t object, struct cell *cell) {
    const struct writing *writing = data;
    uint64_t bit = UINT64_C(1) << (writing->class < MANY_CLASSES ? writing->class : MANY_CLASSES);
    if (!cell->written || !(cell->writers & bit)) {
        cell->written = true;
        cell->writers |= bit;
        space->changed = true;
        note_mixed(space, object_of(space, object), cell);
    }
    if (value_join(&cell->value, writing->value)) {
        space->changed = true;
        if (++cell->changes > PATIENCE) {
            value_widen(&cell->value, space->thresholds, space->thresholds_count);
        }
    }
}

void space_write(struct space *space, const struct value *address, unsigned size, const struct value *value,
                 uint32_t class) {
    struct value cut = value_trunc(8 * size, value);
    struct writing writing = {.value = &cut, .class = class};
    make_cells(space, address, size, write_cell, &writing);
}

/* --- Overlaps ----------------------------------------------------------------------------------------------------- */

static bool parts_overlap(const struct part *one, uint64_t one_size, const struct part *other, uint64_t other_size) {
    /* Offsets grow as signed numbers near 0; what is far below cannot be in the object. */
    uint64_t one_end = one->high > UINT64_MAX - one_size ? UINT64_MAX : one->high + one_size;
    uint64_t other_end = other->high > UINT64_MAX - other_size ? UINT64_MAX : other->high + other_size;
    if (one_end <= other->low || other_end <= one->low) {
        return false;
    }
    uint64_t stride = common_divisor(one->stride, other->stride);
    if (stride <= 1) {
        return stride == 1 || ranges_overlap(one->low, one_size, other->low, other_size);
    }
    /* Modulo the common stride, as on a circle. */
    uint64_t distance = (other->low % stride + stride - one->low % stride) % stride;
    return distance < one_size || stride - distance < other_size;
}

static bool overlap(const struct space *space, const struct value *one, unsigned one_size, const struct value *other,
                    unsigned other_size, bool with_private) {
    for (unsigned i = 0; i < one->count; i++) {
        for (unsigned j = 0; j < other->count; j++) {
            const struct part *a = &one->parts[i];
            const struct part *b = &other->parts[j];
            if (a->object == NUMBERS || a->object != b->object ||
                (!with_private && object_of(space, a->object)->private)) {
                continue;
            }
            if (one_size == 0 || other_size == 0 || parts_overlap(a, one_size, b, other_size)) {
                return true;
            }
        }
    }
    return false;
}

bool space_overlap(const struct space *space, const struct value *one, unsigned one_size, const struct value *other,
                   unsigned other_size) {
    if (!space_known(one) || !space_known(other)) {
        return !space_private(space, one) && !space_private(space, other);
    }
    return overlap(space, one, one_size, other, other_size, false);
}

bool space_may_meet(const struct space *space, const struct value *one, unsigned one_size, const struct value *other,
                    unsigned other_size) {
    return !space_known(one) || !space_known(other) || overlap(space, one, one_size, other, other_size, true);
}

bool space_certainly_overlap(const struct space *space, const struct value *one, unsigned one_size,
                             const struct value *other, unsigned other_size) {
    if (!value_is_single(one) || !value_is_single(other) || one->parts[0].object == NUMBERS ||
        one->parts[0].object != other->parts[0].object) {
        return false;
    }
    const struct object *object = object_of(space, one->parts[0].object);
    return object->kind == OBJECT_FIXED &&
           (one_size == 0 || ranges_overlap(one->parts[0].low, one_size, other->parts[0].low, other_size));
}
