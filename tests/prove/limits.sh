# Limits while the solver works: what was proved so far, and exit code 3; the same for Ctrl-C.
cat >head.c <<'END'
#include <picket.h>
static int a[8], next, serving, in, x, y;
static void *work(void *p) {
    for (;;) {
        int my = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&serving, __ATOMIC_RELAXED) != my) {
        }
END
{
    cat head.c
    i=0
    while [ $i -lt 12 ]; do
        echo "        in = in + 1; x = in + y; y = x - in; picket_assert(in >= $i - 9 && a[$i % 8] <= x + 1000);"
        i=$((i + 1))
    done
    echo '        serving = my + 1; } return p; } int main(void) { picket_any_number(work, 0); return 0; }'
} >slow.c
code=0
"$PICKET" prove --quiet --timeout 0.4 slow.c >said || code=$?
[ "$code" = 3 ]
grep -q '^undecided' said || grep -q '^not proved: ' said
code=0
"$PICKET" prove --quiet --memory 1 slow.c >said || code=$?
[ "$code" = 3 ]
grep -q 'memory' said
# Whether or not the solver is at work.  The shell makes a background process ignore SIGINT; these are started in a way
# that does not.
for after in 0.2 0.5 0.8; do
    code=0
    timeout --preserve-status -s INT $after "$PICKET" prove --quiet slow.c >said || code=$?
    [ "$code" = 3 ] || { echo "exit code $code"; cat said; exit 1; }
done
