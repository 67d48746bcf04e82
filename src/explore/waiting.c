/* Going back in time along the chain of what a waiting step looks at. */
#include "explore/waiting.h"

#include <errno.h>
#include <string.h>

static bool is_blocking_sync(unsigned sub) {
    switch (sub) {
    case SYNC_MUTEX_LOCK:
    case SYNC_READ_LOCK:
    case SYNC_WRITE_LOCK:
    case SYNC_SPIN_LOCK:
    case SYNC_SEM_WAIT:
    case SYNC_ONCE_BEGIN:
    case SYNC_COND_WAIT:
    case SYNC_COND_TIMEDWAIT:
    case SYNC_BARRIER_WAIT:
        return true;
    default:
        return false;
    }
}

static bool is_trylock(unsigned sub) {
    return sub == SYNC_MUTEX_TRYLOCK || sub == SYNC_READ_TRYLOCK || sub == SYNC_WRITE_TRYLOCK ||
           sub == SYNC_SPIN_TRYLOCK || sub == SYNC_SEM_TRYWAIT;
}

static bool locks_for_writing(unsigned sub) {
    return sub == SYNC_WRITE_LOCK || sub == SYNC_WRITE_TRYLOCK;
}

/* Would the waiting step be enabled if its object were as it was before `event`? */
static bool enabled_before(struct chronological *chronological, uint32_t thread, const struct step *step,
                           const uint64_t state[2]) {
    uint64_t self = machine_thread_number(chronological->machine, thread) + UINT64_C(1);
    switch (step->kind) {
    case STEP_LOAD:
    case STEP_RMW:
        return !machine_round_fails(chronological->machine, thread, state);
    case STEP_CAS:
        return (state[0] == step->expected[0] && state[1] == step->expected[1]) ||
               !machine_round_fails(chronological->machine, thread, state);
    default:
        break;
    }
    uint64_t code[2] = {step->sub == SYNC_SEM_TRYWAIT ? EAGAIN : EBUSY, 0};
    if (is_trylock(step->sub) && !machine_round_fails(chronological->machine, thread, code)) {
        return true;
    }
    switch (step->sub) {
    case SYNC_SEM_WAIT:
    case SYNC_SEM_TRYWAIT:
        return (uint32_t)state[0] > 0;
    case SYNC_ONCE_BEGIN:
        return (uint32_t)state[0] != 1;
    case SYNC_READ_LOCK:
    case SYNC_READ_TRYLOCK:
        return (uint32_t)state[0] == 0;
    case SYNC_WRITE_LOCK:
    case SYNC_WRITE_TRYLOCK:
        return (uint32_t)state[0] == 0 && state[1] == 0;
    case SYNC_MUTEX_TRYLOCK:
    case SYNC_SPIN_LOCK:
    case SYNC_SPIN_TRYLOCK:
        return (uint32_t)state[0] == 0;
    default:
        return (uint32_t)state[0] == 0 || (uint32_t)state[0] == self;
    }
}

/* Readers of a lock that came behind `event` in time but do not depend on it have left, or come, all the same. */
uint64_t chronological_readers_without(const struct chronological *chronological, uint32_t event, uint64_t address) {
    uint64_t readers = event_old_state(chronological, chronological_event(chronological, event), address)[1];
    for (uint32_t i = event + 1; i < chronological->events.count; i++) {
        const struct event *other = chronological_event(chronological, i);
        bool reader = other->kind == STEP_SYNC && other->label.accesses == 1 && !other->label.access[0].writes &&
                      other->label.access[0].address == address && !happens_before(chronological, event, i);
        reader = reader && !other->refused;
        readers += reader && (other->sub == SYNC_READ_LOCK || other->sub == SYNC_READ_TIMEDLOCK ||
                              other->sub == SYNC_READ_TRYLOCK);
        readers -= reader && other->sub == SYNC_READ_UNLOCK;
    }
    return readers;
}

static void add_found(struct chronological *chronological, uint32_t event) {
    for (size_t i = 0; i < chronological->found.count; i++) {
        if (happens_before(chronological, event, *(uint32_t *)vector_at(&chronological->found, i))) {
            return;
        }
    }
    vector_push(&chronological->found, &event);
}

/* Of the writes that were gone past before the race was found, those that do not depend on its earlier event. */
static void note_undone(struct chronological *chronological, uint64_t word, uint32_t earlier, uint8_t open) {
    struct undone_write undone = {.waiting = (uint32_t)chronological->events.count, .earlier = earlier};
    for (uint32_t link = chains_head(&chronological->chains, word); link != NO_LINK;) {
        const struct chain_link *at = chains_at(&chronological->chains, link);
        undone.write = at->event;
        link = at->previous;
        if (at->event == earlier) {
            return;
        }
        if (at->writes && (at->bytes & open) && !happens_before(chronological, earlier, at->event)) {
            vector_push(&chronological->undone, &undone);
        }
    }
}

/* Goes back along the events that touch the object, putting back what each has changed, to the latest one of another
 * thread before which the step was enabled.  Readers of a lock come and go independently: there may be several. */
static void find_wait_races(struct chronological *chronological, uint32_t thread, const struct step *step,
                            const struct access *access, uint64_t state[2]) {
    uint64_t word = access->address / 8;
    bool whole = access->size <= 8 && (access->address + access->size - 1) / 8 == word;
    bool sync = step->kind == STEP_SYNC;
    uint8_t open = whole ? bytes_in_word(access, word) : 0xff;
    uint32_t own = NO_EVENT; /* a drain of its own, for which the step had to wait */
    for (uint32_t link = chains_head(&chronological->chains, word); link != NO_LINK;) {
        const struct chain_link *node = chains_at(&chronological->chains, link);
        const struct event *event = chronological_event(chronological, node->event);
        link = node->previous;
        bool reader = sync && !node->writes && locks_for_writing(step->sub);
        if ((!node->writes && !reader) || (whole && !(node->bytes & open))) {
            continue;
        }
        if (event->label.transition.thread == thread) {
            if (reader) {
                continue;
            }
            open = whole && !sync ? open & (uint8_t)~node->bytes : 0;
            if (open == 0) {
                return;
            }
            own = own == NO_EVENT ? node->event : own;
            continue;
        }
        if (sync) {
            memcpy(state, event_old_state(chronological, event, access->address), 2 * sizeof *state);
        } else {
            event_put_back(chronological, state, access, event, whole ? open : 0xff);
        }
        uint64_t probe[2] = {state[0], state[1]};
        if (sync && locks_for_writing(step->sub)) {
            probe[1] = chronological_readers_without(chronological, node->event, access->address);
        }
        if (own != NO_EVENT && happens_before(chronological, node->event, own)) {
            continue;
        }
        if (enabled_before(chronological, thread, step, probe)) {
            add_found(chronological, node->event);
            if (reader) {
                continue;
            }
            if (sync || !whole) {
                return;
            }
            note_undone(chronological, word, node->event, open);
            /* Its other bytes may race with others: these are as they were read. */
            uint8_t bytes[16];
            memcpy(bytes, state, sizeof bytes);
            for (uint64_t i = 0; i < access->size; i++) {
                if (node->bytes >> (access->address + i - word * 8) & 1) {
                    bytes[i] = ((const uint8_t *)step->read)[i];
                }
            }
            memcpy(state, bytes, sizeof bytes);
            open &= (uint8_t)~node->bytes;
        }
    }
}

/* Finds the races of a step that may have to wait; false for one that waits for nothing in its present phase. */
bool waiting_find(struct chronological *chronological, uint32_t thread, const struct step *step,
                  const struct label *label) {
    chronological->found.count = 0;
    bool load = (step->kind == STEP_LOAD || step->kind == STEP_RMW || step->kind == STEP_CAS) && !step->forwarded &&
                machine_thread_awaits(chronological->machine, thread);
    bool sync =
        step->kind == STEP_SYNC && (is_blocking_sync(step->sub) ||
                                    (is_trylock(step->sub) && machine_thread_awaits(chronological->machine, thread)));
    bool condition = sync && (step->sub == SYNC_COND_WAIT || step->sub == SYNC_COND_TIMEDWAIT);
    bool barrier = sync && step->sub == SYNC_BARRIER_WAIT;
    /* Arriving at a barrier, beginning to wait at a condition variable, and giving up there wait for nothing. */
    bool waits =
        load || (sync && !((condition || barrier) && step->phase == PHASE_NONE) && step->phase != PHASE_COND_WAITING);
    if (!waits || barrier || label->accesses == 0) {
        return waits;
    }
    struct access access = label->access[0];
    uint64_t state[2] = {step->read[0], step->read[1]};
    if (load) { /* also of an object that has ended */
        machine_peek(chronological->machine, access.address, (unsigned)access.size, state);
    }
    find_wait_races(chronological, thread, step, &access, state);
    return true;
}

/* A round fails if it reads what was there behind some earlier write, or at the beginning; the thread may have looked
 * then, unless that was over before it came to the loop. */
void waiting_note_failed(struct chronological *chronological, uint32_t thread, const struct step *step,
                         const struct label *label, uint32_t event) {
    const struct access *access = &label->access[0];
    uint64_t word = access->address / 8;
    if ((step->kind != STEP_LOAD && step->kind != STEP_CAS) || label->accesses != 1 || access->size > 8 ||
        (access->address + access->size - 1) / 8 != word) {
        return;
    }
    struct failed_read failed = {
        .thread = thread,
        .access = {.address = access->address, .size = access->size},
        .pos = step->pos,
        .event = event,
        .last_step = chronological_last_step(chronological, thread),
        .last_drain = step->kind == STEP_LOAD ? NO_EVENT : chronological_last_drain(chronological, thread),
        .next = NO_EVENT,
    };
    if (failed.last_step != NO_EVENT && chronological_event(chronological, failed.last_step)->awaits) {
        return; /* another read of the same round, which would come again too */
    }
    uint64_t value[2] = {step->read[0], step->read[1]};
    uint8_t open = bytes_in_word(access, word);
    bool noted = false; /* what is read now */
    for (uint32_t link = chains_head(&chronological->chains, word);;
         link = chains_at(&chronological->chains, link)->previous) {
        while (link != NO_LINK && !(chains_at(&chronological->chains, link)->writes &&
                                    (chains_at(&chronological->chains, link)->bytes & open))) {
            link = chains_at(&chronological->chains, link)->previous;
        }
        failed.after = link == NO_LINK ? NO_EVENT : chains_at(&chronological->chains, link)->event;
        bool swaps = step->kind == STEP_CAS && value[0] == step->expected[0] && value[1] == step->expected[1];
        if (!noted && !swaps && machine_round_fails(chronological->machine, thread, value)) {
            vector_push(&chronological->failed, &failed);
        }
        if (link == NO_LINK) {
            return;
        }
        const struct event *write = chronological_event(chronological, failed.after);
        bool before = event_follows(chronological, failed.last_step, failed.after) ||
                      event_follows(chronological, failed.last_drain, failed.after);
        if (before || write->label.accesses > MAX_ACCESSES) {
            return;
        }
        noted = write->label.transition.thread == thread;
        if (noted) { /* for which it has to wait if that is only a part of what it reads */
            failed.last_drain = failed.after;
            open &= (uint8_t)~chains_at(&chronological->chains, link)->bytes;
            if (open == 0) {
                return;
            }
        } else {
            event_put_back(chronological, value, access, write, open);
            failed.next = failed.after;
        }
    }
}
