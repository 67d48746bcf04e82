/* Litmus tests in herd's syntax for X86 and X86_64.
 *
 * A test is a small program, one column for each thread, with an initial state and a condition on final states:
 *
 *     X86 SB
 *     { x=0; y=0; }
 *      P0          | P1          ;
 *      MOV [x],$1  | MOV [y],$1  ;
 *      MOV EAX,[y] | MOV EAX,[x] ;
 *     exists (0:EAX=0 /\ 1:EAX=0)
 *
 * The test becomes a Program: each thread is a function, and a start function creates them all.  At its end a thread
 * writes the registers that the test names to a private thread-local array, so a final state can be read from the
 * machine: variables in memory, registers in the threads' copies of that array. */
#ifndef PICKET_FRONT_LITMUS_H
#define PICKET_FRONT_LITMUS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ir/program.h"
#include "util/diagnostics.h"
#include "util/vector.h"

enum litmus_quantifier { LITMUS_EXISTS, LITMUS_NOT_EXISTS, LITMUS_FORALL };

/* A variable, or a register of a thread, that a condition or the list of locations names. */
struct litmus_location {
    char *name;      /* "[x]", "0:EAX" */
    uint64_t rank;   /* registers by thread, then by number and width */
    uint32_t global; /* index of the variable, or of the thread-local array */
    uint32_t offset; /* bytes from there */
    uint32_t width;  /* bits */
    uint32_t thread; /* of a register: its thread, counted from 0 by column */
    uint32_t number; /* of a register: x86's number for it */
    bool in_register;
    bool shown; /* printed as part of a state */
};

/* A node of a condition.  Children come before their parents; `depth` bounds recursion. */
enum litmus_node_kind {
    LITMUS_TRUE,
    LITMUS_FALSE,
    LITMUS_EQUAL, /* location `left` has `value` */
    LITMUS_SAME,  /* locations `left` and `right` have the same value */
    LITMUS_NOT,
    LITMUS_AND,
    LITMUS_OR,
    LITMUS_IMPLIES,
};

struct litmus_node {
    enum litmus_node_kind kind;
    uint32_t left;
    uint32_t right;
    uint32_t depth;
    int64_t value;
    const char *symbol; /* the variable whose address `value` is, or NULL */
};

struct litmus_variable {
    char *name;
    uint64_t address;
    uint64_t number; /* the address as registers hold it: its lowest 32 bits for X86 */
    uint32_t global;
    uint32_t width; /* bits */
    bool declared;  /* the file has its width */
};

struct litmus_test {
    char *name;
    enum litmus_quantifier quantifier;
    uint32_t condition;      /* root node */
    uint32_t filter;         /* likewise; executions in which it fails do not count */
    bool uses_addresses;     /* some value of the test is an address: values that look like one are printed as such */
    struct vector nodes;     /* of struct litmus_node */
    struct vector locations; /* of struct litmus_location */
    struct vector shown;     /* of uint32_t: the locations that are printed, in herd's order */
    struct vector variables; /* of struct litmus_variable */
    struct program program;
};

/* Reads a file.  Returns false with diagnostics if it is not understood; then there is nothing to delete. */
bool litmus_read(const char *file, struct litmus_test *test, struct diagnostics *diagnostics);
void litmus_delete(struct litmus_test *test);

/* Deletes all of the test but its program, which the caller then owns. */
struct program litmus_take_program(struct litmus_test *test);

/* Does the condition of this node hold?  `values` has one entry for each location, zero-extended. */
bool litmus_holds(const struct litmus_test *test, uint32_t node, const uint64_t *values);

/* The value of a location with its sign, as it is compared and printed. */
int64_t litmus_signed(const struct litmus_location *location, uint64_t value);

/* Print as herd does: "exists (0:EAX=1 /\ [x]=2)", "0:EAX=1; [x]=2;". */
void litmus_print_condition(const struct litmus_test *test, FILE *out);
void litmus_print_state(const struct litmus_test *test, const uint64_t *values, FILE *out);

#endif
