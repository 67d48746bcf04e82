/* `picket show`: the program as Picket sees it, or saved for later. */
#include <stdio.h>

#include "cli/session.h"
#include "ir/print.h"
#include "util/exit_code.h"

int command_show(const struct options *options) {
    struct session session;
    if (session_read(&session, options, &(struct reading){.unroll = options->unroll})) {
        const char *problem = options->save ? program_save(&session.program, options->save) : NULL;
        session.code = problem ? EXIT_BAD_INPUT : EXIT_HOLDS;
        if (problem) {
            diagnostics_add(&session.diagnostics, options->save, 0, 0, "cannot save: %s", problem);
        } else if (!options->save) {
            program_print(&session.program, stdout);
        }
    }
    return session_end(&session);
}
