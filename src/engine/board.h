/* What an engine in a child process shows its parent while it runs: a page that both have mapped.
 *
 * The child writes whenever it checks its limits and whenever it would show progress, so the page changes in an endless
 * execution, too.  The child may be stopped at any moment: a reader uses the text only if `version` is even and the
 * same before and after reading. */
#ifndef PICKET_ENGINE_BOARD_H
#define PICKET_ENGINE_BOARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define BOARD_TEXT 160

struct board {
    _Atomic uint64_t memory_mb; /* that the child has used since it began */
    _Atomic uint64_t looks;     /* approximate number of its checks of limits */
    _Atomic uint32_t version;
    atomic_bool ready; /* its signal handlers are set: it may be stopped */
    char text[BOARD_TEXT];
};

#endif
