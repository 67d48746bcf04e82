# Reading from standard input sees its end at once.
. "$(dirname "$0")/../bad_input/refuse"

cat >reader.c <<'C'
#include <stdio.h>
int main(void) { return getchar() == EOF ? 3 : 4; }
C
expect 3 "" "$PICKET" run reader.c
