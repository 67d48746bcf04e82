# Several files are linked into one program.
. "$(dirname "$0")/../bad_input/refuse"

cat >main.c <<'C'
#include "shared.h"
int main(void) { return twice(value) + hidden(); }
static int hidden_value = 1;
int hidden(void) { return hidden_value; }
C
cat >twice.c <<'C'
#include "shared.h"
int value = 20;
static int hidden_value = 2;
int twice(int x) { return x * hidden_value; }
C
printf 'extern int value;\nint twice(int);\nint hidden(void);\n' >shared.h
expect 41 "" "$PICKET" run main.c twice.c
refuse "twice" "$PICKET" run main.c
