# Ctrl-C ends every search with exit code 3, also before it has begun and in the processes of `litmus -j`.
cat >endless.c <<'C'
#include <assert.h>
#include <pthread.h>
static int x, y;
static void *count(void *unused) {
    for (;;) {
        x++;
        y = x + 1;
        assert(x != 1 << 30);
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    count(0);
}
C
{
    echo 'X86 large'
    echo '{ x=0; y=0; }'
    echo ' P0 | P1 ;'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
        echo " MOV [x],\$$i | MOV [y],\$$i ;"
        echo ' MOV EAX,[y] | MOV EAX,[x] ;'
    done
    echo 'exists (0:EAX=0)'
} >large.litmus
cp large.litmus larger.litmus

# interrupted AFTER COMMAND...: the command, interrupted after AFTER seconds, answers that it is undecided.
interrupted() {
    after=$1
    shift
    sh -c 'trap - INT; exec "$@"' - "$@" >out 2>&1 &
    process=$!
    # Until then it ignores the signal, as all that a shell runs in the background.
    until [ "$(cat "/proc/$process/comm")" = picket ]; do
        sleep 0.01
    done
    sleep "$after"
    kill -INT "$process"
    code=0
    wait "$process" || code=$?
    if [ "$code" != 3 ] || ! grep -q interrupted out; then
        echo "$*: exit code $code"
        cat out
        exit 1
    fi
}

interrupted 0.05 "$PICKET" check --engine explore endless.c
"$PICKET" show --save endless.picket endless.c
for engine in explore reach lazy brute; do
    interrupted 0.4 "$PICKET" check --engine $engine endless.picket
done
interrupted 0.4 "$PICKET" check --engine random --runs 100000000 endless.picket
interrupted 0.4 "$PICKET" check --engine explore -j 2 --model pso endless.picket
interrupted 0.4 "$PICKET" check --engine reach -j 2 --model sc endless.picket
interrupted 2 "$PICKET" fence --for safety endless.c
interrupted 0.4 "$PICKET" litmus large.litmus
interrupted 0.4 "$PICKET" litmus -j 2 large.litmus larger.litmus
