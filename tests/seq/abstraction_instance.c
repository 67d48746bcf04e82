/* One abstraction of one size: INSTANCE is its name here, FILE_NAME the file that defines it. */
#include FILE_NAME
#include "abstraction.h"

extern const struct abstraction INSTANCE;
const struct abstraction INSTANCE = {
    .init = memory_init,
    .read = memory_read,
    .write = memory_write,
    .fence = memory_fence,
    .barrier = memory_barrier,
    .lock = memory_lock,
    .unlock = memory_unlock,
    .load = memory_load,
    .store = memory_store,
};
