/* Numbers from text: atoi, strtol and strtod with their relatives. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "intrinsics.h"

static int digit_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'Z') {
        return c - 'A' + 10;
    }
    return 99;
}

struct parsed {
    const char *end; /* NULL: no number */
    unsigned long magnitude;
    int negative;
    int overflow;
};

static const char *skip_space(const char *text) {
    while (*text == ' ' || (*text >= '\t' && *text <= '\r')) {
        text++;
    }
    return text;
}

static int has_hexadecimal_prefix(const char *text) {
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && digit_value(text[2]) < 16;
}

static void parse_digits(struct parsed *parsed, const char *text, int base) {
    for (int digit = digit_value(*text); digit < base; digit = digit_value(*text)) {
        parsed->overflow |= __builtin_mul_overflow(parsed->magnitude, (unsigned long)base, &parsed->magnitude);
        parsed->overflow |= __builtin_add_overflow(parsed->magnitude, (unsigned long)digit, &parsed->magnitude);
        parsed->end = ++text;
    }
}

static void parse_number(struct parsed *parsed, const char *text, int base) {
    *parsed = (struct parsed){0};
    text = skip_space(text);
    if (*text == '-' || *text == '+') {
        parsed->negative = *text == '-';
        text++;
    }
    if ((base == 0 || base == 16) && has_hexadecimal_prefix(text)) {
        text += 2;
        base = 16;
    }
    if (base == 0) {
        base = *text == '0' ? 8 : 10;
    }
    parse_digits(parsed, text, base);
}

long strtol(const char *restrict text, char **restrict end, int base) {
    struct parsed parsed;
    parse_number(&parsed, text, base);
    if (end) {
        *end = (char *)(parsed.end ? parsed.end : text);
    }
    unsigned long limit = (unsigned long)LONG_MAX + (unsigned long)parsed.negative;
    if (parsed.overflow || parsed.magnitude > limit) {
        errno = ERANGE;
        return parsed.negative ? LONG_MIN : LONG_MAX;
    }
    return (long)(parsed.negative ? -parsed.magnitude : parsed.magnitude);
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
    struct parsed parsed;
    parse_number(&parsed, text, base);
    if (end) {
        *end = (char *)(parsed.end ? parsed.end : text);
    }
    if (parsed.overflow) {
        errno = ERANGE;
        return ULONG_MAX;
    }
    return parsed.negative ? -parsed.magnitude : parsed.magnitude;
}

long long strtoll(const char *restrict text, char **restrict end, int base) {
    return strtol(text, end, base);
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
    return strtoul(text, end, base);
}

intmax_t strtoimax(const char *restrict text, char **restrict end, int base) {
    return strtol(text, end, base);
}

uintmax_t strtoumax(const char *restrict text, char **restrict end, int base) {
    return strtoul(text, end, base);
}

/* The names of the functions of C23 in newer headers. */
long __isoc23_strtol(const char *restrict text, char **restrict end, int base) {
    return strtol(text, end, base);
}

unsigned long __isoc23_strtoul(const char *restrict text, char **restrict end, int base) {
    return strtoul(text, end, base);
}

long long __isoc23_strtoll(const char *restrict text, char **restrict end, int base) {
    return strtol(text, end, base);
}

unsigned long long __isoc23_strtoull(const char *restrict text, char **restrict end, int base) {
    return strtoul(text, end, base);
}

int atoi(const char *text) {
    return (int)strtol(text, NULL, 10);
}

long atol(const char *text) {
    return strtol(text, NULL, 10);
}

long long atoll(const char *text) {
    return strtol(text, NULL, 10);
}

static struct picket_number number_of_copy(const char *text) {
    size_t length = strlen(text);
    char copy[length + 1];
    size_t copied = 0;
    for (char byte; copied < length && (byte = text[copied]); copied++) {
        copy[copied] = byte;
    }
    copy[copied] = 0;
    return __picket_strtod(copy);
}

/* The machine reads a number without a step, so from bytes that no other thread can change. */
static struct picket_number number_of(const char *text) {
    return __picket_is_shared(text) ? number_of_copy(text) : __picket_strtod(text);
}

double strtod(const char *restrict text, char **restrict end) {
    struct picket_number number = number_of(text);
    if (end) {
        *end = (char *)text + number.length;
    }
    return number.value;
}

float strtof(const char *restrict text, char **restrict end) {
    return (float)strtod(text, end);
}

long double strtold(const char *restrict text, char **restrict end) {
    return strtod(text, end);
}

double atof(const char *text) {
    return number_of(text).value;
}
