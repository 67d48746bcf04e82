/* Input files to a Program.  One table has the reader for each kind of file: saved programs are read here, C by the
 * front end's own program. */
#ifndef PICKET_FRONT_FRONT_H
#define PICKET_FRONT_FRONT_H

#include "ir/program.h"
#include "util/diagnostics.h"

struct front_input {
    const char *const *files;
    size_t files_count;
    const char *const *clang_args; /* passed on to clang; -xaut, -xlitmus: the files are of that kind, whatever their
                                    * names end in */
    size_t clang_args_count;
    const char *front_program;      /* path of picket-front-c; NULL if it is missing, which matters only for C input */
    const char *library_dir;        /* has library.bc, Picket's C library */
    const char *include_dir;        /* has picket.h */
    bool (*must_stop)(int process); /* called now and then while a process reads C: must it be stopped?  May be NULL */
    bool *defect;                   /* set if the front end itself failed, which is a defect in Picket; may be NULL */
};

/* Sets `program` and returns true, or returns false with diagnostics; without any if it was stopped. */
bool front_read(const struct front_input *input, struct program *program, struct diagnostics *diagnostics);

#endif
