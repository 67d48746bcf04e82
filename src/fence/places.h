/* Places: the positions in the text of a program at which a fence can be inserted, as a line of its own.
 *
 * In C a place is between two statements; the compiler rejects places that are none, which are then dropped.  In an
 * automaton it is before or after the instruction of a transition, which it divides into two.
 *
 * The text is written with fences at some places.  The search works on the text with a fence at every place: the
 * program made from it has each place exactly where the compiler put it, in every copy of an inlined function, and an
 * unselected fence becomes a NOP. */
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

enum place_side { PLACE_BETWEEN, PLACE_BEFORE, PLACE_AFTER };

struct place {
    uint32_t source;      /* index */
    uint32_t line;        /* of the source: the fence is before it, or belongs to the transition in it */
    size_t offset;        /* in the text: C: of the inserted fence; automaton: of the transition's line */
    enum place_side side; /* of an automaton: of the transition's instruction */
    bool splits;          /* C: the line is divided in two */
    bool dropped;         /* no fence is possible there */
};

/* What is at a place. */
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

/* Writes source number `index` with the fences in `kinds` (by place); dropped places have none.  With `includes` C gets
 * the header that it needs if it does not have it, otherwise fences are clang's builtins. */
void source_write(const struct source *source, uint32_t index, const struct vector *places, const uint8_t *kinds,
                  bool includes, struct written *written);
void written_delete(struct written *written);

#endif
