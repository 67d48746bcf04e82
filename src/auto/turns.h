/* Whose turn it is: with more children than processors, the parent stops some and lets the others run, in slices of
 * time, always those that have had least. */
#ifndef PICKET_AUTO_TURNS_H
#define PICKET_AUTO_TURNS_H

#include "auto/runner.h"

struct turn_taker {
    struct runner *runner;
    unsigned threads;
};

/* A newcomer is as far as the one that has had least of all others. */
void turns_welcome(struct runner *runner, const struct turn_taker *others, size_t count);

/* Assigns the processors for the next slice; returns its length in seconds, 0 if all may run until something
 * happens. */
double turns_assign(struct turn_taker *takers, size_t count, unsigned jobs);

#endif
