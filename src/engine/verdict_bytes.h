/* A verdict as a message between processes. */
#ifndef PICKET_ENGINE_VERDICT_BYTES_H
#define PICKET_ENGINE_VERDICT_BYTES_H

#include "engine/engine.h"
#include "util/bytes.h"

void verdict_put(struct vector *bytes, const struct verdict *verdict);

/* Sets an initialised verdict.  False if the message is no verdict. */
bool verdict_get(struct bytes_reader *reader, struct verdict *verdict);

#endif
