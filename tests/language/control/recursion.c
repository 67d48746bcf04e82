// run => native
// Recursion: Fibonacci, Ackermann, mutual recursion, towers of Hanoi, permutations.
#include <stdio.h>

static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(unsigned n);
static int is_even(unsigned n) {
    return n == 0 || is_odd(n - 1);
}
static int is_odd(unsigned n) {
    return n != 0 && is_even(n - 1);
}

static int moves;
static void hanoi(int n, char from, char to, char over) {
    if (n > 0) {
        hanoi(n - 1, from, over, to);
        moves = moves * 31 + from * 3 + to;
        moves %= 1000007;
        hanoi(n - 1, over, to, from);
    }
}

static int permutations;
static void permute(char *text, int at) {
    if (!text[at]) {
        permutations++;
        if (permutations % 20 == 1)
            printf("%s ", text);
        return;
    }
    for (int i = at; text[i]; i++) {
        char t = text[at];
        text[at] = text[i];
        text[i] = t;
        permute(text, at + 1);
        text[i] = text[at];
        text[at] = t;
    }
}

int main(void) {
    printf("%d %d %d\n", fibonacci(17), ackermann(2, 6), ackermann(1, 20));
    printf("%d %d\n", is_even(100), is_odd(77));
    hanoi(8, 'a', 'b', 'c');
    printf("%d\n", moves);
    char text[] = "abcde";
    permute(text, 0);
    printf("\n%d %s\n", permutations, text);
    return fibonacci(10);
}
