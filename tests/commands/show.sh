# The program can be printed, saved, and read again by every command.
. "$(dirname "$0")/../bad_input/refuse"

cat >program.c <<'C'
#include <stdio.h>
static int counter;
int main(void) {
    __sync_fetch_and_add(&counter, 2);
    printf("counter %d\n", counter);
    return counter;
}
C
expect 0 "rmw" "$PICKET" show program.c
grep -q "counter" said
"$PICKET" show --save program.picket program.c
expect 2 "counter 2" "$PICKET" run program.picket
expect 0 "" "$PICKET" check --engine brute program.picket
