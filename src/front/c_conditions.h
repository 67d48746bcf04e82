/* Conditions on nondeterministic values without branches. */
#ifndef PICKET_FRONT_C_CONDITIONS_H
#define PICKET_FRONT_C_CONDITIONS_H

#include <llvm-c/Core.h>

/* Turns `a && b` and `a || b` over values that library functions returned into bit operations. */
void c_conditions(LLVMModuleRef module);

#endif
