// run => native
// An interpreter of a language of eight symbols, with its program as data.
#include <stdio.h>

static unsigned char tape[100];

static void run(const char *program) {
    unsigned char *cell = tape;
    for (const char *p = program; *p; p++) {
        switch (*p) {
        case '>':
            cell++;
            break;
        case '<':
            cell--;
            break;
        case '+':
            ++*cell;
            break;
        case '-':
            --*cell;
            break;
        case '.':
            putchar(*cell);
            break;
        case '[':
            if (!*cell)
                for (int depth = 1; depth;) {
                    p++;
                    depth += (*p == '[') - (*p == ']');
                }
            break;
        case ']':
            if (*cell)
                for (int depth = 1; depth;) {
                    p--;
                    depth += (*p == ']') - (*p == '[');
                }
            break;
        }
    }
}

int main(void) {
    run("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.");
    return tape[2];
}
