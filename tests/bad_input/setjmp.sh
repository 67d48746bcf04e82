# setjmp is not supported, and is said to be.
. "$(dirname "$0")/refuse"

cat >jump.c <<'C'
#include <setjmp.h>
static jmp_buf place;
int main(void) {
    return setjmp(place);
}
C
refuse "setjmp" "$PICKET" check jump.c
refuse "jump.c:4" "$PICKET" check jump.c
