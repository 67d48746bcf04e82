# A time limit ends the search with the results so far.
. "$(dirname "$0")/../bad_input/refuse"

cat >large.c <<'C'
#include <pthread.h>
static int x[4];
static void *run(void *p) {
    for (int i = 0; i < 1000; i++)
        x[i % 4] += *(int *)p;
    return NULL;
}
int main(void) {
    static int ids[4] = {1, 2, 3, 4};
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, run, &ids[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
C
expect 3 "" "$PICKET" check --engine brute --timeout 1 large.c
expect 3 "" "$PICKET" check --engine random --runs 100000000 --timeout 1 large.c

# Where an execution has no end, the loop is named.
cat >endless.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *run(void *p) {
    for (;;)
        x++; /* line 6 */
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    run(NULL);
    return 0;
}
C
code=0
"$PICKET" show --save endless.picket endless.c # so that the compiler needs none of the memory
"$PICKET" check --engine explore --timeout 10 --memory 150 endless.picket >said 2>&1 || code=$?
[ "$code" = 3 ]
grep -q 'an execution of [0-9]* steps has reached endless.c:6: does the loop there end?  --unroll N bounds it' said
