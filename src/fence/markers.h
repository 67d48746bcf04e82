/* Fences in a program that was made with a fence at every place: which are wanted is said later.
 *
 * A fence that is not wanted becomes a NOP with the same position, which every pass leaves where it is.  So an
 * execution tells by the instructions that its threads pass which places they have passed. */
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
    uint32_t *depth; /* by place: in how many loops of its function it stands */
    bool *present;   /* by place: is there code for it? */
};

/* Takes over the program.  `place_of` says for each position, by file name and line, which place it is. */
void marked_init(struct marked *marked, struct program *program, uint32_t places,
                 uint32_t (*place_of)(void *data, const char *file, uint32_t line), void *data);
void marked_delete(struct marked *marked);

/* The program with the fences that `kinds`, by place, says. */
void marked_choose(const struct marked *marked, const uint8_t *kinds, struct program *program);

#endif
