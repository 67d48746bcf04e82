# What `picket prove` says: reasons, obstacles, JSON, limits, and a witness that replays.
cat >sb.c <<'END'
#include <picket.h>
int x, y, a, b;
static void *one(void *p) {
    x = 1;
    a = y; /* line 5 */
    return p;
}
static void *two(void *p) {
    y = 1;
#ifdef FENCED
    picket_fence();
#endif
    b = x;
    return p;
}
static void *three(void *p) {
    int *own = p;
    *own = 1;
    a = *own + x;
    return p;
}
int main(void) {
    static int place;
#ifdef OWN
    picket_any_number(three, &place);
#else
    picket_any_number(one, &place);
    picket_any_number(two, &place);
#endif
    return 0;
}
END
code=0
"$PICKET" prove --witness state.json sb.c >said || code=$?
[ "$code" = 1 ]
grep -q '^the store buffer adds a state' said
grep -q 'the store to x (sb.c:4)' said
grep -q 'may be delayed past the load of y (sb.c:5):' said
grep -q 'the store does not move left past the load of x (sb.c:13) where' said
grep -q 'the load does not move right past the store to y (sb.c:9) where' said
grep -q 'SC has no execution that ends in' said
code=0
"$PICKET" replay state.json >replayed || code=$?
[ "$code" = 1 ]
grep -q 'Memory in the end, as it never is under SC' replayed

code=0
"$PICKET" prove --format json sb.c >said || code=$?
[ "$code" = 1 ]
for field in '"verdict": "violation"' '"adds_state": true' '"pairs": 2' '"left_movers": 0' '"right_movers": 0' \
    '"abstractions": 0' '"idle": 0' '"facts": ' '"assumptions": \[\]' '"failures"' '"kind": "state"' '"witness"'; do
    grep -q "$field" said || { echo "no $field"; exit 1; }
done

"$PICKET" prove --explain -DOWN sb.c >said
grep -q '^the store buffer adds no state, for any number of threads' said
grep -q 'the store to \*p (sb.c:18), then the load of x (sb.c:19): the load moves right' said

# A limit: nothing is proved, and nothing is claimed.
code=0
"$PICKET" prove --timeout 0.000001 sb.c >said || code=$?
[ "$code" = 3 ]
grep -q '^undecided' said
