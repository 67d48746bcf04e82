/* Arrays are found by the accesses whose addresses the data-flow analysis gives as a progression. */
#include "prove/array.h"

bool array_fits(const struct array *array, const struct value *where, unsigned size) {
    bool inside = false;
    for (unsigned i = 0; i < where->count && !where->any; i++) {
        const struct part *part = &where->parts[i];
        if (part->object == array->object) {
            uint64_t first = array->where.parts[0].low;
            if (size != array->size || part->stride % array->stride != 0 ||
                part->low % array->stride != first % array->stride) {
                return false;
            }
            inside = true;
        }
    }
    return inside && !where->any;
}

/* Is some element written, and none accessed but as a whole? */
static bool is_uniform(const struct object *object, const struct array *array) {
    bool written = false;
    uint64_t first = array->where.parts[0].low;
    uint64_t end = first + (array->count - 1) * array->stride + array->size;
    for (size_t i = 0; i < object->cells.count; i++) {
        const struct cell *cell = vector_at(&object->cells, i);
        uint64_t low = first % array->stride;
        bool aligned = cell->offset % array->stride == low;
        if (object->stride > 0) {
            if (object->stride % array->stride != 0 && array->stride % object->stride != 0) {
                return false;
            }
        } else if (cell->offset + cell->size <= first || cell->offset >= end) {
            continue;
        }
        bool is_element = aligned && cell->size == array->size;
        if (is_element && (cell->mixed || cell->bytes)) {
            return false;
        }
        written = written || (is_element && cell->written);
    }
    return written;
}

static bool is_known(const struct vector *arrays, const struct array *array) {
    for (size_t i = 0; i < arrays->count; i++) {
        const struct array *other = vector_at(arrays, i);
        if (other->address == array->address && other->stride == array->stride && other->size == array->size) {
            return true;
        }
    }
    return false;
}

static void add_part(const struct system *system, struct vector *arrays, const struct part *part, uint32_t size) {
    if (part->object == NUMBERS || part->stride < size || size == 0 || size > 8) {
        return;
    }
    const struct object *object = object_of(&system->space, part->object);
    if (object->kind != OBJECT_FIXED || object->private || object->smeared || object->ends ||
        object->size == UINT64_MAX || object->size < size || part->low > object->size - size) {
        return;
    }
    struct array array = {.address = object->base + part->low,
                          .stride = part->stride,
                          .count = (object->size - size - part->low) / part->stride + 1,
                          .object = part->object,
                          .size = size};
    if (array.count < 2 || array.count >= LARGEST_BOUND) {
        return;
    }
    array.where = value_none();
    value_add_part(&array.where, (struct part){.object = part->object,
                                               .low = part->low,
                                               .high = part->low + (array.count - 1) * part->stride,
                                               .stride = part->stride});
    if (is_uniform(object, &array) && !is_known(arrays, &array)) {
        vector_push(arrays, &array);
    }
}

void arrays_find(const struct system *system, struct vector *arrays, size_t most) {
    for (uint32_t c = 0; c < system->classes.count; c++) {
        const struct class *class = class_of(system, c);
        for (uint32_t i = 0; i < system->flat.functions[class->function].count; i++) {
            const struct access *access = &class->accesses[i];
            if (!access->present || access->ends || access->address.any || !instruction_reached(class, i)) {
                continue;
            }
            for (unsigned p = 0; p < access->address.count && arrays->count < most; p++) {
                add_part(system, arrays, &access->address.parts[p], access->size);
            }
        }
    }
}

Z3_ast element_formula(struct solver *solver, const struct element_fact *fact, struct term address,
                       struct term content) {
    const struct array *array = &fact->array;
    struct term end = solver_plus(solver, term_number(array->address + fact->plus * array->stride),
                                  solver_times(solver, fact->bound, array->stride));
    struct term last = term_number(array->address + (array->count - 1) * array->stride);
    Z3_ast below = solver_and(solver, solver_at_most(solver, fact->bound, term_number(LARGEST_BOUND)),
                              solver_at_most(solver, solver_plus(solver, address, term_number(1)), end));
    below = solver_and(solver, below, solver_at_most(solver, term_number(array->address), address));
    below = solver_and(solver, below, solver_at_most(solver, address, last));
    return solver_or(
        solver, solver_not(solver, below),
        solver_compare(solver, (enum predicate)fact->relation, 8 * array->size, content, term_number(fact->number)));
}
