/* Input files to a Program.  One table says which files go to which reader: saved programs are read here, C goes to the
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
    const char *front_program; /* path of picket-front-c; NULL if it is not there, which only C input minds */
    const char *library_dir;   /* has library.bc, Picket's C library */
    const char *include_dir;   /* has picket.h */
    bool *defect;              /* set if the front end itself failed, which is a defect in Picket; may be NULL */
};

/* Fills in `program` and returns true, or returns false with diagnostics. */
bool front_read(const struct front_input *input, struct program *program, struct diagnostics *diagnostics);

#endif
