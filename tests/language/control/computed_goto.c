// run => native
// Labels as values: a small bytecode interpreter.
#include <stdio.h>

enum { PUSH, ADD, MUL, DUP, JNZ, DEC, SWAP, PRINT, HALT };

static int run(const int *code) {
    static const void *const labels[] = {&&push, &&add, &&mul, &&dup, &&jnz, &&dec, &&swap, &&print, &&halt};
    int stack[16], *sp = stack;
    const int *pc = code;
#define NEXT goto *labels[*pc++]
    NEXT;
push:
    *sp++ = *pc++;
    NEXT;
add:
    sp--;
    sp[-1] += *sp;
    NEXT;
mul:
    sp--;
    sp[-1] *= *sp;
    NEXT;
dup:
    *sp = sp[-1];
    sp++;
    NEXT;
jnz:
    if (sp[-1]) {
        pc = code + *pc;
    } else {
        pc++;
    }
    NEXT;
dec:
    sp[-1]--;
    NEXT;
swap: {
    int t = sp[-1];
    sp[-1] = sp[-2];
    sp[-2] = t;
}
    NEXT;
print:
    printf("%d\n", sp[-1]);
    NEXT;
halt:
    return sp[-2];
}

int main(void) {
    static const int squares[] = {PUSH, 0, PUSH, 10, DUP, DUP, MUL, PRINT, PUSH, 0, MUL, ADD, DEC, JNZ, 4, HALT};
    printf("%d\n", run(squares));
    void *where = &&there;
    int x = 1;
    goto *where;
    x = 2;
there:
    printf("%d\n", x);
    return 0;
}
