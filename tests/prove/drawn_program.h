/* Generated programs for proofs: few places, so that stores and loads meet, and all that the theorem distinguishes: a
 * function that several threads run, silent stores, loads that nobody needs, locks, atomic sections, compare-and-swaps
 * over places that are also accessed byte by byte, pointers, ends of objects. */
#ifndef PICKET_TESTS_DRAWN_PROGRAM_H
#define PICKET_TESTS_DRAWN_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ir/program.h"

#define DRAWN_BODIES 3
#define DRAWN_OPERATIONS 8

enum drawn_kind {
    DRAWN_LOAD,
    DRAWN_STORE,
    DRAWN_ADD,
    DRAWN_EXCHANGE,
    DRAWN_CAS,
    DRAWN_FENCE,
    DRAWN_BEGIN, /* an atomic section */
    DRAWN_END,
    DRAWN_LOCK,
    DRAWN_UNLOCK,
    DRAWN_POINT,        /* the pointer gets the address of a place */
    DRAWN_LOAD_POINTED, /* through the pointer */
    DRAWN_STORE_POINTED,
    DRAWN_FREE, /* the end of the heap object */
    DRAWN_LOAD_HEAP,
    DRAWN_KINDS
};

struct drawn_operation {
    enum drawn_kind kind;
    bool live;        /* what is read is part of the thread's result */
    bool conditional; /* only if the value read last is odd */
    bool indexed;     /* the place depends on the thread's argument */
    bool relative;    /* store: `value` is added to the value read last */
    unsigned offset;
    unsigned size;
    uint64_t value;
    uint64_t expected;
};

struct drawn_program {
    uint64_t seed;
    uint8_t initial[8];
    unsigned bodies;
    unsigned threads[DRAWN_BODIES]; /* 1, or 2: created by a loop */
    unsigned counts[DRAWN_BODIES];
    bool heap;
    struct drawn_operation operations[DRAWN_BODIES][DRAWN_OPERATIONS];
};

void drawn_draw(struct drawn_program *drawn, uint64_t seed);
void drawn_build(const struct drawn_program *drawn, struct program *program);
void drawn_print(const struct drawn_program *drawn, FILE *file);

/* Drops one operation, or a thread; false if there is no such change. */
bool drawn_change(struct drawn_program *drawn, unsigned change);

#endif
