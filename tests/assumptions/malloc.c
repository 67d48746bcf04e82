// check --engine explore  => safe assuming malloc
// check --engine reach  => safe assuming malloc
// check --engine brute  => safe assuming malloc
// check --engine lazy  => safe assuming malloc
// check --engine rounds  => safe assuming malloc
// check --engine seq  => safe assuming malloc
// check --engine explore --malloc-fail => violation null-pointer:23
// check --engine brute --malloc-fail => violation null-pointer:23
// check --engine seq --malloc-fail => violation null-pointer:23
// check --engine explore --malloc-fail -DTESTED => safe
// check --engine explore -DNEVER => safe
// malloc does not fail, unless --malloc-fail is given; a program that does not reach it assumes nothing.
#include <stdlib.h>

int main(void) {
#ifndef NEVER
    int *block = malloc(sizeof *block);
#ifdef TESTED
    if (!block) {
        return 0;
    }
#endif
    *block = 1;
    free(block);
#endif
    return 0;
}
