/* Growing arrays: capacity doubles, so appending is constant time on average. */
#include "util/vector.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

void vector_init(struct vector *vector, size_t element_size) {
    *vector = (struct vector){.element_size = element_size};
}

void vector_delete(struct vector *vector) {
    free(vector->data);
    vector->data = NULL;
    vector->count = vector->capacity = 0;
}

void *vector_grow(struct vector *vector, size_t count) {
    size_t needed = vector->count + count;
    if (needed > vector->capacity) {
        size_t capacity = vector->capacity ? vector->capacity : 8;
        while (capacity < needed) {
            capacity *= 2;
        }
        vector->data = memory_resize(vector->data, capacity * vector->element_size);
        vector->capacity = capacity;
    }
    void *first = vector_at(vector, vector->count);
    if (count > 0) {
        memset(first, 0, count * vector->element_size);
    }
    vector->count = needed;
    return first;
}
