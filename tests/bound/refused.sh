# What the engines rounds and age, and the translation, do not take is refused with a reason, and a line if there is one.
refuses() {
    text=$1
    shift
    code=0
    "$PICKET" "$@" >out 2>&1 || code=$?
    [ "$code" = 2 ] && grep -q -- "$text" out || {
        echo "picket $*: exit code $code, expected 2 and \"$text\""
        cat out
        exit 1
    }
}

cat >small.c <<'END'
#include <pthread.h>
int x;
int main(void) { x = 1; }
END

refuses "translate TSO to SC" check --engine rounds --model pso small.c
refuses "translate TSO to SC" check --engine age --model sc small.c
for check in races leaks uninit liveness; do
    refuses "do not answer for races, leaks" check --engine rounds --check $check small.c
    refuses "do not answer for races, leaks" check --engine age --check $check small.c
done
refuses "rounds is for the engines" check --engine explore --rounds 2 small.c
refuses "rounds is for the engines" check --engine age --rounds 2 small.c
refuses "bad value for --rounds" check --engine rounds --rounds 0 small.c
refuses "bad value for --rounds" check --engine rounds --rounds many small.c
refuses "bad value for --age" check --engine age --age -1 small.c
refuses "bad value for --copies" check --engine rounds --copies 0 small.c
refuses "bad value for --age" translate --age x small.c

# Stores to objects made in a loop without a bound: the number of copies is limited.
cat >endless.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; };
struct node *head;
void *run(void *argument) {
    for (;;) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        head = node;
    }
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
}
END
refuses "endless.c:8: error: more words have pending stores" check --engine rounds --rounds 2 --copies 8 endless.c

# Text that is formatted from memory with pending stores.
cat >format.c <<'END'
#include <pthread.h>
#include <stdio.h>
char shared[8];
void *run(void *argument) {
    char text[16];
    shared[0] = 'a';
    snprintf(text, sizeof text, "%s", shared);
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
}
END
refuses "format.c:7: error: text is formatted" check --engine rounds --rounds 2 format.c
