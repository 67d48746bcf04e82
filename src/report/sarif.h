/* A verdict for other machines: SARIF 2.1.0, and the lines with which GitHub marks files. */
#ifndef PICKET_REPORT_SARIF_H
#define PICKET_REPORT_SARIF_H

#include "report/report.h"

/* A log with one run: a violation is a result with its execution as code flow, everything that is no answer a
 * notification. */
void report_sarif(const struct report *report, const struct verdict *verdict, FILE *out);

/* The same for input that could not be read. */
void report_error_sarif(const struct diagnostics *diagnostics, FILE *out);

/* `::error file=...` and `::notice file=...` lines. */
void report_github(const struct report *report, const struct verdict *verdict, FILE *out);

#endif
