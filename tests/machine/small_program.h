/* Small programs for unit tests, and a hand on the machine that runs them.
 *
 * A small program has a main function, which creates its threads and ends, and thread functions 1 .. n; the thread of
 * function i has slot i.  Every instruction has a line of its own, so that errors can be looked up: the emitting
 * functions return it.
 *
 *     struct small_program small;
 *     small_init(&small, 2);
 *     uint64_t x = small_variable(&small, "x", 4);
 *     small_thread(&small, 1);
 *     small_store(&small, x, 1, 4, ORDER_PLAIN);
 *     small_thread(&small, 2);
 *     small_load(&small, 2, x, 4);
 *     small_finish(&small, &program);
 *
 * Registers 0 and 1 of a thread hold the arguments that it was created with; 2 .. SMALL_REGISTERS - 1 are free. */
#ifndef PICKET_TESTS_SMALL_PROGRAM_H
#define PICKET_TESTS_SMALL_PROGRAM_H

/* What cmocka.h needs before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/builder.h"
#include "machine/machine.h"

#define SMALL_REGISTERS 16

struct small_program {
    struct builder builder;
    uint32_t threads;
    uint32_t line;
    bool open;          /* a function is being emitted */
    bool has_main;      /* main has been begun by hand */
    bool spawned;       /* main has created the threads */
    uint32_t arguments; /* register of main whose value the threads get as their first argument, or NO_REGISTER */
};

void small_init(struct small_program *small, uint32_t threads);
/* The address of a new global, all zero. */
uint64_t small_variable(struct small_program *small, const char *name, uint64_t size);
uint64_t small_constant_variable(struct small_program *small, const char *name, const void *bytes, uint64_t size);

/* Begins the code of a thread, or of main; the one before it ends with a return.  Main only needs to be begun by hand
 * if it does more than create threads: what is emitted before small_spawn runs before they exist. */
void small_thread(struct small_program *small, uint32_t thread);
void small_main(struct small_program *small);
void small_spawn(struct small_program *small);
/* Begins a further function, which the builder has declared. */
void small_function(struct small_program *small, uint32_t function);
void small_finish(struct small_program *small, struct program *program);

uint32_t small_number(struct small_program *small, uint64_t value); /* as an operand */
uint32_t small_here(const struct small_program *small);             /* index of the next instruction, for branches */
/* Any instruction; its position is set here. */
uint32_t small_emit(struct small_program *small, struct instruction instruction);
uint32_t small_load(struct small_program *small, uint32_t dst, uint64_t address, unsigned size);
uint32_t small_store(struct small_program *small, uint64_t address, uint64_t value, unsigned size, enum order order);
uint32_t small_store_register(struct small_program *small, uint64_t address, uint32_t value, unsigned size);
uint32_t small_rmw(struct small_program *small, uint32_t dst, enum rmw_kind kind, uint64_t address, uint64_t value,
                   unsigned size);
uint32_t small_cas(struct small_program *small, uint32_t dst, uint64_t address, uint64_t expected, uint64_t value,
                   unsigned size);
uint32_t small_fence(struct small_program *small, enum order order);
uint32_t small_store_barrier(struct small_program *small);
/* The result goes to dst (of a join: two), or nowhere if it is NO_REGISTER. */
uint32_t small_sync(struct small_program *small, uint32_t dst, enum sync_kind kind, uint64_t a, uint64_t b);
uint32_t small_assert_equal(struct small_program *small, uint32_t reg, uint64_t value, uint32_t scratch);
uint32_t small_return(struct small_program *small);

/* --- The machine -------------------------------------------------------------------------------------------------- */

/* A machine under the model, in which main has created the threads and ended. */
struct machine *small_machine(const struct program *program, enum memory_model model);
/* Steps main until it has ended. */
void small_start(struct machine *machine);

bool can_step(struct machine *machine, uint32_t thread);
bool can_drain(struct machine *machine, uint32_t thread, size_t index); /* 0 is the oldest entry */
/* Takes an enabled step; fails the test if it is not. */
const struct step *take(struct machine *machine, uint32_t thread);
const struct step *take_choice(struct machine *machine, uint32_t thread, uint64_t choice);
const struct step *take_drain(struct machine *machine, uint32_t thread, size_t index);
size_t buffered(struct machine *machine, uint32_t thread);
uint64_t memory(struct machine *machine, uint64_t address, unsigned size);
/* The kind of the error the machine stopped with, and its line in the small program. */
enum error_kind error_kind(struct machine *machine);
uint32_t error_line(struct machine *machine);

#endif
