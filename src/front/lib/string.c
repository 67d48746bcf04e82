/* Copying, comparing and searching memory and strings: <string.h> and <strings.h>.
 *
 * Copies are accesses of the largest of 8, 4, 2, 1 bytes that both addresses and the rest allow, in ascending order
 * (memmove: in the direction that is safe); functions that search for a byte read byte by byte. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "intrinsics.h"

#undef strdup
#undef strndup

/* The largest power of two up to 8 that divides `addresses` and is at most `rest`. */
static size_t piece_size(uintptr_t addresses, size_t rest) {
    size_t size = 8;
    while (size > 1 && (addresses % size != 0 || size > rest)) {
        size /= 2;
    }
    return size;
}

static void copy_piece(char *to, const char *from, size_t size) {
    switch (size) {
    case 8:
        *(uint64_t *)to = *(const uint64_t *)from;
        break;
    case 4:
        *(uint32_t *)to = *(const uint32_t *)from;
        break;
    case 2:
        *(uint16_t *)to = *(const uint16_t *)from;
        break;
    default:
        *to = *from;
    }
}

void *__picket_memcpy(void *to, const void *from, size_t size) {
    uintptr_t distance = (uintptr_t)to - (uintptr_t)from;
    if (distance != 0 && (distance < size || -distance < size) && __picket_checks_misuse()) {
        __picket_error_OVERLAP("memcpy between places that overlap");
    }
    char *target = to;
    const char *source = from;
    while (size > 0) {
        size_t piece = piece_size((uintptr_t)target | (uintptr_t)source, size);
        copy_piece(target, source, piece);
        target += piece;
        source += piece;
        size -= piece;
    }
    return to;
}

static void copy_descending(char *to, const char *from, size_t size) {
    while (size > 0) {
        size_t piece = piece_size((uintptr_t)(to + size) | (uintptr_t)(from + size), size);
        size -= piece;
        copy_piece(to + size, from + size, piece);
    }
}

void *__picket_memmove(void *to, const void *from, size_t size) {
    if ((uintptr_t)to - (uintptr_t)from < size) {
        copy_descending(to, from, size);
        return to;
    }
    return __picket_memcpy(to, from, size);
}

static void set_piece(char *to, uint64_t pattern, size_t size) {
    switch (size) {
    case 8:
        *(uint64_t *)to = pattern;
        break;
    case 4:
        *(uint32_t *)to = (uint32_t)pattern;
        break;
    case 2:
        *(uint16_t *)to = (uint16_t)pattern;
        break;
    default:
        *to = (char)pattern;
    }
}

void *__picket_memset(void *to, int value, size_t size) {
    char *target = to;
    uint64_t pattern = (unsigned char)value * UINT64_C(0x0101010101010101);
    while (size > 0) {
        size_t piece = piece_size((uintptr_t)target, size);
        set_piece(target, pattern, piece);
        target += piece;
        size -= piece;
    }
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    return __picket_memcpy(to, from, size);
}

void *mempcpy(void *restrict to, const void *restrict from, size_t size) {
    return (char *)__picket_memcpy(to, from, size) + size;
}

void *memmove(void *to, const void *from, size_t size) {
    return __picket_memmove(to, from, size);
}

void *memset(void *to, int value, size_t size) {
    return __picket_memset(to, value, size);
}

void *__memcpy_chk(void *to, const void *from, size_t size, size_t limit) {
    if (size > limit) {
        abort();
    }
    return __picket_memcpy(to, from, size);
}

void *__memmove_chk(void *to, const void *from, size_t size, size_t limit) {
    if (size > limit) {
        abort();
    }
    return __picket_memmove(to, from, size);
}

void *__memset_chk(void *to, int value, size_t size, size_t limit) {
    if (size > limit) {
        abort();
    }
    return __picket_memset(to, value, size);
}

void bzero(void *to, size_t size) {
    __picket_memset(to, 0, size);
}

void explicit_bzero(void *to, size_t size) {
    __picket_memset(to, 0, size);
}

void bcopy(const void *from, void *to, size_t size) {
    __picket_memmove(to, from, size);
}

int memcmp(const void *first, const void *second, size_t size) {
    const unsigned char *a = first;
    const unsigned char *b = second;
    for (size_t i = 0; i < size; i++) {
        int difference = a[i] - b[i];
        if (difference != 0) {
            return difference;
        }
    }
    return 0;
}

int bcmp(const void *first, const void *second, size_t size) {
    return memcmp(first, second, size);
}

void *memchr(const void *block, int value, size_t size) {
    const unsigned char *bytes = block;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == (unsigned char)value) {
            return (void *)(bytes + i);
        }
    }
    return NULL;
}

void *memrchr(const void *block, int value, size_t size) {
    const unsigned char *bytes = block;
    while (size > 0) {
        size--;
        if (bytes[size] == (unsigned char)value) {
            return (void *)(bytes + size);
        }
    }
    return NULL;
}

void *rawmemchr(const void *block, int value) {
    const unsigned char *bytes = block;
    while (*bytes != (unsigned char)value) {
        bytes++;
    }
    return (void *)bytes;
}

void *memccpy(void *restrict to, const void *restrict from, int value, size_t size) {
    unsigned char *target = to;
    const unsigned char *source = from;
    for (size_t i = 0; i < size; i++) {
        target[i] = source[i];
        if (target[i] == (unsigned char)value) {
            return target + i + 1;
        }
    }
    return NULL;
}

void *memmem(const void *block, size_t size, const void *needle, size_t needle_size) {
    for (size_t i = 0; i + needle_size <= size; i++) {
        if (memcmp((const char *)block + i, needle, needle_size) == 0) {
            return (char *)block + i;
        }
    }
    return NULL;
}

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length]) {
        length++;
    }
    return length;
}

size_t strnlen(const char *text, size_t limit) {
    size_t length = 0;
    while (length < limit && text[length]) {
        length++;
    }
    return length;
}

char *stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from) != 0) {
        to++;
        from++;
    }
    return to;
}

char *strcpy(char *restrict to, const char *restrict from) {
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t size) {
    size_t length = 0;
    while (length < size && (to[length] = from[length]) != 0) {
        length++;
    }
    for (size_t i = length; i < size; i++) {
        to[i] = 0;
    }
    return to + length;
}

char *strncpy(char *restrict to, const char *restrict from, size_t size) {
    stpncpy(to, from, size);
    return to;
}

char *strcat(char *restrict to, const char *restrict from) {
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t size) {
    char *end = to + strlen(to);
    while (size > 0 && *from) {
        *end++ = *from++;
        size--;
    }
    *end = 0;
    return to;
}

char *__strcpy_chk(char *to, const char *from, size_t limit) {
    (void)limit;
    return strcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t size, size_t limit) {
    (void)limit;
    return strncpy(to, from, size);
}

char *__strcat_chk(char *to, const char *from, size_t limit) {
    (void)limit;
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t size, size_t limit) {
    (void)limit;
    return strncat(to, from, size);
}

int strcmp(const char *first, const char *second) {
    const unsigned char *a = (const unsigned char *)first;
    const unsigned char *b = (const unsigned char *)second;
    for (;; a++, b++) {
        int x = *a;
        int y = *b;
        if (x != y || x == 0) {
            return x - y;
        }
    }
}

int strncmp(const char *first, const char *second, size_t size) {
    const unsigned char *a = (const unsigned char *)first;
    const unsigned char *b = (const unsigned char *)second;
    for (size_t i = 0; i < size; i++) {
        int x = a[i];
        int y = b[i];
        if (x != y || x == 0) {
            return x - y;
        }
    }
    return 0;
}

static int lower(unsigned char c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

int strcasecmp(const char *first, const char *second) {
    for (;; first++, second++) {
        int x = lower((unsigned char)*first);
        int y = lower((unsigned char)*second);
        if (x != y || x == 0) {
            return x - y;
        }
    }
}

int strncasecmp(const char *first, const char *second, size_t size) {
    for (size_t i = 0; i < size; i++) {
        int x = lower((unsigned char)first[i]);
        int y = lower((unsigned char)second[i]);
        if (x != y || x == 0) {
            return x - y;
        }
    }
    return 0;
}

/* The C locale. */
int strcoll(const char *first, const char *second) {
    return strcmp(first, second);
}

size_t strxfrm(char *restrict to, const char *restrict from, size_t size) {
    size_t length = strlen(from);
    if (length < size) {
        strcpy(to, from);
    }
    return length;
}

char *strchr(const char *text, int value) {
    for (;; text++) {
        char c = *text;
        if (c == (char)value) {
            return (char *)text;
        }
        if (c == 0) {
            return NULL;
        }
    }
}

char *strchrnul(const char *text, int value) {
    while (*text && *text != (char)value) {
        text++;
    }
    return (char *)text;
}

char *strrchr(const char *text, int value) {
    const char *found = NULL;
    for (;; text++) {
        char c = *text;
        if (c == (char)value) {
            found = text;
        }
        if (c == 0) {
            return (char *)found;
        }
    }
}

char *index(const char *text, int value) {
    return strchr(text, value);
}

char *rindex(const char *text, int value) {
    return strrchr(text, value);
}

size_t strspn(const char *text, const char *accept) {
    size_t length = 0;
    while (text[length] && strchr(accept, text[length])) {
        length++;
    }
    return length;
}

size_t strcspn(const char *text, const char *reject) {
    size_t length = 0;
    while (text[length] && !strchr(reject, text[length])) {
        length++;
    }
    return length;
}

char *strpbrk(const char *text, const char *accept) {
    text += strcspn(text, accept);
    return *text ? (char *)text : NULL;
}

char *strstr(const char *text, const char *needle) {
    size_t length = strlen(needle);
    for (;; text++) {
        if (strncmp(text, needle, length) == 0) {
            return (char *)text;
        }
        if (*text == 0) {
            return NULL;
        }
    }
}

char *strcasestr(const char *text, const char *needle) {
    size_t length = strlen(needle);
    for (;; text++) {
        if (strncasecmp(text, needle, length) == 0) {
            return (char *)text;
        }
        if (*text == 0) {
            return NULL;
        }
    }
}

char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
    if (!text) {
        text = *rest;
    }
    text += strspn(text, separators);
    if (*text == 0) {
        *rest = text;
        return NULL;
    }
    char *end = text + strcspn(text, separators);
    if (*end) {
        *end++ = 0;
    }
    *rest = end;
    return text;
}

/* All threads share it, unprotected. */
static char *token_rest;

/* All threads share its position. */
char *strtok(char *restrict text, const char *restrict separators) {
    return strtok_r(text, separators, &token_rest);
}

char *__strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
    return strtok_r(text, separators, rest);
}

char *strsep(char **restrict text, const char *restrict separators) {
    char *token = *text;
    if (!token) {
        return NULL;
    }
    char *end = token + strcspn(token, separators);
    if (*end) {
        *end = 0;
        *text = end + 1;
    } else {
        *text = NULL;
    }
    return token;
}

char *strndup(const char *text, size_t limit) {
    size_t length = strnlen(text, limit);
    char *copy = malloc(length + 1);
    if (copy) {
        __picket_memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

char *strdup(const char *text) {
    return strndup(text, SIZE_MAX);
}

char *__strdup(const char *text) {
    return strndup(text, SIZE_MAX);
}

int ffs(int value) {
    return __builtin_ffs(value);
}

int ffsl(long value) {
    return __builtin_ffsl(value);
}

int ffsll(long long value) {
    return __builtin_ffsll(value);
}
