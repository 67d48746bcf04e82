/* What atomic sections choose.  A section is one event, so all that is chosen in it is one choice: a list of picks, in
 * their order, known by a number that all workers share.  Zeros at the end of a list are left away; number 0 is the
 * empty list, with which a section goes the first way everywhere.  How many ways there were at each pick is a list
 * too; its number, plus MAX_CHOICES, is the `ways` of a section's label. */
#ifndef PICKET_EXPLORE_PICKS_H
#define PICKET_EXPLORE_PICKS_H

#include <pthread.h>

#include "util/hash_table.h"
#include "util/vector.h"

#define MAX_CHOICES 4096 /* ways for one step to go */

struct picks {
    pthread_mutex_t access;
    struct hash_table *numbers; /* by list */
    struct vector lists;        /* of struct pick_list: by number */
    struct vector all;          /* of uint32_t: what is in the lists */
};

void picks_init(struct picks *picks);
void picks_delete(struct picks *picks);

/* The number of a list of uint32_t, which may end with 0. */
uint64_t picks_number(struct picks *picks, const struct vector *list);

/* Copies the list with this number. */
void picks_copy(struct picks *picks, uint64_t number, struct vector *list);

/* The `ways` of a label: 0 for a section that has nothing to choose. */
uint32_t picks_ways(struct picks *picks, const struct vector *ways);

/* A choice that a label has made, and of what. */
struct picked {
    uint64_t choice;
    uint32_t ways;
};

/* Do these choices of one step, made in the same state, cover all that there are?  Picks form a tree: at every node
 * that one of them comes to, every alternative must be taken by one. */
bool picks_cover(struct picks *picks, const struct vector *choices);

#endif
