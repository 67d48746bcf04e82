// run => native
// goto: forwards, backwards, out of nested loops, for clean-up.
#include <stdio.h>
#include <stdlib.h>

static int search(int needle) {
    int found = -1;
    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 10; j++) {
            if (i * j == needle) {
                found = i * 100 + j;
                goto out;
            }
        }
    }
    return -1;
out:
    return found;
}

static int with_cleanup(int fail_at) {
    int result = -1;
    char *a = malloc(10);
    if (fail_at == 1)
        goto free_a;
    char *b = malloc(20);
    if (fail_at == 2)
        goto free_b;
    a[9] = b[19] = 5;
    result = a[9] + b[19];
free_b:
    free(b);
free_a:
    free(a);
    return result;
}

int main(void) {
    printf("%d %d %d\n", search(42), search(64), search(97));
    printf("%d %d %d\n", with_cleanup(0), with_cleanup(1), with_cleanup(2));
    int n = 27, steps = 0;
again:
    if (n == 1)
        goto done;
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
    goto again;
done:
    printf("%d\n", steps);
    int i = 0;
    goto middle;
    while (i < 5) {
        printf("top %d\n", i);
    middle:
        printf("middle %d\n", i++);
    }
    return 0;
}
