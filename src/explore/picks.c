/* Lists of picks and their numbers. */
#include "explore/picks.h"

#define SHARE_ERROR 1e-9

struct pick_list {
    size_t first; /* in picks.all */
    size_t count;
};

void picks_init(struct picks *picks) {
    pthread_mutex_init(&picks->access, NULL);
    picks->numbers = hash_table_new();
    vector_init(&picks->lists, sizeof(struct pick_list));
    vector_init(&picks->all, sizeof(uint32_t));
    vector_grow(&picks->lists, 1); /* the empty one */
}

void picks_delete(struct picks *picks) {
    pthread_mutex_destroy(&picks->access);
    hash_table_free(picks->numbers);
    vector_delete(&picks->lists);
    vector_delete(&picks->all);
}

uint64_t picks_number(struct picks *picks, const struct vector *list) {
    const uint32_t *data = list->data;
    struct pick_list new = {.count = list->count};
    while (new.count > 0 && data[new.count - 1] == 0) {
        new.count--;
    }
    if (new.count == 0) {
        return 0;
    }
    bool found;
    pthread_mutex_lock(&picks->access);
    uint64_t *slot = hash_table_slot(picks->numbers, data, new.count * sizeof *data, &found);
    if (!found) {
        new.first = picks->all.count;
        memcpy(vector_grow(&picks->all, new.count), data, new.count * sizeof *data);
        *slot = picks->lists.count;
        vector_push(&picks->lists, &new);
    }
    uint64_t number = *slot;
    pthread_mutex_unlock(&picks->access);
    return number;
}

void picks_copy(struct picks *picks, uint64_t number, struct vector *list) {
    list->count = 0;
    if (number == 0) {
        return;
    }
    pthread_mutex_lock(&picks->access);
    struct pick_list at = *(struct pick_list *)vector_at(&picks->lists, number);
    memcpy(vector_grow(list, at.count), vector_at(&picks->all, at.first), at.count * sizeof(uint32_t));
    pthread_mutex_unlock(&picks->access);
}

uint32_t picks_choices(struct picks *picks, const struct vector *alternatives) {
    return alternatives->count > 0 ? MAX_CHOICES + (uint32_t)picks_number(picks, alternatives) : 0;
}

/* --- Covering ----------------------------------------------------------------------------------------------------- */

/* The part of all choices that a label with this number of choices has. */
static double share_of(const struct picks *picks, uint32_t alternatives) {
    if (alternatives <= MAX_CHOICES) {
        return 1.0 / alternatives;
    }
    double share = 1;
    struct pick_list list = *(struct pick_list *)vector_at(&picks->lists, alternatives - MAX_CHOICES);
    for (size_t i = 0; i < list.count; i++) {
        share /= *(uint32_t *)vector_at(&picks->all, list.first + i);
    }
    return share;
}

/* Pick `depth` of a choice; 0 beyond the end of its list. */
static uint32_t pick_at(const struct picks *picks, const struct picked *picked, size_t depth) {
    if (picked->choices <= MAX_CHOICES) {
        return (uint32_t)picked->choice;
    }
    struct pick_list list = *(struct pick_list *)vector_at(&picks->lists, picked->choice);
    return depth < list.count ? *(uint32_t *)vector_at(&picks->all, list.first + depth) : 0;
}

/* The number of choices at pick `depth`; 0 if there are no more picks. */
static uint32_t choices_at(const struct picks *picks, const struct picked *picked, size_t depth) {
    if (picked->choices <= MAX_CHOICES) {
        return depth == 0 ? picked->choices : 0;
    }
    struct pick_list list = *(struct pick_list *)vector_at(&picks->lists, picked->choices - MAX_CHOICES);
    return depth < list.count ? *(uint32_t *)vector_at(&picks->all, list.first + depth) : 0;
}

/* Moves those with this pick to the front; returns their number. */
static size_t bring_forward(const struct picks *picks, struct picked *choices, size_t count, size_t depth,
                            uint32_t pick) {
    size_t front = 0;
    for (size_t i = 0; i < count; i++) {
        if (pick_at(picks, &choices[i], depth) == pick) {
            struct picked other = choices[front];
            choices[front++] = choices[i];
            choices[i] = other;
        }
    }
    return front;
}

/* The choices have the same picks before `depth`. */
static bool cover_from(const struct picks *picks, struct picked *choices, size_t count, size_t depth) {
    for (;; depth++) {
        uint32_t alternatives = count > 0 ? choices_at(picks, &choices[0], depth) : 1;
        if (count == 0 || alternatives == 0) {
            return count > 0;
        }
        for (uint32_t pick = 0; pick + 1 < alternatives; pick++) {
            size_t front = bring_forward(picks, choices, count, depth, pick);
            if (!cover_from(picks, choices, front, depth + 1)) {
                return false;
            }
            choices += front;
            count -= front;
        }
    }
}

bool picks_cover(struct picks *picks, const struct vector *choices) {
    double share = 0;
    pthread_mutex_lock(&picks->access);
    for (size_t i = 0; i < choices->count; i++) {
        share += share_of(picks, ((const struct picked *)vector_at(choices, i))->choices);
    }
    /* The sum alone does not suffice, but is usually far too small, which is cheap to see. */
    bool covers = share > 1 - SHARE_ERROR && cover_from(picks, choices->data, choices->count, 0);
    pthread_mutex_unlock(&picks->access);
    return covers;
}
