/* Reads each file once, as far as MAX_BYTES. */
#include "report/source.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ir/program.h"
#include "util/memory.h"

#define MAX_BYTES (16u << 20)
#define TRANSITION "transition "

struct source_file {
    char *name;
    char *text; /* NULL: it cannot be read */
};

static bool is_later(struct timespec one, struct timespec other) {
    return one.tv_sec != other.tv_sec ? one.tv_sec > other.tv_sec : one.tv_nsec > other.tv_nsec;
}

/* Reads at most `size` bytes of a file, without a buffer.  How many there were; 0 if it cannot be read. */
static size_t read_bytes(const char *name, char *bytes, size_t size) {
    int file = open(name, O_RDONLY | O_CLOEXEC);
    size_t count = 0;
    ssize_t got = file < 0 ? 0 : 1;
    while (got > 0 && count < size) {
        got = read(file, bytes + count, size - count);
        count += got > 0 ? (size_t)got : 0;
    }
    if (file >= 0) {
        close(file);
    }
    return count;
}

static bool is_saved_program(const char *name) {
    char magic[sizeof((struct program_header *)NULL)->magic] = "";
    return read_bytes(name, magic, sizeof magic) == sizeof magic && memcmp(magic, PROGRAM_MAGIC, sizeof magic) == 0;
}

void sources_init(struct sources *sources, const struct vector *inputs) {
    vector_init(&sources->files, sizeof(struct source_file));
    sources->dated = false;
    for (size_t i = 0; inputs && i < inputs->count; i++) {
        const char *name = *(char **)vector_at(inputs, i);
        struct stat status;
        if (stat(name, &status) == 0 && S_ISREG(status.st_mode) && is_saved_program(name) &&
            (!sources->dated || is_later(sources->date, status.st_mtim))) {
            sources->dated = true;
            sources->date = status.st_mtim;
        }
    }
}

void sources_delete(struct sources *sources) {
    for (size_t i = 0; i < sources->files.count; i++) {
        struct source_file *file = vector_at(&sources->files, i);
        free(file->name);
        free(file->text);
    }
    vector_delete(&sources->files);
}

/* Only regular files: reading from a pipe would wait. */
static char *read_text(const struct sources *sources, const char *name) {
    struct stat status;
    if (stat(name, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > MAX_BYTES ||
        (sources->dated && is_later(status.st_mtim, sources->date))) {
        return NULL;
    }
    char *text = memory_allocate((size_t)status.st_size + 1);
    size_t count = read_bytes(name, text, (size_t)status.st_size);
    text[count] = '\0';
    if (count == 0) {
        free(text);
        return NULL;
    }
    return text;
}

static const struct source_file *find(struct sources *sources, const char *name) {
    for (size_t i = 0; i < sources->files.count; i++) {
        const struct source_file *file = vector_at(&sources->files, i);
        if (strcmp(file->name, name) == 0) {
            return file;
        }
    }
    struct source_file file = {memory_copy_text(name), read_text(sources, name)};
    vector_push(&sources->files, &file);
    return vector_at(&sources->files, sources->files.count - 1);
}

/* The cell of a table that a column is in. */
static void find_cell(const char **begin, const char **end, uint32_t column) {
    const char *at = column > 0 && column - 1 < (size_t)(*end - *begin) ? *begin + (column - 1) : *begin;
    const char *first = at;
    while (first > *begin && first[-1] != '|') {
        first--;
    }
    while (at < *end && *at != '|' && *at != ';') {
        at++;
    }
    *begin = first;
    *end = at;
}

char *source_line(struct sources *sources, const char *file, uint32_t line, uint32_t column) {
    const char *begin = find(sources, file)->text;
    for (uint32_t i = 1; begin && i < line; i++) {
        begin = strchr(begin, '\n');
        begin = begin ? begin + 1 : NULL;
    }
    if (!begin || line == 0) {
        return NULL;
    }
    const char *end = begin + strcspn(begin, "\n");
    const char *ending = strrchr(file, '.');
    if (ending && strcmp(ending, ".litmus") == 0) {
        find_cell(&begin, &end, column);
    }
    while (begin < end && isspace((unsigned char)*begin)) {
        begin++;
    }
    if (ending && strcmp(ending, ".aut") == 0 && strncmp(begin, TRANSITION, strlen(TRANSITION)) == 0) {
        begin += strlen(TRANSITION);
    }
    while (end > begin && isspace((unsigned char)end[-1])) {
        end--;
    }
    char *text = memory_allocate((size_t)(end - begin) + 1);
    for (size_t i = 0; begin + i < end; i++) {
        text[i] = iscntrl((unsigned char)begin[i]) ? ' ' : begin[i];
    }
    return text;
}
