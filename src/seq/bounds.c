/* Bounds of loops. */
#include "seq/bounds.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seq/seq.h"

bool bounds_have(const struct vector *loops, uint32_t loop) {
    for (size_t i = 0; i < loops->count; i++) {
        if (*(uint32_t *)vector_at(loops, i) == loop) {
            return true;
        }
    }
    return false;
}

bool bounds_have_exits(const struct symbolic *execution, const struct vector *loops) {
    for (size_t i = 0; i < execution->cuts.count; i++) {
        const struct cut *cut = vector_at(&execution->cuts, i);
        if (!cut->endless && cut->holds != LITERAL_FALSE && (!loops || bounds_have(loops, cut->loop))) {
            return true;
        }
    }
    return false;
}

void bounds_cut(struct symbolic *execution, struct vector *loops) {
    for (size_t i = 0; i < execution->cuts.count; i++) {
        const struct cut *cut = vector_at(&execution->cuts, i);
        if (gates_value(&execution->gates, cut->holds) && !bounds_have(loops, cut->loop)) {
            vector_push(loops, &cut->loop);
        }
    }
}

static void raise_bound(struct symbolic *execution, uint32_t loop) {
    for (size_t i = 0; i < execution->bounds.count; i++) {
        struct loop_bound *bound = vector_at(&execution->bounds, i);
        if (bound->loop == loop) {
            bound->iterations *= 2;
            return;
        }
    }
    struct loop_bound bound = {loop, execution->iterations * 2};
    vector_push(&execution->bounds, &bound);
}

void bounds_raise(struct symbolic *execution, uint32_t *recursion) {
    struct vector loops;
    vector_init(&loops, sizeof(uint32_t));
    bounds_cut(execution, &loops);
    for (size_t i = 0; i < loops.count; i++) {
        uint32_t loop = *(uint32_t *)vector_at(&loops, i);
        if (loop == ANOTHER_BOUND) {
            *recursion *= 2;
        } else if (seq_options(execution->task)->iterations == 0) {
            raise_bound(execution, loop);
        }
    }
    vector_delete(&loops);
}

static uint32_t bound_of(const struct symbolic *execution, uint32_t loop, uint32_t recursion) {
    return loop == ANOTHER_BOUND ? recursion : symbolic_bound(execution, loop);
}

uint32_t bounds_least(const struct symbolic *execution, uint32_t recursion) {
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < execution->cuts.count; i++) {
        const struct cut *cut = vector_at(&execution->cuts, i);
        uint32_t bound = bound_of(execution, cut->loop, recursion);
        least = bound < least ? bound : least;
    }
    return least;
}

/* --- Naming ------------------------------------------------------------------------------------------------------- */

/* What a line of the source may do. */
struct named {
    uint32_t bound;
    const char *file; /* NULL: recursion */
    uint32_t line;
};

static int compare_named(const void *one, const void *other) {
    const struct named *a = one;
    const struct named *b = other;
    if (a->bound != b->bound) {
        return a->bound < b->bound ? -1 : 1;
    }
    if (!a->file || !b->file) {
        return !a->file - !b->file;
    }
    int files = strcmp(a->file, b->file);
    return files ? files : (a->line > b->line) - (a->line < b->line);
}

/* Calls of a function have loops of their own at the same line; the least of their bounds holds for all. */
static void add_named(struct vector *all, struct named named) {
    for (size_t i = 0; i < all->count; i++) {
        struct named *known = vector_at(all, i);
        bool same = known->file && named.file ? known->line == named.line && strcmp(known->file, named.file) == 0
                                              : known->file == named.file;
        if (same) {
            known->bound = known->bound < named.bound ? known->bound : named.bound;
            return;
        }
    }
    vector_push(all, &named);
}

static void list_named(const struct symbolic *execution, const struct vector *loops, uint32_t recursion,
                       struct vector *all) {
    const struct program *program = execution->program;
    for (size_t i = 0; i < execution->cuts.count; i++) {
        const struct cut *cut = vector_at(&execution->cuts, i);
        if (loops && !bounds_have(loops, cut->loop)) {
            continue;
        }
        const struct position *position = &program->positions[cut->pos];
        struct named named = {.bound = bound_of(execution, cut->loop, recursion)};
        if (cut->loop != ANOTHER_BOUND) {
            named.file = program_string(program, position->file);
            named.line = position->line;
        }
        add_named(all, named);
    }
    if (all->count > 1) {
        qsort(all->data, all->count, sizeof(struct named), compare_named);
    }
}

struct text {
    char *at;
    size_t left;
};

__attribute__((format(printf, 2, 3))) static void add_text(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    size_t used = length < 0 ? 0 : (size_t)length < text->left ? (size_t)length : text->left - 1;
    text->at += used;
    text->left -= used;
}

/* The first `count` of a group of `all` loops with one bound. */
static void name_group(struct text *text, const struct named *group, size_t count, size_t all) {
    if (!group->file) {
        add_text(text, "functions call themselves at most %u deep", group->bound);
        return;
    }
    add_text(text, all == 1 ? "the loop at" : "the loops at");
    for (size_t i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i + 1 == count && count == all ? " and" : ",";
        add_text(text, "%s %s:%u", before, group[i].file, group[i].line);
    }
    if (count < all) {
        add_text(text, " and %zu more", all - count);
    }
    add_text(text, all == 1 ? " iterates at most %u time%s" : " iterate at most %u time%s", group->bound,
             group->bound == 1 ? "" : "s");
}

/* Names loops of one bound, as many as the text has room for.  False if it has room for none. */
static bool add_group(struct text *text, const struct named *group, size_t all, bool first) {
    for (size_t count = all; count > 0; count--) {
        char words[256];
        struct text attempt = {words, sizeof words};
        name_group(&attempt, group, count, all);
        size_t length = strlen(words) + 2;
        if (attempt.left > 1 && length < text->left) {
            add_text(text, "%s%s", first ? "" : ", ", words);
            return true;
        }
    }
    return false;
}

void bounds_describe(const struct symbolic *execution, const struct vector *loops, uint32_t recursion, char *text,
                     size_t size) {
    struct vector all;
    vector_init(&all, sizeof(struct named));
    list_named(execution, loops, recursion, &all);
    const size_t reserved = sizeof ", 4294967295 more loops have larger bounds";
    struct text out = {text, size - reserved};
    *text = '\0';
    const struct named *named = all.data;
    for (size_t from = 0; from < all.count;) {
        size_t to = from;
        while (to < all.count && named[to].bound == named[from].bound && !named[to].file == !named[from].file) {
            to++;
        }
        if (!add_group(&out, named + from, to - from, from == 0)) {
            out.left += reserved;
            if (from == 0) {
                add_text(&out, "%zu loops iterate at most %u times", all.count, named->bound);
            } else {
                add_text(&out,
                         all.count - from == 1 ? ", %zu more loop has a larger bound"
                                               : ", %zu more loops have larger bounds",
                         all.count - from);
            }
            break;
        }
        from = to;
    }
    vector_delete(&all);
}
