/* What every command that reads a program does around it: the files are read and prepared, limits and progress begin,
 * and in the end everything is given back.
 *
 *     struct session session;
 *     if (session_begin(&session, options, &(struct reading){.engine = "prove"})) {
 *         struct task task = session_task(&session);
 *         ...
 *         session.code = ...;
 *     }
 *     return session_end(&session); */
#ifndef PICKET_CLI_SESSION_H
#define PICKET_CLI_SESSION_H

#include "cli/commands.h"
#include "report/report.h"

/* What is read, and what is made of it. */
struct reading {
    const char *engine; /* whom a report names if nothing can be read; NULL: the command has no report */
    uint32_t unroll;
    bool both; /* also without that bound */
    bool raw;  /* without any pass */
    enum note_mode notes;
    struct program_forms *forms; /* if not NULL: read instead, as `prove` needs the program */
    const struct vector *files;  /* NULL: those of the options, and their arguments for clang */
    const struct vector *clang_args;
};

struct session {
    const struct options *options;
    bool read;                       /* the program is there */
    struct program_forms *forms;     /* if not NULL, as these; otherwise ... */
    struct program program;          /* prepared, and with a bound on loops if one was wanted */
    uint32_t unroll;                 /* that bound, or 0 */
    struct program free;             /* the same without bound, if there is one ... */
    const struct program *unbounded; /* ... which this is; otherwise `program` */
    struct limits limits;
    struct progress progress;
    double front_s;                 /* how long it took to read */
    double start;                   /* when (limits_now) that was done */
    int code;                       /* the exit code */
    struct diagnostics diagnostics; /* what is wrong with files: printed at the end */
};

/* Reads the files.  If that fails it is reported, `code` is set, and false is returned.  No clock runs yet: signals end
 * the process. */
bool session_read(struct session *session, const struct options *options, const struct reading *reading);

/* Reads the files, and the clocks begin. */
bool session_begin(struct session *session, const struct options *options, const struct reading *reading);

/* Only the clocks, for callers that have read a program themselves. */
void session_begin_with(struct session *session, const struct options *options, const char *engine, double front_s);

/* The question as all engines get it. */
struct task session_task(struct session *session);

/* The part of a report that does not depend on the answer. */
struct report session_report(const struct session *session, const char *engine);

/* Reports that the engine cannot do this program, and where. */
void session_refuse(struct session *session, const char *engine, const char *file, uint32_t line, const char *reason);

/* Saves the witness with what was read.  False, with a message, if it cannot be written. */
bool session_save_witness(const struct options *options, const struct vector *clang_args, struct witness *witness);

int session_end(struct session *session);

#endif
