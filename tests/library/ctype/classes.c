// run => native
// The classes and conversions of <ctype.h> over all of ASCII.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    for (int c = 0; c < 128; c++) {
        printf("%d%d%d%d%d%d%d%d%d%d%d%d %d %d\n", !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c),
               !!isgraph(c), !!islower(c), !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c), !!isxdigit(c),
               tolower(c), toupper(c));
    }
    printf("%d %d\n", !!isalpha(EOF), !!isdigit(200));
    char text[] = "Mixed Case 123";
    for (char *p = text; *p; p++)
        *p = (char)(isupper((unsigned char)*p) ? tolower((unsigned char)*p) : toupper((unsigned char)*p));
    puts(text);
    return 0;
}
