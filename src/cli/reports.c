#include "cli/reports.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/sarif.h"
#include "util/memory.h"
#include "util/write_file.h"

/* What one file is to have. */
struct content {
    const struct report *report;
    const struct verdict *verdict;         /* NULL: there are diagnostics */
    const struct diagnostics *diagnostics; /* NULL: there is a verdict */
};

static void print_json(const struct content *content, FILE *out) {
    if (content->verdict) {
        report_json(content->report, content->verdict, out);
    } else {
        report_error_json(content->report, content->diagnostics, out);
    }
}

static void print_sarif(const struct content *content, FILE *out) {
    if (content->verdict) {
        report_sarif(content->report, content->verdict, out);
    } else {
        report_error_sarif(content->diagnostics, out);
    }
}

static bool write_one(const char *path, void (*print)(const struct content *content, FILE *out),
                      const struct content *content) {
    if (!path) {
        return true;
    }
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);
    print(content, out);
    fclose(out);
    const char *problem = write_file(path, text, size);
    if (problem) {
        fprintf(stderr, "picket: cannot write the report to %s: %s\n", path, problem);
    }
    free(text);
    return !problem;
}

static bool write_files(const struct options *options, const struct content *content) {
    bool json = write_one(options->json_file, print_json, content);
    return write_one(options->sarif_file, print_sarif, content) && json;
}

bool reports_write(const struct options *options, const struct report *report, const struct verdict *verdict) {
    static void (*const forms[])(const struct report *report, const struct verdict *verdict, FILE *out) = {
        [FORMAT_TEXT] = report_text, [FORMAT_JSON] = report_json, [FORMAT_GITHUB] = report_github};
    struct content content = {report, verdict, NULL};
    forms[options->format](report, verdict, stdout);
    return write_files(options, &content);
}

bool reports_write_errors(const struct options *options, const struct report *report,
                          const struct diagnostics *diagnostics) {
    struct content content = {report, NULL, diagnostics};
    return write_files(options, &content);
}
