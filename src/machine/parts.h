/* A state in parts: what belongs to one thread, and the bytes of the globals.
 *
 * In a program that allocates nothing that others may know, a state is put together from its parts, and parts of
 * different states of one machine fit together; a thread's store buffer is in its part.  So a search may keep each part
 * once, give it a number, and ask the machine what a thread does without caring about the others.  A part is bytes with
 * pointers into its machine: only that machine can load it. */
#ifndef PICKET_MACHINE_PARTS_H
#define PICKET_MACHINE_PARTS_H

#include "machine/machine.h"

/* Can every state of this machine be put together from parts? */
bool machine_has_parts(const struct machine *machine);

/* The thread's part, also of a thread that does not exist; `to` has machine_part_size bytes. */
size_t machine_part_size(const struct machine *machine, uint32_t thread);
void machine_part_save(const struct machine *machine, uint32_t thread, uint8_t *to);

/* What distinguishes the part from others of the same thread: written to *buffer, which grows; returns how many bytes.
 * `versions`: whether memory has changed since the round of a waiting loop began is part of it. */
size_t machine_part_key(const struct machine *machine, uint32_t thread, bool versions, uint8_t **buffer,
                        size_t *capacity);

/* Prepares the machine for parts: nothing is held, nobody exists.  Then parts are loaded, at most one of each thread.
 */
void machine_parts_begin(struct machine *machine);
void machine_part_load(struct machine *machine, uint32_t thread, const uint8_t *from);

/* Has memory changed since then? */
bool machine_parts_changed(const struct machine *machine);

struct part_info {
    bool exists;
    bool finished;
    bool joinable; /* who joins it has to wait */
    bool holds_atomic;
    bool holds_bus;
    bool in_round;          /* memory has not changed since its round of a waiting loop began */
    bool waits;             /* it does not step before memory changes */
    bool standing;          /* it goes no further, whatever happens: stopped, finished or absent */
    uint32_t goal;          /* at a goal that so many threads have to reach; 0: not at one */
    enum outcome stopped;   /* OUTCOME_RUNNING, or what it has made of the execution */
    enum outcome execution; /* the machine's */
};
struct part_info machine_part_info(const struct machine *machine, uint32_t thread);

/* Makes the loaded part forget that memory has not changed since its round began. */
void machine_part_age(struct machine *machine, uint32_t thread);

/* The thread's place: for each frame, from the first called on, its function and instruction. */
size_t machine_part_depth(const struct machine *machine, uint32_t thread);
void machine_part_place(const struct machine *machine, uint32_t thread, size_t frame, uint32_t *function,
                        uint32_t *instruction);

/* Variable globals as one row of bytes. */
size_t machine_row_size(const struct machine *machine);
void machine_row_save(const struct machine *machine, uint8_t *to);
void machine_row_load(struct machine *machine, size_t offset, const uint8_t *from, size_t size);
/* Where the bytes of an access lie in the row; -1 if they do not. */
int64_t machine_row_offset(const struct machine *machine, uint64_t address, size_t size);

#endif
