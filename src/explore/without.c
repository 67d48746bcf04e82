/* Undoing removed writes, newest first: a write by restoring the old bytes, an add by subtracting.  A later write of
 * the same bytes depends on a removed one, so it is removed too. */
#include "explore/without.h"

#include <string.h>

bool without_removes(const struct without *without, uint32_t event) {
    const struct chronological *chronological = without->chronological;
    if (event == without->earlier || happens_before(chronological, without->earlier, event)) {
        return true;
    }
    return without->others && event > without->earlier &&
           chronological_event(chronological, event)->label.transition.thread != without->thread &&
           !event_follows(chronological, without->last_step, event) &&
           !event_follows(chronological, without->last_drain, event);
}

/* Subtracts what the link has added from its 4 bytes. */
static void undo_add(const struct chain_link *link, uint8_t bytes[8]) {
    unsigned first = (unsigned)__builtin_ctz(link->bytes);
    uint32_t value;
    if (first > 4) {
        return; /* an object that is not aligned has its count in two words */
    }
    memcpy(&value, bytes + first, sizeof value);
    value -= (uint32_t)link->old;
    memcpy(bytes + first, &value, sizeof value);
}

/* All bits of the bytes that are in the set. */
static uint64_t mask_of(uint8_t bytes) {
    uint64_t bits = bytes * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    uint64_t high = (bits + UINT64_C(0x7f7f7f7f7f7f7f7f)) | bits;
    return (high >> 7 & UINT64_C(0x0101010101010101)) * 0xff;
}

static void undo_word(const struct view *view, uint64_t address, uint8_t bytes[8]) {
    const struct without *without = (const struct without *)view;
    struct chains *chains = &without->chronological->chains;
    for (uint32_t link = chains_head(chains, address / 8); link != NO_LINK;) {
        const struct chain_link *at = chains_at(chains, link);
        link = at->previous;
        if (at->event < without->earlier) {
            return;
        }
        if (!at->undoable || !without_removes(without, at->event)) {
            *(bool *)view->data |= !without->others;
            continue;
        }
        if (at->adds) {
            undo_add(at, bytes);
            continue;
        }
        uint64_t mask = mask_of(at->bytes);
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        word = (word & ~mask) | (at->old & mask);
        memcpy(bytes, &word, sizeof word);
    }
}

/* Is the end of the object left out? */
static bool object_lives(const struct view *view, uint64_t address) {
    const struct without *without = (const struct without *)view;
    const struct chronological *chronological = without->chronological;
    for (uint32_t i = without->earlier; i < chronological->events.count; i++) {
        const struct event *event = chronological_event(chronological, i);
        bool ends = event->ends_object || event->kind == STEP_FREE || event->kind == STEP_LEAVE;
        if (ends && event->label.accesses == 1 && event->label.access[0].address == address) {
            bool removed = without_removes(without, i);
            *(bool *)view->data |= !removed && !without->others;
            return removed;
        }
    }
    return false;
}

void without_init(struct without *without, struct chronological *chronological, uint32_t thread, uint32_t earlier) {
    *without = (struct without){
        .view = {.word = undo_word, .lives = object_lives, .data = &without->met_others},
        .chronological = chronological,
        .thread = thread,
        .last_step = chronological_last_step(chronological, thread),
        .last_drain = chronological_last_drain(chronological, thread),
        .earlier = earlier,
    };
}

uint32_t without_add_labels(const struct without *without, const struct label *label) {
    struct chronological *chronological = without->chronological;
    struct effect *effect = &chronological->effect;
    struct transition transition = label->transition;
    machine_effect(chronological->machine, transition, &without->view, effect);
    uint64_t choices = effect->choices;
    if (!effect->enabled) {
        return 0;
    }
    bool same = choices == (label->choices ? label->choices : 1);
    uint32_t count = same ? 1 : (uint32_t)choices;
    for (uint32_t i = 0; i < count; i++) {
        if (!same) {
            transition.choice = i;
            machine_effect(chronological->machine, transition, &without->view, effect);
        }
        struct label *reversed = vector_room(&chronological->reversed);
        reversed->transition = transition;
        reversed->choices = choices > 1 ? (uint32_t)choices : 0;
        chronological_label_effect(chronological, reversed, effect);
    }
    return count;
}
