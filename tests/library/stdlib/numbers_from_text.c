// run => native
// atoi, strtol, strtoul, strtoll, strtod: bases, signs, end pointers, range errors.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *inputs[] = {
        "42", "  -17xyz", "+5", "0x1fG", "0755", "9999999999999999999999", "-9999999999999999999999",
        "",   "abc",      "0",  "zz"};
    int bases[] = {10, 0, 16, 8, 36};
    for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        printf("\"%s\"", inputs[i]);
        for (int b = 0; b < 5; b++) {
            char *end;
            errno = 0;
            long value = strtol(inputs[i], &end, bases[b]);
            printf(" %ld:%td:%d", value, end - inputs[i], errno == ERANGE);
        }
        printf("\n");
    }
    char *end;
    printf("%lu %lu\n", strtoul("18446744073709551615", NULL, 10), strtoul("-1", NULL, 10));
    printf("%lld %llu\n", strtoll("-123456789012", NULL, 10), strtoull("ffffffffffff", &end, 16));
    printf("%d %ld %lld\n", atoi(" 12abc"), atol("-99"), atoll("123456789012345"));
    printf("%g %g %g %g\n", atof("2.5e3"), strtod("-0.125rest", &end), strtod("1e-3", NULL), strtod("0x1p4", NULL));
    printf("%s\n", strtod("junk", &end) == 0 ? end : "?");
    printf("%.3f\n", (double)strtof("3.14159", NULL));
    return 0;
}
