/* `picket replay`: shows a saved witness as check did, on the program it was found in and no other. */
#include <stdio.h>

#include "cli/compiler_arguments.h"
#include "cli/session.h"
#include "util/exit_code.h"

/* Are the options harmless: do they let the compiler run and write nothing?  A witness may come from an untrusted
 * source. */
static bool trusted(const struct witness *witness, const char *path, struct diagnostics *diagnostics) {
    const char *refused = compiler_argument_refused(&witness->clang_args);
    if (refused) {
        diagnostics_add(
            diagnostics, path, 0, 0,
            "the witness hands '%s' to the compiler, which could run or write something: give --trust if you "
            "know where the witness comes from",
            refused);
    }
    return !refused;
}

static int show(struct session *session, const struct witness *witness, const char *path) {
    struct report report = session_report(session, NULL);
    report.model = witness->model;
    if (program_hash(&session->program) != witness->program_hash) {
        diagnostics_add(&session->diagnostics, path, 0, 0, "the program has changed since this witness was saved");
        return EXIT_BAD_INPUT;
    }
    if (!report_execution(&report, witness, stdout)) {
        diagnostics_add(&session->diagnostics, path, 0, 0, "the witness does not replay: it is damaged");
        return EXIT_BAD_INPUT;
    }
    return EXIT_VIOLATION;
}

int command_replay(const struct options *options) {
    struct session session = {.code = EXIT_BAD_INPUT};
    struct witness witness;
    const char *path = *(char **)vector_at(&options->files, 0);
    witness_init(&witness);
    diagnostics_init(&session.diagnostics);
    if (options->files.count > 1) {
        command_refuse(options, "one witness at a time");
    } else if (witness_load(&witness, path, &session.diagnostics) &&
               (options->trust || trusted(&witness, path, &session.diagnostics))) {
        struct reading reading = {
            .unroll = witness.unroll,
            .notes = witness.checks & CHECK_FOR_CLAIMS ? NOTES_CHECKED : NOTES_DROPPED,
            .files = &witness.files,
            .clang_args = &witness.clang_args,
        };
        if (session_read(&session, options, &reading)) {
            session.code = show(&session, &witness, path);
        }
    }
    witness_delete(&witness);
    return session_end(&session);
}
