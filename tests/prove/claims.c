// prove => safe
// prove => output "the store buffer adds no state; 1 assertion and 5 claims hold, for any number of threads"
// prove --model sc => output "safe under SC: 1 assertion and 5 claims hold, for any number of threads"
// prove -DEARLY => violation assertion:36
// prove -DBROKEN => violation assertion:31
// prove -DWEAK => safe
// prove -DUNTRUE => violation assertion:39
// prove -DINITIAL => violation assertion:51
// check --model sc --check claims --engine explore => safe
// check --model sc --check claims --engine reach => safe
// check --model sc --check claims --engine brute => safe
// check --model sc --check claims --engine explore -DBROKEN => violation assertion:31
// check --model sc --check claims --engine reach -DUNTRUE => violation assertion:39
// check --model sc --check claims --engine brute -DINITIAL => violation assertion:51
// check --model tso --check claims => error "claims are about SC"
// run --check claims => error "claims are about SC"
/* Owicki and Gries: any number of threads raise a flag.  EARLY claims something before it is so, BROKEN something that
 * another thread makes false, UNTRUE and INITIAL something that never was.  WEAK lacks the claim from which the
 * assertion follows: it is inferred. */
#include <picket.h>
#include <stddef.h>

static int turn;
static int up;
static int down;

static void *raise_flag(void *argument) {
    (void)argument;
    picket_claim(up >= 0);
#ifdef BROKEN
    picket_claim(up == 0);
#else
    picket_claim(up <= 1);
#endif
#ifdef EARLY
    picket_claim(up == 1);
#endif
#ifdef UNTRUE
    picket_claim(up == 7);
#endif
    up = 1;
#ifndef WEAK
    picket_claim(up == 1);
#endif
    picket_assert(up == 1);
    return NULL;
}

int main(void) {
#ifdef INITIAL
    picket_invariant(turn == 3);
#endif
    picket_invariant(turn == 0);
    picket_invariant(down == 0 && up != 2);
    picket_any_number(raise_flag, NULL);
    return 0;
}
