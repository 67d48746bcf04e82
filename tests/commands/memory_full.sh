# When memory is full the results so far are reported, with exit code 3.
cat >endless.c <<'END'
#include <pthread.h>
static int x;
static void *count(void *unused) {
    for (;;) {
        x++;
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    count(0);
}
END
"$PICKET" show --save endless.picket endless.c
# A sanitized build cannot run in so little address space.
(ulimit -v 500000 && "$PICKET" --version >version 2>&1) || exit 77
code=0
(ulimit -v 500000 && "$PICKET" check --engine explore --format json endless.picket >report 2>complaint) || code=$?
[ "$code" = 3 ]
grep -q '"verdict": "undecided"' report
grep -q '"message": "memory is full"' report
grep -q 'memory is full' complaint
