/* Shared memory abstractions: their interface, and what they require.
 *
 * An abstraction is shared memory under one memory model, as C for one thread: after Tomasco, Nguyen, Inverso, Fischer,
 * La Torre and Parlato, "Lazy Sequentialization for TSO and PSO via Shared Memory Abstractions" (FMCAD 2016), Section
 * II.  The files of this directory are text that `picket translate --sequential` pastes into what it prints, without
 * this header and without their #include lines; what the header declares, the printed program defines.
 *
 *     sc.c                     one value for each location
 *     queue.c with tso.c, pso.c            store buffers as queues of bounded length, and memory
 *     temporal_list.c with etso.c, epso.c  a clock, and for each location its writes in the order of their times
 *     address.c                access by address
 *
 * Locations are numbers below MEMORY_LOCATIONS; each is accessed in one size, so that a value has no parts.
 *
 *     memory_init()                          memory holds memory_initial, nothing is pending
 *     memory_read(location, thread)          what the thread reads
 *     memory_write(location, value, thread)  a write that may stay in the thread's store buffer
 *     memory_fence(thread)                   waits until the thread's store buffer is empty
 *     memory_barrier(thread)                 the thread's writes before it reach memory before those after it
 *     memory_lock(thread)                    as a fence; then memory is this thread's until memory_unlock: nothing of
 *                                            others reaches it
 *     memory_load(location)                  memory itself, between memory_lock and memory_unlock
 *     memory_store(location, value)          likewise
 *     memory_read_addr, memory_write_addr, memory_load_addr, memory_store_addr
 *                                            the same for the location that has an address
 *     memory_addr(location), memory_malloc(location)
 *                                            its address; the second for the first location of a block of the heap
 *
 * A thread must not be switched from between memory_lock and memory_unlock.  Before an access any number of pending
 * writes, of all threads, may reach memory: that is guessed.  What cannot be is assumed away. */
#ifndef PICKET_SEQ_MEMORY_H
#define PICKET_SEQ_MEMORY_H

#include <stdint.h>

#ifndef MEMORY_LOCATIONS
#define MEMORY_LOCATIONS 3
#endif
#ifndef MEMORY_THREADS
#define MEMORY_THREADS 3
#endif
#ifndef MEMORY_CLOCK
#define MEMORY_CLOCK 3 /* times are below it: 1 to 255 */
#endif
#ifndef MEMORY_QUEUE
#define MEMORY_QUEUE 3 /* nodes of a list, 2 to 255; entries of a queue */
#endif

/* A part of the printed program, whether it is used or not. */
#define MEMORY_PART static __attribute__((unused))

typedef uint64_t memory_value;
typedef uint16_t memory_location;

extern const memory_value memory_initial[MEMORY_LOCATIONS];
extern const uint64_t memory_addresses[MEMORY_LOCATIONS];

unsigned memory_guess(unsigned limit); /* any number below the limit */
void memory_assume(int condition);
void memory_wrong_address(void); /* an access to an address that no location has: does not return */

#endif
