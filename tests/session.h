/* All processes of a test: those of its session, however they came about. */
#ifndef PICKET_TESTS_SESSION_H
#define PICKET_TESTS_SESSION_H

#include <sys/types.h>

/* Their CPU time, with that of children which have been waited for. */
double session_seconds(pid_t leader);

/* Sends SIGKILL to each of them. */
void session_end(pid_t leader);

#endif
