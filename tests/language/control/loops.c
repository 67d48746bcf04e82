// run => native
// for, while, do; break and continue; loop variables; empty bodies; comma.
#include <stdio.h>

int main(void) {
    int i, j, sum = 0;
    for (i = 0, j = 10; i < j; i++, j--)
        sum += i * j;
    printf("%d %d %d\n", i, j, sum);
    while (sum > 0) {
        sum -= 7;
        if (sum % 5 == 0)
            break;
    }
    printf("%d\n", sum);
    do
        sum++;
    while (sum % 11);
    printf("%d\n", sum);
    for (unsigned u = 3; u-- > 0;)
        printf("%u ", u);
    printf("\n");
    for (int a = 0; a < 5; a++) {
        for (int b = 0;; b++) {
            if (b == a)
                continue;
            if (b > 3)
                break;
            printf("%d%d ", a, b);
        }
    }
    printf("\n");
    const char *s = "count me", *p;
    for (p = s; *p; p++)
        ;
    printf("%td\n", p - s);
    int primes = 0;
    for (int n = 2; n < 200; n++) {
        int prime = 1;
        for (int d = 2; d * d <= n && prime; d++)
            prime = n % d != 0;
        primes += prime;
    }
    printf("%d\n", primes);
    for (double x = 1; x < 100; x *= 1.7)
        printf("%.2f ", x);
    printf("\n");
    int k = (sum = 3, sum + 4);
    printf("%d %d\n", k, sum);
    return 0;
}
