#include "explain/linear.h"

#include "ir/sync.h"

#define MOST_STEPS 4000 /* the time is in the square of them */

/* A step of the witness; a store and its drain are one. */
struct point {
    struct witness_step choice;
    uint64_t address;
    uint64_t end;     /* of the bytes accessed; `address` if there are none */
    uint64_t serial;  /* a buffered store, or a load that is served by one */
    size_t reached;   /* when it takes part in memory: number of a transition */
    uint32_t thread;  /* slot */
    uint32_t creates; /* slot of the thread that it creates, or UINT32_MAX */
    uint8_t kind;     /* enum step_kind */
    bool writes;
    bool forwarded;
    bool emitted;
};

struct sorting {
    struct vector points; /* of struct point, as in the witness */
    struct vector next;   /* of size_t: by slot, the thread's first point that is not emitted */
    uint32_t section;     /* slot of the thread in an atomic section, or UINT32_MAX */
};

static struct point *point_at(const struct sorting *sorting, size_t index) {
    return vector_at(&sorting->points, index);
}

/* The buffered store of a thread with this number, or NULL. */
static struct point *find_store(const struct sorting *sorting, uint32_t thread, uint64_t serial) {
    for (size_t i = sorting->points.count; serial != 0 && i-- > 0;) {
        struct point *point = point_at(sorting, i);
        if (point->thread == thread && point->serial == serial && !point->forwarded) {
            return point;
        }
    }
    return NULL;
}

static void add_point(struct sorting *sorting, const struct witness_step *choice, const struct step *step, size_t now) {
    bool ends = step->kind == STEP_FREE || step->kind == STEP_LEAVE;
    bool buffered = step->serial != 0 && (ends || step->kind == STEP_STORE);
    struct point point = {
        .choice = *choice,
        .address = step->address,
        .end = step->address + (step->kind == STEP_FREE ? step->other : step->size),
        .serial = buffered || step->forwarded ? step->serial : 0,
        .reached = buffered ? SIZE_MAX : now,
        .thread = step->thread,
        .creates = step->kind == STEP_SYNC && step->sub == SYNC_THREAD_CREATE ? (uint32_t)step->other : UINT32_MAX,
        .kind = step->kind,
        .writes = step->writes || ends,
        .forwarded = step->forwarded,
    };
    vector_push(&sorting->points, &point);
}

/* Runs the witness.  False if it does not replay. */
static bool sorting_fill(struct sorting *sorting, const struct program *program, const struct witness *witness) {
    struct machine_options options = witness_machine_options(witness);
    struct machine *machine = machine_new(program, &options);
    bool good = true;
    for (size_t i = 0; good && i < witness->steps.count; i++) {
        good = witness_take(witness, i, machine);
        if (good) {
            const struct step *step = machine_last(machine);
            struct point *store = step->kind == STEP_DRAIN ? find_store(sorting, step->thread, step->serial) : NULL;
            if (store) {
                store->reached = i;
            } else if (step->kind != STEP_DRAIN) {
                add_point(sorting, vector_at(&witness->steps, i), step, i);
            }
        }
    }
    good = good && machine_outcome(machine) == OUTCOME_ERROR;
    uint32_t threads = machine_threads(machine);
    machine_free(machine);
    for (size_t i = 0; i < sorting->points.count; i++) {
        struct point *point = point_at(sorting, i);
        const struct point *store = point->forwarded ? find_store(sorting, point->thread, point->serial) : NULL;
        if (store && store->reached > point->reached) {
            point->reached = store->reached;
        }
    }
    for (uint32_t t = 0; t < threads; t++) {
        size_t none = 0;
        vector_push(&sorting->next, &none);
    }
    return good;
}

static bool stands_alone(const struct point *point) {
    return point->kind == STEP_EXIT || point->kind == STEP_HALT || point->kind == STEP_LEAVE;
}

/* Must one of the two come before the other, though they are steps of different threads? */
static bool in_conflict(const struct point *one, const struct point *other) {
    if (stands_alone(one) || stands_alone(other)) {
        return true;
    }
    if (one->kind == STEP_SYNC || other->kind == STEP_SYNC) {
        return one->kind == other->kind;
    }
    return (one->writes || other->writes) && one->address < other->end && other->address < one->end;
}

/* Must `before` be emitted before `point`? */
static bool comes_before(const struct sorting *sorting, const struct point *before, const struct point *point) {
    if (before->thread == point->thread) {
        return before < point;
    }
    return before->creates == point->thread || point == point_at(sorting, sorting->points.count - 1) ||
           (before->reached < point->reached && in_conflict(before, point));
}

/* The thread's next point if all that comes before it is emitted, otherwise NULL. */
static struct point *ready_point(struct sorting *sorting, uint32_t thread) {
    size_t *next = vector_at(&sorting->next, thread);
    while (*next < sorting->points.count &&
           (point_at(sorting, *next)->emitted || point_at(sorting, *next)->thread != thread)) {
        ++*next;
    }
    if (*next == sorting->points.count) {
        return NULL;
    }
    struct point *point = point_at(sorting, *next);
    for (size_t i = 0; i < sorting->points.count; i++) {
        const struct point *before = point_at(sorting, i);
        if (!before->emitted && before != point && comes_before(sorting, before, point)) {
            return NULL;
        }
    }
    return point;
}

/* What is emitted next: of the same thread if that is possible. */
static struct point *choose(struct sorting *sorting, uint32_t last) {
    struct point *point = ready_point(sorting, last);
    for (uint32_t t = 0; !point && sorting->section == UINT32_MAX && t < sorting->next.count; t++) {
        point = ready_point(sorting, t);
    }
    return point;
}

bool linear_find(const struct program *program, const struct witness *witness, struct vector *steps) {
    struct sorting sorting = {.section = UINT32_MAX};
    vector_init(&sorting.points, sizeof(struct point));
    vector_init(&sorting.next, sizeof(size_t));
    bool good = witness->steps.count <= MOST_STEPS && sorting_fill(&sorting, program, witness);
    uint32_t last = 0;
    for (size_t i = 0; good && i < sorting.points.count; i++) {
        struct point *point = choose(&sorting, last);
        good = point != NULL;
        if (good) {
            point->emitted = true;
            last = point->thread;
            sorting.section = point->kind == STEP_ATOMIC_BEGIN ? last
                              : point->kind == STEP_ATOMIC_END ? UINT32_MAX
                                                               : sorting.section;
            vector_push(steps, &point->choice);
        }
    }
    vector_delete(&sorting.points);
    vector_delete(&sorting.next);
    return good;
}
