/* What is known of a program's atomic sections before it runs. */
#ifndef PICKET_ENGINE_SECTIONS_H
#define PICKET_ENGINE_SECTIONS_H

#include "ir/program.h"

/* May a thread come to a join inside an atomic section?  Nobody can end there meanwhile, so it notices who has. */
bool sections_may_join(const struct program *program);

#endif
