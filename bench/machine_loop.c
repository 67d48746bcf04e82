// Local work as a C program does it: bench/machine counts the instructions it takes.
#include <stdio.h>

static unsigned collatz(unsigned long number) {
    unsigned steps = 0;
    while (number != 1) {
        number = number % 2 ? 3 * number + 1 : number / 2;
        steps++;
    }
    return steps;
}

int main(void) {
    unsigned sieve[256] = {0};
    unsigned longest = 0, sum = 0;
    for (unsigned i = 1; i < 40000; i++) {
        unsigned steps = collatz(i);
        sieve[i % 256] += steps;
        longest = steps > longest ? steps : longest;
    }
    for (unsigned i = 0; i < 256; i++)
        sum += sieve[i];
    printf("%u %u\n", longest, sum);
    return 0;
}
