// run => native
// strcmp, strncmp, memcmp, strcasecmp, strncasecmp: only the sign counts.
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int x) {
    return (x > 0) - (x < 0);
}

int main(void) {
    const char *words[] = {"", "a", "b", "ab", "abc", "Ab", "\xff", "abcd"};
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            printf("%d%d%d ", sign(strcmp(words[i], words[j])) + 1, sign(strncmp(words[i], words[j], 2)) + 1,
                   sign(strcasecmp(words[i], words[j])) + 1);
        }
        printf("\n");
    }
    unsigned char a[] = {1, 2, 200}, b[] = {1, 2, 100};
    printf("%d %d %d\n", sign(memcmp(a, b, 3)), sign(memcmp(a, b, 2)), sign(memcmp(b, a, 3)));
    printf("%d\n", sign(strncasecmp("HELLO there", "hello THEM", 9)));
    return 0;
}
