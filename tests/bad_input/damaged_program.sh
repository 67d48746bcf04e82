# A saved program that was damaged in any place is refused.
. "$(dirname "$0")/refuse"

cat >good.c <<'C'
#include <stdio.h>
static int table[10] = {1, 2, 3};
int main(void) {
    for (int i = 0; i < 10; i++)
        printf("%d\n", table[i]);
    return 0;
}
C
"$PICKET" show --save good.picket good.c >/dev/null
expect 0 "3" "$PICKET" run good.picket
size=$(wc -c <good.picket)
head -c $((size / 2)) good.picket >cut.picket
refuse "cut.picket" "$PICKET" run cut.picket
for offset in 9 13 17 25 40 80 200 $((size / 2)) $((size - 2)); do
    cp good.picket bent.picket
    printf '\377\376' | dd of=bent.picket bs=1 seek="$offset" conv=notrunc 2>/dev/null
    cmp -s good.picket bent.picket || refuse "bent.picket" "$PICKET" run bent.picket
done
