# A request for more memory than there is fails or is refused, but does not crash.
. "$(dirname "$0")/refuse"

cat >large.c <<'C'
#include <stdlib.h>
int main(void) {
    char *p = malloc((size_t)1 << 62);
    return p != NULL;
}
C
code=0
"$PICKET" run large.c >said 2>&1 || code=$?
case $code in
0 | 1 | 2 | 134) ;;
*)
    echo "exit code $code"
    cat said
    exit 1
    ;;
esac
