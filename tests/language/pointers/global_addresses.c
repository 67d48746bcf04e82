// run => native
// Global initialisers that hold addresses of other globals, of members, of functions, and of themselves.
#include <stdio.h>

struct node {
    int value;
    struct node *next;
    int *inside;
};

extern struct node second;
static int numbers[5] = {10, 11, 12, 13, 14};
struct node first = {1, &second, &numbers[2]};
struct node second = {2, &first, &second.value};
static int *const end = numbers + 5;
static const char *const names[] = {"zero", "one" + 1, &"three"[2]};
static int twice(int x) {
    return 2 * x;
}
static int (*functions[])(int) = {twice, &twice};
static struct {
    struct node **slot;
    long difference;
} wrapped = {&second.next, sizeof(struct node) * 3};
static void *self = &self;
static char text[] = "modifiable", *tail = text + 6;

int main(void) {
    printf("%d %d %d\n", first.next->value, first.next->next->value, *first.inside);
    *second.inside = 20;
    printf("%d %td\n", second.value, end - numbers);
    printf("%s %s %s\n", names[0], names[1], names[2]);
    printf("%d %d\n", functions[0](4), functions[0] == functions[1]);
    *wrapped.slot = &second;
    printf("%d %ld %d\n", second.next == &second, wrapped.difference, self == (void *)&self);
    text[6] = 'A';
    printf("%s %s\n", text, tail);
    return 0;
}
