/* A shorter execution instead of the one that an engine has found, and whether SC has the error.
 *
 * explain/shortest.h searches for a shortest one.  If that takes too long, engines search for the same error under SC:
 * an execution there is one without late stores. */
#ifndef PICKET_CLI_SHORTEN_H
#define PICKET_CLI_SHORTEN_H

#include "cli/session.h"
#include "explain/shortest.h"

/* The verdict is a violation of `program`; it becomes that of the shorter execution.  All this happens in a child
 * process: if it fails, or memory is full, the verdict is unchanged.  False if there is no result; *defect then says
 * why, if the child has failed. */
bool shorten(struct session *session, const struct program *program, struct verdict *verdict, struct shortest *shortest,
             char *defect, size_t size);

#endif
