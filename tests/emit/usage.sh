# How `picket translate` is used, and what it refuses.
. "$(dirname "$0")/../bad_input/refuse"

cat >good.c <<'C'
#include <assert.h>
#include <pthread.h>
int x;
static void *writer(void *unused) {
    x = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_join(thread, 0);
    assert(x == 1);
    return 0;
}
C
expect 0 "static int32_t x;" "$PICKET" translate good.c
expect 0 '#line 5 "good.c"' "$PICKET" translate good.c
expect 0 "static uint64_t writer(uint64_t" "$PICKET" translate --dialect cbmc good.c
expect 0 "#include <picket.h>" "$PICKET" translate --dialect=picket good.c
expect 0 "int main(void)" "$PICKET" translate -o - good.c
expect 0 "" "$PICKET" translate -o out.c good.c
[ ! -s said ]
grep -q '__assert_fail("x == 1", "good.c", 12, "main")' out.c
expect 0 "safe" "$PICKET" check out.c
expect 0 "" "$PICKET" show --save good.picket good.c
expect 0 "int main(void)" "$PICKET" translate good.picket
expect 0 "usage: picket translate" "$PICKET" translate --help

refuse "no file given" "$PICKET" translate
refuse "bad value for --dialect" "$PICKET" translate --dialect promela good.c
refuse "go with --sequential" "$PICKET" translate --model tso good.c
refuse "go with --sequential" "$PICKET" translate --unroll 3 good.c
refuse "-o needs a value" "$PICKET" translate good.c -o
refuse "cannot write" "$PICKET" translate -o missing/out.c good.c
refuse "cannot open" "$PICKET" translate missing.c
echo 'int main(void) { return undefined(); }' >bad.c
refuse "undefined" "$PICKET" translate -o bad_out.c bad.c
[ ! -e bad_out.c ]
if [ -e /dev/full ]; then
    refuse "cannot write" "$PICKET" translate -o /dev/full good.c
fi
