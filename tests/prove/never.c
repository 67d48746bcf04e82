// prove -DPLAIN => violation state
// prove -DPOINTERS => violation state
// prove -DMIXED => violation state
// prove -DFAILED_CAS => violation state
// prove -DSECTION => violation state
// prove -DWIDE_CAS => violation state
// prove -DASSERTED => violation assertion
/* What must never be proved: store buffering in its forms, and the two programs in which every load is a right mover in
 * the states of SC. */
#include <picket.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint16_t word;
    uint8_t byte[2];
} x;
static int y;
static int z;
static int a = 7;
static int b = 7;
static int *px = &z;
static int *py = &y;

static void *one(void *argument) {
    (void)argument;
#if defined PLAIN || defined ASSERTED || defined FAILED_CAS
    z = 1;
    a = y;
#elif defined POINTERS
    *px = 1;
    a = *py;
#elif defined MIXED
    x.byte[1] = 1;
    a = y;
#elif defined SECTION
    z = 1;
    a = 1 + y;
#elif defined WIDE_CAS
    x.byte[1] = 1;
    a = 1 + x.byte[0];
#endif
    return NULL;
}

static void *two(void *argument) {
    (void)argument;
#if defined PLAIN || defined ASSERTED
    y = 1;
    b = z;
#elif defined FAILED_CAS
    int expected = 1;
    y = 1;
    b = __atomic_compare_exchange_n(&z, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#elif defined POINTERS
    *py = 1;
    b = *px;
#elif defined MIXED
    y = 1;
    b = x.word;
#elif defined SECTION
    picket_atomic_begin();
    if (!z) {
        y = 1;
    }
    picket_atomic_end();
#elif defined WIDE_CAS
    uint16_t expected = 0;
    __atomic_compare_exchange_n(&x.word, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
#ifdef ASSERTED
    picket_assert(a == 1 || b == 1);
#endif
    return 0;
}
