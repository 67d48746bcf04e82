# x86 transactions are not supported.
. "$(dirname "$0")/refuse"

cat >transaction.c <<'C'
#include <immintrin.h>
int main(void) {
    if (_xbegin() == _XBEGIN_STARTED)
        _xend();
    return 0;
}
C
refuse "transaction.c:3" "$PICKET" check transaction.c -- -mrtm
