/* The sections of a Program, reading and writing the block, and the operands that its instructions read and write. */
#include "ir/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "util/memory.h"
#include "util/write_file.h"

const char *program_adopt(struct program *program, void *block, size_t size) {
    static const size_t element_sizes[] = {
#define X(type, name) sizeof(type),
        PROGRAM_SECTIONS(X)
#undef X
    };
    const struct program_header *header = block;
    const char *problem = NULL;
    if (size < sizeof *header || memcmp(header->magic, PROGRAM_MAGIC, sizeof header->magic) != 0) {
        problem = "not a saved program";
    } else if (header->version != PROGRAM_VERSION) {
        problem = "a saved program of another version of Picket";
    } else if (header->flags > PROGRAM_HIDES_ADDRESSES || header->unused != 0) {
        problem = "a damaged saved program: its head is wrong";
    } else if (header->size != size) {
        problem = "a damaged saved program: its length is wrong";
    } else if (header->checksum != XXH3_64bits((const char *)block + sizeof *header, size - sizeof *header)) {
        problem = "a damaged saved program: its checksum is wrong";
    }
    for (int i = 0; !problem && i < SECTION_COUNT; i++) {
        uint64_t offset = header->sections[i].offset;
        uint64_t count = header->sections[i].count;
        if (offset % 8 != 0 || offset > size || count > (size - offset) / element_sizes[i]) {
            problem = "a damaged saved program: a section lies outside it";
        }
    }
    if (problem) {
        free(block);
        return problem;
    }
    program->header = header;
    program->entry = header->entry;
#define X(type, name)                                                                                                  \
    program->name = (const type *)((const char *)block + header->sections[SECTION_##name].offset);                     \
    program->name##_count = header->sections[SECTION_##name].count;
    PROGRAM_SECTIONS(X)
#undef X
    return NULL;
}

const char *program_load(struct program *program, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        return strerror(errno);
    }
    size_t size = 0;
    size_t capacity = 1 << 16;
    char *block = memory_allocate(capacity);
    size_t got;
    while ((got = fread(block + size, 1, capacity - size, file)) > 0) {
        size += got;
        if (size == capacity) {
            capacity *= 2;
            block = memory_resize(block, capacity);
        }
    }
    fclose(file);
    return program_adopt(program, block, size);
}

const char *program_save(const struct program *program, const char *path) {
    return write_file(path, program->header, program->header->size);
}

void program_delete(struct program *program) {
    free((void *)program->header);
    memset(program, 0, sizeof *program);
}

uint64_t program_hash(const struct program *program) {
    return program->header->checksum;
}

/* The widths by which operands are one register or a pair: of what is read, and of what is written. */
static bool read_is_wide(const struct instruction *instruction) {
    switch (instruction->op) {
    case OP_LOAD:
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
        return instruction->width > 8;
    default:
        return instruction->width > 64;
    }
}

static bool write_is_wide(const struct instruction *instruction) {
    switch (instruction->op) {
    case OP_FCONV:
    case OP_FTOSI:
    case OP_FTOUI:
    case OP_SITOF:
    case OP_UITOF:
        return instruction->sub > 64;
    default:
        return read_is_wide(instruction);
    }
}

unsigned instruction_writes(const struct program *program, const struct instruction *instruction) {
    if (instruction->dst == NO_REGISTER) {
        return 0;
    }
    switch (op_table[instruction->op].shape[0]) {
    case 'w':
        return 1;
    case 'W':
        return 2;
    case 'X':
        return 3;
    case 'V':
        return write_is_wide(instruction) ? 2 : 1;
    case 'C':
        return write_is_wide(instruction) ? 3 : 2;
    case 'N':
        return instruction->sub;
    case 'F':
        return program->functions[instruction->a].results;
    default:
        return 0;
    }
}

void instruction_reads(const struct program *program, const struct instruction *instruction,
                       void (*visit)(void *data, uint32_t operand), void *data) {
    const uint32_t fields[] = {instruction->a, instruction->b, instruction->c, 0};
    const char *shape = op_table[instruction->op].shape + 1;
    for (int i = 0; i < 3; i++) {
        switch (shape[i]) {
        case 'r':
            visit(data, fields[i]);
            break;
        case 'v':
            visit(data, fields[i]);
            if (read_is_wide(instruction)) {
                visit(data, fields[i] + 1);
            }
            break;
        case 'R':
            visit(data, fields[i]);
            visit(data, fields[i] + 1);
            break;
        case 'p':
            for (uint32_t k = 0; k < fields[i + 1]; k++) {
                visit(data, program->operands[fields[i] + k]);
            }
            break;
        default:
            break;
        }
    }
}

struct use {
    uint32_t reg;
    bool found;
};

static void find_use(void *data, uint32_t operand) {
    struct use *use = data;
    use->found = use->found || operand == use->reg;
}

bool instruction_reads_register(const struct program *program, const struct instruction *instruction, uint32_t reg) {
    struct use use = {.reg = reg};
    instruction_reads(program, instruction, find_use, &use);
    return use.found;
}

void instruction_targets(const struct program *program, const struct instruction *instruction,
                         void (*visit)(void *data, uint32_t target), void *data) {
    const uint32_t fields[] = {instruction->dst, instruction->a, instruction->b, instruction->c, 0};
    const char *shape = op_table[instruction->op].shape;
    for (int i = 0; i < 4; i++) {
        if (shape[i] == 't') {
            visit(data, fields[i]);
        } else if (shape[i] == 'q') {
            for (uint32_t k = 0; k < fields[i + 1]; k++) {
                visit(data, program->operands[fields[i] + 2 * k + 1]);
            }
        }
    }
}

bool instruction_ends_block(const struct instruction *instruction) {
    switch (instruction->op) {
    case OP_JMP:
    case OP_BR:
    case OP_SWITCH:
    case OP_RET:
    case OP_ERROR:
    case OP_AGAIN:
    case OP_CUT:
    case OP_HALT:
    case OP_EXIT:
    case OP_NOTE:
    case OP_NOTED:
        return true;
    case OP_SYNC:
        return instruction->width == SYNC_THREAD_EXIT;
    default:
        return false;
    }
}
