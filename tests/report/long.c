/* More rows than a report shows: the store to flag is far from the line that reads it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count, flag, unrelated;
static void *adder(void *unused) {
    flag = 1;
    for (int i = 0; i < 30; i++) {
        unrelated = unrelated + 1;
        count++;
    }
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, adder, 0);
    pthread_join(t, 0);
    assert(count != 30 || !flag);
    return 0;
}
