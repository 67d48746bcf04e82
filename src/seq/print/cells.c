/* Objects into locations. */
#include "seq/print/cells.h"

#include <stdlib.h>
#include <string.h>

#include "seq/print/codes.h"
#include "util/memory.h"

#define MOST_LOCATIONS 2000u

/* --- Accesses ----------------------------------------------------------------------------------------------------- */

bool cells_exact(const struct cells *cells, const struct fact *address, uint64_t offset, unsigned size,
                 struct target *target) {
    const struct program *program = &cells->points->unrolled->program;
    uint64_t number = address->value.number + offset;
    uint32_t g = address->value.known ? points_global(program, number) : NO_REGISTER;
    if (g == NO_REGISTER) {
        return false;
    }
    uint64_t inside = number - program->globals[g].address;
    *target = (struct target){g, (int64_t)inside};
    return inside < program->globals[g].size && size <= program->globals[g].size - inside;
}

void cells_touched(const struct points *points, const struct fact *address, uint64_t offset, unsigned size,
                   void (*visit)(void *data, const struct target *target), void *data) {
    const struct program *program = &points->unrolled->program;
    const struct target_set *set = points_set(points, address->set);
    for (uint32_t i = 0; i < set->count; i++) {
        struct target target = *points_target(points, set, i);
        uint64_t bytes = program->globals[target.global].size;
        if (target.offset != ANY_OFFSET) {
            target.offset += (int64_t)offset;
            if (target.offset < 0 || (uint64_t)target.offset + size > bytes) {
                continue; /* an error, when it happens */
            }
        }
        visit(data, &target);
    }
}

/* An access of a thread, as often as it has objects. */
struct access_scan {
    const struct points *points;
    uint32_t thread;
    const struct instruction *code;
    unsigned size;
    bool writes;
    bool is_sync;
    void (*visit)(struct access_scan *scan, const struct target *target);
    void *data;
};

static void scan_target(void *data, const struct target *target) {
    struct access_scan *scan = data;
    scan->visit(scan, target);
}

static void scan_words(struct access_scan *scan, size_t index) {
    const struct sync_code *code = &sync_codes()[scan->code->width];
    struct code_value values[SYNC_MAX_REGISTERS];
    if (!code->instructions) {
        return;
    }
    code_values(code, values);
    for (uint32_t i = 0; i < code->count; i++) {
        const struct instruction *at = &code->instructions[i];
        if (at->op != OP_LOAD && at->op != OP_STORE && at->op != OP_ADD_TO) {
            continue;
        }
        const struct code_value *position = &values[at->a];
        if (position->base == VALUE_IN_A || position->base == VALUE_IN_B) {
            scan->size = at->width;
            cells_touched(scan->points,
                          position->base == VALUE_IN_A ? &scan->points->a[index] : &scan->points->b[index],
                          position->offset, at->width, scan_target, scan);
        }
    }
}

static void scan_accesses(const struct points *points, void (*visit)(struct access_scan *, const struct target *),
                          void *data) {
    const struct program *program = &points->unrolled->program;
    for (uint32_t t = 0; t < points->unrolled->threads.count; t++) {
        const struct thread_plan *plan = vector_at(&points->unrolled->threads, t);
        for (uint32_t i = 0; plan->created && i < program->functions[plan->function].count; i++) {
            const struct instruction *code = function_code(program, plan->function) + i;
            struct access_scan scan = {.points = points, .thread = t, .code = code, .visit = visit, .data = data};
            size_t index = (size_t)(code - program->code);
            if (code->op >= OP_LOAD && code->op <= OP_CAS) {
                scan.size = code->width;
                scan.writes = code->op != OP_LOAD;
                cells_touched(points, &points->a[index], 0, code->width, scan_target, &scan);
            } else if (code->op == OP_SYNC) {
                scan.writes = true;
                scan.is_sync = true;
                scan_words(&scan, index);
            }
        }
    }
}

/* --- Who shares what ---------------------------------------------------------------------------------------------- */

static void note_use(struct access_scan *scan, const struct target *target) {
    struct cells *cells = scan->data;
    struct object *object = &cells->objects[target->global];
    bool first = object->users == 0;
    bool aligned = target->offset == ANY_OFFSET || target->offset % (int64_t)scan->size == 0;
    object->users |= UINT64_C(1) << scan->thread;
    object->written |= scan->writes;
    object->is_sync |= scan->is_sync;
    if (!aligned || (!first && object->element != scan->size)) {
        object->element = 0;
    } else {
        object->element = (uint8_t)scan->size;
    }
}

/* The objects of one access are all shared, or none is. */
static bool spread(struct cells *cells, const struct fact *address) {
    const struct target_set *set = points_set(cells->points, address->set);
    bool any = false;
    bool changed = false;
    for (uint32_t i = 0; i < set->count; i++) {
        any |= cells->objects[points_target(cells->points, set, i)->global].shared;
    }
    for (uint32_t i = 0; i < set->count && any; i++) {
        struct object *object = &cells->objects[points_target(cells->points, set, i)->global];
        changed |= !object->shared;
        object->shared = true;
    }
    return changed;
}

static void find_shared(struct cells *cells) {
    const struct program *program = &cells->points->unrolled->program;
    for (size_t g = 0; g < program->globals_count; g++) {
        struct object *object = &cells->objects[g];
        bool several = (object->users & (object->users - 1)) != 0;
        object->shared = (several && object->written) || object->is_sync;
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < program->code_count; i++) {
            if (program->code[i].op >= OP_LOAD && program->code[i].op <= OP_CAS) {
                changed |= spread(cells, &cells->points->a[i]);
            }
        }
    }
}

bool cells_is_own(const struct cells *cells, const struct fact *address) {
    const struct target_set *set = points_set(cells->points, address->set);
    return set->count > 0 && !cells->objects[points_target(cells->points, set, 0)->global].shared;
}

/* --- Locations ---------------------------------------------------------------------------------------------------- */

/* A part of a shared object that some access takes as a whole. */
struct part {
    uint32_t global;
    uint32_t size;
    int64_t offset; /* or ANY_OFFSET */
    uint32_t pos;
};

static void note_part(struct access_scan *scan, const struct target *target) {
    struct part part = {target->global, scan->size, target->offset, scan->code->pos};
    vector_push(scan->data, &part);
}

static int part_compare(const void *a, const void *b) {
    const struct part *one = a;
    const struct part *other = b;
    if (one->global != other->global) {
        return one->global < other->global ? -1 : 1;
    }
    if (one->offset != other->offset) {
        return one->offset < other->offset ? -1 : 1;
    }
    return one->size < other->size ? -1 : one->size > other->size;
}

static bool refuse(const struct cells *cells, const struct part *part, const char *message,
                   struct diagnostics *diagnostics) {
    const struct program *program = &cells->points->unrolled->program;
    const struct position *position = &program->positions[part->pos];
    const char *name = program_string(program, program->globals[part->global].name);
    diagnostics_add(diagnostics, program_string(program, position->file), position->line, position->column,
                    "not supported: %s %s", name, message);
    return false;
}

static void add_location(struct cells *cells, uint32_t global, uint64_t offset, uint32_t size) {
    const struct program *program = &cells->points->unrolled->program;
    const struct global *of = &program->globals[global];
    struct location location = {.global = global, .size = size, .offset = offset};
    for (uint32_t i = 0; i < size; i++) {
        if (offset + i < of->initial_size) {
            location.initial |= (uint64_t)program->bytes[of->initial + offset + i] << 8 * i;
        }
    }
    vector_push(&cells->locations, &location);
}

/* The parts of one object, sorted: those at any offset come first. */
static bool divide(struct cells *cells, const struct part *parts, size_t count, struct diagnostics *diagnostics) {
    struct object *object = &cells->objects[parts->global];
    uint64_t size = cells->points->unrolled->program.globals[parts->global].size;
    object->location = (uint32_t)cells->locations.count;
    if (parts->offset == ANY_OFFSET) {
        for (size_t i = 0; i < count; i++) {
            if (object->element == 0 && (parts[i].size != parts->size || parts[i].offset % (int64_t)parts->size != 0)) {
                return refuse(cells, &parts[i], "is accessed in several sizes", diagnostics);
            }
        }
        if (size / parts->size > MOST_LOCATIONS) {
            return refuse(cells, parts, "has too many shared locations", diagnostics);
        }
        for (uint64_t offset = 0; offset + parts->size <= size; offset += parts->size) {
            add_location(cells, parts->global, offset, parts->size);
        }
    } else {
        int64_t end = 0;
        for (size_t i = 0; i < count; i++) {
            bool again = i > 0 && parts[i].offset == parts[i - 1].offset && parts[i].size == parts[i - 1].size;
            if (!again && i > 0 && parts[i].offset < end) {
                return refuse(cells, &parts[i], "is accessed in several sizes", diagnostics);
            }
            if (!again) {
                add_location(cells, parts->global, (uint64_t)parts[i].offset, parts[i].size);
            }
            end = parts[i].offset + (int64_t)parts[i].size;
        }
    }
    object->locations = (uint32_t)cells->locations.count - object->location;
    return true;
}

bool cells_divide(struct cells *cells, struct diagnostics *diagnostics) {
    struct vector parts;
    bool good = true;
    vector_init(&parts, sizeof(struct part));
    scan_accesses(cells->points, note_part, &parts);
    if (parts.count > 0) {
        qsort(parts.data, parts.count, sizeof(struct part), part_compare);
    }
    for (size_t i = 0; i < parts.count && good;) {
        const struct part *first = vector_at(&parts, i);
        size_t count = 1;
        while (i + count < parts.count && ((struct part *)vector_at(&parts, i + count))->global == first->global) {
            count++;
        }
        i += count;
        if (!cells->objects[first->global].shared) {
            continue;
        }
        for (size_t k = 0; k < count && good; k++) {
            good = first[k].size <= 8 ||
                   refuse(cells, &first[k], "is shared and accessed 16 bytes at a time", diagnostics);
        }
        good = good && divide(cells, first, count, diagnostics);
        if (good && cells->locations.count > MOST_LOCATIONS) {
            good = refuse(cells, first, "makes too many shared locations", diagnostics);
        }
    }
    vector_delete(&parts);
    return good;
}

uint32_t cells_location(const struct cells *cells, uint32_t global, int64_t offset) {
    const struct object *object = &cells->objects[global];
    for (uint32_t i = 0; i < object->locations; i++) {
        const struct location *location = vector_at(&cells->locations, object->location + i);
        if ((int64_t)location->offset == offset) {
            return object->location + i;
        }
    }
    return NO_REGISTER;
}

void cells_init(struct cells *cells, const struct points *points) {
    *cells = (struct cells){.points = points};
    cells->objects = memory_allocate((points->unrolled->program.globals_count + 1) * sizeof *cells->objects);
    vector_init(&cells->locations, sizeof(struct location));
    scan_accesses(points, note_use, cells);
    find_shared(cells);
}

void cells_delete(struct cells *cells) {
    free(cells->objects);
    vector_delete(&cells->locations);
}
