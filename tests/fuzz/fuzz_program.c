/* Saved programs with the checksum repaired.  What the checker accepts must be safe to prepare, run and print.
 *
 * Bytes changed anywhere would mostly be refused at once.  So the mutator changes a field of an element of a section,
 * to a small number, one near what it was, or what the same field of another element holds. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "engine/random_source.h"
#include "exercise.h"
#include "ir/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

static const size_t element_sizes[] = {
#define X(type, name) sizeof(type),
    PROGRAM_SECTIONS(X)
#undef X
};

static void repair(uint8_t *block, size_t size) {
    struct program_header *header = (struct program_header *)block;
    if (size >= sizeof *header) {
        memcpy(header->magic, PROGRAM_MAGIC, sizeof header->magic);
        header->version = PROGRAM_VERSION;
        header->size = size;
        header->checksum = XXH3_64bits(block + sizeof *header, size - sizeof *header);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct program program;
    char message[256];
    uint8_t *block = malloc(size ? size : 1);
    memcpy(block, data, size);
    repair(block, size);
    if (program_adopt(&program, block, size)) {
        return 0;
    }
    if (!program_check(&program, message, sizeof message)) {
        program_delete(&program);
        return 0;
    }
    exercise_program(&program, program_hash(&program));
    return 0;
}

/* Changes 1, 2, 4 or 8 bytes at a multiple of that in the element. */
static void change_field(uint8_t *elements, uint64_t count, size_t element_size, struct random_source *random) {
    size_t width = (size_t)1 << random_below(random, 4);
    width = width > element_size ? element_size : width;
    uint8_t *element = elements + random_below(random, count) * element_size;
    size_t offset = random_below(random, element_size / width) * width;
    uint64_t value = 0;
    memcpy(&value, element + offset, width);
    switch (random_below(random, 5)) {
    case 0:
        value = random_below(random, 8);
        break;
    case 1:
        value += random_below(random, 5) - 2;
        break;
    case 2:
        memcpy(&value, elements + random_below(random, count) * element_size + offset, width);
        break;
    case 3:
        value ^= UINT64_C(1) << random_below(random, 8 * width);
        break;
    default:
        value = random_below(random, 2) ? UINT64_MAX : random_below(random, 256);
        break;
    }
    memcpy(element + offset, &value, width);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    struct random_source random = random_source_from(seed);
    struct program_header *header = (struct program_header *)data;
    if (size < sizeof *header || random_below(&random, 16) == 0) {
        size = LLVMFuzzerMutate(data, size, most);
        repair(data, size);
        return size;
    }
    for (uint64_t changes = 1 + random_below(&random, 4); changes > 0; changes--) {
        /* Mostly the code, which has most rules. */
        uint64_t section = random_below(&random, 3) ? SECTION_code : random_below(&random, SECTION_COUNT);
        uint64_t offset = header->sections[section].offset;
        uint64_t count = header->sections[section].count;
        if (count > 0 && offset <= size && count <= (size - offset) / element_sizes[section]) {
            change_field(data + offset, count, element_sizes[section], &random);
        }
    }
    repair(data, size);
    return size;
}
