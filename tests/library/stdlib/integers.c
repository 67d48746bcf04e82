// run => native
// abs, labs, llabs, div, ldiv.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d %ld %lld %jd\n", abs(-7), labs(-70000000000), llabs(5), imaxabs(-9));
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(100000000000, 7);
    lldiv_t ll = lldiv(-9, -2);
    printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem);
    printf("%" PRId64 " %" PRIu32 " %" PRIx16 "\n", INT64_C(-5), UINT32_C(7), (uint16_t)0xbeef);
    return 0;
}
