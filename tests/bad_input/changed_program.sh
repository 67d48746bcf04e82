# A witness is refused when its program has changed since.
. "$(dirname "$0")/refuse"

cat >program.c <<'C'
#include <assert.h>
int main(void) {
    int x = 3;
    assert(x == 4);
    return 0;
}
C
expect 1 "" "$PICKET" check --engine brute --model sc --witness witness.json program.c
expect 1 "program.c:4" "$PICKET" replay witness.json
echo 'int extra(void) { return 1; }' >>program.c
sed -i 's/x = 3/x = 5/' program.c
refuse "changed" "$PICKET" replay witness.json
