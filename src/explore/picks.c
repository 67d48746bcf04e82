/* Lists of picks and their numbers. */
#include "explore/picks.h"

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

uint32_t picks_ways(struct picks *picks, const struct vector *ways) {
    return ways->count > 0 ? MAX_CHOICES + (uint32_t)picks_number(picks, ways) : 0;
}

double picks_share(struct picks *picks, uint32_t ways) {
    if (ways <= MAX_CHOICES) {
        return 1.0 / ways;
    }
    double share = 1;
    pthread_mutex_lock(&picks->access);
    struct pick_list list = *(struct pick_list *)vector_at(&picks->lists, ways - MAX_CHOICES);
    for (size_t i = 0; i < list.count; i++) {
        share /= *(uint32_t *)vector_at(&picks->all, list.first + i);
    }
    pthread_mutex_unlock(&picks->access);
    return share;
}
