/* Thread automata (`.aut`): a text format for concurrent programs as the literature gives them, and its reader.
 *
 *     # Each thread writes its own cell and then reads the other's.
 *     thread one
 *     initial start
 *     final critical
 *     transition start asks write 1 0
 *     transition asks seen read r 1
 *     transition seen critical check == r 0
 *     end
 *
 * A thread is an automaton: it is in a state and takes one of the transitions from it.  Memory is an array of cells,
 * identified by numbers.  Registers, cells and expressions are 32-bit signed integers that wrap; all start at 0.
 * `memory_size N` outside of a thread declares the cells 0 to N - 1.
 *
 * automaton_text.c reads the text into the structs below, automaton.c makes a Program from them. */
#ifndef PICKET_FRONT_AUTOMATON_H
#define PICKET_FRONT_AUTOMATON_H

#include "ir/program.h"
#include "util/diagnostics.h"
#include "util/vector.h"

/* Instructions: X(NAME, text, number of operands that are expressions, does a register come first). */
#define AUTOMATON_COMMANDS(X)                                                                                          \
    X(WRITE, "write", 2, false) /* VALUE ADDRESS */                                                                    \
    X(READ, "read", 1, true)    /* REGISTER ADDRESS */                                                                 \
    X(MFENCE, "mfence", 0, false)                                                                                      \
    X(SFENCE, "sfence", 0, false) /* a store barrier */                                                                \
    X(LOCAL, "local", 1, true)    /* REGISTER VALUE */                                                                 \
    X(CHECK, "check", 1, false)   /* enabled only if it is not 0 */                                                    \
    X(NOOP, "noop", 0, false)                                                                                          \
    X(LOCK, "lock", 0, false)                                                                                          \
    X(UNLOCK, "unlock", 0, false)

#define X(name, ...) COMMAND_##name,
enum automaton_command { AUTOMATON_COMMANDS(X) COMMAND_COUNT };
#undef X

/* An expression in prefix form, as it was read: each operator is followed by its operands. */
enum atom_kind { ATOM_NUMBER, ATOM_REGISTER, ATOM_OPERATOR };

struct atom {
    enum atom_kind kind;
    int32_t value; /* the number; index of the register in its thread; index into automaton_operators */
};

struct automaton_operator {
    const char *text;
    unsigned operands;
    unsigned op;        /* OP_* */
    unsigned predicate; /* of a comparison */
};
#define AUTOMATON_OPERATORS 15
extern const struct automaton_operator automaton_operators[AUTOMATON_OPERATORS];

struct automaton_transition {
    uint32_t from; /* states, by index in their thread */
    uint32_t to;
    enum automaton_command command;
    uint32_t reg;
    uint32_t expressions[2]; /* indices in `atoms` */
    uint32_t line;
    uint32_t column;
};

#define NO_STATE UINT32_MAX

struct automaton_thread {
    char *name;
    uint32_t line;
    uint32_t initial;
    uint32_t final; /* NO_STATE: none */
    uint32_t final_line;
    struct vector states;      /* of char * */
    struct vector registers;   /* of char * */
    struct vector transitions; /* of struct automaton_transition */
    struct vector atoms;       /* of struct atom */
};

struct automata {
    uint32_t memory_size;  /* number of cells, if the file has it; else 0 */
    struct vector threads; /* of struct automaton_thread */
};

/* Addresses are below this. */
#define AUTOMATON_CELLS 65536
/* Expressions are nested no deeper than this. */
#define AUTOMATON_NESTING 200

/* Reads the text; false with diagnostics if it has errors.  The caller deletes `automata` in any case. */
bool automata_parse(struct automata *automata, const char *file, struct diagnostics *diagnostics);
void automata_delete(struct automata *automata);

/* Reads a file into a program. */
bool automaton_read(const char *file, struct program *program, struct diagnostics *diagnostics);

#endif
