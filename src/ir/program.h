/* A Program: every front end makes one, and every engine reads one.
 *
 * A Program is one flat block of bytes, the same in memory and on disk: a header, then sections, each an array of one
 * kind of element.  It has no pointers; elements refer to each other by index, and to text by offset into the section
 * of strings (offset 0 is the empty string).  The struct below only has the positions of the sections.
 *
 * Addresses are fixed when a Program is made, so constants and initial bytes hold them as plain numbers (the sections
 * `addresses` and `relocations` say which numbers are addresses, for printing the Program in another form):
 *
 *     0                              the null page: never an object
 *     FUNCTION_BASE + 16 * i         function i
 *     GLOBAL_BASE ...                globals, page-aligned, at least a page apart, ascending with their index
 *     THREAD_BASE + n * REGION_SIZE  what thread number n allocates: heap and escaping locals from below,
 *                                    private locals from STACK_OFFSET on
 *
 * An address thus tells its region by a shift (REGION_SHIFT). */
#ifndef PICKET_IR_PROGRAM_H
#define PICKET_IR_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "ir/instruction.h"

#define PAGE_SIZE 4096u
#define REGION_SHIFT 33
#define REGION_SIZE (UINT64_C(1) << REGION_SHIFT)
#define STACK_OFFSET (REGION_SIZE / 2)
#define FUNCTION_BASE UINT64_C(0x400000)
#define FUNCTION_STRIDE 16u
#define GLOBAL_BASE REGION_SIZE
#define THREAD_BASE (2 * REGION_SIZE)
#define MAX_THREAD_NUMBER ((1u << 24) - 1)

/* Limits, which program_check enforces: of the registers of a function, and of the bytes of an object. */
#define MAX_REGISTERS (1u << 22)
#define MAX_OBJECT ((UINT64_C(1) << 31) - 1)

/* Globals are in the first half of their region, and so are those of which each thread has a copy. */
#define HALF_SIZE (REGION_SIZE / 2)

/* The address of the next object of a region; `next` is its least address. */
static inline uint64_t object_address_from(uint64_t next, uint64_t alignment) {
    uint64_t boundary = alignment > PAGE_SIZE ? alignment : PAGE_SIZE;
    return (next + boundary - 1) / boundary * boundary;
}

/* The least address of the object after it: there is an unused page between them. */
static inline uint64_t object_end(uint64_t base, uint64_t size) {
    return (base + size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE + PAGE_SIZE;
}

/* Is there room for an object at an offset into a half region, and for the pages after it? */
static inline bool object_fits(uint64_t offset, uint64_t size) {
    return size <= MAX_OBJECT && offset <= HALF_SIZE - size - 4 * (uint64_t)PAGE_SIZE;
}

/* The origin of an instruction.  The texts are string offsets; `variable` is the C variable (or member path) that an
 * access accesses, or the name of a local, "" if unknown. */
struct position {
    uint32_t file;
    uint32_t line;
    uint32_t column;
    uint32_t function;
    uint32_t variable;
    uint32_t object; /* of an access through a pointer: name of the type pointed to, "" if unknown */
    uint32_t caller; /* inlined code: the position of the call, which comes earlier in the list; 0: not inlined */
};

enum function_flag {
    FUNCTION_LIBRARY = 1, /* from Picket's own C library: reports show its caller */
    FUNCTION_WHOLE = 2, /* in that library: an operation in several steps, which stays a call and can be printed as C */
};

/* A function's instructions are code[first .. first + count); its branch targets count from `first`.  Parameters arrive
 * in registers 0 .. parameters-1. */
struct function {
    uint32_t name;
    uint32_t first;
    uint32_t count;
    uint32_t parameters;
    uint32_t results;
    uint32_t registers;
    uint32_t pos;
    uint32_t flags;
};

enum global_flag {
    GLOBAL_CONSTANT = 1,     /* writing it is an error */
    GLOBAL_THREAD_LOCAL = 2, /* each thread has a copy; `address` is 0 */
    GLOBAL_PRIVATE = 4,      /* thread-local, and no other thread can learn the address of a copy */
};

/* The first initial_size bytes of a global are bytes[initial ...], the rest are 0. */
struct global {
    uint64_t address;
    uint64_t size;
    uint64_t initial;
    uint64_t initial_size;
    uint32_t alignment;
    uint32_t name;
    uint32_t type; /* index into types, 0 if unknown */
    uint32_t pos;
    uint32_t flags;
    uint32_t unused;
};

/* Types are kept to name the parts of objects ("q.head", "flag[1]").  An array has one element type, `first`, and
 * `count` elements; a struct or union has the fields fields[first .. first + count).  Type 0 is unknown. */
enum type_kind { TYPE_UNKNOWN, TYPE_INTEGER, TYPE_UNSIGNED, TYPE_FLOAT, TYPE_POINTER, TYPE_ARRAY, TYPE_STRUCT };

struct type {
    uint32_t kind;
    uint32_t name;
    uint64_t size;
    uint32_t first; /* pointer: the type pointed at, or 0 */
    uint32_t count;
};

struct field {
    uint32_t name;
    uint32_t type;
    uint64_t offset;
};

/* The sections, in their order in the block: X(element type, name). */
#define PROGRAM_SECTIONS(X)                                                                                            \
    X(struct function, functions)                                                                                      \
    X(struct instruction, code)                                                                                        \
    X(uint32_t, operands)                                                                                              \
    X(uint64_t, constants)                                                                                             \
    X(uint32_t, addresses) /* indices of the constants that are addresses, ascending */                                \
    X(struct global, globals)                                                                                          \
    X(struct type, types)                                                                                              \
    X(struct field, fields)                                                                                            \
    X(struct position, positions)                                                                                      \
    X(uint32_t, files) /* string offsets of the input files' names, for reports */                                     \
    X(uint8_t, bytes)                                                                                                  \
    X(uint64_t, relocations) /* offsets in `bytes` of addresses (of 8 bytes), ascending */                             \
    X(char, strings)

enum program_section {
#define X(type, name) SECTION_##name,
    PROGRAM_SECTIONS(X)
#undef X
        SECTION_COUNT
};

#define PROGRAM_MAGIC "PICKETIR"
#define PROGRAM_VERSION 5u

enum program_flag {
    PROGRAM_HIDES_ADDRESSES = 1, /* some constants or initial bytes are addresses that the sections above do not list */
};

struct program_header {
    char magic[8];
    uint32_t version;
    uint32_t entry; /* the function that the first thread runs; takes and returns nothing, ends in EXIT */
    uint32_t flags; /* enum program_flag */
    uint32_t unused;
    uint64_t size;     /* of the whole block */
    uint64_t checksum; /* XXH3 of all that follows the header */
    struct {
        uint64_t offset;
        uint64_t count;
    } sections[SECTION_COUNT];
};

struct program {
    const struct program_header *header; /* the block; owned */
    uint32_t entry;
#define X(type, name)                                                                                                  \
    const type *name;                                                                                                  \
    size_t name##_count;
    PROGRAM_SECTIONS(X)
#undef X
};

/* Takes ownership of a block from malloc and checks its frame (magic, version, checksum, section bounds); program_check
 * checks the rest.  Returns NULL, or a message if the block is damaged, which is then freed. */
const char *program_adopt(struct program *program, void *block, size_t size);

/* Reads or writes the block.  Returns NULL, or a constant message. */
const char *program_load(struct program *program, const char *path);
const char *program_save(const struct program *program, const char *path);

void program_delete(struct program *program);

/* Identifies the program: equal exactly when the blocks are. */
uint64_t program_hash(const struct program *program);

static inline const char *program_string(const struct program *program, uint32_t offset) {
    return program->strings + offset;
}

static inline const char *function_name(const struct program *program, uint32_t function) {
    return program->strings + program->functions[function].name;
}

static inline const struct instruction *function_code(const struct program *program, uint32_t function) {
    return program->code + program->functions[function].first;
}

static inline uint64_t function_address(uint32_t function) {
    return FUNCTION_BASE + (uint64_t)function * FUNCTION_STRIDE;
}

/* The function at an address, or -1. */
static inline int64_t function_at(const struct program *program, uint64_t address) {
    uint64_t offset = address - FUNCTION_BASE;
    if (address < FUNCTION_BASE || offset % FUNCTION_STRIDE != 0 ||
        offset / FUNCTION_STRIDE >= program->functions_count) {
        return -1;
    }
    return (int64_t)(offset / FUNCTION_STRIDE);
}

/* Number of registers that an instruction writes, starting at dst (0 if dst is NO_REGISTER). */
unsigned instruction_writes(const struct program *program, const struct instruction *instruction);

/* Calls `visit` for every operand that is read, register or constant (for each half of a pair). */
void instruction_reads(const struct program *program, const struct instruction *instruction,
                       void (*visit)(void *data, uint32_t operand), void *data);

/* Does the instruction read the register? */
bool instruction_reads_register(const struct program *program, const struct instruction *instruction, uint32_t reg);

/* Calls `visit` for every branch target. */
void instruction_targets(const struct program *program, const struct instruction *instruction,
                         void (*visit)(void *data, uint32_t target), void *data);

/* Does control never pass from this instruction to the next one? */
bool instruction_ends_block(const struct instruction *instruction);

#endif
