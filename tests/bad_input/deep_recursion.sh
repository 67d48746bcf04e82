# Endless recursion and a gigabyte of locals are violations with a line, not crashes.
. "$(dirname "$0")/refuse"

cat >deep.c <<'C'
int down(int *p) {
    int local = *p + 1;
    return down(&local);
}
int main(void) {
    int zero = 0;
    return down(&zero);
}
C
expect 1 "stack" "$PICKET" check --engine brute --model sc deep.c
cat >wide.c <<'C'
#include <stdio.h>
int main(void) {
    char huge[1 << 30];
    huge[0] = 'x';
    huge[1] = 0;
    puts(huge);
    return 0;
}
C
expect 1 "stack" "$PICKET" check --engine brute --model sc wide.c
expect 134 "stack" "$PICKET" run wide.c
