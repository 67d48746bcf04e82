/* A shared memory abstraction (src/seq/memory), compiled natively: abstraction_instance.c is built once for each
 * abstraction and size. */
#ifndef PICKET_TESTS_SEQ_ABSTRACTION_H
#define PICKET_TESTS_SEQ_ABSTRACTION_H

#include <stdint.h>

struct abstraction {
    void (*init)(void);
    uint64_t (*read)(uint16_t location, unsigned thread);
    void (*write)(uint16_t location, uint64_t value, unsigned thread);
    void (*fence)(unsigned thread);
    void (*barrier)(unsigned thread);
    void (*lock)(unsigned thread);
    void (*unlock)(unsigned thread);
    uint64_t (*load)(uint16_t location);
    void (*store)(uint16_t location, uint64_t value);
};

/* The sizes that are built: clocks 1 to MOST_WRITES + 1, lists of 2 to MOST_WRITES + 1 nodes, queues of 1 to
 * MOST_WRITES entries. */
#define MOST_WRITES 4

#endif
