/* Access by address.  The addresses of locations do not change: a block of the heap has its own, and exists before it
 * is allocated. */
#include "seq/memory/sc.c" // NOLINT(bugprone-suspicious-include)

static memory_location memory_locate(uint64_t address) {
    unsigned found = MEMORY_LOCATIONS;
    for (unsigned location = 0; location < MEMORY_LOCATIONS; location++) {
        if (memory_addresses[location] == address) {
            found = location;
        }
    }
    if (found == MEMORY_LOCATIONS) {
        memory_wrong_address();
    }
    return (memory_location)found;
}

MEMORY_PART uint64_t memory_addr(memory_location location) {
    return memory_addresses[location];
}

MEMORY_PART uint64_t memory_malloc(memory_location location) {
    return memory_addresses[location];
}

MEMORY_PART memory_value memory_read_addr(uint64_t address, unsigned thread) {
    return memory_read(memory_locate(address), thread);
}

MEMORY_PART void memory_write_addr(uint64_t address, memory_value value, unsigned thread) {
    memory_write(memory_locate(address), value, thread);
}

MEMORY_PART memory_value memory_load_addr(uint64_t address) {
    return memory_load(memory_locate(address));
}

MEMORY_PART void memory_store_addr(uint64_t address, memory_value value) {
    memory_store(memory_locate(address), value);
}
