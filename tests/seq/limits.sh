# Limits: exit code 3 soon after the limit, saying which bounds are finished; and what `seq` refuses, with its line.
cat >collatz.c <<'END'
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
static unsigned input, steps;

static void *count(void *unused) {
    for (unsigned rest = input; rest != 1; rest = rest & 1 ? 3 * rest + 1 : rest / 2) {
        steps++;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    input = __VERIFIER_nondet_uint();
    pthread_create(&thread, NULL, count, NULL);
    pthread_join(thread, NULL);
    assert(input != 0);
}
END
cat >two_loops.c <<'END'
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
static unsigned x, y;

static void *count(void *unused) {
    while (__VERIFIER_nondet_uint() * x != 12345) {
        x++;
    }
    while (__VERIFIER_nondet_uint() * y != 54321) {
        y++;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    pthread_join(thread, NULL);
}
END
cat >cells.c <<'END'
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
static unsigned char table[1000000];

static void *write_at(void *index) {
    table[(unsigned long)index % 1000000] = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    unsigned long index = __VERIFIER_nondet_uint();
    pthread_create(&thread, NULL, write_at, (void *)index);
    unsigned char seen = table[__VERIFIER_nondet_uint() % 1000000];
    pthread_join(thread, NULL);
    return seen;
}
END
cat >floating.c <<'END'
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    double half = __VERIFIER_nondet_int();
    half /= 2; /* of an unknown number */
    assert(half != 1.5);
}
END

# stops SECONDS OPTIONS...: undecided, within a second (and what the machine needs at its busiest) of the limit.
stops() {
    most=$1
    shift
    before=$(date +%s)
    code=0
    "$PICKET" check --engine seq "$@" >report 2>&1 || code=$?
    after=$(date +%s)
    [ $code = 3 ] || { echo "$*: exit code $code"; cat report; exit 1; }
    [ $((after - before)) -le $((most + 5)) ] || { echo "$*: $((after - before)) s"; exit 1; }
}

stops 1 --timeout 1 collatz.c
grep -q 'time-out was reached; no error in executions in which the loop at collatz.c:[0-9]* iterates at most [0-9]* times' report
stops 1 --timeout 1 --unroll 1000000 collatz.c
stops 2 --timeout 2 --rounds 1000 collatz.c
grep -Eq 'no error in (at most 1000 rounds in|[0-9]+ rounds of) executions in which the loop at collatz.c:8 iterates' report
stops 1 --memory 20 collatz.c
grep -q 'memory limit was reached' report
# Enough memory for the first bounds, whatever a process of this build takes from the start.  The compiler's memory counts
# too while the input is read: a saved program needs none.
"$PICKET" show --save collatz.picket collatz.c
"$PICKET" check --engine seq --unroll 2 --format json collatz.picket >report
start=$(sed -n 's/.*"memory_mb": *\([0-9]*\).*/\1/p' report)
stops 10 --memory $((start + 20)) collatz.picket
grep -q 'memory limit was reached; no error in executions in which the loop at collatz.c:[0-9]* iterates at most [0-9]* times' report

# A million cells at an unknown index.
stops 1 --timeout 1 cells.c

# Ctrl-C, while it encodes or solves.
for pause in 1 2; do
    "$PICKET" check --engine seq collatz.c >report 2>&1 &
    running=$!
    sleep $pause
    kill -INT $running
    before=$(date +%s)
    code=0
    wait $running || code=$?
    [ $code = 3 ] || { echo "interrupted after $pause s: exit code $code"; cat report; exit 1; }
    [ $(($(date +%s) - before)) -le 5 ]
    grep -q 'undecided.*interrupted' report
done

# Two loops, each raised on its own: each is named with its bound.
stops 1 --timeout 1 two_loops.c
grep -q 'two_loops.c:7 .*iterates* at most [0-9]* time' report
grep -q 'two_loops.c:10 .*iterates* at most [0-9]* time' report

# refused LINE TEXT FILE OPTIONS...
refused() {
    line=$1
    text=$2
    file=$3
    shift 3
    code=0
    "$PICKET" check --engine seq "$@" "$file" >report 2>&1 || code=$?
    [ $code = 2 ] && grep -q "$line.*$text" report || { echo "$file: exit code $code"; cat report; exit 1; }
}

refused 'floating.c:6:' 'floating point' floating.c
refused '' 'leave out --check' collatz.c --check races

# A loop that is entered in two places; and functions that call themselves twice, too large to be followed far.
cat >entries.c <<'END'
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 3) {
        goto middle;
    }
    while (n != 7) {
        n++;
    middle:
        n += __VERIFIER_nondet_int();
    }
}
END
refused 'entries.c:[0-9]*:' 'a loop with several entries' entries.c
cat >branching.c <<'END'
static unsigned fib(unsigned n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void) {
    return fib(20) == 0;
}
END
stops 20 --timeout 20 branching.c
grep -q "too large when all calls are expanded; " report
grep -q 'no error in executions in which functions call themselves at most [0-9]* deep' report
