/* Loading Z3.  It is not linked: only a proof with questions needs it, and it takes time to start. */
#include "prove/z3_library.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "util/memory.h"

struct z3 *z3_load(void) {
    static const char *const names[] = {"libz3.so.4", "libz3.so"};
    struct z3 *z3 = memory_allocate(sizeof *z3);
    for (size_t i = 0; i < sizeof names / sizeof *names && !z3->library; i++) {
        z3->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    bool complete = z3->library != NULL;
#define X(name)                                                                                                        \
    if (complete) {                                                                                                    \
        void *found = dlsym(z3->library, "Z3_" #name);                                                                 \
        __builtin_memcpy(&z3->name, &found, sizeof found);                                                             \
        complete = found != NULL;                                                                                      \
    }
    Z3_FUNCTIONS(X)
#undef X
    if (!complete) {
        z3_unload(z3);
        return NULL;
    }
    return z3;
}

void z3_unload(struct z3 *z3) {
    if (z3->library) {
        dlclose(z3->library);
    }
    free(z3);
}
