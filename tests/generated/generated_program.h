/* Programs of the independent model's form (model.h). */
#ifndef PICKET_TESTS_GENERATED_PROGRAM_H
#define PICKET_TESTS_GENERATED_PROGRAM_H

#include "ir/program.h"
#include "model.h"

/* Accesses, fences and one lock, which every thread gives back: such a program always ends, without an error.  `most`:
 * operations of a thread. */
void generated_draw(struct generated *generated, uint64_t seed, unsigned most);

/* Locks of every kind, condition variables, barriers, joins, sections, and some accesses. */
void generated_draw_sync(struct generated *generated, uint64_t seed);

/* `fenced`: with a full fence after every store. */
void generated_build(const struct generated *generated, bool fenced, struct program *program);

#endif
