/* What a user may have meant by an unknown word: the known name that differs least from it. */
#ifndef PICKET_CLI_SUGGESTION_H
#define PICKET_CLI_SUGGESTION_H

#include <stddef.h>

struct suggestion {
    const char *word; /* not owned */
    size_t length;
    const char *nearest; /* NULL: no name is near */
    size_t distance;
};

/* No name was tried yet. */
void suggestion_init(struct suggestion *suggestion, const char *word, size_t length);

/* Keeps the name, which must outlive the suggestion, if it is nearer than those before. */
void suggestion_try(struct suggestion *suggestion, const char *name);

#endif
