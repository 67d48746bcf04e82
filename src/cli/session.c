#include "cli/session.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ir/flatten.h"
#include "util/exit_code.h"
#include "util/memory.h"

static void start_clocks(struct session *session, bool reports) {
    const struct options *options = session->options;
    session->limits = (struct limits){.timeout = options->timeout, .memory_mb = options->memory_mb};
    session->start = limits_now();
    limits_start(&session->limits);
    bool shown = reports && isatty(STDERR_FILENO) && !options->quiet;
    progress_start(&session->progress, options->progress ? options->progress : shown ? PROGRESS_TEXT : PROGRESS_NONE);
}

void session_begin_with(struct session *session, const struct options *options, const char *engine, double front_s) {
    *session = (struct session){.options = options, .front_s = front_s, .code = EXIT_BAD_INPUT};
    diagnostics_init(&session->diagnostics);
    start_clocks(session, engine != NULL);
}

static bool read_files(struct session *session, const struct reading *reading) {
    const struct options *options = session->options;
    const struct vector *files = reading->files ? reading->files : &options->files;
    const struct vector *clang_args = reading->files ? reading->clang_args : &options->clang_args;
    struct diagnostics *diagnostics = &session->diagnostics;
    if (reading->forms) {
        return input_read_forms(files, clang_args, reading->forms, diagnostics, &session->code);
    }
    if (reading->raw) {
        return input_read_only(files, clang_args, &session->program, diagnostics, &session->code);
    }
    return input_read(files, clang_args, reading->notes, &session->program, diagnostics, &session->code);
}

static void prepare(struct session *session, const struct reading *reading) {
    session->unbounded = &session->program;
    session->forms = reading->forms;
    if (reading->raw || reading->forms) {
        return;
    }
    if (reading->both && reading->unroll > 0) {
        program_copy(&session->program, &session->free);
        input_bound(&session->free, 0);
        session->unbounded = &session->free;
    }
    input_bound(&session->program, reading->unroll);
}

bool session_read(struct session *session, const struct options *options, const struct reading *reading) {
    struct diagnostics *diagnostics = &session->diagnostics;
    double start = limits_now();
    *session = (struct session){.options = options, .unroll = reading->unroll};
    diagnostics_init(diagnostics);
    session->read = read_files(session, reading);
    if (session->read) {
        prepare(session, reading);
    }
    session->front_s = limits_now() - start;
    if (!session->read && reading->engine) {
        session->code = input_unread(options, reading->engine, session->front_s, diagnostics, session->code);
        diagnostics_delete(diagnostics);
        diagnostics_init(diagnostics);
    }
    return session->read;
}

bool session_begin(struct session *session, const struct options *options, const struct reading *reading) {
    if (session_read(session, options, reading)) {
        start_clocks(session, reading->engine != NULL);
    }
    return session->read;
}

struct task session_task(struct session *session) {
    const struct options *options = session->options;
    return (struct task){
        .program = session->forms ? &session->forms->noted : &session->program,
        .machine = options_for_machine(options),
        .limits = &session->limits,
        .progress = &session->progress,
        .unroll = session->unroll,
        .jobs = options->jobs,
    };
}

struct report session_report(const struct session *session, const char *engine) {
    return (struct report){
        .program = &session->program,
        .engine = engine,
        .model = session->options->model,
        .front_s = session->front_s,
        .quiet = session->options->quiet,
        .full = session->options->full,
        .terminal = options_color_terminal(session->options),
        .explain = !session->options->no_explain,
    };
}

void session_refuse(struct session *session, const char *engine, const char *file, uint32_t line, const char *reason) {
    struct diagnostics diagnostics;
    struct report report = session_report(session, engine);
    diagnostics_init(&diagnostics);
    diagnostics_add(&diagnostics, file ? file : "", line, 0, "%s cannot do this: %s", engine, reason);
    diagnostics_print(&diagnostics, stderr);
    if (session->options->format == FORMAT_JSON) {
        report_error_json(&report, &diagnostics, stdout);
    }
    diagnostics_delete(&diagnostics);
    session->code = EXIT_BAD_INPUT;
}

static void copy_texts(const struct vector *from, struct vector *to) {
    for (size_t i = to->count; i < from->count; i++) {
        char *text = memory_copy_text(*(char **)vector_at(from, i));
        vector_push(to, &text);
    }
}

bool session_save_witness(const struct options *options, const struct vector *clang_args, struct witness *witness) {
    copy_texts(&options->files, &witness->files);
    copy_texts(clang_args, &witness->clang_args);
    const char *problem = witness_save(witness, options->witness);
    if (problem) {
        fprintf(stderr, "picket: cannot write the witness to %s: %s\n", options->witness, problem);
    }
    return !problem;
}

int session_end(struct session *session) {
    if (session->read && session->forms) {
        program_forms_delete(session->forms);
    } else if (session->read) {
        program_delete(&session->program);
        if (session->unbounded != &session->program) {
            program_delete(&session->free);
        }
    }
    session->read = false;
    diagnostics_print(&session->diagnostics, stderr);
    diagnostics_delete(&session->diagnostics);
    return session->code;
}
