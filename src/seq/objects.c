/* Objects and their cells. */
#include "seq/objects.h"

#include <stdlib.h>

#include "util/memory.h"

void objects_init(struct objects *objects) {
    *objects = (struct objects){0};
    vector_init(&objects->objects, sizeof(struct shared_object *));
}

void objects_delete(struct objects *objects) {
    for (size_t i = 0; i < objects->objects.count; i++) {
        struct shared_object *object = *(struct shared_object **)vector_at(&objects->objects, i);
        vector_delete(&object->cells);
        free(object);
    }
    vector_delete(&objects->objects);
}

static struct shared_object *object_numbered(const struct objects *objects, size_t index) {
    return *(struct shared_object **)vector_at(&objects->objects, index);
}

/* The number of objects that begin at or before the address. */
static size_t objects_up_to(const struct objects *objects, uint64_t address) {
    size_t low = 0;
    size_t high = objects->objects.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (object_numbered(objects, middle)->base <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct shared_object *object_near(const struct objects *objects, uint64_t address) {
    size_t index = objects_up_to(objects, address);
    if (index == 0) {
        return NULL;
    }
    struct shared_object *object = object_numbered(objects, index - 1);
    return address - object->base < object->size + PAGE_SIZE ? object : NULL;
}

struct shared_object *object_at_base(struct objects *objects, uint64_t base, uint64_t size, enum object_kind kind) {
    size_t index = objects_up_to(objects, base);
    if (index > 0 && object_numbered(objects, index - 1)->base == base) {
        struct shared_object *object = object_numbered(objects, index - 1);
        if (size > object->size || size < object->least) {
            object->size = size > object->size ? size : object->size;
            object->least = size < object->least ? size : object->least;
            objects_change(objects);
        }
        return object;
    }
    struct shared_object *object = memory_allocate(sizeof *object);
    *object = (struct shared_object){.base = base, .size = size, .least = size, .kind = (uint8_t)kind};
    object->life = (struct cell){.size = 1, .end = true, .number = NO_CELL};
    vector_init(&object->cells, sizeof(struct cell));
    vector_grow(&objects->objects, 1);
    struct shared_object **at = vector_at(&objects->objects, index);
    memmove(at + 1, at, (objects->objects.count - 1 - index) * sizeof(struct shared_object *));
    *at = object;
    objects_change(objects);
    return object;
}

/* --- Cells -------------------------------------------------------------------------------------------------------- */

/* The first cell that ends after the offset. */
static size_t first_cell(const struct shared_object *object, uint64_t offset) {
    size_t low = 0;
    size_t high = object->cells.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct cell *cell = vector_at(&object->cells, middle);
        if (cell->offset + cell->size <= offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void insert_cell(struct shared_object *object, size_t index, uint64_t offset, uint32_t size, bool written) {
    vector_grow(&object->cells, 1);
    struct cell *at = vector_at(&object->cells, index);
    memmove(at + 1, at, (object->cells.count - 1 - index) * sizeof *at);
    *at = (struct cell){.offset = offset, .size = size, .written = written, .number = NO_CELL};
}

/* Makes the offset a border: the values of both parts are parts of the values. */
static void split_at(struct objects *objects, struct sets *sets, struct shared_object *object, uint64_t offset) {
    size_t index = first_cell(object, offset);
    if (index == object->cells.count) {
        return;
    }
    struct cell *cell = vector_at(&object->cells, index);
    if (cell->offset >= offset) {
        return;
    }
    struct cell whole = *cell;
    uint32_t low = (uint32_t)(offset - whole.offset);
    cell->size = low;
    cell->set = set_part(sets, whole.set, 0, low);
    cell->next = set_part(sets, whole.next, 0, low);
    insert_cell(object, index + 1, offset, whole.size - low, whole.written);
    cell = vector_at(&object->cells, index + 1);
    cell->set = set_part(sets, whole.set, low, whole.size - low);
    cell->next = set_part(sets, whole.next, low, whole.size - low);
    objects_change(objects);
}

bool object_cells(struct objects *objects, struct sets *sets, struct shared_object *object, uint64_t offset,
                  uint32_t size, struct cell **cells, unsigned *count) {
    split_at(objects, sets, object, offset);
    split_at(objects, sets, object, offset + size);
    *count = 0;
    bool known = true;
    for (uint64_t at = offset; at < offset + size;) {
        size_t index = first_cell(object, at);
        struct cell *cell = index < object->cells.count ? vector_at(&object->cells, index) : NULL;
        if (!cell || cell->offset > at) {
            uint64_t end = cell && cell->offset < offset + size ? cell->offset : offset + size;
            uint32_t part = end - at > 8 ? 8 : (uint32_t)(end - at);
            insert_cell(object, index, at, part, false);
            objects_change(objects);
            known = false;
            at += part;
        } else {
            at += cell->size;
        }
    }
    for (uint64_t at = offset; at < offset + size && known;) {
        cells[*count] = vector_at(&object->cells, first_cell(object, at));
        at += cells[(*count)++]->size;
    }
    return known;
}

struct cell *object_cell_at(const struct shared_object *object, uint64_t offset) {
    size_t index = first_cell(object, offset);
    struct cell *cell = index < object->cells.count ? vector_at(&object->cells, index) : NULL;
    return cell && cell->offset == offset ? cell : NULL;
}

bool cell_has_numbers(const struct sets *sets, const struct cell *cell) {
    return cell->size < 8 || set_is_numbers(sets, cell->next);
}

void cell_add(struct objects *objects, struct sets *sets, struct cell *cell, set_id values) {
    set_id joined = set_join(sets, cell->next, values);
    if (joined != cell->next) {
        cell->next = joined;
        cell->grown = objects->grown = objects->execution;
        if (!cell_has_numbers(sets, cell)) {
            cell->set = joined;
        }
    }
}
