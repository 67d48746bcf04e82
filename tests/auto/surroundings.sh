# Where the system has no /proc, or allows no more processes; and an execution of ten million bytes.
cat >right.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *add(void *unused) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    assert(count == 2);
    return 0;
}
C
"$PICKET" show --save right.picket right.c

# Only root may take /proc away; without that right there is nothing to see.  The sanitizers' own runtime needs /proc.
if unshare -m true 2>/dev/null && ! grep -q __asan_init "$PICKET"; then
    unshare -m sh -c 'mount -t tmpfs none /proc && exec "$0" "$@"' "$PICKET" check --format json right.picket >report.json
    grep -q '"verdict": "safe"' report.json || { cat report.json; exit 1; }
    code=0
    sources=$(cd "$(dirname "$0")" && pwd)
    "$PICKET" show --save server.picket "$sources/server.c"
    unshare -m sh -c 'mount -t tmpfs none /proc && exec "$0" "$@"' "$PICKET" check --memory 100 --timeout 5 --format json \
        server.picket >report.json || code=$?
    [ $code = 3 ] || { echo "exit code $code without /proc"; cat report.json; exit 1; }
fi

# No further process: explore answers in the process itself.  The limit does not hold for root.  A sanitizer looks for
# leaks in a process of its own.
limited='exec prlimit --nproc=1:1 "$0" "$@"'
if [ "$(id -u)" = 0 ]; then
    chmod 755 . && chmod 644 right.picket
    run='setpriv --reuid 65534 --regid 65534 --clear-groups sh -c'
else
    run='sh -c'
fi
# shellcheck disable=SC2086 # several words
if $run 'test -x "$0" && test -r right.picket' "$PICKET"; then
    ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 $run "$limited" "$PICKET" check --format json right.picket >report.json \
        2>complaint || { cat report.json complaint; exit 1; }
    grep -q '"verdict": "safe"' report.json || { cat report.json; exit 1; }
    grep -q '"engine": "explore"' report.json || { cat report.json; exit 1; }
fi

cat >long.c <<'C'
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
static atomic_int last;
static void *count(void *unused) {
    for (int i = 1; i <= STORES; i++) {
        last = i;
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    pthread_join(thread, 0);
    assert(last < STORES);
    return 0;
}
C
code=0
"$PICKET" check --model sc --witness witness.json --no-explain -DSTORES=200000 long.c >report || code=$?
[ $code = 1 ] || { echo "exit code $code"; head -n 5 report; exit 1; }
[ "$(wc -c <witness.json)" -gt 10000000 ] || { ls -l witness.json; exit 1; }
code=0
"$PICKET" replay witness.json >replayed || code=$?
[ $code = 1 ]
grep -q 'last is 200000: FAILS' replayed
