# Text and JSON name what is assumed, with the first place by line and the option that lifts it, for every command.
cat >program.c <<'END'
#include <stdlib.h>
extern void __VERIFIER_assume(int);
int main(void) {
    int *second = 0;
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            free(malloc(8));
        } else {
            second = malloc(4);
        }
    }
    free(second);
#ifdef NEVER
    __VERIFIER_assume(second == 0);
#endif
    return 0;
}
END
for engine in explore reach brute lazy rounds seq; do
    "$PICKET" check --engine $engine program.c >text
    grep -q '^safe within bounds under TSO' text || { cat text; exit 1; }
    grep -q '^  assumed: malloc does not fail (program.c:7); not with --malloc-fail$' text || { cat text; exit 1; }
    "$PICKET" check --engine $engine --format json program.c >json
    grep -q '^ "bounded": true' json
    grep -q '^ "bounds": "malloc does not fail"' json
    tr -d '\n' <json | grep -q '"assumptions": \[  {   "name": "malloc",   "text": "malloc does not fail",   "file": "program.c",   "line": 7,   "option": "--malloc-fail"  } \]'
    "$PICKET" check --engine $engine --malloc-fail program.c >text
    ! grep -q assumed text || { cat text; exit 1; }
done
"$PICKET" check --engine random --runs 3 program.c >text && exit 1
grep -q 'assumed: malloc does not fail (program.c:7)' text
"$PICKET" robust --engine explore program.c >text
grep -q '^robust within bounds' text && grep -q 'assumed: malloc does not fail (program.c:7)' text || { cat text; exit 1; }
"$PICKET" fence --for safety program.c >text
grep -q 'assumed: malloc does not fail (program.c:7); not with --malloc-fail' text || { cat text; exit 1; }
"$PICKET" fence --for safety --format json program.c | tr -d '\n' |
    grep -q '"name": "malloc",   "text": "malloc does not fail",   "file": "program.c",   "line": 7'

code=0
"$PICKET" check -DNEVER program.c >text || code=$?
[ $code = 3 ]
grep -q '^undecided under TSO: vacuous: every execution fails the assumption at program.c:14$' text || { cat text; exit 1; }
"$PICKET" check -DNEVER --format json program.c >json && exit 1
grep -q '"message": "vacuous: every execution fails the assumption at program.c:14"' json

# A saved program has what it was saved with.
cat >weak.c <<'END'
#include <stdatomic.h>
static _Atomic int x;
int main(void) {
    int expected = 0;
    return !atomic_compare_exchange_weak(&x, &expected, 1);
}
END
"$PICKET" show --save weak.picket weak.c >/dev/null
"$PICKET" check weak.picket | grep -q 'assumed: weak compare-and-swaps'
code=0
"$PICKET" check --weak-fail weak.picket >text 2>&1 || code=$?
[ $code = 2 ] && grep -q 'weak.picket: error: --weak-fail comes too late' text || { cat text; exit 1; }
"$PICKET" show --save weak.picket weak.c -- -DPICKET_WEAK_FAIL >/dev/null
"$PICKET" check weak.picket | grep -q '^safe under TSO'
