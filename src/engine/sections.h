/* Properties of a program's atomic sections, before it runs. */
#ifndef PICKET_ENGINE_SECTIONS_H
#define PICKET_ENGINE_SECTIONS_H

#include "ir/program.h"

/* May a thread reach a join inside an atomic section?  No thread can end during the section, so it notices which have
 * ended. */
bool sections_may_join(const struct program *program);

#endif
