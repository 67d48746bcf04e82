/* A state in parts: one part for each thread, and the bytes of the globals.
 *
 * In a program without heap objects or escaping locals, a state consists of these parts, and parts of different states
 * of one machine fit together; a thread's store buffer belongs to its part.  So a search may keep each part once,
 * number it, and ask the machine what a thread does whatever the other threads are.  A part is bytes with pointers into
 * its machine: only that machine can load it. */
#ifndef PICKET_MACHINE_PARTS_H
#define PICKET_MACHINE_PARTS_H

#include "machine/machine.h"

/* Do the states of this machine consist of parts? */
bool machine_has_parts(const struct machine *machine);

/* The part of a thread, also of one that does not exist; `to` has machine_part_size bytes. */
size_t machine_part_size(const struct machine *machine, uint32_t thread);
void machine_part_save(const struct machine *machine, uint32_t thread, uint8_t *to);

/* The bytes by which the part differs from others of the same thread, written to *buffer, which grows; returns their
 * number.  With `versions` they say whether memory has changed since the iteration of a waiting loop began. */
size_t machine_part_key(const struct machine *machine, uint32_t thread, bool versions, uint8_t **buffer,
                        size_t *capacity);

/* Prepares the machine for parts: no thread exists, and none holds an atomic section or the bus.  Then at most one part
 * of each thread is loaded. */
void machine_parts_begin(struct machine *machine);
void machine_part_load(struct machine *machine, uint32_t thread, const uint8_t *from);

/* Has memory changed since machine_parts_begin? */
bool machine_parts_changed(const struct machine *machine);

struct part_info {
    bool exists;
    bool finished;
    bool joinable; /* a thread that joins it has to wait */
    bool holds_atomic;
    bool holds_bus;
    bool in_iteration;      /* memory has not changed since its iteration of a waiting loop began */
    bool waits;             /* its next step is disabled until memory changes */
    bool standing;          /* it takes no more steps: stopped, finished or absent */
    uint32_t goal;          /* number of threads that have to reach the goal at which it is; 0: it is at none */
    enum outcome stopped;   /* OUTCOME_RUNNING, or the outcome if the thread has ended the execution */
    enum outcome execution; /* outcome of the loaded state */
};
struct part_info machine_part_info(const struct machine *machine, uint32_t thread);

/* Makes the loaded part forget that memory has not changed since its iteration began. */
void machine_part_age(struct machine *machine, uint32_t thread);

/* The thread's control state: for each frame, from the first called on, its function and instruction. */
size_t machine_part_depth(const struct machine *machine, uint32_t thread);
void machine_part_frame(const struct machine *machine, uint32_t thread, size_t frame, uint32_t *function,
                        uint32_t *instruction);

/* The globals that are not constant, as one row of bytes. */
size_t machine_row_size(const struct machine *machine);
void machine_row_save(const struct machine *machine, uint8_t *to);
void machine_row_load(struct machine *machine, size_t offset, const uint8_t *from, size_t size);
/* The offset of an access in the row; -1 if it is not in the row. */
int64_t machine_row_offset(const struct machine *machine, uint64_t address, size_t size);

#endif
