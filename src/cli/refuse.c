/* How every command reports that it is not executed. */
#include <stdarg.h>
#include <stdio.h>

#include "cli/commands.h"
#include "report/report.h"
#include "util/exit_code.h"

int command_refuse(const struct options *options, const char *format, ...) {
    char message[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "picket %s: %s\n", options->command, message);
    if (options->format == FORMAT_JSON) {
        struct report report = {.engine = options->engine_name, .model = options->model};
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics);
        diagnostics_add(&diagnostics, NULL, 0, 0, "%s", message);
        report_error_json(&report, &diagnostics, stdout);
        diagnostics_delete(&diagnostics);
    }
    return EXIT_BAD_INPUT;
}
