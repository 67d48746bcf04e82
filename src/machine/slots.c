/* There are few births: a linear search finds them. */
#include "machine/slots.h"

void slots_init(struct slots *slots) {
    pthread_mutex_init(&slots->access, NULL);
    vector_init(&slots->births, sizeof(struct birth));
    *(struct birth *)vector_grow(&slots->births, 1) = (struct birth){.parent = UINT32_MAX};
}

void slots_delete(struct slots *slots) {
    pthread_mutex_destroy(&slots->access);
    vector_delete(&slots->births);
}

uint32_t slots_find(struct slots *slots, struct birth birth) {
    uint32_t slot = 0;
    pthread_mutex_lock(&slots->access);
    for (; slot < slots->births.count; slot++) {
        const struct birth *known = vector_at(&slots->births, slot);
        if (known->parent == birth.parent && known->child == birth.child) {
            break;
        }
    }
    if (slot == slots->births.count) {
        vector_push(&slots->births, &birth);
    }
    pthread_mutex_unlock(&slots->access);
    return slot;
}

struct birth slots_at(struct slots *slots, uint32_t slot) {
    pthread_mutex_lock(&slots->access);
    struct birth birth = *(struct birth *)vector_at(&slots->births, slot);
    pthread_mutex_unlock(&slots->access);
    return birth;
}
