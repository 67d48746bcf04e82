/* The accesses of events, and which events are independent. */
#include "engine/label.h"

#include <stdlib.h>

#include "util/memory.h"

/* --- Lists of accesses -------------------------------------------------------------------------------------------- */

void access_lists_init(struct access_lists *lists) {
    lists->lists = NULL; /* most programs need none */
    vector_init(&lists->building, sizeof(struct access));
}

void access_lists_delete(struct access_lists *lists) {
    size_t cursor = 0;
    const void *key;
    uint64_t value;
    while (lists->lists && hash_table_each(lists->lists, &cursor, &key, &value)) {
        free((void *)(uintptr_t)value);
    }
    if (lists->lists) {
        hash_table_free(lists->lists);
    }
    vector_delete(&lists->building);
}

/* The one copy of a list. */
static const struct access *lists_keep(struct access_lists *lists, const struct access *accesses, size_t count) {
    bool found;
    if (!lists->lists) {
        lists->lists = hash_table_new();
    }
    uint64_t *slot = hash_table_slot(lists->lists, accesses, count * sizeof *accesses, &found);
    if (!found) {
        struct access *copy = memory_allocate(count * sizeof *copy);
        memcpy(copy, accesses, count * sizeof *copy);
        *slot = (uint64_t)(uintptr_t)copy;
    }
    return (const struct access *)(uintptr_t)*slot;
}

/* --- Accesses ----------------------------------------------------------------------------------------------------- */

static bool join(struct access *with, const struct access *access) {
    if (with->address != access->address || with->size != access->size) {
        return false;
    }
    with->reads |= access->reads;
    with->writes |= access->writes;
    with->adds |= access->adds;
    if (with->adds && (with->reads || with->writes)) {
        with->writes = true; /* reading as well as adding depends on other adds */
        with->adds = false;
    }
    return true;
}

/* Adds an access that has no room in the label: makes a new list of the rest. */
static void add_more(struct label *label, struct access_lists *lists, const struct access *access) {
    struct vector *building = &lists->building;
    uint32_t count = label->accesses - OWN_ACCESSES;
    building->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        *(struct access *)vector_room(building) = label->more[i];
    }
    bool joined = false;
    for (uint32_t i = 0; i < count && !joined; i++) {
        joined = join(vector_at(building, i), access);
    }
    if (!joined) {
        *(struct access *)vector_room(building) = *access;
        label->accesses++;
    }
    label->more = lists_keep(lists, building->data, building->count);
}

void label_add(struct label *label, struct access_lists *lists, struct access access) {
    if (access.size == 0) {
        return;
    }
    label->early = 0;
    for (uint32_t i = 0; i < label->accesses && i < OWN_ACCESSES; i++) {
        if (join(&label->access[i], &access)) {
            return;
        }
    }
    if (label->accesses < OWN_ACCESSES) {
        label->access[label->accesses++] = access;
    } else {
        add_more(label, lists, &access);
    }
}

static struct access effect_access(const struct effect_access *access) {
    return (struct access){
        .address = access->address,
        .size = access->size,
        .reads = access->kind & ACCESS_READ,
        .writes = access->kind & ACCESS_WRITE,
        .adds = access->kind & ACCESS_ADD,
    };
}

static void add_effect(struct label *label, struct access_lists *lists, const struct effect *effect) {
    const struct effect_access *accesses = effect->accesses.data;
    for (size_t i = 0; i < effect->accesses.count; i++) {
        label_add(label, lists, effect_access(&accesses[i]));
    }
}

void label_set_effect(struct label *label, struct access_lists *lists, const struct effect *effect) {
    const struct effect_access *accesses = effect->accesses.data;
    size_t count = effect->accesses.count;
    label->accesses = 0;
    label->early = 0;
    if (count > OWN_ACCESSES) {
        add_effect(label, lists, effect);
        return;
    }
    for (size_t i = 0; i < count; i++) { /* no two of them are of the same bytes */
        label->access[i] = effect_access(&accesses[i]);
    }
    label->accesses = (uint32_t)count;
}

void label_init(struct label *label, struct access_lists *lists, struct transition transition, const struct step *step,
                bool buffered) {
    label->transition = transition;
    label->accesses = 0;
    label->early = 0;
    label->choices = 0;
    if (step->kind == STEP_SYNC) {
        label_set_effect(label, lists, step->effect);
    } else {
        label_add_step(label, lists, step, buffered);
    }
}

void label_add_step(struct label *label, struct access_lists *lists, const struct step *step, bool buffered) {
    struct access access = {.address = step->address, .size = step->size};
    switch (step->kind) {
    case STEP_LOAD:
        access.reads = true;
        if (step->forwarded && label->accesses == 0) {
            label->early = step->serial;
            label->access[0] = access;
        }
        if (step->forwarded) {
            return;
        }
        break;
    case STEP_STORE:
        access.writes = true;
        access.size = buffered ? 0 : access.size;
        break;
    case STEP_FREE:
    case STEP_LEAVE:
        access.writes = true;
        access.size = buffered ? 0 : (uint32_t)step->other;
        break;
    case STEP_RMW:
    case STEP_CAS:
        access.reads = true;
        access.writes = step->writes;
        break;
    case STEP_DRAIN:
        access.writes = true;
        access.size = step->ends_object ? (uint32_t)step->other : access.size;
        break;
    case STEP_SYNC:
        add_effect(label, lists, step->effect);
        return;
    default:
        return;
    }
    if (label->accesses == 0 && access.size > 0) {
        label->access[0] = access;
        label->accesses = 1;
        label->early = 0;
    } else {
        label_add(label, lists, access);
    }
}

/* --- Comparing ---------------------------------------------------------------------------------------------------- */

bool labels_touch_alike(const struct label *one, const struct label *other) {
    bool alike = one->accesses == other->accesses;
    for (uint32_t i = 0; i < one->accesses && alike; i++) {
        const struct access *a = label_access(one, i);
        const struct access *b = label_access(other, i);
        alike = a->address == b->address && a->size == b->size && a->reads == b->reads && a->writes == b->writes &&
                a->adds == b->adds;
    }
    return alike;
}

bool labels_independent(const struct label *one, const struct label *other, bool fifo) {
    if (one->transition.thread == other->transition.thread) {
        bool drains = one->transition.kind == TRANSITION_DRAIN;
        if (drains != (other->transition.kind == TRANSITION_DRAIN)) {
            return true; /* a thread's next step and its buffer: if they are dependent, the step is not enabled */
        }
        if (!drains || fifo) {
            return false;
        }
    }
    if (one->accesses <= 1 && other->accesses <= 1) {
        return one->accesses == 0 || other->accesses == 0 || !accesses_conflict(&one->access[0], &other->access[0]);
    }
    for (uint32_t i = 0; i < one->accesses; i++) {
        const struct access *access = label_access(one, i);
        for (uint32_t k = 0; k < other->accesses; k++) {
            if (accesses_conflict(access, label_access(other, k))) {
                return false;
            }
        }
    }
    return true;
}
