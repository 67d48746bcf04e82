// run => native
// switch: dense, sparse, ranges, fall-through, nested, in a loop with continue, on long and char.
#include <stdio.h>

static const char *dense(int x) {
    switch (x) {
    case 0:
        return "zero";
    case 1:
        return "one";
    case 2:
        return "two";
    case 3:
        return "three";
    case 4:
        return "four";
    }
    return "many";
}

static int sparse(long x) {
    switch (x) {
    case -1000000000000:
        return 1;
    case 7:
        return 2;
    case 1L << 40:
        return 3;
    case 0x7fffffffffffffff:
        return 4;
    default:
        return 0;
    }
}

static char grade(int points) {
    switch (points) {
    case 90 ... 100:
        return 'A';
    case 80 ... 89:
        return 'B';
    case 0 ... 79:
        return 'C';
    default:
        return '?';
    }
}

static int duff(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 2:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
    *to = 0;
    return count;
}

int main(void) {
    for (int i = -1; i < 6; i++)
        printf("%s ", dense(i));
    printf("\n%d %d %d %d %d\n", sparse(-1000000000000), sparse(7), sparse(1L << 40), sparse(0x7fffffffffffffff),
           sparse(8));
    printf("%c%c%c%c%c\n", grade(95), grade(80), grade(0), grade(101), grade(-5));
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        switch (i % 5) {
        case 1:
            continue;
        case 2:
            sum += 1;
        case 3:
            sum += 10;
            break;
        default:
            switch (i & 1) {
            case 0:
                sum += 100;
                break;
            default:
                sum += 1000;
            }
        }
        sum += 10000;
    }
    printf("%d\n", sum);
    char copy[20];
    printf("%d %s\n", duff(copy, "hello, world", 11), copy);
    switch ((char)200) {
    case -56:
        printf("signed\n");
        break;
    case (char)201:
        printf("no\n");
    }
    switch (5) {
    default:
        printf("only default\n");
    }
    return 0;
}
