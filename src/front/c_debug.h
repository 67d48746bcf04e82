/* Debug information: positions of instructions, types of variables, names of what is accessed. */
#ifndef PICKET_FRONT_C_DEBUG_H
#define PICKET_FRONT_C_DEBUG_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "ir/builder.h"
#include "util/diagnostics.h"

struct c_debug {
    struct builder *builder;
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    struct hash_table *types;     /* of debug information: index of the program's type */
    struct hash_table *variables; /* LLVM value: the C variable that lies there or has this value */
    struct hash_table *scopes;    /* index into `places` */
    struct vector places;         /* of struct debug_place */
};

/* Where a scope is: the file and the function around it. */
struct debug_place {
    const char *file;
    const char *function;
};

void debug_init(struct c_debug *debug, struct builder *builder, LLVMContextRef context, LLVMTargetDataRef layout);
void debug_delete(struct c_debug *debug);

/* Notes which values and locals of a function are which variables. */
void debug_enter(struct c_debug *debug, LLVMValueRef function);

/* The position of an instruction; `variable` may be NULL. */
uint32_t debug_position(struct c_debug *debug, LLVMValueRef instruction, const char *variable);

/* The position of a local, a function or a global: where it is declared. */
uint32_t debug_local_position(struct c_debug *debug, LLVMValueRef local);
uint32_t debug_function_position(struct c_debug *debug, LLVMValueRef function);
uint32_t debug_global_position(struct c_debug *debug, LLVMValueRef global);

/* The type of a global or of a local (alloca), 0 if unknown. */
uint32_t debug_object_type(struct c_debug *debug, LLVMValueRef object);

/* The C name of a global or of a local; NULL if unknown. */
const char *debug_object_name(struct c_debug *debug, LLVMValueRef object);

/* Writes what an access of `size` bytes through `pointer` touches ("q->head", "flag[1]"), "" if unknown. */
void debug_access_name(struct c_debug *debug, LLVMValueRef pointer, uint64_t size, char *text, size_t room);

/* Adds an error at the position of an instruction (or function). */
void debug_error(struct c_debug *debug, struct diagnostics *diagnostics, LLVMValueRef where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
