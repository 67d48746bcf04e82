# The translated program, printed as C and read again, has under SC the final states that the program has under TSO
# within the bound.
cat >plain.c <<'END'
#include <pthread.h>
int x, y, a, b, c;
short z[3];
static void *one(void *unused) {
    x = 1;
    z[1] = 2;
    a = y;
    return unused;
}
static void *two(void *unused) {
    y = 1;
    b = x;
    c = z[1];
    return unused;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
END
# One function is given addresses of private locals, of shared variables and of heap objects; bytes overlap.
cat >mixed.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int x, y, a, b;
int u;
static void add(int *to, int depth) {
    if (depth > 0) {
        *to += depth;
        add(to, depth - 1);
    }
}
static void *one(void *unused) {
    int local = 0;
    add(&local, 1);
    add(&x, local);
    ((char *)&u)[1] = 1;
    a = y + u;
    return unused;
}
static void *two(void *unused) {
    int *node = malloc(sizeof *node);
    *node = 0;
    add(node, 1);
    y = *node;
    free(node);
    b = x;
    return unused;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
END
states() {
    "$PICKET" check --engine brute --collect states "$@" >said
    sed -n 's/ \(bound\|key\)_[a-z_]*=[^;]*;//g; s/^ *\(.*;\)$/\1/p' said | sort -u
}
for program in plain mixed; do
    for bound in "--rounds 2" "--rounds 3" "--age 1"; do
        states $bound $program.c >expected
        "$PICKET" translate $bound $program.c -o translated.c
        states --model sc translated.c >found
        [ "$(wc -l <expected)" -ge 3 ]
        diff expected found
    done
done
# Locks are words of the translated program: what the library of another tool makes of them would not fit.
cat >waits.c <<'END'
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_barrier_t barrier;
int x, a, b;
static void *one(void *unused) {
    pthread_mutex_lock(&mutex);
    if (!x) {
        pthread_cond_wait(&condition, &mutex);
    }
    a = x;
    pthread_mutex_unlock(&mutex);
    pthread_barrier_wait(&barrier);
    return unused;
}
int main(void) {
    pthread_t first;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&first, 0, one, 0);
    if (pthread_mutex_trylock(&mutex) == 0) {
        x = 1;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex);
    } else {
        x = 2;
        b = a;
        pthread_cond_broadcast(&condition);
    }
    pthread_barrier_wait(&barrier);
    pthread_join(first, 0);
}
END
"$PICKET" translate --rounds 3 waits.c -o translated.c
! grep -E 'pthread_(mutex|cond|barrier)_[a-z]*\(' translated.c
