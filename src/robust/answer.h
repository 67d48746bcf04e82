/* The answer to a question about the store buffer: a verdict, and executions that show the difference. */
#ifndef PICKET_ROBUST_ANSWER_H
#define PICKET_ROBUST_ANSWER_H

#include "engine/engine.h"
#include "robust/execution.h"
#include "util/bytes.h"

struct answer {
    struct verdict verdict;
    struct vector executions; /* of struct execution: a violation has at least one */
    const char *engine;       /* that answered */
    bool by_robustness;       /* errors could not be decided: this is the answer for robustness */
};

void answer_init(struct answer *answer);
void answer_delete(struct answer *answer);

/* The answer as a message between processes: all but the engine's name, which the caller writes and reads.  False if
 * the message is malformed. */
void answer_put(struct vector *bytes, const struct answer *answer);
bool answer_get(struct bytes_reader *reader, struct answer *answer);

#endif
