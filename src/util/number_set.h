/* A set of 64-bit numbers other than 0, which only grows. */
#ifndef PICKET_UTIL_NUMBER_SET_H
#define PICKET_UTIL_NUMBER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct number_set {
    uint64_t *slots; /* 0: free */
    size_t capacity; /* a power of two, or 0 */
    size_t count;
};

void number_set_init(struct number_set *set);
void number_set_delete(struct number_set *set);

bool number_set_has(const struct number_set *set, uint64_t number);

/* False if it was there already. */
bool number_set_add(struct number_set *set, uint64_t number);

#endif
