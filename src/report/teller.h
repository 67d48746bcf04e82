/* What the files that make a story share. */
#ifndef PICKET_REPORT_TELLER_H
#define PICKET_REPORT_TELLER_H

#include <string.h>

#include "explain/moments.h"
#include "report/story.h"

/* The content of a row's last line, as far as another access can become part of it. */
struct last_access {
    bool load;
    uint64_t address;
    unsigned size;
    char *value;
};

struct teller {
    struct story *story;
    const struct witness *witness;
    const struct program *program;
    struct moments moments;
    struct machine *machine;
    struct vector arguments; /* of uint64_t: arguments of threads that no thread writes, by slot; 0: none */
    struct last_access last;
    struct vector waiting; /* of uint32_t: how many late stores wait, by slot */
    bool bad;              /* the last step is itself the error */
};

/* Texts, which the caller frees.  A position is a line, with its file if that is not the first input file. */
char *teller_place(const struct teller *teller, uint32_t pos);
char *teller_thread_text(const struct machine *machine, uint32_t slot); /* "main", "thread 1.2" */
char *teller_thread_named(const char *name);
char *teller_value(struct teller *teller, const struct step *step, const uint64_t what[2]);
char *teller_step_name(struct teller *teller, const struct step *step);

struct story_row *teller_add_row(struct teller *teller, uint32_t thread, uint32_t pos, size_t first);
struct story_row *teller_last_row(const struct teller *teller); /* NULL: there is none */

/* Appends a line, which the row then owns. */
void story_row_say(struct story_row *row, char *line);

/* Appends what a step does; `bad`: it is itself the error. */
void teller_say(struct teller *teller, struct story_row *row, const struct moment *moment, bool bad);

/* A note, unless it is there already.  The text is the story's from now on. */
void teller_note(struct teller *teller, uint32_t pos, char *text);

/* Notes for the last row whether a late store of its thread waits now. */
void teller_mark_waiting(struct teller *teller);

/* Notes and sentences about late stores and outdated loads. */
void teller_add_notes(struct teller *teller);

/* Notes with the calls that led to the error, and to the other side of a race. */
void teller_note_calls(struct teller *teller);

/* Causes, and the cycle of late stores. */
void teller_explain(struct teller *teller);

/* The rows, notes and position of the error. */
void teller_end(struct teller *teller);

#endif
