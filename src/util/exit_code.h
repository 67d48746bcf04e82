/* The exit codes of every command. */
#ifndef PICKET_UTIL_EXIT_CODE_H
#define PICKET_UTIL_EXIT_CODE_H

enum exit_code {
    EXIT_HOLDS = 0,     /* the property holds; the report has the bounds */
    EXIT_VIOLATION = 1, /* a violation was found and replayed */
    EXIT_BAD_INPUT = 2, /* bad usage, bad input, unsupported construct: nothing was verified */
    EXIT_UNDECIDED = 3, /* time-out, memory limit, interrupted, nothing found at random */
    EXIT_DEFECT = 4,    /* a defect in Picket itself */
};

#endif
