# --unroll with seq: loops that only wait are no loops to be bounded, the report names those that were cut, recursion has
# no bound, and a witness replays.

# says CODE TEXT OPTIONS...: the exit code, and a line of the report.
says() {
    expected=$1
    text=$2
    shift 2
    code=0
    "$PICKET" check --engine seq "$@" >report 2>&1 || code=$?
    [ $code = "$expected" ] || { echo "$*: exit code $code"; cat report; exit 1; }
    grep -qF "$text" report || { echo "$*: no line '$text'"; cat report; exit 1; }
}

cat >waiting.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, taken;
static int data;

static void *reads(void *argument) {
    for (int i = 0; i < 2; i++) {
        while (!atomic_load(&ready)) {
        }
        int expected = 0;
        while (!atomic_compare_exchange_strong(&taken, &expected, 1)) {
            expected = 0;
        }
        assert(data == 1);
        atomic_store(&taken, 0);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reads, NULL);
    data = 1;
    atomic_store(&ready, 1);
    pthread_join(thread, NULL);
}
END
for model in sc tso pso; do
    says 0 "safe under" --model $model --unroll 2 waiting.c
    says 0 "safe under" --model $model waiting.c
done

cat >loops.c <<'END'
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int sum;

int main(void) {
    while (__VERIFIER_nondet_int()) {
        sum++;
    }
    int constant = 0;
    for (int i = 0; i < 100; i++) {
        constant++;
    }
    assert(constant == 100);
#ifdef SECOND
    while (__VERIFIER_nondet_int()) {
        sum += 2;
    }
#endif
#ifdef MANY
#define LOOP while (__VERIFIER_nondet_int()) sum += 3;
    LOOP
    LOOP
    LOOP
    LOOP
    LOOP
    LOOP
    LOOP
    LOOP
    LOOP
    LOOP
    LOOP
#endif
#ifdef BAD
    assert(sum != 3);
#endif
}
END
says 0 "safe within bounds under TSO (the loop at loops.c:8 iterates at most 3 times)" --unroll 3 loops.c
says 0 "safe within bounds under TSO (the loops at loops.c:8 and loops.c:17 iterate at most 1 time)" --unroll 1 \
    -DSECOND loops.c
says 0 "(the loops at loops.c:8, loops.c:17, loops.c:23, " --unroll 2 -DSECOND -DMANY loops.c
grep -qE "loops.c:[0-9]+ and [0-9]+ more iterate at most 2 times\)" report
named=$(grep -oE "loops.c:[0-9]+" report | sort -u | wc -l)
more=$(grep -oE "and [0-9]+ more" report | grep -oE "[0-9]+")
[ $((named + more)) = 13 ] || { echo "13 loops are cut: $named, $more more"; exit 1; }
says 0 "at most 2 rounds, the loop at loops.c:8 iterates at most 3 times" --rounds 2 --unroll 3 loops.c

# The bound counts iterations: 3 are enough for the error, 2 are not.
says 0 "safe within bounds" --unroll 2 -DBAD loops.c
says 1 "loops.c:36:5: error: assertion" --unroll 3 -DBAD --witness witness.json loops.c
"$PICKET" replay witness.json | grep -q "loops.c:36:5: error: assertion"

# Limits name what was finished.
says 3 "time-out was reached; no error in executions in which the loop at loops.c:8 iterates at most" --timeout 1 loops.c
says 3 "no error in executions in which the loop" --timeout 1 -DSECOND loops.c
grep -q "loops.c:8 .*iterates* at most" report
grep -q "loops.c:17 .*iterates* at most" report

cat >recursion.c <<'END'
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned depth(unsigned n) {
    return n == 0 ? 0 : 1 + depth(n - 1);
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 12;
    assert(depth(n) == n);
#ifdef BAD
    assert(depth(n) != 11);
#endif
}
END
says 0 "safe under TSO" --unroll 1 recursion.c
says 1 "recursion.c:13:5: error: assertion" --unroll 1 -DBAD recursion.c
