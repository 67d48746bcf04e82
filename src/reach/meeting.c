/* See meeting.h. */
#include "reach/meeting.h"

#include <unistd.h>

#define PATIENCE 4096u /* about the time that it takes to fall asleep and be woken */

void meeting_init(struct meeting *meeting, uint32_t members) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    atomic_init(&meeting->arrived, 0);
    atomic_init(&meeting->round, 0);
    meeting->members = members;
    /* With more threads than cores, looking only keeps those away who are waited for. */
    meeting->patience = cores >= (long)members ? PATIENCE : 0;
    pthread_mutex_init(&meeting->lock, NULL);
    pthread_cond_init(&meeting->opened, NULL);
}

void meeting_delete(struct meeting *meeting) {
    pthread_mutex_destroy(&meeting->lock);
    pthread_cond_destroy(&meeting->opened);
}

static bool is_round(struct meeting *meeting, uint32_t round) {
    return atomic_load_explicit(&meeting->round, memory_order_acquire) == round;
}

bool meeting_arrive(struct meeting *meeting) {
    uint32_t round = atomic_load_explicit(&meeting->round, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&meeting->arrived, 1, memory_order_acq_rel) + 1 == meeting->members) {
        return true;
    }
    for (uint32_t looks = 0; looks < meeting->patience; looks++) {
        if (!is_round(meeting, round)) {
            return false;
        }
        __builtin_ia32_pause();
    }
    pthread_mutex_lock(&meeting->lock);
    while (is_round(meeting, round)) {
        pthread_cond_wait(&meeting->opened, &meeting->lock);
    }
    pthread_mutex_unlock(&meeting->lock);
    return false;
}

void meeting_open(struct meeting *meeting) {
    atomic_store_explicit(&meeting->arrived, 0, memory_order_relaxed);
    pthread_mutex_lock(&meeting->lock);
    atomic_fetch_add_explicit(&meeting->round, 1, memory_order_release);
    pthread_cond_broadcast(&meeting->opened);
    pthread_mutex_unlock(&meeting->lock);
}
