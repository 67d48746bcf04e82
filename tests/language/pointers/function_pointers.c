// run => native
// Function pointers: tables, parameters, results, members, comparison.
#include <stdio.h>

typedef int operation(int, int);

static int add(int a, int b) {
    return a + b;
}
static int subtract(int a, int b) {
    return a - b;
}
static int multiply(int a, int b) {
    return a * b;
}

static operation *const table[] = {add, subtract, multiply, NULL};

static operation *pick(char symbol) {
    switch (symbol) {
    case '+':
        return add;
    case '-':
        return &subtract;
    default:
        return *multiply;
    }
}

static int fold(operation *f, const int *a, int n, int start) {
    for (int i = 0; i < n; i++) {
        start = f(start, a[i]);
    }
    return start;
}

struct object {
    int value;
    void (*method)(struct object *self, int argument);
};

static void grow(struct object *self, int by) {
    self->value += by;
}
static void shrink(struct object *self, int by) {
    self->value -= by;
    self->method = grow;
}

static int (*chain(int (*f)(int, int), int times))(int, int) {
    return times > 0 ? chain(f == add ? multiply : add, times - 1) : f;
}

int main(void) {
    int numbers[] = {3, 4, 5};
    for (operation *const *f = table; *f; f++) {
        printf("%d %d\n", (*f)(7, 3), fold(*f, numbers, 3, 1));
    }
    printf("%d %d %d\n", pick('+')(1, 2), pick('-')(1, 2), (*pick('*'))(3, 2));
    struct object o = {10, shrink};
    o.method(&o, 3);
    o.method(&o, 100);
    printf("%d %d\n", o.value, o.method == grow);
    printf("%d\n", chain(add, 5)(6, 7));
    void (*nothing)(void) = NULL;
    printf("%d\n", nothing == NULL);
    return 0;
}
