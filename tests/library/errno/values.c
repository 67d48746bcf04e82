// run => native
// errno is set by failing functions and is each thread's own.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *other(void *unused) {
    printf("%d\n", errno);
    errno = EINVAL;
    return unused;
}

int main(void) {
    errno = 0;
    strtol("99999999999999999999", NULL, 10);
    printf("%d %d\n", errno == ERANGE, ERANGE);
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    printf("%d\n", errno == ERANGE);
    printf("%d %d %d\n", EBUSY, EINVAL, ETIMEDOUT);
    return 0;
}
