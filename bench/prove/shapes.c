// Shapes of Table 1 of the paper in which a store is silent: it writes what is there already.  One is chosen with -D:
// R_DETOUR, R_DETOURS (the shape R), SB_DETOURS, SB_DETOURS_COH (store buffering), WRITE_R, WRITE_R_COH (a store and a
// load). The paper does not print them: these are small programs of the same kind, with any number of threads on one
// side.
#include <picket.h>
#include <pthread.h>
#include <stddef.h>

static int x = 1;
static int y = 1;
static int first;
static int second;

static void *one(void *argument) {
#if defined R_DETOUR
    x = 1;
    y = 2;
#elif defined R_DETOURS
    x = 1;
    first = y;
    y = 2;
#elif defined SB_DETOURS
    x = 1;
    first = y;
#elif defined SB_DETOURS_COH
    x = 1;
    x = 1;
    first = y + x;
#elif defined WRITE_R
    x = 2;
    first = y;
#elif defined WRITE_R_COH
    x = 2;
    x = 2;
    first = y + x;
#endif
    return argument;
}

static void *two(void *argument) {
#if defined R_DETOUR || defined R_DETOURS
    y = 2;
    second = x;
#elif defined SB_DETOURS || defined SB_DETOURS_COH
    y = 1;
    second = x;
#elif defined WRITE_R || defined WRITE_R_COH
    y = 1;
    second = x;
#endif
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, one, NULL);
    picket_any_number(two, NULL);
    return 0;
}
