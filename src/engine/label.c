/* What events touch, and when two of them do not disturb each other. */
#include "engine/label.h"

#define ENDED_BASE (UINT64_C(1) << 62)

void label_add(struct label *label, uint64_t address, uint64_t size, bool writes) {
    if (size == 0) {
        return;
    }
    label->early = 0;
    for (uint32_t i = 0; i < label->accesses && i < MAX_ACCESSES; i++) {
        if (label->access[i].address == address && label->access[i].size == size) {
            label->access[i].writes |= writes;
            return;
        }
    }
    if (label->accesses < MAX_ACCESSES) {
        label->access[label->accesses] = (struct access){.address = address, .size = (uint32_t)size, .writes = writes};
    }
    if (label->accesses <= MAX_ACCESSES) {
        label->accesses++;
    }
}

/* A wait at a condition variable begins and gives up at the condition, and lets go of and takes back the mutex. */
static void add_sync(struct label *label, const struct step *step) {
    switch (step->sub) {
    case SYNC_BUS_LOCK:
    case SYNC_BUS_UNLOCK:
        label->accesses = MAX_ACCESSES + 1; /* whatever reaches memory waits for it */
        for (int i = 0; i < MAX_ACCESSES; i++) {
            label->access[i] = (struct access){.address = BUS_ADDRESS, .size = BUS_BYTES, .writes = true};
        }
        break;
    case SYNC_COND_WAIT:
    case SYNC_COND_TIMEDWAIT:
        if (step->phase == PHASE_NONE || step->phase == PHASE_COND_WAITING) {
            label_add(label, step->address, step->size, true);
        }
        if (step->phase != PHASE_COND_WAITING) {
            label_add(label, step->other, 4, true);
        }
        break;
    case SYNC_THREAD_EXIT:
    case SYNC_THREAD_TRYJOIN:
        /* Whether a thread has ended is something that may be asked: it has an address of its own. */
        label_add(label, ENDED_BASE + step->address, 1, step->sub == SYNC_THREAD_EXIT || step->result == 0);
        break;
    default:
        if (step->reads) {
            label_add(label, step->address, step->size, step->writes);
        }
        break;
    }
}

void label_init(struct label *label, struct transition transition, const struct step *step, bool buffered) {
    label->transition = transition;
    label->accesses = 0;
    label->early = 0;
    label->ways = 0;
    label_add_step(label, step, buffered);
}

void label_add_step(struct label *label, const struct step *step, bool buffered) {
    switch (step->kind) {
    case STEP_LOAD:
        if (step->forwarded && label->accesses == 0) {
            label->early = step->serial;
            label->access[0] = (struct access){.address = step->address, .size = step->size};
        } else if (!step->forwarded) {
            label_add(label, step->address, step->size, false);
        }
        break;
    case STEP_STORE:
        if (!buffered) {
            label_add(label, step->address, step->size, true);
        }
        break;
    case STEP_FREE:
    case STEP_LEAVE:
        if (!buffered) {
            label_add(label, step->address, step->other, true);
        }
        break;
    case STEP_RMW:
        label_add(label, step->address, step->size, true);
        break;
    case STEP_CAS:
        label_add(label, step->address, step->size, step->writes);
        break;
    case STEP_DRAIN:
        label_add(label, step->address, step->ends_object ? step->other : step->size, true);
        break;
    case STEP_SYNC:
        add_sync(label, step);
        break;
    default:
        break;
    }
}

void label_add_join(struct label *label, const struct step *step) {
    label_add(label, ENDED_BASE + step->address, 1, false);
}

bool labels_independent(const struct label *one, const struct label *other, bool fifo) {
    if (one->transition.thread == other->transition.thread) {
        bool drains = one->transition.kind == TRANSITION_DRAIN;
        if (drains != (other->transition.kind == TRANSITION_DRAIN)) {
            return true; /* a thread's next step and its buffer: the step is not enabled if they disturb each other */
        }
        if (!drains || fifo) {
            return false;
        }
    }
    if (one->accesses > MAX_ACCESSES || other->accesses > MAX_ACCESSES) {
        return one->accesses == 0 || other->accesses == 0;
    }
    for (uint32_t i = 0; i < one->accesses; i++) {
        for (uint32_t k = 0; k < other->accesses; k++) {
            if ((one->access[i].writes || other->access[k].writes) &&
                accesses_overlap(&one->access[i], &other->access[k])) {
                return false;
            }
        }
    }
    return true;
}
