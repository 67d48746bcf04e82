# What stands around an error: who holds what since when, where an object was destroyed, both sides of a race.
cat >deadlock.c <<'END'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
    return 0;
}
END
cat >destroyed.c <<'END'
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
    pthread_rwlock_destroy(&lock);
    pthread_rwlock_rdlock(&lock);
    return 0;
}
END
cat >race.c <<'END'
#include <pthread.h>
static int shared;
static void *other(void *unused) {
    shared = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    int seen = shared;
    pthread_join(thread, 0);
    return seen;
}
END
# The value of a semaphore is no owner, although main's first word of a lock would be 1, too.
cat >semaphore.c <<'END'
#include <semaphore.h>
static sem_t full, empty;
int main(void) {
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 0);
    sem_post(&full);
    sem_wait(&empty);
    return 0;
}
END
for engine in explore brute reach; do
    "$PICKET" check --quiet --engine $engine deadlock.c >text && exit 1
    grep -q '^deadlock.c:14:5: note: main holds a (since 13:5) and waits for b, which thread 1 holds$' text || { cat text; exit 1; }
    grep -q '^deadlock.c:5:5: note: thread 1 holds b (since 4:5) and waits for a, which main holds$' text || { cat text; exit 1; }
done
"$PICKET" check --format json deadlock.c >json && exit 1
tr -d '\n' <json | grep -q '"thread": "main",   "file": "deadlock.c",   "line": 14,   "holder": "thread 1",   "since_file": "deadlock.c",   "since_line": 4'
"$PICKET" check --quiet destroyed.c >text && exit 1
grep -q '^destroyed.c:5:5: error: lock is used after it was destroyed \[use-after-destroy\]$' text || { cat text; exit 1; }
grep -q '^destroyed.c:4:5: note: main has destroyed it here$' text || { cat text; exit 1; }
"$PICKET" check --quiet --check races race.c >text && exit 1
grep -Eq '(race.c:10:16: error: main reads shared while thread 1 writes it \(race.c:4\) \[race\]|race.c:4:12: error: thread 1 writes shared while main reads it \(race.c:10\) \[race\])' text || { cat text; exit 1; }
"$PICKET" check --check races --format json race.c >json && exit 1
grep -q '"circumstances"' json
"$PICKET" check --quiet --engine explore semaphore.c >text && exit 1
grep -q '^semaphore.c:7:5: note: main waits at empty in sem_wait$' text || { cat text; exit 1; }
