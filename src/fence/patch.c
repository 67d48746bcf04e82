/* Finds a longest common subsequence of lines, by the table of its lengths.  The common beginning and end are left out
 * before, and the rest is small, since fences are few. */
#include "fence/patch.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/memory.h"
#include "util/vector.h"

#define CONTEXT 3

struct line {
    const char *text;
    size_t size; /* with its newline, if it has one */
};

/* ' ' in both, '-' in the old one, '+' in the new one. */
struct change {
    char sign;
    struct line line;
};

static void split(const char *text, struct vector *lines) {
    vector_init(lines, sizeof(struct line));
    while (*text) {
        const char *newline = strchr(text, '\n');
        size_t size = newline ? (size_t)(newline - text) + 1 : strlen(text);
        vector_push(lines, &(struct line){text, size});
        text += size;
    }
}

static const struct line *line_at(const struct vector *lines, size_t index) {
    return vector_at(lines, index);
}

static bool same(const struct line *one, const struct line *other) {
    return one->size == other->size && memcmp(one->text, other->text, one->size) == 0;
}

static void add_change(struct vector *changes, char sign, const struct line *line) {
    vector_push(changes, &(struct change){sign, *line});
}

/* The changes between old[first ..] and new[first ..], up to the common end. */
static void compare_middle(const struct vector *old_lines, const struct vector *new_lines, size_t first, size_t olds,
                           size_t news, struct vector *changes) {
    size_t width = news + 1;
    uint32_t *length = memory_allocate((olds + 1) * width * sizeof *length);
    for (size_t i = olds; i-- > 0;) {
        for (size_t k = news; k-- > 0;) {
            uint32_t down = length[(i + 1) * width + k];
            uint32_t right = length[i * width + k + 1];
            length[i * width + k] = same(line_at(old_lines, first + i), line_at(new_lines, first + k))
                                        ? length[(i + 1) * width + k + 1] + 1
                                    : down > right ? down
                                                   : right;
        }
    }
    size_t i = 0;
    size_t k = 0;
    while (i < olds || k < news) {
        if (i < olds && k < news && same(line_at(old_lines, first + i), line_at(new_lines, first + k))) {
            add_change(changes, ' ', line_at(old_lines, first + i++));
            k++;
        } else if (i < olds && (k == news || length[(i + 1) * width + k] >= length[i * width + k + 1])) {
            add_change(changes, '-', line_at(old_lines, first + i++));
        } else {
            add_change(changes, '+', line_at(new_lines, first + k++));
        }
    }
    free(length);
}

static void compare(const struct vector *old_lines, const struct vector *new_lines, struct vector *changes) {
    size_t first = 0;
    size_t last = 0;
    while (first < old_lines->count && first < new_lines->count &&
           same(line_at(old_lines, first), line_at(new_lines, first))) {
        add_change(changes, ' ', line_at(old_lines, first++));
    }
    while (last < old_lines->count - first && last < new_lines->count - first &&
           same(line_at(old_lines, old_lines->count - 1 - last), line_at(new_lines, new_lines->count - 1 - last))) {
        last++;
    }
    compare_middle(old_lines, new_lines, first, old_lines->count - first - last, new_lines->count - first - last,
                   changes);
    for (; last > 0; last--) {
        add_change(changes, ' ', line_at(old_lines, old_lines->count - last));
    }
}

static void print_hunk(FILE *out, const struct change *changes, size_t from, size_t to) {
    size_t old_line = 1;
    size_t new_line = 1;
    size_t olds = 0;
    size_t news = 0;
    for (size_t i = 0; i < to; i++) {
        *(i < from ? &old_line : &olds) += changes[i].sign != '+';
        *(i < from ? &new_line : &news) += changes[i].sign != '-';
    }
    fprintf(out, "@@ -%zu,%zu +%zu,%zu @@\n", olds > 0 ? old_line : old_line - 1, olds,
            news > 0 ? new_line : new_line - 1, news);
    for (size_t i = from; i < to; i++) {
        const struct line *line = &changes[i].line;
        fprintf(out, "%c%.*s", changes[i].sign, (int)line->size, line->text);
        if (line->text[line->size - 1] != '\n') {
            fputs("\n\\ No newline at end of file\n", out);
        }
    }
}

static void print_hunks(FILE *out, const struct vector *changes) {
    const struct change *all = changes->data;
    for (size_t i = 0; i < changes->count;) {
        if (all[i].sign == ' ') {
            i++;
            continue;
        }
        size_t from = i > CONTEXT ? i - CONTEXT : 0;
        size_t end = i + 1; /* after the last change of the hunk */
        for (size_t k = end; k < changes->count && k <= end + 2 * CONTEXT; k++) {
            end = all[k].sign != ' ' ? k + 1 : end;
        }
        size_t to = end + CONTEXT < changes->count ? end + CONTEXT : changes->count;
        print_hunk(out, all, from, to);
        i = to;
    }
}

char *patch_make(const char *name, const char *old_text, const char *new_text) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);
    if (strcmp(old_text, new_text) != 0) {
        struct vector old_lines;
        struct vector new_lines;
        struct vector changes;
        name += strspn(name, "/");
        split(old_text, &old_lines);
        split(new_text, &new_lines);
        vector_init(&changes, sizeof(struct change));
        compare(&old_lines, &new_lines, &changes);
        fprintf(out, "--- a/%s\n+++ b/%s\n", name, name);
        print_hunks(out, &changes);
        vector_delete(&old_lines);
        vector_delete(&new_lines);
        vector_delete(&changes);
    }
    fclose(out);
    return text;
}
