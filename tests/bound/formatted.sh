# Text that is formatted in a translated program, printed and read again: the buffer of the library is on the heap there.
cat >text.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static char line[8];
static void *writer(void *unused) {
    snprintf(line, sizeof line, "ab");
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
#ifdef EARLY
    assert(strcmp(line, "ab") == 0);
#endif
    pthread_join(thread, NULL);
    assert(strcmp(line, "ab") == 0);
}
END
for engine in reach brute; do
    "$PICKET" translate --rounds 2 -o copy.c text.c
    "$PICKET" check --model sc --engine "$engine" --no-explain copy.c
    "$PICKET" translate --rounds 2 -o copy.c text.c -- -DEARLY
    code=0
    "$PICKET" check --model sc --engine "$engine" --no-explain copy.c >out || code=$?
    [ "$code" = 1 ]
    grep -q 'text.c:14:[0-9]*: error: assertion' out
done
