# An address that is garbage is a violation with its line, not a crash.
. "$(dirname "$0")/refuse"

cat >wild.c <<'C'
#include <string.h>
int main(void) {
    char *volatile p = (char *)0xdeadbeefdeadbeef;
    memset(p, 0, 100);
    return 0;
}
C
expect 1 "wild.c:4" "$PICKET" check --engine brute --model sc wild.c
