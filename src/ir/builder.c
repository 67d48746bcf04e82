/* Builds a Program: every section is a vector until builder_finish lays them out in one block. */
#include "ir/builder.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "ir/check.h"
#include "util/hash_table.h"
#include "util/memory.h"

#define NO_FUNCTION UINT32_MAX

static void init_vectors(struct builder *builder) {
    memset(builder, 0, sizeof *builder);
#define X(type, name) vector_init(&builder->name, sizeof(type));
    PROGRAM_SECTIONS(X)
#undef X
    builder->string_index = hash_table_new();
    builder->constant_index = hash_table_new();
    builder->current = NO_FUNCTION;
    builder->next_global = GLOBAL_BASE + PAGE_SIZE;
    builder->next_thread_local = PAGE_SIZE;
}

void builder_init(struct builder *builder) {
    init_vectors(builder);
    builder_string(builder, "");
    vector_grow(&builder->types, 1);
    vector_grow(&builder->positions, 1);
}

void builder_delete(struct builder *builder) {
#define X(type, name) vector_delete(&builder->name);
    PROGRAM_SECTIONS(X)
#undef X
    hash_table_free(builder->string_index);
    hash_table_free(builder->constant_index);
    builder->string_index = builder->constant_index = NULL;
}

uint32_t builder_string(struct builder *builder, const char *text) {
    size_t length = strlen(text);
    bool found;
    uint64_t *slot = hash_table_slot(builder->string_index, text, length, &found);
    if (!found) {
        *slot = builder->strings.count;
        memcpy(vector_grow(&builder->strings, length + 1), text, length + 1);
    }
    return (uint32_t)*slot;
}

uint32_t builder_constants(struct builder *builder, const uint64_t *values, size_t n) {
    bool found;
    uint64_t *slot = hash_table_slot(builder->constant_index, values, n * sizeof *values, &found);
    if (!found) {
        *slot = builder->constants.count;
        memcpy(vector_grow(&builder->constants, n), values, n * sizeof *values);
    }
    return OPERAND_CONSTANT | (uint32_t)*slot;
}

uint32_t builder_constants_mixed(struct builder *builder, const uint64_t *values, const bool *is_address, size_t n) {
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        any = any || is_address[i];
    }
    if (!any) {
        return builder_constants(builder, values, n);
    }
    /* The key of mixed constants is longer than that of n numbers, and no multiple of their size. */
    size_t size = n * sizeof *values;
    char *key = memory_allocate(size + n * sizeof *is_address + 1);
    memcpy(key, values, size);
    memcpy(key + size, is_address, n * sizeof *is_address);
    size += n * sizeof *is_address;
    size += size % sizeof *values == 0;
    bool found;
    uint64_t *slot = hash_table_slot(builder->constant_index, key, size, &found);
    free(key);
    if (!found) {
        *slot = builder->constants.count;
        memcpy(vector_grow(&builder->constants, n), values, n * sizeof *values);
        for (size_t i = 0; i < n; i++) {
            if (is_address[i]) {
                uint32_t index = (uint32_t)(*slot + i);
                vector_push(&builder->addresses, &index);
            }
        }
    }
    return OPERAND_CONSTANT | (uint32_t)*slot;
}

uint32_t builder_address(struct builder *builder, uint64_t value) {
    return builder_constants_mixed(builder, &value, (const bool[]){true}, 1);
}

uint32_t builder_constant(struct builder *builder, uint64_t value) {
    return builder_constants(builder, &value, 1);
}

uint32_t builder_constant_pair(struct builder *builder, uint64_t low, uint64_t high) {
    return builder_constants(builder, (const uint64_t[]){low, high}, 2);
}

uint32_t builder_position(struct builder *builder, const char *file, uint32_t line, uint32_t column,
                          const char *function, const char *variable) {
    struct source_position position = {
        .file = file, .line = line, .column = column, .function = function, .variable = variable};
    return builder_position_at(builder, &position);
}

static uint32_t text_of(struct builder *builder, const char *text) {
    return builder_string(builder, text ? text : "");
}

uint32_t builder_position_at(struct builder *builder, const struct source_position *from) {
    struct position position = {
        .file = text_of(builder, from->file),
        .line = from->line,
        .column = from->column,
        .function = text_of(builder, from->function),
        .variable = text_of(builder, from->variable),
        .object = text_of(builder, from->object),
        .caller = from->caller,
    };
    size_t last = builder->positions.count - 1;
    if (last == 0 || memcmp(vector_at(&builder->positions, last), &position, sizeof position) != 0) {
        vector_push(&builder->positions, &position);
        last++;
    }
    return (uint32_t)last;
}

uint32_t builder_operands(struct builder *builder, const uint32_t *operands, size_t n) {
    uint32_t first = (uint32_t)builder->operands.count;
    if (n > 0) {
        memcpy(vector_grow(&builder->operands, n), operands, n * sizeof *operands);
    }
    return first;
}

uint32_t builder_type(struct builder *builder) {
    vector_grow(&builder->types, 1);
    return (uint32_t)builder->types.count - 1;
}

uint32_t builder_fields(struct builder *builder, size_t n) {
    vector_grow(&builder->fields, n);
    return (uint32_t)(builder->fields.count - n);
}

/* The least address of the next global, or of the next thread-local one. */
static uint64_t *next_of(struct builder *builder, uint32_t flags) {
    return flags & GLOBAL_THREAD_LOCAL ? &builder->next_thread_local : &builder->next_global;
}

bool builder_has_room(const struct builder *builder, uint64_t size, uint32_t alignment, uint32_t flags) {
    uint64_t start = flags & GLOBAL_THREAD_LOCAL ? 0 : GLOBAL_BASE;
    uint64_t next = flags & GLOBAL_THREAD_LOCAL ? builder->next_thread_local : builder->next_global;
    return object_fits(object_address_from(next, alignment) - start, size);
}

uint32_t builder_global(struct builder *builder, const char *name, uint64_t size, uint32_t alignment, uint32_t flags) {
    struct global global = {
        .size = size,
        .alignment = alignment ? alignment : 1,
        .name = builder_string(builder, name),
        .flags = flags,
    };
    uint64_t *next = next_of(builder, flags);
    uint64_t at = object_address_from(*next, alignment);
    *next = object_end(at, size);
    global.address = flags & GLOBAL_THREAD_LOCAL ? 0 : at;
    vector_push(&builder->globals, &global);
    return (uint32_t)builder->globals.count - 1;
}

void builder_global_bytes(struct builder *builder, uint32_t global, const void *bytes, uint64_t count) {
    struct global *to = builder_global_at(builder, global);
    assert(count <= to->size && "initial bytes fit the global");
    to->initial = builder->bytes.count;
    to->initial_size = count;
    if (count > 0) {
        memcpy(vector_grow(&builder->bytes, count), bytes, count);
    }
}

void builder_global_relocation(struct builder *builder, uint32_t global, uint64_t offset) {
    const struct global *in = builder_global_at(builder, global);
    assert(offset < in->initial_size && "an address lies in the initial bytes");
    uint64_t at = in->initial + offset;
    vector_push(&builder->relocations, &at);
}

struct global *builder_global_at(struct builder *builder, uint32_t global) {
    return vector_at(&builder->globals, global);
}

uint32_t builder_function(struct builder *builder, const char *name, uint32_t parameters, uint32_t results,
                          uint32_t flags) {
    struct function function = {
        .name = builder_string(builder, name),
        .parameters = parameters,
        .results = results,
        .registers = parameters,
        .flags = flags,
    };
    vector_push(&builder->functions, &function);
    return (uint32_t)builder->functions.count - 1;
}

struct function *builder_function_at(struct builder *builder, uint32_t function) {
    return vector_at(&builder->functions, function);
}

void builder_begin(struct builder *builder, uint32_t function) {
    assert(builder->current == NO_FUNCTION && "one function at a time");
    builder->current = function;
    builder_function_at(builder, function)->first = (uint32_t)builder->code.count;
}

uint32_t builder_emit(struct builder *builder, struct instruction instruction) {
    vector_push(&builder->code, &instruction);
    return builder_here(builder) - 1;
}

struct instruction *builder_at(struct builder *builder, uint32_t index) {
    const struct function *function = vector_at(&builder->functions, builder->current);
    return vector_at(&builder->code, function->first + index);
}

uint32_t builder_here(const struct builder *builder) {
    const struct function *function = vector_at(&builder->functions, builder->current);
    return (uint32_t)builder->code.count - function->first;
}

void builder_end(struct builder *builder, uint32_t registers) {
    struct function *function = builder_function_at(builder, builder->current);
    function->count = (uint32_t)builder->code.count - function->first;
    function->registers = registers > function->parameters ? registers : function->parameters;
    builder->current = NO_FUNCTION;
}

static size_t aligned(size_t offset) {
    return (offset + 7) / 8 * 8;
}

void builder_finish(struct builder *builder, struct program *program) {
    const struct vector *vectors[] = {
#define X(type, name) &builder->name,
        PROGRAM_SECTIONS(X)
#undef X
    };
    size_t size = aligned(sizeof(struct program_header));
    for (int i = 0; i < SECTION_COUNT; i++) {
        size += aligned(vectors[i]->count * vectors[i]->element_size);
    }
    char *block = memory_allocate(size);
    struct program_header *header = (struct program_header *)block;
    memcpy(header->magic, PROGRAM_MAGIC, sizeof header->magic);
    header->version = PROGRAM_VERSION;
    header->entry = builder->entry;
    header->flags = builder->flags;
    header->size = size;
    size_t offset = aligned(sizeof *header);
    for (int i = 0; i < SECTION_COUNT; i++) {
        size_t bytes = vectors[i]->count * vectors[i]->element_size;
        header->sections[i].offset = offset;
        header->sections[i].count = vectors[i]->count;
        if (bytes > 0) {
            memcpy(block + offset, vectors[i]->data, bytes);
        }
        offset += aligned(bytes);
    }
    header->checksum = XXH3_64bits(block + sizeof *header, size - sizeof *header);
    builder_delete(builder);
    const char *problem = program_adopt(program, block, size);
    assert(!problem && "a block that was just made is whole");
    (void)problem;
#ifndef NDEBUG
    char message[256];
    if (!program_check(program, message, sizeof message)) {
        fprintf(stderr, "picket: defect: broken program: %s\n", message);
        abort();
    }
#endif
}

void builder_init_from(struct builder *builder, const struct program *program) {
    init_vectors(builder);
#define X(type, name)                                                                                                  \
    if (SECTION_##name != SECTION_code && SECTION_##name != SECTION_operands && program->name##_count > 0) {           \
        memcpy(vector_grow(&builder->name, program->name##_count), program->name,                                      \
               program->name##_count * sizeof(type));                                                                  \
    }
    PROGRAM_SECTIONS(X)
#undef X
    for (size_t offset = 0; offset < program->strings_count;) {
        const char *text = program->strings + offset;
        size_t length = strlen(text);
        *hash_table_slot(builder->string_index, text, length, NULL) = offset;
        offset += length + 1;
    }
    for (size_t i = 0, next = 0; i < program->constants_count; i++) {
        char key[sizeof(uint64_t) + sizeof(bool)] = {0};
        bool is_address = next < program->addresses_count && program->addresses[next] == i;
        next += is_address;
        memcpy(key, &program->constants[i], sizeof(uint64_t));
        key[sizeof(uint64_t)] = is_address;
        size_t size = is_address ? sizeof key : sizeof(uint64_t);
        *hash_table_slot(builder->constant_index, key, size, NULL) = i;
    }
    for (size_t g = 0; g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        uint64_t *next_global = next_of(builder, global->flags);
        uint64_t at = object_address_from(*next_global, global->alignment);
        *next_global = object_end(global->flags & GLOBAL_THREAD_LOCAL ? at : global->address, global->size);
    }
    builder->entry = program->entry;
    builder->flags = program->header->flags;
}
