// run => native
// strlen, strchr, strrchr, strstr, strspn, strcspn, strpbrk, memchr, strnlen.
#include <stdio.h>
#include <string.h>

static long at(const char *base, const char *found) {
    return found ? found - base : -1;
}

int main(void) {
    const char *s = "the cat sat on the mat";
    printf("%zu %zu %zu\n", strlen(s), strlen(""), strnlen(s, 5));
    printf("%ld %ld %ld\n", at(s, strchr(s, 't')), at(s, strrchr(s, 't')), at(s, strchr(s, 'z')));
    printf("%ld %ld\n", at(s, strchr(s, 0)), at(s, strrchr(s, 'h')));
    printf("%ld %ld %ld %ld\n", at(s, strstr(s, "at")), at(s, strstr(s, "the m")), at(s, strstr(s, "dog")),
           at(s, strstr(s, "")));
    printf("%zu %zu\n", strspn(s, "eht"), strcspn(s, "no"));
    printf("%ld %ld\n", at(s, strpbrk(s, "xyzms")), at(s, strpbrk(s, "qz")));
    printf("%ld %ld\n", at(s, memchr(s, 'c', 22)), at(s, memchr(s, 'c', 3)));
    return 0;
}
