#include "report/color.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static void switch_to(FILE *out, int terminal, const char *code) {
    fflush(out);
    if (write(terminal, code, strlen(code)) < 0) {
        return; /* the stream's writer reports an error */
    }
}

void color_print(FILE *out, int terminal, enum color color, const char *text, size_t bytes) {
    static const char *const codes[] = {
        [COLOR_NONE] = "",           [COLOR_PLACE] = "\033[1m",  [COLOR_ERROR] = "\033[1;31m",
        [COLOR_NOTE] = "\033[1;36m", [COLOR_ADDED] = "\033[32m", [COLOR_REMOVED] = "\033[31m",
    };
    if (terminal > 0 && color != COLOR_NONE && bytes > 0) {
        switch_to(out, terminal, codes[color]);
    }
    fprintf(out, "%.*s", (int)bytes, text);
    if (terminal > 0 && color != COLOR_NONE && bytes > 0) {
        switch_to(out, terminal, "\033[0m");
    }
}

void color_print_patch(FILE *out, int terminal, const char *patch) {
    while (*patch) {
        size_t length = strcspn(patch, "\n");
        bool names = strncmp(patch, "+++ ", 4) == 0 || strncmp(patch, "--- ", 4) == 0;
        enum color color = names           ? COLOR_PLACE
                           : *patch == '+' ? COLOR_ADDED
                           : *patch == '-' ? COLOR_REMOVED
                           : *patch == '@' ? COLOR_NOTE
                                           : COLOR_NONE;
        color_print(out, terminal, color, patch, length);
        fputs(patch[length] ? "\n" : "", out);
        patch += length + (patch[length] == '\n');
    }
}
