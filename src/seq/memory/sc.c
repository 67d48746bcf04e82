/* SC: a write takes effect at once. */
#include "seq/memory/memory.h"

static memory_value memory_values[MEMORY_LOCATIONS];

MEMORY_PART void memory_init(void) {
    for (unsigned location = 0; location < MEMORY_LOCATIONS; location++) {
        memory_values[location] = memory_initial[location];
    }
}

MEMORY_PART memory_value memory_load(memory_location location) {
    return memory_values[location];
}

MEMORY_PART void memory_store(memory_location location, memory_value value) {
    memory_values[location] = value;
}

MEMORY_PART memory_value memory_read(memory_location location, unsigned thread) {
    (void)thread;
    return memory_values[location];
}

MEMORY_PART void memory_write(memory_location location, memory_value value, unsigned thread) {
    (void)thread;
    memory_values[location] = value;
}

MEMORY_PART void memory_fence(unsigned thread) {
    (void)thread;
}

MEMORY_PART void memory_barrier(unsigned thread) {
    (void)thread;
}

MEMORY_PART void memory_lock(unsigned thread) {
    (void)thread;
}

MEMORY_PART void memory_unlock(unsigned thread) {
    (void)thread;
}
