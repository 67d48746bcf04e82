/* What `picket prove` does where the proof fails: other engines look for an execution that shows why.
 *
 * With 2, then 3 threads for each class of any number: first for an error under TSO, then for a final state that SC
 * does not have.  What is found is replayed on the program as it was given. */
#ifndef PICKET_CLI_PROVE_SEARCH_H
#define PICKET_CLI_PROVE_SEARCH_H

#include <jansson.h>

#include "cli/options.h"
#include "engine/engine.h"

enum found_kind { FOUND_NOTHING, FOUND_ERROR, FOUND_STATE, FOUND_DEFECT };

struct finding {
    enum found_kind kind;
    struct verdict verdict;
    const struct program *program; /* that was searched */
    struct program larger;         /* the program with more threads, if it was read */
    const char *witness_path;      /* NULL: none was written */
    const char *engine;            /* that found it */
    char *state;                   /* the final state, in words; NULL: none */
};

void finding_init(struct finding *finding);
void finding_delete(struct finding *finding);

/* The search.  The task is the proof's. */
void prove_search(const struct task *task, const struct options *options, struct finding *finding);

/* The execution in words, if there is one. */
void finding_print(const struct finding *finding, const struct options *options);
/* Adds the fields of a violation. */
void finding_json(const struct finding *finding, json_t *object, const struct options *options);

#endif
