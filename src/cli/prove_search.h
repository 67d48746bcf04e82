/* What `picket prove` does if the proof fails: other engines search for an execution that shows why.
 *
 * With 2, then 3 threads for each class of any number: first for a claim or assertion that is false under SC, then for
 * an error under TSO, then for a final state that SC does not have.  What is found is replayed on the program as it was
 * given. */
#ifndef PICKET_CLI_PROVE_SEARCH_H
#define PICKET_CLI_PROVE_SEARCH_H

#include <jansson.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "engine/engine.h"

enum found_kind { FOUND_NOTHING, FOUND_ERROR, FOUND_STATE, FOUND_DEFECT };

struct finding {
    enum found_kind kind;
    struct verdict verdict;
    const struct program *program; /* that was searched */
    struct program_forms larger;   /* the program with more threads, if it was read */
    const char *witness_path;      /* NULL: none was written */
    const char *engine;            /* that found it */
    char *state;                   /* the final state, in words; NULL: none */
};

void finding_init(struct finding *finding);
void finding_delete(struct finding *finding);

/* What is to be found, where the proof does not exclude it. */
struct search_goal {
    bool errors; /* claims, assertions, other errors */
    bool states;
};

/* The search.  The task is the proof's. */
void prove_search(const struct task *task, const struct options *options, const struct program_forms *forms,
                  struct search_goal goal, struct finding *finding);

/* Does the abstracted program keep all its claims and assertions under SC, if another engine can decide that in ten
 * seconds?  For programs without classes of any number.  `engine`: its name. */
bool prove_decide(const struct task *task, const struct options *options, const struct program_forms *forms,
                  const char **engine);

/* The execution in words, if there is one. */
void finding_print(const struct finding *finding, const struct options *options);
/* Adds the fields of a violation. */
void finding_json(const struct finding *finding, json_t *object, const struct options *options);

#endif
