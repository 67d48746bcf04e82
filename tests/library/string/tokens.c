// run => native
// strtok, strtok_r, strsep, strdup, strndup.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char text[] = "  one, two;;three ,four";
    for (char *w = strtok(text, " ,;"); w; w = strtok(NULL, " ,;"))
        printf("[%s]", w);
    printf("\n");
    char outer[] = "a=1&b=2&c", *rest;
    for (char *pair = strtok_r(outer, "&", &rest); pair; pair = strtok_r(NULL, "&", &rest)) {
        char *inner, *key = strtok_r(pair, "=", &inner), *value = strtok_r(NULL, "=", &inner);
        printf("%s->%s ", key, value ? value : "none");
    }
    printf("\n");
    char fields[] = "x::y:", *p = fields, *field;
    while ((field = strsep(&p, ":")))
        printf("<%s>", field);
    printf("\n");
    char *d = strdup("duplicate"), *n = strndup("truncated text", 9);
    printf("%s %s\n", d, n);
    free(d);
    free(n);
    return 0;
}
