/* The engine `seq`: bounded model checking by SAT.
 *
 * The program is executed symbolically (symbolic.h) and the order of its events is left to a solver (order.h).  An
 * error that the solver finds is run on the machine before it is reported; if there is none, the solver is asked for an
 * execution that a bound cuts.  If there is one, that bound is raised; if not, the program is safe. */
#ifndef PICKET_SEQ_SEQ_H
#define PICKET_SEQ_SEQ_H

#include "engine/engine.h"

extern const struct engine engine_seq;

#endif
