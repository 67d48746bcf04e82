// run => native
// A recursive descent parser for arithmetic.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static const char *at;

static long expression(void);

static void skip(void) {
    while (isspace((unsigned char)*at))
        at++;
}

static long factor(void) {
    skip();
    if (*at == '-') {
        at++;
        return -factor();
    }
    if (*at == '(') {
        at++;
        long value = expression();
        skip();
        if (*at == ')')
            at++;
        return value;
    }
    char *end;
    long value = strtol(at, &end, 0);
    at = end;
    return value;
}

static long term(void) {
    long value = factor();
    for (;;) {
        skip();
        if (*at == '*') {
            at++;
            value *= factor();
        } else if (*at == '/') {
            at++;
            long d = factor();
            value = d ? value / d : 0;
        } else if (*at == '%') {
            at++;
            long d = factor();
            value = d ? value % d : 0;
        } else
            return value;
    }
}

static long expression(void) {
    long value = term();
    for (;;) {
        skip();
        if (*at == '+') {
            at++;
            value += term();
        } else if (*at == '-') {
            at++;
            value -= term();
        } else
            return value;
    }
}

int main(void) {
    const char *inputs[] = {"1+2*3",         "(1+2)*3", " 100 / 7 % 5 - -2 ", "0x10 * 010",
                            "2*(3+4*(5-6))", "7/0",     "((((42))))"};
    for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        at = inputs[i];
        printf("%s = %ld\n", inputs[i], expression());
    }
    return 0;
}
