/* <stdlib.h>: allocation, sorting and searching, small arithmetic, environment.  Numbers from text are in strtol.c,
 * random numbers in random.c, the end of the process in exit.c. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

#include "intrinsics.h"

void free(void *block) {
    if (block) {
        __picket_free(block);
    }
}

void cfree(void *block) {
    free(block);
}

void *calloc(size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return __picket_calloc(total);
}

/* The block always moves; a size of 0 frees it. */
void *realloc(void *block, size_t size) {
    if (!block) {
        return malloc(size);
    }
    if (size == 0) {
        __picket_free(block);
        return NULL;
    }
    size_t old = __picket_object_size(block);
    void *copy = malloc(size);
    if (copy) {
        __picket_memcpy(copy, block, old < size ? old : size);
        __picket_free(block);
    }
    return copy;
}

void *reallocarray(void *block, size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, total);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return __picket_malloc(size, alignment < 16 ? 16 : alignment);
}

void *memalign(size_t alignment, size_t size) {
    return aligned_alloc(alignment, size);
}

void *valloc(size_t size) {
    return aligned_alloc(4096, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
        return EINVAL;
    }
    void *memory = aligned_alloc(alignment, size);
    if (!memory) {
        return ENOMEM;
    }
    *block = memory;
    return 0;
}

/* Exactly the requested size. */
size_t malloc_usable_size(void *block) {
    return block ? __picket_object_size(block) : 0;
}

int abs(int value) {
    return value < 0 ? -value : value;
}

long labs(long value) {
    return value < 0 ? -value : value;
}

long long llabs(long long value) {
    return value < 0 ? -value : value;
}

intmax_t imaxabs(intmax_t value) {
    return value < 0 ? -value : value;
}

imaxdiv_t imaxdiv(intmax_t a, intmax_t b) {
    return (imaxdiv_t){a / b, a % b};
}

div_t div(int a, int b) {
    return (div_t){a / b, a % b};
}

ldiv_t ldiv(long a, long b) {
    return (ldiv_t){a / b, a % b};
}

lldiv_t lldiv(long long a, long long b) {
    return (lldiv_t){a / b, a % b};
}

/* There is no variable. */
char *getenv(const char *name) {
    (void)name;
    __picket_assumes_environment();
    return NULL;
}

/* There is no variable. */
char *secure_getenv(const char *name) {
    (void)name;
    __picket_assumes_environment();
    return NULL;
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0) {
            return (void *)element;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

/* Sorting works on an array of element numbers, which no other thread and no comparison function can access, and moves
 * the elements themselves once at the end.  It is a stable merge sort, like glibc's. */
struct sort {
    const char *base;
    size_t size;
    int (*compare)(const void *, const void *, void *);
    void *data;
};

static int sort_in_order(const struct sort *sort, size_t first, size_t second) {
    return sort->compare(sort->base + first * sort->size, sort->base + second * sort->size, sort->data) <= 0;
}

static void sort_merge(const struct sort *sort, const size_t *left, size_t left_count, const size_t *right,
                       size_t right_count, size_t *out) {
    while (left_count > 0 && right_count > 0) {
        if (sort_in_order(sort, *left, *right)) {
            *out++ = *left++;
            left_count--;
        } else {
            *out++ = *right++;
            right_count--;
        }
    }
    while (left_count-- > 0) {
        *out++ = *left++;
    }
    while (right_count-- > 0) {
        *out++ = *right++;
    }
}

static void sort_numbers(const struct sort *sort, size_t *numbers, size_t *scratch, size_t count) {
    if (count < 2) {
        return;
    }
    size_t half = count / 2;
    sort_numbers(sort, numbers, scratch, half);
    sort_numbers(sort, numbers + half, scratch, count - half);
    sort_merge(sort, numbers, half, numbers + half, count - half, scratch);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = scratch[i];
    }
}

/* Equal elements keep their order, as in glibc. */
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *data) {
    if (count < 2 || size == 0) {
        return;
    }
    struct sort sort = {base, size, compare, data};
    size_t numbers[count];
    size_t scratch[count];
    for (size_t i = 0; i < count; i++) {
        numbers[i] = i;
    }
    sort_numbers(&sort, numbers, scratch, count);
    char sorted[count * size] __attribute__((aligned(8)));
    for (size_t i = 0; i < count; i++) {
        __picket_memcpy(sorted + i * size, (char *)base + numbers[i] * size, size);
    }
    __picket_memcpy(base, sorted, count * size);
}

static int compare_without_data(const void *first, const void *second, void *data) {
    return ((int (*)(const void *, const void *))data)(first, second);
}

/* Equal elements keep their order, as in glibc. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    qsort_r(base, count, size, compare_without_data, (void *)compare);
}
