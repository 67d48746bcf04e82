// run => native
// printf of strings, and the functions that print without a format.
#include <stdio.h>
#include <string.h>

int main(void) {
    printf("[%s] [%10s] [%-10s] [%.3s] [%10.2s] [%-6.1s|]\n", "hello", "hello", "hello", "hello", "hello", "hello");
    printf("[%.*s] [%*s]\n", 4, "truncated", 12, "padded");
    char unterminated[3] = {'a', 'b', 'c'};
    printf("%.3s\n", unterminated);
    puts("puts adds a newline");
    putchar('c');
    putc('d', stdout);
    fputc('e', stdout);
    fputs("fputs does not\n", stdout);
    fprintf(stdout, "%s %d\n", "fprintf", 1);
    size_t n = fwrite("0123456789", 2, 4, stdout);
    printf("\n%zu\n", n);
    int written = printf("%s\n", "count me");
    printf("%d\n", written);
    fprintf(stderr, "this goes elsewhere\n");
    printf("no newline at the end");
    fflush(stdout);
    return (int)strlen("five!");
}
