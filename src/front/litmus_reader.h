/* What the parts of the litmus reader share: the text with the present position, and the part of the test that has been
 * read.
 *
 * The first error stops the reading: every function that takes the reader does nothing useful once it has failed. */
#ifndef PICKET_FRONT_LITMUS_READER_H
#define PICKET_FRONT_LITMUS_READER_H

#include "front/litmus.h"
#include "ir/builder.h"

/* One instruction of a thread, with its labels: a piece of the text. */
struct litmus_cell {
    const char *text;
    size_t length;
};

struct litmus_thread {
    uint32_t number;      /* P0 is 0 */
    uint32_t function;    /* index */
    struct vector cells;  /* of struct litmus_cell */
    uint64_t initial[16]; /* of its registers, by x86's numbers */
};

struct litmus_reader {
    const char *file;
    char *text;     /* all of it, comments replaced by spaces */
    const char *at; /* the present position */
    uint32_t line;  /* line of the position that was located last; the next one is likely to be near */
    const char *line_start;
    struct diagnostics *diagnostics;
    struct litmus_test *test;
    struct builder builder;
    struct vector threads; /* of struct litmus_thread */
    uint32_t registers;    /* the thread-local array: 8 bytes for each register that some location names */
    bool wide;             /* X86_64: addresses have 64 bits, the destination comes last */
    bool failed;
};

/* ---- Text ---- */

/* Reads the file; false with a diagnostic. */
bool litmus_text_read(struct litmus_reader *reader);
void litmus_text_remove_comments(struct litmus_reader *reader);

void litmus_locate(struct litmus_reader *reader, const char *at, uint32_t *line, uint32_t *column);
void litmus_fail(struct litmus_reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Each of these skips space first.  A word is a name or a keyword: letters, digits, '_' and '.', but not a digit
 * first. */
char litmus_peek(struct litmus_reader *reader);
bool litmus_accept(struct litmus_reader *reader, const char *symbol);
bool litmus_expect(struct litmus_reader *reader, const char *symbol, const char *where);
size_t litmus_word(struct litmus_reader *reader, const char **word);
bool litmus_number(struct litmus_reader *reader, int64_t *number);

bool litmus_is(const char *word, size_t length, const char *text);

/* ---- Names ---- */

/* The variable of this name, made if it is new.  The pointer is valid until the next call. */
struct litmus_variable *litmus_variable(struct litmus_reader *reader, const char *name, size_t length);

/* An x86 register by name, in upper or lower case; its number, or -1. */
int litmus_register(const char *name, size_t length, uint32_t *width, bool *high);

/* The thread with this number, or NULL. */
struct litmus_thread *litmus_thread(const struct litmus_reader *reader, int64_t number);

/* "0:EAX", "P0:EAX", "x", "[x]": the parts of a location.  False with a diagnostic. */
struct litmus_reference {
    bool in_register;
    struct litmus_thread *thread;
    uint32_t number; /* of the register */
    uint32_t width;
    bool high;
    const char *name; /* of the register or variable */
    size_t length;
    bool brackets;
};
bool litmus_reference_read(struct litmus_reader *reader, struct litmus_reference *reference);

/* A number, or the address of a variable: then `symbol` is its name, else NULL. */
bool litmus_value_read(struct litmus_reader *reader, int64_t *value, const char **symbol);

/* ---- Parts of a test ---- */

/* Does a condition or list of locations begin here? */
bool litmus_at_condition(struct litmus_reader *reader);

/* `locations`, `filter` and the condition, to the end of the text. */
void litmus_conditions_read(struct litmus_reader *reader);

/* Makes the functions of all threads; widens undeclared variables to their accesses. */
void litmus_threads_lower(struct litmus_reader *reader);

#endif
