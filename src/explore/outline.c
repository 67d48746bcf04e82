/* Outlines use bits of rows instead of lists of labels. */
#include "explore/outline.h"

void outline_init(struct outline *outline, const struct chronological *chronological) {
    *outline = (struct outline){.chronological = chronological};
    vector_init(&outline->events, sizeof(uint64_t));
}

void outline_delete(struct outline *outline) {
    vector_delete(&outline->events);
}

bool outline_make(struct outline *outline, uint32_t earlier, const struct reversal *reversal) {
    const struct chronological *chronological = outline->chronological;
    uint32_t count = (uint32_t)chronological->events.count;
    size_t words = count / 64 + 1;
    const uint32_t *keys = chronological->keys.data;
    if (chronological->choosing > 0 || chronological->undone.count > 0 || reversal->index >= count) {
        return false;
    }
    while (outline->events.count < words) {
        vector_room(&outline->events);
    }
    uint64_t *events = outline->events.data;
    for (size_t w = earlier / 64; w < words; w++) {
        events[w] = 0;
    }
    outline->first = earlier + 1;
    outline->end = reversal->index;
    outline->count = 1;
    for (uint32_t i = earlier + 1; i < reversal->index; i++) {
        uint64_t in = !clocks_hold(&chronological->clocks, i, earlier) & (keys[i] != TRAILING_KEY);
        events[i / 64] |= in << i % 64;
        outline->count += (uint32_t)in;
    }
    uint8_t kind = chronological_event(chronological, reversal->index)->kind;
    outline->later = reversal->label.transition;
    outline->has_later = true;
    outline->simple = !reversal->waits && kind != STEP_ATOMIC_BEGIN && kind != STEP_CAS && kind != STEP_SYNC;
    return true;
}

/* Does an event happen after another one of the outline? */
static bool needs_another(const struct outline *outline, uint32_t event) {
    return clocks_meet(&outline->chronological->clocks, event, outline->events.data, outline->first / 64);
}

enum initial outline_initial(struct outline *outline, struct transition transition, bool takes) {
    const struct chronological *chronological = outline->chronological;
    const uint32_t *keys = chronological->keys.data;
    uint64_t *events = outline->events.data;
    uint32_t key = transition_key(transition);
    for (uint32_t i = outline->first; i < outline->end; i++) {
        if (keys[i] != key || !(events[i / 64] >> i % 64 & 1) ||
            chronological_event(chronological, i)->label.transition.choice != transition.choice) {
            continue;
        }
        if (needs_another(outline, i)) {
            return INITIAL_NO;
        }
        if (takes) {
            events[i / 64] &= ~(UINT64_C(1) << i % 64);
            outline->count--;
        }
        return INITIAL_YES;
    }
    if (!outline->has_later || !outline->simple || !transitions_equal(outline->later, transition)) {
        return INITIAL_OPEN;
    }
    if (needs_another(outline, outline->end)) {
        return INITIAL_NO;
    }
    if (takes) {
        outline->has_later = false;
        outline->count--;
    }
    return INITIAL_YES;
}
