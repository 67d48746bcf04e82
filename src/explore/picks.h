/* The choices of atomic sections.  A section is one event, and its choice is a list of picks: the choices of its steps,
 * in order.  All workers share one numbering of these lists.  Zeros at the end of a list are dropped; number 0 is the
 * empty list, with which each step of the section takes choice 0.  The numbers of choices at the picks are a list too;
 * its number, plus MAX_CHOICES, is the `choices` of the section's label. */
#ifndef PICKET_EXPLORE_PICKS_H
#define PICKET_EXPLORE_PICKS_H

#include <pthread.h>

#include "util/hash_table.h"
#include "util/vector.h"

#define MAX_CHOICES 4096 /* greatest number of choices of one step */

struct picks {
    pthread_mutex_t access;
    struct hash_table *numbers; /* by list */
    struct vector lists;        /* of struct pick_list: by number */
    struct vector all;          /* of uint32_t: the elements of the lists */
};

void picks_init(struct picks *picks);
void picks_delete(struct picks *picks);

/* The number of a list of uint32_t, which may end with 0. */
uint64_t picks_number(struct picks *picks, const struct vector *list);

/* Copies the list with this number. */
void picks_copy(struct picks *picks, uint64_t number, struct vector *list);

/* The `choices` of a label: 0 for a section without choices. */
uint32_t picks_choices(struct picks *picks, const struct vector *alternatives);

/* The choice of a label, and the number of choices that it had. */
struct picked {
    uint64_t choice;
    uint32_t choices;
};

/* Are these all the choices of one step, each made in the same state?  Picks form a tree: at every node that one of the
 * choices reaches, each alternative must be taken by one of them. */
bool picks_cover(struct picks *picks, const struct vector *choices);

#endif
