/* Generated programs with all that a program form has that threads can notice: accesses of mixed sizes, locks of every
 * kind, condition variables, waiting loops, choices, assumptions, creation and joining of threads, atomic sections,
 * ends of objects.  Two files draw them: wide_draw.c for breadth, buffered_draw.c for what store buffers show.
 *
 * There is no second definition of what they mean: they are for engines that must agree with each other. */
#ifndef PICKET_TESTS_GENERATED_WIDE_PROGRAM_H
#define PICKET_TESTS_GENERATED_WIDE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ir/program.h"
#include "whole.h"

#define WIDE_THREADS 3
#define WIDE_OPERATIONS 24
#define WIDE_MUTEXES 2
#define WIDE_MEMORY_BYTES 8 /* that wide_draw uses */
#define WIDE_BYTES 16       /* that there are, of the global and of each object on the heap */
#define WIDE_POINTERS 2

/* What a program may have beyond the basic operations, for users that cannot do all of it. */
enum wide_feature {
    WIDE_SECTIONS = 1, /* atomic sections with every operation, many accesses, nested choices */
    WIDE_LOCKS = 2,    /* mutexes of all types, two reader-writer locks, barriers for 1 to 3 */
    WIDE_WORDS = 4,    /* loads and stores of the words of synchronisation objects */
    WIDE_SPURIOUS = 8, /* condition variables that wake without a signal */
    WIDE_JOINS = 16,   /* several joins of one thread, also before its creation; tryjoin, detach */
    WIDE_BASIC = 0,
    WIDE_ALL = 31
};

enum wide_kind {
    WIDE_LOAD,
    WIDE_STORE,
    WIDE_ADD,
    WIDE_EXCHANGE,
    WIDE_CAS,
    WIDE_FENCE,
    WIDE_STORE_BARRIER,
    WIDE_SYNC,         /* an operation on synchronisation object `object` */
    WIDE_SPIN_UNLOCK,  /* a release store */
    WIDE_AWAIT,        /* loads until the value is `value` */
    WIDE_AWAIT_CHANGE, /* loads until the value is not `value` */
    WIDE_AWAIT_CAS,    /* retries a compare-and-swap from `expected` to `value` */
    WIDE_AWAIT_SWAP,   /* exchanges for `value`, or ors it, until something else was there */
    WIDE_AWAIT_TWO,    /* loads two places until the first is `value` or the second `expected` */
    WIDE_AWAIT_BOTH,   /* loads two places until the first is `value` and the second `expected` */
    WIDE_AWAIT_TRY,    /* retries a trylock */
    WIDE_CHOICE,       /* 0 to 1 + `object` */
    WIDE_ASSUME,       /* that the last value is not `value` */
    WIDE_ASSERT,       /* likewise */
    WIDE_CREATE,       /* thread `object` */
    WIDE_ANNOUNCE,     /* stores the number that the next created thread will have as that of thread `object` */
    WIDE_THREAD,       /* an operation on a thread, which `number` tells */
    WIDE_WORD_LOAD,    /* of synchronisation object `object` of the kind that `sync` operates on */
    WIDE_WORD_STORE,
    WIDE_WORD_ADD,
    WIDE_ATOMIC_BEGIN,
    WIDE_ATOMIC_END,
    WIDE_HEAP_LOAD,
    WIDE_HEAP_STORE,
    WIDE_FREE,
    WIDE_MALLOC,  /* the thread's heap object is a new one from now on */
    WIDE_COMPARE, /* compares the heap object's address with `offset` of it, if `address` says so, otherwise with
                     pointer `object` */
    WIDE_SWING,   /* compare-and-swap of pointer `object` from the heap object to a place */
    WIDE_POINT, /* stores an address in pointer `object`: of the heap object if `address` says so, otherwise a place */
    WIDE_KINDS
};

/* Where an access is, other than at `offset` of the global. */
enum wide_address {
    WIDE_AT_PLACE,   /* there */
    WIDE_AT_INPUT,   /* `stride` further if an input of 0 or 1 says so */
    WIDE_AT_LAST,    /* `stride` further if the value read last is odd */
    WIDE_AT_POINTER, /* at `offset` from where pointer `object` points */
    WIDE_AT_HEAP,    /* at `offset` of the thread's heap object */
};

/* Where the number of a thread that is joined or detached comes from. */
enum wide_number {
    WIDE_NUMBER_CREATED, /* from the creation of thread `object`, in the same thread */
    WIDE_NUMBER_STORED,  /* from memory, where WIDE_ANNOUNCE puts it; the operation is skipped while it is 0 */
    WIDE_NUMBER_KNOWN,   /* it is `value` */
};

struct wide_operation {
    enum wide_kind kind;
    enum wide_number number;
    bool conditional; /* skipped unless the value read last is odd */
    bool if_got;      /* skipped unless the last try or timed operation went through */
    bool relative;    /* store: `value` is added to the value read last */
    unsigned offset;
    unsigned size;
    enum wide_address address;
    unsigned stride;
    unsigned offset2; /* of the second place of an await */
    unsigned size2;
    unsigned sync;   /* SYNC_*, or enum whole */
    unsigned object; /* which of its kind; a thread */
    enum order order;
    uint64_t value;
    uint64_t expected;
};

struct wide_program {
    uint64_t seed;
    const char *topic;
    unsigned threads;
    bool atomic_start; /* main creates the threads in one step; otherwise there are WIDE_CREATEs */
    bool spurious;     /* to be run with the machine's option of this name */
    bool stale;        /* likewise, with --check stale */
    bool observed;     /* each thread stores at its end what it has read, as one number */
    bool forbids;      /* then: an error, if main ends last and these were the numbers */
    uint64_t forbidden[WIDE_THREADS];
    unsigned semaphore;
    unsigned parties;                   /* of the barrier */
    unsigned mutex_kinds[WIDE_MUTEXES]; /* 0 normal, 1 recursive, 2 error-checking */
    unsigned counts[WIDE_THREADS];
    struct wide_operation operations[WIDE_THREADS][WIDE_OPERATIONS];
};

/* The seed decides what is drawn, out of what has no other feature than these. */
void wide_draw(struct wide_program *wide, uint64_t seed, unsigned features);
/* Programs that depend on store buffers: most of them have final states under TSO or PSO that SC has not. */
void buffered_draw(struct wide_program *wide, uint64_t seed);
void wide_build(const struct wide_program *wide, struct program *program);
void wide_print(const struct wide_program *wide, FILE *file);

/* Ways to make a program smaller, by number; false if that one changes nothing. */
unsigned wide_changes(const struct wide_program *wide);
bool wide_change(struct wide_program *wide, unsigned change);

#endif
