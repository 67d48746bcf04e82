/* Texts of the user as JSON. */
#include "engine/json_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/memory.h"
#include "util/utf8.h"

static bool is_utf8(const char *text) {
    size_t length;
    while ((length = utf8_length(text)) > 0) {
        text += length;
    }
    return *text == '\0';
}

json_t *json_text(const char *text) {
    char *clean = memory_allocate(4 * strlen(text) + 1);
    char *to = clean;
    while (*text) {
        size_t length = utf8_length(text);
        if (length > 0) {
            memcpy(to, text, length);
            to += length;
            text += length;
        } else {
            to += snprintf(to, 5, "\\x%02x", (unsigned)(unsigned char)*text++);
        }
    }
    json_t *value = json_string(clean);
    free(clean);
    return value;
}

json_t *json_bytes(const char *text) {
    if (is_utf8(text)) {
        return json_string(text);
    }
    size_t size = strlen(text);
    char *digits = memory_allocate(2 * size + 1);
    for (size_t i = 0; i < size; i++) {
        snprintf(digits + 2 * i, 3, "%02x", (unsigned)(unsigned char)text[i]);
    }
    json_t *value = json_pack("{s:s}", "bytes", digits);
    free(digits);
    return value;
}

char *json_bytes_value(const json_t *value) {
    if (json_is_string(value)) {
        return memory_copy_text(json_string_value(value));
    }
    const char *digits = json_string_value(json_object_get(value, "bytes"));
    size_t size = digits ? strlen(digits) : 0;
    if (size == 0 || size % 2 != 0 || strspn(digits, "0123456789abcdef") != size) {
        return NULL;
    }
    char *text = memory_allocate(size / 2 + 1);
    for (size_t i = 0; i < size / 2; i++) {
        char pair[3] = {digits[2 * i], digits[2 * i + 1], '\0'};
        text[i] = (char)strtoul(pair, NULL, 16);
    }
    return text;
}
