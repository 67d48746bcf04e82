# -I, -D and -std reach clang directly, everything else after --.
. "$(dirname "$0")/../bad_input/refuse"

mkdir headers
echo '#define FROM_HEADER 5' >headers/header.h
cat >program.c <<'C'
#include <header.h>
int main(void) {
#ifdef __OPTIMIZE_SIZE__
    return 9;
#endif
    return FROM_HEADER + GIVEN + (__STDC_VERSION__ == 199901L);
}
C
expect 8 "" "$PICKET" run -Iheaders -DGIVEN=3 program.c
expect 9 "" "$PICKET" run -I headers -D GIVEN=3 -std=c99 program.c
expect 7 "" "$PICKET" run program.c -- -Iheaders -DGIVEN=2
