# An engine that crashes, is killed, has no memory left or sends nonsense costs only itself, and the report names it.  Builds
# with assertions make that exit code 4, which is how this is seen here.
cat >passing.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *other(void *unused) {
    x = 1;
    y = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    int seen = y;
    assert(!seen || x);
    pthread_join(thread, 0);
}
C
"$PICKET" show --save passing.picket passing.c

# told ENGINE FAULT CODE TEXT...: exit code, and what the report says
told() {
    engine=$1
    fault=$2
    wanted=$3
    shift 3
    code=0
    PICKET_FAULT=$engine:$fault "$PICKET" check --format json --cross-check --timeout 20 passing.picket >report.json 2>complaint || code=$?
    [ "$code" = "$wanted" ] || { echo "$engine $fault: exit code $code instead of $wanted"; cat report.json complaint; exit 1; }
    grep -q '"verdict": "safe"' report.json || { echo "$engine $fault: no answer"; cat report.json; exit 1; }
    for text in "$@"; do
        grep -q "$text" report.json || { echo "$engine $fault: nothing about $text"; cat report.json; exit 1; }
    done
}

told explore crash 4 'was ended by signal 6' 'this is what it says before it crashes' '"engine": "explore"'
told explore killed 4 'was ended by signal 9'
told explore half 4 'sent an answer that is not whole'
told explore nonsense 4 'sent an answer that makes no sense'
told explore full 0 '"state": "memory full"' '"defects": \[\]'
told explore fork 0 '"verdict": "safe"'

# Where no process can be made at all, explore runs in the process itself.
cat >small.c <<'C'
int main(void) {
    return 0;
}
C
"$PICKET" show --save small.picket small.c
PICKET_FAULT=all:fork "$PICKET" check --format json small.picket >report.json
grep -q '"engine": "explore"' report.json
