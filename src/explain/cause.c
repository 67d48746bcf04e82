/* One function for each pattern.  Stores reach memory at once here, so that the order of steps is that of memory. */
#include "explain/cause.h"

#include <stdio.h>
#include <string.h>

#include "explain/circumstances.h"
#include "explain/dependence.h"
#include "ir/sync.h"
#include "util/range.h"

#define MOST_CAUSES 2
#define MOST_STEPS 20000 /* of other threads, to see whether they would have set a value */

const char *const cause_names[CAUSE_COUNT] = {
#define X(name, text) [CAUSE_##name] = text,
    CAUSES(X)
#undef X
};

struct search {
    const struct moments *moments;
    struct machine *machine; /* in the end */
    const struct machine_error *error;
    struct dependence dependence;
    bool depends; /* the dependence is known */
};

static struct cause cause_of(enum cause_kind kind, const struct step *step) {
    return (struct cause){.kind = kind, .address = step->address, .size = step->size};
}

static void add_deed(struct cause *cause, uint32_t thread, uint32_t pos, const uint64_t value[2]) {
    if (cause->count < MOST_DEEDS) {
        struct deed *deed = &cause->deeds[cause->count++];
        *deed = (struct deed){.thread = thread, .pos = pos};
        if (value) {
            memcpy(deed->value, value, sizeof deed->value);
        }
    }
}

static void add_read(struct cause *cause, const struct step *step) {
    add_deed(cause, step->thread, step->pos, step->read);
}

static void add_write(struct cause *cause, const struct step *step) {
    add_deed(cause, step->thread, step->pos, step->written);
}

static bool overlap(const struct step *one, const struct step *other) {
    return ranges_overlap(one->address, one->size, other->address, other->size);
}

static bool reads(const struct step *step) {
    return is_access(step) && step->reads;
}

static bool writes(const struct step *step) {
    return is_access(step) && step->writes;
}

static bool same_value(const struct step *one, const struct step *other) {
    return one->address == other->address && one->size == other->size && memcmp(one->read, other->read, 16) == 0;
}

/* --- Objects that have ended -------------------------------------------------------------------------------------- */

static bool find_use_after_free(const struct search *search, struct cause *cause) {
    size_t count = search->moments->list.count;
    bool fits = search->error->kind == ERROR_DANGLING || search->error->kind == ERROR_DOUBLE_FREE;
    struct machine_object object;
    const struct step *use = count ? step_at(search->moments, count - 1) : NULL;
    if (!fits || !use || !machine_object_at(search->machine, use->address, &object)) {
        return false;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        const struct step *end = step_at(search->moments, i);
        if ((end->kind == STEP_FREE || end->kind == STEP_LEAVE) && end->address == object.base) {
            int64_t maker =
                object.base < THREAD_BASE
                    ? -1
                    : machine_thread_numbered(search->machine, (uint32_t)((object.base - THREAD_BASE) >> REGION_SHIFT));
            *cause = (struct cause){.kind = CAUSE_USE_AFTER_FREE, .address = object.base};
            add_deed(cause, maker < 0 ? end->thread : (uint32_t)maker, object.pos, NULL);
            add_deed(cause, end->thread, end->pos, NULL);
            add_deed(cause, search->error->thread, search->error->pos, NULL);
            return true;
        }
    }
    return false;
}

/* --- Waiting ------------------------------------------------------------------------------------------------------ */

static bool find_lock_cycle(const struct search *search, struct cause *cause) {
    struct vector around;
    if (search->error->kind != ERROR_DEADLOCK) {
        return false;
    }
    vector_init(&around, sizeof(struct circumstance));
    circumstances_find(search->moments->witness, search->moments->program, &around);
    const struct circumstance *first = circumstances_cycle(&around);
    const struct circumstance *at = first;
    bool found = first != NULL;
    *cause = (struct cause){.kind = CAUSE_LOCK_CYCLE};
    while (at && cause->count < MOST_DEEDS) {
        found = found && !at->joins;
        add_deed(cause, at->slot, at->pos, NULL);
        at = circumstances_of_thread(&around, at->holder_slot);
        at = at == first ? NULL : at;
    }
    circumstances_delete(&around);
    return found && !at;
}

static bool is_wait(const struct step *step) {
    return step->kind == STEP_SYNC && step->sub == SYNC_COND_RELEASE;
}

static bool wakes(const struct step *step) {
    return step->kind == STEP_SYNC && (step->sub == SYNC_COND_SIGNAL || step->sub == SYNC_COND_BROADCAST);
}

/* How many threads sleep at the condition variable before this step? */
static size_t sleepers(const struct moments *moments, uint64_t address, size_t end) {
    size_t count = 0;
    for (size_t i = 0; i < end; i++) {
        const struct step *step = step_at(moments, i);
        bool here = step->kind == STEP_SYNC && step->address == address;
        count += here && is_wait(step);
        count -= here && count > 0 && (step->sub == SYNC_COND_SLEEP || step->sub == SYNC_COND_TIMEDSLEEP);
    }
    return count;
}

/* The last step before `end` at which a thread begins to wait at the condition variable; NULL: there is none. */
static const struct step *wait_before(const struct moments *moments, uint32_t thread, uint64_t address, size_t end) {
    for (size_t i = end; i-- > 0;) {
        const struct step *step = step_at(moments, i);
        if (is_wait(step) && step->thread == thread && step->address == address) {
            return step;
        }
    }
    return NULL;
}

/* The wait at which the thread sleeps at the end, an index; SIZE_MAX: it does not. */
static size_t last_sleep(const struct search *search, uint32_t thread) {
    const struct moments *moments = search->moments;
    struct step next;
    if (!machine_thread_exists(search->machine, thread) || machine_thread_finished(search->machine, thread)) {
        return SIZE_MAX;
    }
    machine_next(search->machine, (struct transition){.thread = thread, .kind = TRANSITION_STEP}, &next);
    for (size_t i = moments->list.count; i-- > 0;) {
        const struct step *step = step_at(moments, i);
        if (is_wait(step) && step->thread == thread) {
            bool sleeps = next.kind == STEP_SYNC && next.sub == SYNC_COND_SLEEP && next.address == step->address;
            return sleeps ? i : SIZE_MAX;
        }
    }
    return SIZE_MAX;
}

/* The last signal for which a thread that sleeps at the end could have waited. */
static const struct step *last_signal(const struct moments *moments, const struct step *wait, size_t *at) {
    for (*at = moments->list.count; (*at)-- > 0;) {
        const struct step *signal = step_at(moments, *at);
        if (wakes(signal) && signal->address == wait->address && signal->thread != wait->thread) {
            return signal;
        }
    }
    return NULL;
}

/* A thread sleeps at the end.  The pattern is that the last signal came before its wait, when no thread was waiting, or
 * that it woke another thread. */
static bool find_signal(const struct search *search, enum cause_kind kind, struct cause *cause) {
    const struct moments *moments = search->moments;
    for (uint32_t t = 0; search->error->kind == ERROR_DEADLOCK && t < machine_threads(search->machine); t++) {
        size_t asleep = last_sleep(search, t);
        const struct step *wait = asleep == SIZE_MAX ? NULL : step_at(moments, asleep);
        size_t at;
        const struct step *signal = wait ? last_signal(moments, wait, &at) : NULL;
        if (!signal) {
            continue;
        }
        bool wakes_one = at > asleep && signal->sub == SYNC_COND_SIGNAL;
        const struct step *woken = wakes_one ? wait_before(moments, (uint32_t)signal->other, wait->address, at) : NULL;
        bool lost = at < asleep && sleepers(moments, wait->address, at) == 0;
        if (kind == CAUSE_LOST_SIGNAL ? lost : woken != NULL) {
            *cause = (struct cause){.kind = kind, .address = signal->address};
            add_deed(cause, signal->thread, signal->pos, NULL);
            if (woken) {
                add_deed(cause, woken->thread, woken->pos, NULL);
            }
            add_deed(cause, wait->thread, wait->pos, NULL);
            return true;
        }
    }
    return false;
}

static bool find_lost_signal(const struct search *search, struct cause *cause) {
    return find_signal(search, CAUSE_LOST_SIGNAL, cause);
}

static bool find_too_few_woken(const struct search *search, struct cause *cause) {
    return find_signal(search, CAUSE_TOO_FEW_WOKEN, cause);
}

/* --- Values ------------------------------------------------------------------------------------------------------- */

/* Of which errors a value can be the cause. */
static bool depends_on_values(enum error_kind kind) {
    return kind != ERROR_DEADLOCK && kind != ERROR_LIVENESS && kind != ERROR_RACE && kind != ERROR_LEAK &&
           kind != ERROR_GOAL && kind != ERROR_STATE && kind != ERROR_UNINITIALISED;
}

static bool take_step(struct machine *machine, uint32_t thread) {
    struct transition step = {.thread = thread, .kind = TRANSITION_STEP};
    if (!machine_thread_exists(machine, thread) || machine_thread_finished(machine, thread) ||
        !machine_is_enabled(machine, step)) {
        return false;
    }
    machine_take(machine, step);
    return true;
}

static void drain_all(struct machine *machine, uint32_t thread) {
    const struct buffer_entry *entries;
    while (machine_buffer(machine, thread, &entries) > 0) {
        struct transition drain = {.thread = thread, .kind = TRANSITION_DRAIN, .choice = entries[0].serial};
        if (!machine_is_enabled(machine, drain)) {
            return;
        }
        machine_take(machine, drain);
    }
}

/* A machine on which the steps before this one were taken. */
static struct machine *machine_before(const struct moments *moments, size_t end) {
    struct machine_options options = witness_machine_options(moments->witness);
    struct machine *machine = machine_new(moments->program, &options);
    for (size_t i = 0; i < end; i++) {
        struct transition transition;
        if (witness_step_transition(&moment_at(moments, i)->choice, machine, &transition)) {
            machine_take(machine, transition);
        }
    }
    return machine;
}

/* Slots belong to one machine: of a deed in another execution the name is kept, which is the same in all. */
static void name_thread(struct cause *cause, const struct machine *machine) {
    struct deed *deed = &cause->deeds[cause->count - 1];
    snprintf(deed->name, sizeof deed->name, "%s", machine_thread_name(machine, deed->thread));
    deed->thread = cause->deeds[0].thread;
}

/* Which thread would write what is read here, if all other threads ran on in turn and the reader did not? */
static bool run_on_to_write(const struct search *search, size_t read, struct cause *cause) {
    const struct step *at = step_at(search->moments, read);
    struct machine *machine = machine_before(search->moments, read);
    bool found = false;
    bool moved = true;
    for (size_t steps = 0; !found && moved && steps < MOST_STEPS;) {
        moved = false;
        for (uint32_t t = 0; !found && t < machine_threads(machine); t++) {
            if (t != at->thread && machine_outcome(machine) == OUTCOME_RUNNING && take_step(machine, t)) {
                struct step step = *machine_last(machine);
                found = writes(&step) && overlap(&step, at);
                if (found) {
                    add_write(cause, &step);
                    name_thread(cause, machine);
                }
                drain_all(machine, t);
                moved = true;
                steps++;
            }
        }
    }
    machine_free(machine);
    return found;
}

/* The first write after the read, by another thread, in this execution or in one in which the others run on. */
static bool find_setting(const struct search *search, size_t read, struct cause *cause) {
    const struct moments *moments = search->moments;
    for (size_t i = read + 1; i < moments->list.count; i++) {
        const struct step *step = step_at(moments, i);
        if (writes(step) && overlap(step, step_at(moments, read))) {
            if (step->thread != step_at(moments, read)->thread) {
                add_write(cause, step);
                return true;
            }
            return false;
        }
    }
    return run_on_to_write(search, read, cause);
}

static bool find_not_set_up(const struct search *search, struct cause *cause) {
    size_t count = search->moments->list.count;
    for (size_t i = count; search->depends && i-- > 0;) {
        const struct step *read = step_at(search->moments, i);
        if (row_has(search->dependence.error, i) && !read->writes && moment_source(search->moments, i) == count) {
            *cause = cause_of(CAUSE_NOT_SET_UP, read);
            add_read(cause, read);
            if (find_setting(search, i, cause)) {
                return true;
            }
        }
    }
    return false;
}

/* Does the error depend on bytes that this step writes? */
static bool is_depended_on(const struct search *search, const struct step *write) {
    for (size_t i = 0; i < search->moments->list.count; i++) {
        if (row_has(search->dependence.slice, i) && overlap(step_at(search->moments, i), write)) {
            return true;
        }
    }
    return false;
}

/* The first write of another thread between two steps of one thread to what the second accesses. */
static const struct step *write_between(const struct moments *moments, size_t first, size_t second) {
    for (size_t i = first + 1; i < second; i++) {
        const struct step *step = step_at(moments, i);
        if (writes(step) && step->thread != step_at(moments, first)->thread &&
            overlap(step, step_at(moments, second))) {
            return step;
        }
    }
    return NULL;
}

static bool find_lost_update(const struct search *search, struct cause *cause) {
    const struct moments *moments = search->moments;
    for (size_t k = moments->list.count; search->depends && k-- > 0;) {
        const struct step *write = step_at(moments, k);
        if (write->kind != STEP_STORE || !is_depended_on(search, write)) {
            continue;
        }
        for (size_t i = k; i-- > 0;) {
            const struct step *read = step_at(moments, i);
            bool updates = read->thread == write->thread && reads(read) && overlap(read, write) &&
                           depends_by_value(&search->dependence, k, i);
            const struct step *lost = updates ? write_between(moments, i, k) : NULL;
            if (lost && overlap(lost, read)) {
                *cause = cause_of(CAUSE_LOST_UPDATE, write);
                add_read(cause, read);
                add_write(cause, lost);
                add_write(cause, write);
                return true;
            }
        }
    }
    return false;
}

/* The thread's first write after it has read these bytes, if the read has decided whether it writes, and not what; the
 * number of moments if there is none. */
static size_t decided_write(const struct search *search, size_t read) {
    const struct moments *moments = search->moments;
    const struct step *at = step_at(moments, read);
    for (size_t k = read + 1; k < moments->list.count; k++) {
        const struct step *step = step_at(moments, k);
        if (step->thread == at->thread && writes(step) && overlap(step, at)) {
            bool decided = depends_by_branch(&search->dependence, k, read) &&
                           !depends_by_value(&search->dependence, k, read) && !step->reads &&
                           memcmp(step->written, at->read, 16) != 0;
            return decided ? k : moments->list.count;
        }
    }
    return moments->list.count;
}

static bool is_written_between(const struct moments *moments, const struct step *what, size_t first, size_t second) {
    for (size_t i = first + 1; i < second; i++) {
        if (writes(step_at(moments, i)) && overlap(step_at(moments, i), what)) {
            return true;
        }
    }
    return false;
}

/* Two threads have read the same value before either has written, and both write because of it. */
static bool find_check_then_act(const struct search *search, struct cause *cause) {
    const struct moments *moments = search->moments;
    size_t count = moments->list.count;
    for (size_t i = 0; search->depends && i < count; i++) {
        const struct step *one = step_at(moments, i);
        size_t k = reads(one) && !one->writes ? decided_write(search, i) : count;
        for (size_t j = i + 1; j < k && k < count; j++) {
            const struct step *other = step_at(moments, j);
            if (other->thread == one->thread || !reads(other) || other->writes || !same_value(one, other)) {
                continue;
            }
            size_t l = decided_write(search, j);
            if (l < count && !is_written_between(moments, one, i, k < l ? k : l)) {
                *cause = cause_of(CAUSE_CHECK_THEN_ACT, one);
                add_read(cause, one);
                add_read(cause, other);
                add_write(cause, step_at(moments, k));
                add_write(cause, step_at(moments, l));
                return true;
            }
        }
    }
    return false;
}

/* A thread has branched on a value that another has changed before the thread used it again. */
static bool find_check_then_use(const struct search *search, struct cause *cause) {
    const struct moments *moments = search->moments;
    for (size_t k = moments->list.count; search->depends && k-- > 0;) {
        const struct step *use = step_at(moments, k);
        for (size_t i = k; row_has(search->dependence.error, k) && i-- > 0;) {
            const struct step *check = step_at(moments, i);
            bool checks = check->thread == use->thread && reads(check) && check->address == use->address &&
                          check->size == use->size && check->pos != use->pos && !same_value(check, use) &&
                          depends_by_branch(&search->dependence, k, i);
            const struct step *change = checks ? write_between(moments, i, k) : NULL;
            if (change) {
                *cause = cause_of(CAUSE_CHECK_THEN_USE, use);
                add_read(cause, check);
                add_write(cause, change);
                add_read(cause, use);
                return true;
            }
        }
    }
    return false;
}

/* --- All of them -------------------------------------------------------------------------------------------------- */

static bool drains_at_once(const struct moments *moments) {
    for (size_t i = 0; i < moments->list.count; i++) {
        if (moment_at(moments, i)->late) {
            return false;
        }
    }
    return true;
}

static bool is_new(const struct vector *causes, const struct cause *cause) {
    for (size_t i = 0; i < causes->count; i++) {
        const struct cause *before = vector_at(causes, i);
        if (before->address == cause->address) {
            return false;
        }
    }
    return true;
}

void causes_find(const struct moments *moments, struct vector *causes) {
    static bool (*const finders[CAUSE_COUNT])(const struct search *search, struct cause *cause) = {
        [CAUSE_USE_AFTER_FREE] = find_use_after_free, [CAUSE_LOCK_CYCLE] = find_lock_cycle,
        [CAUSE_LOST_SIGNAL] = find_lost_signal,       [CAUSE_TOO_FEW_WOKEN] = find_too_few_woken,
        [CAUSE_NOT_SET_UP] = find_not_set_up,         [CAUSE_LOST_UPDATE] = find_lost_update,
        [CAUSE_CHECK_THEN_ACT] = find_check_then_act, [CAUSE_CHECK_THEN_USE] = find_check_then_use,
    };
    struct search search = {.moments = moments};
    if (moments->witness->kind == ERROR_STATE || !drains_at_once(moments)) {
        return;
    }
    search.machine = machine_before(moments, moments->list.count);
    if (machine_outcome(search.machine) == OUTCOME_ERROR) {
        search.error = machine_error(search.machine);
        search.depends =
            depends_on_values(search.error->kind) && dependence_init(&search.dependence, moments, search.error->thread);
        for (int kind = 0; kind < CAUSE_COUNT && causes->count < MOST_CAUSES; kind++) {
            struct cause cause = {0};
            if (finders[kind](&search, &cause) && is_new(causes, &cause)) {
                vector_push(causes, &cause);
            }
        }
        dependence_delete(&search.dependence);
    }
    machine_free(search.machine);
}
