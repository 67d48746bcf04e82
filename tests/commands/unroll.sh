# A loop that is cut makes the answer one within bounds.
. "$(dirname "$0")/../bad_input/refuse"

cat >loop.c <<'C'
#include <assert.h>
#include <picket.h>
int main(void) {
    int n = picket_nondet_int(0, 5), sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    assert(sum != 6);
    return 0;
}
C
expect 0 "" "$PICKET" check --engine brute --unroll 3 --format json loop.c
grep -Eq '"bounded": ?true' said
expect 1 "loop.c:7" "$PICKET" check --engine brute --unroll 6 loop.c
