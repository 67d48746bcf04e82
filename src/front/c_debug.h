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
    struct hash_table *variables; /* LLVM value: the C variable that it holds or points to */
    struct hash_table *scopes;    /* index into `origins` */
    struct vector origins;        /* of struct debug_origin */
    struct hash_table *files;     /* index into `paths` */
    struct vector paths;          /* of char * */
    struct hash_table *callers;   /* location of a call that was inlined: its position */
};

/* The file and the function of a scope. */
struct debug_origin {
    const char *file;
    const char *function;
};

void debug_init(struct c_debug *debug, struct builder *builder, LLVMContextRef context, LLVMTargetDataRef layout);
void debug_delete(struct c_debug *debug);

/* Records which values and locals of a function are which variables. */
void debug_enter(struct c_debug *debug, LLVMValueRef function);

/* What an access accesses, in C. */
struct access_name {
    char text[128];     /* "" if unknown */
    const char *object; /* through a pointer: the type that it points to; NULL if unknown */
};

/* The position of an instruction; `name` may be NULL. */
uint32_t debug_position(struct c_debug *debug, LLVMValueRef instruction, const struct access_name *name);

/* The position of the declaration of a local, a function or a global. */
uint32_t debug_local_position(struct c_debug *debug, LLVMValueRef local);
uint32_t debug_function_position(struct c_debug *debug, LLVMValueRef function);
uint32_t debug_global_position(struct c_debug *debug, LLVMValueRef global);

/* The type of a global or of a local (alloca), 0 if unknown. */
uint32_t debug_object_type(struct c_debug *debug, LLVMValueRef object);

/* The C name of a global or of a local; NULL if unknown. */
const char *debug_object_name(struct c_debug *debug, LLVMValueRef object);

/* Writes the name of what an access of `size` bytes through `pointer` accesses ("q->head", "flag[1]"), "" if
 * unknown. */
void debug_access_name(struct c_debug *debug, LLVMValueRef pointer, uint64_t size, struct access_name *access);

/* Adds an error at the position of an instruction (or function). */
void debug_error(struct c_debug *debug, struct diagnostics *diagnostics, LLVMValueRef where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
