# The JSON report has every field that the contract names.
. "$(dirname "$0")/../bad_input/refuse"

cat >bad.c <<'C'
#include <assert.h>
int main(void) {
    int x = 1;
    assert(x == 2);
    return 0;
}
C
expect 1 '"verdict"' "$PICKET" check --engine brute --model sc --format json bad.c
for field in verdict bounded bounds model engine traces blocked cut redundant states queries front_s time_s memory_mb \
    kind message file line thread witness; do
    grep -q "\"$field\"" said || {
        echo "no field $field"
        cat said
        exit 1
    }
done
echo 'int main(void) { return missing(); }' >error.c
expect 2 '"message"' "$PICKET" check --format json error.c
expect 2 '"message"' "$PICKET" robust --format json error.c

cat >sb.c <<'C'
#include <pthread.h>
static int x, y;
static void *other(void *argument) {
    y = 1;
    return x ? argument : NULL;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    x = 1;
    return y;
}
C
expect 1 '"not-robust"' "$PICKET" robust --format json sb.c
for field in verdict bounded bounds model engine traces blocked cut redundant states queries front_s time_s memory_mb \
    kind message file line cycle; do
    grep -q "\"$field\"" said || {
        echo "no field $field"
        cat said
        exit 1
    }
done
