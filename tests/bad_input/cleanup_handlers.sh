# Handlers of cancellation are not supported, and are said to be by the names that the program uses.
. "$(dirname "$0")/refuse"

cat >handler.c <<'C'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void release(void *argument) {
    pthread_mutex_unlock(argument);
}
int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(release, &mutex);
    pthread_cleanup_pop(1);
    return 0;
}
C
refuse "handler.c:8:5: error: not supported: pthread_cleanup_push" "$PICKET" check handler.c
refuse "not supported: pthread_cleanup_pop" "$PICKET" check handler.c
! grep -q __pthread said
