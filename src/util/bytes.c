#include "util/bytes.h"

#include <string.h>

#include "util/memory.h"

#define NO_TEXT UINT64_MAX

void bytes_init(struct vector *bytes) {
    vector_init(bytes, 1);
}

void bytes_put(struct vector *bytes, const void *block, size_t size) {
    if (size > 0) {
        memcpy(vector_grow(bytes, size), block, size);
    }
}

void bytes_put_number(struct vector *bytes, uint64_t number) {
    bytes_put(bytes, &number, sizeof number);
}

void bytes_put_real(struct vector *bytes, double number) {
    bytes_put(bytes, &number, sizeof number);
}

void bytes_put_text(struct vector *bytes, const char *text) {
    bytes_put_number(bytes, text ? strlen(text) : NO_TEXT);
    bytes_put(bytes, text, text ? strlen(text) : 0);
}

void bytes_put_texts(struct vector *bytes, const struct vector *texts) {
    bytes_put_number(bytes, texts->count);
    for (size_t i = 0; i < texts->count; i++) {
        bytes_put_text(bytes, *(char **)vector_at(texts, i));
    }
}

void bytes_get(struct bytes_reader *reader, void *block, size_t size) {
    if (size > reader->left) {
        reader->short_of = true;
        reader->left = 0;
        memset(block, 0, size);
        return;
    }
    if (size > 0) {
        memcpy(block, reader->next, size);
    }
    reader->next += size;
    reader->left -= size;
}

uint64_t bytes_get_number(struct bytes_reader *reader) {
    uint64_t number;
    bytes_get(reader, &number, sizeof number);
    return number;
}

double bytes_get_real(struct bytes_reader *reader) {
    double number;
    bytes_get(reader, &number, sizeof number);
    return number;
}

char *bytes_get_text(struct bytes_reader *reader) {
    uint64_t length = bytes_get_number(reader);
    if (length == NO_TEXT) {
        return NULL;
    }
    if (length > reader->left) {
        reader->short_of = true;
        reader->left = 0;
        length = 0;
    }
    char *text = memory_allocate(length + 1);
    bytes_get(reader, text, length);
    return text;
}

size_t bytes_get_count(struct bytes_reader *reader, size_t size) {
    uint64_t count = bytes_get_number(reader);
    if (count > reader->left / size) {
        reader->short_of = true;
        reader->left = 0;
        return 0;
    }
    return count;
}

void bytes_get_texts(struct bytes_reader *reader, struct vector *texts) {
    size_t count = bytes_get_count(reader, sizeof(uint64_t));
    for (size_t i = 0; i < count; i++) {
        char *text = bytes_get_text(reader);
        vector_push(texts, &text);
    }
}
