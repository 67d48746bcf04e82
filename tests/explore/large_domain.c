// check --engine auto --model tso => safe
// check --engine explore --model tso => error "large_domain.c:15: error: a nondeterministic value with more than"
// check --model tso -DLAST=4095 => safe traces 4096
// check --model tso -DLAST=4095 -DVALUE=4095 => violation assertion:18
/* Up to 4096 values are tried one by one. */
#include <assert.h>

#include "picket.h"

#ifndef LAST
#define LAST 4096
#endif

int main(void) {
    int value = picket_nondet_int(0, LAST);
    (void)value;
#ifdef VALUE
    assert(value != VALUE);
#endif
    return 0;
}
