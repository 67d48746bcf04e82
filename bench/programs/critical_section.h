/* critical_section.h: what the mutual exclusion algorithms protect.
 *
 * A thread inside writes its number and must find it there: another thread inside, or a store of a former owner that
 * reaches memory too late, overwrites it.
 *
 * -DENDLESS lets every thread return for ever.  `bakery` and `ticket_lock` then count up without end, unless they
 * have a limit. */
#ifndef CRITICAL_SECTION_H
#define CRITICAL_SECTION_H

#include "harness.h"

static _Atomic int owner;

static inline void critical_section(int me) {
    STORE(owner, me + 1);
    assert(LOAD(owner) == me + 1);
}

static void *contend(void *argument);

#ifdef ENDLESS
static void *contend_for_ever(void *argument) {
    for (;;) {
        contend(argument);
    }
}
#define run_threads(count, body) run_threads(count, contend_for_ever)
#endif

#endif
