// check --engine explore  => safe assuming weak
// check --engine reach  => safe assuming weak
// check --engine brute  => safe assuming weak
// check --engine lazy  => safe assuming weak
// check --engine rounds  => safe assuming weak
// check --engine seq  => safe assuming weak
// check --engine explore --weak-fail => violation assertion:32
// check --engine reach --weak-fail => violation assertion:32
// check --engine brute --weak-fail => violation assertion:32
// check --engine lazy --weak-fail => violation assertion:32
// check --engine rounds --weak-fail => violation assertion:32
// check --engine seq --weak-fail => violation assertion:32
// check --engine explore --weak-fail --unroll 2 -DLOOP => safe within bounds
// check --engine reach --weak-fail -DLOOP => safe
// check --engine explore -DSTRONG => safe
// check --engine explore -DSTRONG --weak-fail => safe
// A weak compare-and-swap fails only if the value is another one, unless --weak-fail says so.
#include <assert.h>
#include <stdatomic.h>

static _Atomic int counter;

int main(void) {
    int expected = 0;
#ifdef STRONG
    assert(atomic_compare_exchange_strong(&counter, &expected, 1));
#elif defined LOOP
    while (!atomic_compare_exchange_weak(&counter, &expected, 1)) {
    }
    assert(counter == 1);
#else
    assert(atomic_compare_exchange_weak(&counter, &expected, 1));
#endif
    return 0;
}
