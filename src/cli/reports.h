/* One run, several reports: to standard output in the requested form, and to files as JSON and SARIF. */
#ifndef PICKET_CLI_REPORTS_H
#define PICKET_CLI_REPORTS_H

#include "cli/options.h"
#include "report/report.h"

/* False, after a message, if a file cannot be written. */
bool reports_write(const struct options *options, const struct report *report, const struct verdict *verdict);

/* The errors of the input, to the requested files; the caller writes them to standard error and output. */
bool reports_write_errors(const struct options *options, const struct report *report,
                          const struct diagnostics *diagnostics);

#endif
