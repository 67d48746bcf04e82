/* Fences in a program that was made with a fence at every place; marked_choose selects some.
 *
 * An unselected fence becomes a NOP with the same position, which every pass leaves where it is.  So the instructions
 * that the threads of an execution pass tell which places they have passed. */
#ifndef PICKET_FENCE_MARKERS_H
#define PICKET_FENCE_MARKERS_H

#include "fence/places.h"
#include "ir/program.h"

#define NO_PLACE UINT32_MAX

/* A program with a fence at every place, not yet prepared for any engine. */
struct marked {
    struct program program;
    uint32_t *place_of; /* by position: the place of the fence there, or NO_PLACE */
    uint32_t places;
    uint32_t *depth; /* by place: number of loops of its function around it */
    bool *present;   /* by place: is there code for it? */
};

/* Takes over the program.  `place_of` has the place for each position, by file name and line. */
void marked_init(struct marked *marked, struct program *program, uint32_t places,
                 uint32_t (*place_of)(void *data, const char *file, uint32_t line), void *data);
void marked_delete(struct marked *marked);

/* The program with the fences in `kinds` (by place). */
void marked_choose(const struct marked *marked, const uint8_t *kinds, struct program *program);

#endif
