// run => native
// Pointer arithmetic, differences, comparison; pointers into the middle and one past the end.
#include <stdio.h>

struct item {
    int key;
    char tag;
};

int main(void) {
    int numbers[10];
    for (int *p = numbers; p != numbers + 10; p++) {
        *p = (int)(p - numbers) * (int)(p - numbers);
    }
    int *middle = &numbers[5];
    printf("%d %d %d %td\n", *middle, middle[-2], 3 [middle], middle - &numbers[9]);
    printf("%d %d %d\n", middle > numbers, middle == numbers + 5, middle >= numbers + 6);
    printf("%d ", *middle++);
    printf("%d\n", *middle);
    printf("%d ", *--middle);
    printf("%d\n", (*middle)++);
    printf("%d\n", ++*middle);
    struct item items[4] = {{1, 'a'}, {2, 'b'}, {3, 'c'}, {4, 'd'}};
    struct item *end = items + 4;
    for (struct item *q = end; q-- > items;) {
        printf("%d%c ", q->key, q->tag);
    }
    printf("\n");
    unsigned char *bytes = (unsigned char *)&items[1];
    printf("%d %c\n", bytes[0], bytes[4]);
    int **table[2] = {&middle, &middle};
    **table[1] = 77;
    printf("%d\n", numbers[5]);
    void *anything = numbers;
    printf("%d\n", ((int *)anything)[3]);
    const char *words[] = {"zero", "one", "two"}, **w = words;
    printf("%s %c %s\n", *w, *(*(w + 1) + 1), w[2] + 1);
    return 0;
}
