/* A growing array of elements of one size.  The memory is the vector's; elements move when it grows. */
#ifndef PICKET_UTIL_VECTOR_H
#define PICKET_UTIL_VECTOR_H

#include <stddef.h>
#include <string.h>

struct vector {
    void *data;
    size_t count;
    size_t capacity;
    size_t element_size;
};

void vector_init(struct vector *vector, size_t element_size);
void vector_delete(struct vector *vector);

/* Appends `count` elements, zeroed, and returns the first. */
void *vector_grow(struct vector *vector, size_t count);

static inline void *vector_at(const struct vector *vector, size_t index) {
    return (char *)vector->data + index * vector->element_size;
}

/* Appends one element, which is not set, and returns it. */
static inline void *vector_room(struct vector *vector) {
    return vector->count < vector->capacity ? vector_at(vector, vector->count++) : vector_grow(vector, 1);
}

/* Appends a copy of one element. */
static inline void vector_push(struct vector *vector, const void *element) {
    if (vector->count < vector->capacity) {
        memcpy(vector_at(vector, vector->count++), element, vector->element_size);
    } else {
        memcpy(vector_grow(vector, 1), element, vector->element_size);
    }
}

#endif
