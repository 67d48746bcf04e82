// run => native
// qsort and bsearch on several element sizes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char name[12];
    int age;
};

static int by_int(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}
static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}
static int by_age(const void *a, const void *b) {
    return ((const struct person *)a)->age - ((const struct person *)b)->age;
}
static int by_char(const void *a, const void *b) {
    return *(const char *)b - *(const char *)a;
}

int main(void) {
    int numbers[50];
    unsigned seed = 99;
    for (int i = 0; i < 50; i++) {
        seed = seed * 1103515245u + 12345u;
        numbers[i] = (int)(seed >> 8) % 1000;
    }
    qsort(numbers, 50, sizeof *numbers, by_int);
    for (int i = 0; i < 50; i++)
        printf("%d%c", numbers[i], i % 10 == 9 ? '\n' : ' ');
    int key = numbers[17], missing = -5;
    int *found = bsearch(&key, numbers, 50, sizeof *numbers, by_int);
    printf("%d %d\n", *found, bsearch(&missing, numbers, 50, sizeof *numbers, by_int) == NULL);
    const char *words[] = {"pear", "apple", "fig", "orange", "banana"};
    qsort(words, 5, sizeof *words, by_text);
    for (int i = 0; i < 5; i++)
        printf("%s ", words[i]);
    printf("\n");
    struct person people[] = {{"ann", 50}, {"bob", 20}, {"carl", 35}, {"dora", 10}};
    qsort(people, 4, sizeof *people, by_age);
    for (int i = 0; i < 4; i++)
        printf("%s:%d ", people[i].name, people[i].age);
    printf("\n");
    char letters[] = "sortme";
    qsort(letters, 6, 1, by_char);
    printf("%s\n", letters);
    return 0;
}
