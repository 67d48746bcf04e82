/* Builds a Program piece by piece; front ends and passes use it.
 *
 *     struct builder builder;
 *     builder_init(&builder);
 *     ... builder_global, builder_function, builder_emit ...
 *     builder_finish(&builder, &program);     // also frees what the builder holds
 *
 * Functions may be declared in any order but their code is emitted one after the other, between builder_begin and
 * builder_end.  Branch targets are instruction indices within the function; patch them with builder_at. */
#ifndef PICKET_IR_BUILDER_H
#define PICKET_IR_BUILDER_H

#include "ir/program.h"
#include "util/vector.h"

struct builder {
#define X(type, name) struct vector name;
    PROGRAM_SECTIONS(X)
#undef X
    struct hash_table *string_index;
    struct hash_table *constant_index;
    uint32_t entry;
    uint32_t flags;   /* enum program_flag */
    uint32_t current; /* the function being emitted */
    uint64_t next_global;
    uint64_t next_thread_local; /* as offset into a region */
};

void builder_init(struct builder *builder);
void builder_delete(struct builder *builder);

/* Interned: the same text or constant gives the same index.  A pair of constants is consecutive. */
uint32_t builder_string(struct builder *builder, const char *text);
uint32_t builder_constant(struct builder *builder, uint64_t value);                    /* an operand */
uint32_t builder_constant_pair(struct builder *builder, uint64_t low, uint64_t high);  /* an operand */
uint32_t builder_constants(struct builder *builder, const uint64_t *values, size_t n); /* operand of the first */

/* The address of a function or global, or one computed from it: an operand that is known to be an address, and not
 * shared with an equal number.  is_address[i] says so for each of several operands. */
uint32_t builder_address(struct builder *builder, uint64_t value);
uint32_t builder_constants_mixed(struct builder *builder, const uint64_t *values, const bool *is_address, size_t n);

/* Only compared with the last position.  `file`, `function`, `variable` are texts; NULL is "". */
uint32_t builder_position(struct builder *builder, const char *file, uint32_t line, uint32_t column,
                          const char *function, const char *variable);
/* A position with more fields; see struct position. */
struct source_position {
    const char *file;
    uint32_t line;
    uint32_t column;
    const char *function;
    const char *variable;
    const char *object;
    uint32_t caller;
};
uint32_t builder_position_at(struct builder *builder, const struct source_position *from);

/* Appends n operands to the pool of operands and returns the index of the first. */
uint32_t builder_operands(struct builder *builder, const uint32_t *operands, size_t n);

/* Appends zeroed elements to the sections of types and fields. Returns the index of the first; fill them through the
 * vectors.  Type 0 exists from the start. */
uint32_t builder_type(struct builder *builder);
uint32_t builder_fields(struct builder *builder, size_t n);

/* Is there room for another global of this size?  Nothing checks that before the program is finished. */
bool builder_has_room(const struct builder *builder, uint64_t size, uint32_t alignment, uint32_t flags);

/* A new global; its address is fixed here.  The bytes are copied and may be fewer than size. */
uint32_t builder_global(struct builder *builder, const char *name, uint64_t size, uint32_t alignment, uint32_t flags);
void builder_global_bytes(struct builder *builder, uint32_t global, const void *bytes, uint64_t count);
/* The 8 bytes at `offset` of the global's initial bytes, which are set, are an address. */
void builder_global_relocation(struct builder *builder, uint32_t global, uint64_t offset);
struct global *builder_global_at(struct builder *builder, uint32_t global);

/* Declares a function; its address is fixed here.  Every declared function must be given code before builder_finish. */
uint32_t builder_function(struct builder *builder, const char *name, uint32_t parameters, uint32_t results,
                          uint32_t flags);
struct function *builder_function_at(struct builder *builder, uint32_t function);

void builder_begin(struct builder *builder, uint32_t function);
uint32_t builder_emit(struct builder *builder, struct instruction instruction); /* returns its index in the function */
struct instruction *builder_at(struct builder *builder, uint32_t index);
uint32_t builder_here(const struct builder *builder); /* index of the next instruction */
void builder_end(struct builder *builder, uint32_t registers);

/* Makes the block.  In debug builds the result is checked (program_check). */
void builder_finish(struct builder *builder, struct program *program);

/* A builder with all of a program except code and operands, and with every function declared: a pass begins with
 * that. */
void builder_init_from(struct builder *builder, const struct program *program);

#endif
