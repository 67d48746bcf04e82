# Printed sequential programs with locks and their kin, results of threads, arrays at indices that are not known, pointers
# from memory, recursion: read back by `reach` they have an error exactly if `explore` finds one, under SC and TSO.

# program NAME GLOBALS ONE TWO MAIN: main does its part after it has joined both threads
program() {
    cat >"$1.c" <<END
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
$2
static void *one(void *argument) { $3 return argument; }
static void *two(void *argument) { $4 return argument; }
int main(void) {
    pthread_t first, second;
    void *result;
    pthread_create(&first, 0, one, (void *)5);
    pthread_create(&second, 0, two, (void *)6);
    pthread_join(first, &result);
    pthread_join(second, 0);
    $5
}
END
    for model in sc tso; do
        expected=0
        "$PICKET" check --quiet --model $model --unroll 2 "$1.c" >said 2>&1 || expected=$?
        grep -q deadlock said && { echo "$1: a deadlock" && exit 1; }
        [ $model = sc ] && bounds= || bounds="--clock 2 --queue 2"
        # shellcheck disable=SC2086
        "$PICKET" translate --sequential --model $model --rounds 3 $bounds "$1.c" -o printed.c
        gcc -Wall -Wextra -Werror -fsyntax-only printed.c
        clang-19 -Wall -Wextra -Werror -fsyntax-only printed.c
        code=0
        "$PICKET" check --quiet --model sc --engine reach --memory 2000 printed.c >said 2>&1 || code=$?
        echo "$1 $model: $code, $(tail -n 1 said)"
        [ "$code" = "$expected" ] || { echo "$1 $model: exit code $code instead of $expected" && cat said && exit 1; }
    done
}

program condition 'pthread_mutex_t m; pthread_cond_t c; int ready, seen;' \
    'pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);' \
    'pthread_mutex_lock(&m); if (!ready) pthread_cond_wait(&c, &m); seen = ready; pthread_mutex_unlock(&m);' \
    'assert(seen == 1);'
program semaphore 'sem_t s; int data, seen;' 'data = 1; sem_post(&s);' 'if (sem_trywait(&s) == 0) seen = 1 + data;' \
    'assert(seen != 1);'
program barrier 'struct { int count, arrived, unused[6]; } b = {2, 0, {0}}; int x, y;' \
    'x = 1; pthread_barrier_wait((pthread_barrier_t *)&b);' 'pthread_barrier_wait((pthread_barrier_t *)&b); y = x;' \
    'assert(y == 1);'
program reader_writer 'pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x, y, seen;' \
    'pthread_rwlock_wrlock(&l); x = 1; y = 1; pthread_rwlock_unlock(&l);' \
    'pthread_rwlock_rdlock(&l); seen = x - y; pthread_rwlock_unlock(&l);' 'assert(seen == 0);'
program unlocked 'pthread_mutex_t m; int x;' 'pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);' \
    'if (pthread_mutex_trylock(&m)) { x++; } else { x++; pthread_mutex_unlock(&m); }' 'assert(x == 2);'
program not_owner 'pthread_mutex_t m; int x;' 'pthread_mutex_lock(&m); x = 1;' 'if (x) pthread_mutex_unlock(&m);' ''
program result 'int x;' 'x = 1; argument = (void *)((long)argument + 2);' 'x = 2;' 'assert((long)result == 7 && x != 0);'
program table 'int t[4]; int at;' 'int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i >= 0 && i < 4); at = i; t[i] = 7;' \
    't[2] += 0;' 'assert(t[at] == 7);'
program pointers 'int x, y; int *_Atomic p = &x;' 'p = &y;' '*p = 3;' 'assert(x + y == 3 && (x == 0 || y == 0));'
program recursion 'int x, y; static int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }' 'x = sum(2);' 'y = x;' \
    'assert(y == 0 || y == 3);'
program null 'int *_Atomic p; int x;' 'p = &x;' 'x = *p;' ''
