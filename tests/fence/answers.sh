# What `picket fence` answers beside a patch, and what it refuses.

# expect CODE TEXT ARGUMENTS...: exit code and a text in what is printed.
expect() {
    code=$1
    text=$2
    shift 2
    got=0
    "$PICKET" fence "$@" >output 2>&1 || got=$?
    [ $got -eq "$code" ] || { echo "picket fence $*: exit code $got"; cat output; exit 1; }
    grep -q -e "$text" output || { echo "picket fence $*: no '$text' in"; cat output; exit 1; }
}

cat >one_line.c <<'END'
#include <assert.h>
#include <pthread.h>
int x, y, a, b;
void *one(void *p) { x = 1; a = y; return p; } /* all in one line */
void *two(void *p) {
    y = 1; // a comment; with a statement's end in it
    /* a comment
       of several lines; */
    b = x;
    return p;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(a || b);
    return 0;
}
END
expect 0 '^2 fences, 2 full' one_line.c
expect 0 'one_line.c:4: atomic_thread_fence(memory_order_seq_cst) in this line, which is broken there' one_line.c
expect 0 '^2 fences, 2 full' --for safety one_line.c
expect 0 '^2 fences, 2 full' --for trf one_line.c
"$PICKET" fence one_line.c | sed -n '/^--- /,$p' >patch
mkdir fixed
cp one_line.c fixed
(cd fixed && patch -p1 -s <../patch)
grep -q '^#include <stdatomic.h>' fixed/one_line.c
"$PICKET" robust fixed/one_line.c >output
expect 0 'no fence is needed: the program is robust under TSO' fixed/one_line.c
expect 0 'no fence is needed: the program is safe under TSO' --for safety fixed/one_line.c
expect 0 'no fence is needed' --for trf fixed/one_line.c

# One statement has both the store and the load: there is no place for a fence.
sed 's/y = 1; .*/b = (y = 1, x);/; s/^    b = x;//' one_line.c >one_statement.c
expect 3 'no fence between two statements' one_statement.c

# A header beside the file gets its fence; one that lies elsewhere does not.
echo 'static inline int meet(int *mine, int *other) { *mine = 1; return *other; }' >meet.h
sed 's/^#include <assert.h>/&\n#include "meet.h"/; s/x = 1; a = y;/a = meet(\&x, \&y);/' one_line.c >with_header.c
expect 0 '^2 fences, 2 full' with_header.c
expect 0 '^+++ b/meet.h' with_header.c
mkdir elsewhere
mv meet.h elsewhere
sed 's/"meet.h"/"elsewhere\/meet.h"/' with_header.c >other_header.c
expect 3 'or in a header elsewhere' other_header.c

# Two files.
cat >threads.c <<'END'
extern int x, y, a;
void *one(void *p) {
    x = 1;
    a = y;
    return p;
}
END
sed 's/^void \*one.*/void *one(void *);/' one_line.c >rest.c
expect 0 '^2 fences, 2 full' rest.c threads.c
expect 0 '^+++ b/threads.c' rest.c threads.c
expect 0 '^+++ b/rest.c' rest.c threads.c

# An error under SC: no fence helps.
cat >broken.c <<'END'
#include <assert.h>
#include <pthread.h>
int x;
void *one(void *p) {
    x = 1;
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    assert(x == 0);
    pthread_join(t, 0);
    return 0;
}
END
expect 3 'no fence repairs this program: the error is reachable under SC too (assertion at broken.c:11)' \
    --for safety broken.c
expect 0 'no fence is needed' broken.c

# One fence in a loop, or one before and one after it.
cat >loop.c <<'END'
#include <pthread.h>
volatile int x, y, z, w;
int a, b;
void *one(void *p) {
    x = 1;
    for (int i = 0; i < 2; i++) {
        z = 1;
        a = y;
    }
    b = w;
    return p;
}
void *two(void *p) {
    y = 1;
    __sync_synchronize();
    (void)x;
    return p;
}
void *three(void *p) {
    w = 1;
    __sync_synchronize();
    (void)z;
    return p;
}
int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_create(&v, 0, three, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_join(v, 0);
    return 0;
}
END
expect 0 '^1 fence, 1 full' loop.c
expect 0 'loop.c:8: .* before this line' loop.c
expect 0 '^2 fences, 2 full' --cost loop.c
expect 0 'No cheaper set does' --cost loop.c

# JSON.
"$PICKET" fence --format json one_line.c >json
for field in verdict bounded bounds model engine goal traces blocked cut redundant states queries front_s time_s \
    memory_mb checks executions full store fences patch; do
    grep -q "\"$field\":" json || { echo "no field $field"; exit 1; }
done
grep -q '"store_line": 4' json
grep -q '"load_line": 4' json
grep -q '"verdict": "safe"' json
grep -q '"smallest": true' json
expect 3 '"reason": "no fence repairs' --for safety --format json broken.c

# Limits.
cat >counter.c <<'END'
#include <pthread.h>
volatile int x, y;
void *one(void *p) {
    for (;;) {
        x++;
        (void)y;
    }
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    for (;;) {
        y++;
        (void)x;
    }
}
END
expect 3 'no set of fences found: .*time' --timeout 3 --for trf counter.c

# Too many different stores fill the buffers without bound: a set that is known to do, though a smaller one may.
{
    echo 'thread writer'
    echo 'initial a'
    echo 'transition a b write 1 0'
    echo 'transition b s0 write p 1'
    for i in $(seq 0 69); do
        echo "transition s$i s$((i + 1)) write 1 $((i + 4))"
    done
    echo 'transition s70 d write p 2'
    echo 'transition d e write 0 0'
    echo 'transition e f local p - 1 p'
    echo 'transition f a read q 3'
    echo 'end'
    echo 'thread reader'
    echo 'initial a'
    echo 'final g'
    echo 'transition a b write 1 3'
    echo 'transition b c lock'
    echo 'transition c d read busy 0'
    echo 'transition d e read one 1'
    echo 'transition e f read two 2'
    echo 'transition f h unlock'
    echo 'transition h a check || busy == one two'
    echo 'transition h g check && ! busy != one two'
    echo 'end'
} >many_stores.aut
expect 0 '^A smaller set may do: for 1 that was tried' --for safety many_stores.aut
grep -q '^1 fence, 1 full' output

# Loops fill the buffers without bound, also with the two fences that do.
expect 0 '^2 fences, 2 full' --for safety "$(dirname "$0")/../../bench/automata/burns.aut"
grep -q '^No smaller set does' output

# Many states, and attacks that a search finds late: the ways there are shortened.
sh "$(dirname "$0")/../../bench/lamport" 3 >lamport_3.aut
sh "$(dirname "$0")/../../bench/lamport" 4 >lamport_4.aut
expect 0 '^12 fences, 12 full' lamport_3.aut
start=$(date +%s)
expect 3 'no set of fences found: .*time' --timeout 1 lamport_4.aut
[ $(($(date +%s) - start)) -lt 20 ]

# Bad usage, bad input.
expect 2 'under SC fences change nothing' --model sc one_line.c
expect 2 'choose --model tso, or --for robustness' --for trf --model pso one_line.c
expect 2 'bad value for --for' --for speed one_line.c
expect 2 'give a bound with --unroll' --model pso counter.c
expect 2 'no file given'
expect 2 'missing.c' missing.c
echo 'int main(void) { return 0 }' >bad.c
expect 2 'bad.c:1:.*error' bad.c
printf 'X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\nexists (x=1)\n' >sb.litmus
expect 2 'C files (.c) and automata (.aut) only' sb.litmus
printf 'thread one\ninitial a\ntransition a b jump\nend\n' >bad.aut
expect 2 'bad.aut:3' bad.aut
