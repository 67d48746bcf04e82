/* Robustness by proof. */
#ifndef PICKET_CLI_PROVE_ROBUST_H
#define PICKET_CLI_PROVE_ROBUST_H

#include "cli/options.h"
#include "robust/panel.h"

/* `picket robust --engine prove`: robust for any number of threads, or not proved. */
int prove_robust(const struct options *options);

/* The same about a program as other engines see it: robust, or no answer. */
extern const struct answerer robust_by_proof;

#endif
