/* Places: where in the text of a program a fence can stand, as a line of its own.
 *
 * In C that is between two statements; a place that clang does not accept is dropped by whoever compiles the text.  In
 * an automaton it is before or behind the instruction of a transition, of which it makes two.
 *
 * The text is written anew with fences at some places.  With a fence at every place it is the text that the search
 * works on: the program form of it has each place exactly where the compiler put it, in every copy of an inlined
 * function, and a fence that is not wanted becomes nothing. */
#ifndef PICKET_FENCE_PLACES_H
#define PICKET_FENCE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/vector.h"

enum source_language { SOURCE_C, SOURCE_AUTOMATON };

struct source {
    const char *name; /* as the user gave it; not owned */
    char *text;
    size_t size;
    enum source_language language;
};

enum place_side { PLACE_BETWEEN, PLACE_BEFORE, PLACE_BEHIND };

struct place {
    uint32_t source;      /* index */
    uint32_t line;        /* of the source: the fence stands before it, or belongs to the transition in it */
    size_t offset;        /* in the text: C: where it is put in; automaton: where the transition's line begins */
    enum place_side side; /* of an automaton: of the transition's instruction */
    bool splits;          /* C: the line goes on, and is broken in two */
    bool dropped;         /* no fence can stand there */
};

/* What stands at a place. */
enum fence_kind { FENCE_NONE, FENCE_STORE, FENCE_FULL };

/* Appends the source's places to `places` (of struct place), in the order of the text. */
void source_find_places(const struct source *source, uint32_t index, struct vector *places);

struct written {
    char *text;
    size_t size;
    struct vector lines;  /* of uint32_t: by line of the new text (from 1; 0 is unused), the line of the source */
    struct vector fences; /* of struct written_fence */
};

struct written_fence {
    uint32_t place;
    uint32_t line; /* of the new text */
};

/* Writes source number `index` with the fences that `kinds`, by place, says; dropped places have none.  With
 * `includes` C gets the header that it needs if it does not have it, otherwise fences are clang's builtins. */
void source_write(const struct source *source, uint32_t index, const struct vector *places, const uint8_t *kinds,
                  bool includes, struct written *written);
void written_delete(struct written *written);

#endif
