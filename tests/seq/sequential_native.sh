# Printed sequential programs, compiled and run with all their choices, have an error exactly if `explore` finds one in
# the concurrent program.
here=$(dirname "$0")
gcc -O2 -w -c "$here/enumerate.c" -o enumerate.o

# agree FILE ARGUMENTS...: under SC, TSO and PSO, by all abstractions; the arguments say how far.
agree() {
    file=$1
    shift
    for abstraction in sc tso etso pso epso; do
        case $abstraction in
        sc) model=sc bounds= ;;
        tso | pso) model=$abstraction bounds="--queue 2" ;;
        *) model=${abstraction#e} bounds="--queue 3 --clock 3" ;;
        esac
        expected=0
        "$PICKET" check --quiet --model $model "$file" >said 2>&1 || expected=$?
        # shellcheck disable=SC2086
        "$PICKET" translate --sequential --model $model --abstraction $abstraction $bounds "$@" "$file" -o printed.c
        gcc -O2 -Wall -Wextra -Werror -Dmain=sequential_main -c printed.c -o printed.o
        gcc enumerate.o printed.o -o printed
        code=0
        ./printed >said || code=$?
        echo "$file $abstraction: exit code $code, $(cat said)"
        [ "$code" = "$expected" ] || {
            echo "$file $abstraction: exit code $code, and $expected of explore"
            exit 1
        }
    done
}

# two BODY BODY CONDITION: two threads, and what must hold at their end
two() {
    cat <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <semaphore.h>
#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
static atomic_int x, y, a, b;
static int plain;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct node { struct node *next; int value; };
static struct node *_Atomic top;
static _Thread_local int own;
static void *one(void *unused) { $1 return unused; }
static void *two(void *unused) { $2 return unused; }
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert($3);
}
END
}

two 'STORE(x, 1); STORE(a, LOAD(y));' 'STORE(y, 1); STORE(b, LOAD(x));' 'a == 1 || b == 1' >store_buffering.c
agree store_buffering.c --rounds 2
two 'STORE(x, 1); FENCE(); STORE(a, LOAD(y));' 'STORE(y, 1); FENCE(); STORE(b, LOAD(x));' 'a == 1 || b == 1' >fenced.c
agree fenced.c --rounds 2
two 'STORE(x, 1); STORE(y, 1);' 'if (LOAD(y) == 1 && LOAD(x) == 0) STORE(a, 1);' 'a == 0' >message_passing.c
agree message_passing.c --rounds 2
two 'STORE(x, 1); atomic_store_explicit(&y, 1, memory_order_release);' \
    'if (LOAD(y) == 1 && LOAD(x) == 0) STORE(a, 1);' 'a == 0' >released.c
agree released.c --rounds 2
two 'plain++;' 'plain++;' 'plain == 2' >increments.c
agree increments.c --rounds 2
two 'pthread_mutex_lock(&m); plain++; pthread_mutex_unlock(&m);' \
    'pthread_mutex_lock(&m); plain++; pthread_mutex_unlock(&m);' 'plain == 2' >locked.c
agree locked.c --rounds 2
two 'atomic_fetch_add(&x, 1);' 'int old = 0; atomic_compare_exchange_strong(&x, &old, 5);' 'x != 5' >exchange.c
agree exchange.c --rounds 2
two '__VERIFIER_atomic_begin(); plain++; plain++; __VERIFIER_atomic_end();' \
    '__VERIFIER_atomic_begin(); STORE(a, plain); __VERIFIER_atomic_end();' 'a != 1' >section.c
agree section.c --rounds 2
two 'struct node *n = malloc(sizeof *n); n->value = 7; STORE(top, n);' \
    'struct node *n = LOAD(top); if (n) STORE(a, n->value == 0);' 'a == 0' >published.c
agree published.c --rounds 2
two 'STORE(x, 1); __VERIFIER_assume(LOAD(y) == 1);' 'if (LOAD(x) == 1) STORE(a, 1); STORE(y, 1);' 'a == 0' >assumed.c
agree assumed.c --rounds 2
two 'own = 3; STORE(x, own);' 'own = 4; STORE(y, own);' 'x == 3 && y == 4 && own == 0' >thread_local.c
agree thread_local.c --rounds 2
