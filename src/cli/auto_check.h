/* `picket check --engine auto`: all engines that can answer run at once, and the first conclusive answer counts.
 *
 * An answer is conclusive if it is a violation that replays here, on the program without bounds of engines; safety
 * without a bound, or within one that the user has given; or that all executions fail an assumption.  Safety within
 * bounds that an engine chose itself is not: these bounds depend on the machine's speed.  At the limit the strongest
 * such answer is what an undecided verdict says. */
#ifndef PICKET_CLI_AUTO_CHECK_H
#define PICKET_CLI_AUTO_CHECK_H

#include "cli/session.h"
#include "report/engines.h"

/* Runs the engines.  The verdict is initialised; `engines` receives the engine that answered and the state of the
 * others. */
void auto_check(struct session *session, struct verdict *verdict, struct engines_report *engines);

/* The program of the session on which a witness of its verdict runs. */
const struct program *auto_replayed(const struct session *session, const struct witness *witness);

#endif
