/* The engine `lazy`: TSO reachability without a bound on loops, through SC reachability, the robustness oracle and
 * extensions (Bouajjani, Calin, Derevenetc, Meyer: Lazy TSO Reachability, FASE 2015, Algorithm 1). */
#ifndef PICKET_REACH_LAZY_H
#define PICKET_REACH_LAZY_H

#include "engine/engine.h"
#include "reach/extend.h"

extern const struct engine engine_lazy;

/* Uses one form of extension only, for tests: extends until the oracle finds no further attack; with EXTENSION_BESIDE
 * at most a fixed number of times. */
void lazy_run_form(const struct task *task, enum extension_form form, struct verdict *verdict);

#endif
