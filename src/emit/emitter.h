/* What the parts of the printer share.
 *
 * A register is a uint64_t variable, a function takes and returns uint64_t; an object is a variable of integer type or
 * an array of them.  Every access has its own size, through types that may alias. */
#ifndef PICKET_EMIT_EMITTER_H
#define PICKET_EMIT_EMITTER_H

#include "emit/emit.h"
#include "util/hash_table.h"

/* Pieces of the preamble; see helpers.c. */
#define HELPERS(X)                                                                                                     \
    X(WIDE)                                                                                                            \
    X(SIGNED)                                                                                                          \
    X(WIDE_SIGNED)                                                                                                     \
    X(BITS)                                                                                                            \
    X(FUNNEL)                                                                                                          \
    X(OVERFLOW)                                                                                                        \
    X(WIDE_OVERFLOW)                                                                                                   \
    X(NUMBERS)                                                                                                         \
    X(EXTENDED)                                                                                                        \
    X(OUTCOME)                                                                                                         \
    X(ZERO)                                                                                                            \
    X(UNINIT)                                                                                                          \
    X(NOTES)                                                                                                           \
    X(STACK)                                                                                                           \
    X(MALLOC)                                                                                                          \
    X(CALLOC)                                                                                                          \
    X(ALIGNED)                                                                                                         \
    X(FREE)                                                                                                            \
    X(WIDE_ACCESS)                                                                                                     \
    X(EXTREMES)                                                                                                        \
    X(NEGATE)                                                                                                          \
    X(NUMBER_RMW)                                                                                                      \
    X(PTHREAD)                                                                                                         \
    X(SEMAPHORE)                                                                                                       \
    X(SYNC)                                                                                                            \
    X(DEADLINE)                                                                                                        \
    X(SPIN)                                                                                                            \
    X(BARRIER)                                                                                                         \
    X(ONCE)                                                                                                            \
    X(THREADS)                                                                                                         \
    X(YIELD)                                                                                                           \
    X(SLEEP)                                                                                                           \
    X(ATOMIC)                                                                                                          \
    X(ASSUME)                                                                                                          \
    X(NONDET)                                                                                                          \
    X(BETWEEN)                                                                                                         \
    X(ERRORS)                                                                                                          \
    X(ASSERT)                                                                                                          \
    X(ABORT)                                                                                                           \
    X(REACH)                                                                                                           \
    X(CUT)                                                                                                             \
    X(HALT)                                                                                                            \
    X(BUS)                                                                                                             \
    X(EXIT)                                                                                                            \
    X(PRINT)                                                                                                           \
    X(FORMAT)                                                                                                          \
    X(WRITE)                                                                                                           \
    X(STRTOD)                                                                                                          \
    X(TEXT)                                                                                                            \
    X(OBJECT_SIZE)

enum helper {
#define X(name) HELPER_##name,
    HELPERS(X)
#undef X
        HELPER_COUNT
};

/* How a global is declared. */
struct shape {
    uint64_t count;   /* elements of an array; 0 for a single variable */
    uint32_t element; /* bytes of an element; 0: a struct of pieces, because it contains unaligned addresses */
    bool is_signed;
};

struct emitter {
    const struct program *program;
    enum dialect dialect;
    const char *file;
    FILE *out;
    char **function_names;
    char **global_names;
    struct shape *shapes;
    uint32_t *placed; /* globals that have an address, ascending */
    uint32_t placed_count;
    struct hash_table *taken; /* names in use at file level */
    uint8_t *is_address;      /* of each constant */
    uint64_t helpers;         /* which are needed */
    bool recursive;           /* some function calls itself */
    uint32_t results;         /* the widest struct of results that is needed */
    uint32_t folded_main;     /* the function printed as main although it is not the entry, or NO_REGISTER */
    /* If not NULL: replaces address_print, for a printer that has objects of its own. */
    void (*print_address)(struct emitter *emitter, uint64_t address);
    void *printer; /* that printer */
};

/* emit.c */
void emitter_init(struct emitter *emitter); /* program, dialect and file are set */
void emitter_delete(struct emitter *emitter);
/* Prints a heading, the helpers that are needed and a text.  A line `#line home` of the text becomes a directive that
 * names the line after it in the printed file. */
void emitter_compose(const struct emitter *emitter, const char *heading, const char *text, FILE *out);

/* helpers.c */
void helpers_print(const struct emitter *emitter, FILE *out);
static inline void need(struct emitter *emitter, enum helper helper) {
    emitter->helpers |= UINT64_C(1) << helper;
}

/* names.c: names that C and the preamble leave free, each used once */
void names_init(struct emitter *emitter);
void names_delete(struct emitter *emitter);
char *name_new(const struct emitter *emitter, const char *wanted, unsigned number); /* for a local; to be freed */

/* globals.c */
void shapes_init(struct emitter *emitter);
void globals_print(struct emitter *emitter);
void address_print(struct emitter *emitter, uint64_t address); /* of a function or global, or near one: a uint64_t */
/* The global at or around an address of its region. */
uint32_t global_near(const struct emitter *emitter, uint64_t address);
void text_print(const char *text, size_t size, FILE *out); /* as a C string, with its quotes */

/* functions.c */
void prototype_print(struct emitter *emitter, uint32_t function);
void function_print(struct emitter *emitter, uint32_t function);

/* A function being printed. */
struct body {
    struct emitter *emitter;
    const struct function *function;
    const struct instruction *code;
    uint32_t index;
    char **locals; /* of each instruction that is the ALLOCA of a declared local: its name */
};

/* The position of the text that is being printed. */
struct cursor {
    const char *file;
    uint32_t line;
    bool open; /* in the middle of a line of text */
};

/* Begins a new line with a #line directive if the instruction is of another line than the one before. */
void cursor_move(struct body *body, struct cursor *cursor, const struct instruction *instruction, bool label);

/* arithmetic.c: false if the instruction is none */
/* A call of an operation in several steps (FUNCTION_WHOLE). */
bool whole_call_known(const struct program *program, uint32_t function);
void whole_call_print(struct body *body, const struct instruction *call);
bool arithmetic_print(struct body *body, const struct instruction *instruction);
/* memory.c, likewise */
bool memory_print(struct body *body, const struct instruction *instruction);
/* effects.c, likewise */
bool effect_print(struct body *body, const struct instruction *instruction);

/* operands.c */
bool operand_is_constant(const struct body *body, uint32_t operand, uint64_t *value); /* and no address */
void operand_print(struct body *body, uint32_t operand);                              /* of type uint64_t */
void operand_print_plain(struct body *body, uint32_t operand); /* small constants without a suffix: of type int */
void operand_print_signed(struct body *body, uint32_t operand, unsigned width);
void operand_print_wide(struct body *body, uint32_t operand);
uint64_t width_mask(unsigned width);

void out(struct body *body, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a format in which $a, $b, $c stand for operands as uint64_t, $A, $B, $C for pairs as wide, $d for the result.
 */
void out_operands(struct body *body, const struct instruction *instruction, const char *format);

#endif
