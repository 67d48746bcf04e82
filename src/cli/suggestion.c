/* The distance of two words is the number of letters to be inserted, removed or replaced. */
#include "cli/suggestion.h"

#include <string.h>

#define LONGEST 32 /* letters; a longer word is near to none */

void suggestion_init(struct suggestion *suggestion, const char *word, size_t length) {
    /* A third of the letters may be wrong. */
    *suggestion = (struct suggestion){.word = word, .length = length, .distance = length / 3 + 1};
}

static size_t least(size_t one, size_t other) {
    return one < other ? one : other;
}

void suggestion_try(struct suggestion *suggestion, const char *name) {
    size_t row[LONGEST + 1]; /* distances of the word so far to the beginnings of the name */
    size_t length = strlen(name);
    if (length > LONGEST || suggestion->length > LONGEST) {
        return;
    }
    for (size_t k = 0; k <= length; k++) {
        row[k] = k;
    }
    for (size_t i = 0; i < suggestion->length; i++) {
        size_t corner = row[0];
        row[0] = i + 1;
        for (size_t k = 0; k < length; k++) {
            size_t replaced = corner + (suggestion->word[i] != name[k]);
            corner = row[k + 1];
            row[k + 1] = least(replaced, least(corner, row[k]) + 1);
        }
    }
    if (row[length] < suggestion->distance) {
        suggestion->nearest = name;
        suggestion->distance = row[length];
    }
}
