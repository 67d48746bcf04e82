/* Generated programs for proofs: few places, so that stores and loads meet, and all that the theorem distinguishes: a
 * function that several threads run, silent stores, loads that are not needed, locks, atomic sections,
 * compare-and-swaps over places that are also accessed byte by byte, pointers, ends of objects; if wanted, assertions
 * and annotations. */
#ifndef PICKET_TESTS_DRAWN_PROGRAM_H
#define PICKET_TESTS_DRAWN_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ir/program.h"

#define DRAWN_BODIES 3
#define DRAWN_AT_FIRST 8 /* operations of a body; annotations come on top */
#define DRAWN_OPERATIONS 11

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
    DRAWN_ASSERT, /* about the value read last */
    DRAWN_CLAIM,  /* about a place, and maybe the value read last */
    DRAWN_KINDS
};

/* What a load may return besides what it reads. */
enum drawn_abstraction {
    ABSTRACT_NOT,
    ABSTRACT_OR_VALUE, /* `value` */
    ABSTRACT_AT_MOST,
    ABSTRACT_AT_LEAST,
    ABSTRACT_ANYTHING,
    ABSTRACT_KINDS
};

struct drawn_operation {
    enum drawn_kind kind;
    bool live;        /* what is read is part of the thread's result */
    bool conditional; /* only if the value read last is odd */
    bool indexed;     /* the place depends on the thread's argument */
    bool relative;    /* store: `value` is added to the value read last; claim: the place is compared with that */
    bool element;     /* load or store: of the array, where the value read last plus `expected` says, modulo 4 */
    enum drawn_abstraction abstraction; /* of a load or exchange of one byte */
    unsigned back; /* a load or exchange that read `expected`: continues this many operations before the next one */
    unsigned predicate; /* of an assertion or claim: compares with `value` */
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
    unsigned invariants; /* claims about places, which hold always */
    struct drawn_operation invariant[2];
    struct drawn_operation operations[DRAWN_BODIES][DRAWN_OPERATIONS];
};

void drawn_draw(struct drawn_program *drawn, uint64_t seed);
/* The same with assertions, claims, invariants and abstractions. */
void drawn_annotate(struct drawn_program *drawn, uint64_t seed);
/* The same with loops that wait for a value, and maybe do more. */
void drawn_spin(struct drawn_program *drawn, uint64_t seed);
/* The same with an array that is written and read at an index from memory. */
void drawn_index(struct drawn_program *drawn, uint64_t seed);
void drawn_build(const struct drawn_program *drawn, struct program *program);
void drawn_print(const struct drawn_program *drawn, FILE *file);

/* Prints a program of which `is_right` says no, as small as dropping operations makes it. */
void drawn_print_smallest(struct drawn_program drawn, bool (*is_right)(const struct drawn_program *drawn, void *data),
                          void *data, FILE *file);

#endif
