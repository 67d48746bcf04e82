/* critical_section.h: what the mutual exclusion algorithms protect.
 *
 * Whoever is inside writes its number and must find it there: another thread inside, or a store of a former owner that
 * reaches memory too late, overwrites it. */
#ifndef CRITICAL_SECTION_H
#define CRITICAL_SECTION_H

#include "harness.h"

static _Atomic int owner;

static inline void critical_section(int me) {
    STORE(owner, me + 1);
    assert(LOAD(owner) == me + 1);
}

#endif
