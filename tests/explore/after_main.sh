# A thread that runs on after main has returned takes memory and time in proportion to its steps.
cat >after.c <<'C'
#include <pthread.h>
static int x;
static void *run(void *unused) {
    for (int i = 0; i < STEPS; i++) {
        x = i;
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    return 0;
}
C
for model in sc tso; do
    "$PICKET" check --engine explore --model $model --format json -DSTEPS=50000 after.c >report
    memory=$(sed -n 's/^ "memory_mb": *\([0-9]*\),*$/\1/p' report)
    [ "$memory" -lt 300 ] || {
        echo "$memory MB under $model"
        exit 1
    }
done

# Four times the steps: four times the time, not sixteen times.
milliseconds() {
    "$PICKET" check --engine explore --format json -DSTEPS="$1" after.c >report
    sed -n 's/^ "time_s": *\([0-9.e-]*\),*$/\1/p' report | awk '{ printf "%d", $1 * 1000 }'
}
few=$(milliseconds 25000)
many=$(milliseconds 100000)
[ "$many" -lt $((few * 8 + 500)) ] || {
    echo "$few ms for 25000 steps, $many ms for 100000"
    exit 1
}
