/* Joins of threads that are known: classes of one thread whose number its creator joins once. */
#ifndef PICKET_PROVE_JOINS_H
#define PICKET_PROVE_JOINS_H

#include "prove/system.h"

/* Finds them, after the analysis. */
void joins_find(struct system *system);

/* Has the only thread of `other` certainly ended whenever a thread of `class` is before the instruction? */
bool joins_ended(const struct system *system, uint32_t class, uint32_t index, uint32_t other);

/* The class whose thread the instruction joins, with success; NO_CLASS: it is no such join. */
uint32_t joins_class(const struct class *class, uint32_t index);

#endif
