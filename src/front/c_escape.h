/* The locals and thread-local variables that no other thread can ever access.
 *
 * An object is private if its address is used for accesses and comparisons, is passed to functions that do the same
 * with it, and is stored in nothing but other locals of the same function, but never reaches a global, the heap,
 * another thread, an unknown function or the function's caller. */
#ifndef PICKET_FRONT_C_ESCAPE_H
#define PICKET_FRONT_C_ESCAPE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "util/vector.h"

struct hash_table;

struct escapes {
    struct hash_table *flows; /* of parameters, locals and thread-local variables: FLOW_* */
    struct vector targets;    /* of LLVMValueRef: functions that may be called through pointers */
};

void escapes_init(struct escapes *escapes, LLVMModuleRef module);
void escapes_delete(struct escapes *escapes);

/* Is this alloca or thread-local variable private? */
bool escapes_is_private(const struct escapes *escapes, LLVMValueRef object);

/* Does the function have a local that is not private? */
bool escapes_shares_locals(const struct escapes *escapes, LLVMValueRef function);

#endif
