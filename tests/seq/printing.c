// Printing changes nothing; what it reads must be known to be readable.
//
// check --engine seq --model sc => violation assertion:43
// check --engine seq --model tso => violation assertion:43
// check --engine seq --model pso -DSAFE => safe
// check --engine seq -DHEAP => violation assertion:43
// check --engine explore --model pso -DSAFE => safe
// The string may be anywhere, or have no end; the length is not known.
// check --engine seq -DSTRING => error "printing.c:34: error: engine seq cannot do this: printed text that is"
// check --engine seq -DBYTES => error "printing.c:36: error: engine seq cannot do this: output of bytes"
// A length that decides something, and text that the program makes.
// check --engine seq -DLENGTH => error "printing.c:38: error: engine seq cannot do this: text or numbers"
// check --engine explore -DLENGTH -DSAFE => safe
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int x;
static char text[8];

static void *writes(void *argument) {
    x = 1;
    printf("%5d %s of %d%%\n", x, "thread", 7);
    putchar('a');
    puts("written");
    return argument;
}

static void print(void) {
#ifdef STRING
    printf("%d %s\n", 1, text);
#elif defined BYTES
    write(1, text, (size_t)x);
#elif defined LENGTH
    assert(printf("%d\n", x) == 2);
#elif defined HEAP
    write(1, malloc(4), 3);
#endif
#ifndef SAFE
    assert(x != 2);
#endif
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
    x = 2;
    fprintf(stderr, "main: %d %*d %s\n", x, 3, 4, (char *)NULL);
    fputs("main\n", stdout);
    pthread_join(thread, NULL);
    print();
    return 0;
}
