/* The later event need not be what it was: a compare-and-swap, a trylock, a timed wait find another state when the
 * earlier event is gone. */
#include "explore/race.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

void sequence_init(struct sequence *sequence, const struct chronological *chronological) {
    *sequence = (struct sequence){.chronological = chronological};
    vector_init(&sequence->elements, sizeof(struct element));
    vector_init(&sequence->copies, sizeof(struct label *));
    vector_init(&sequence->marks, sizeof(bool));
    vector_init(&sequence->passed, sizeof(struct passed_step));
    vector_init(&sequence->past, sizeof(uint64_t));
}

static void free_copies(struct sequence *sequence) {
    for (size_t i = 0; i < sequence->copies.count; i++) {
        free(*(struct label **)vector_at(&sequence->copies, i));
    }
    sequence->copies.count = 0;
}

void sequence_delete(struct sequence *sequence) {
    free_copies(sequence);
    vector_delete(&sequence->elements);
    vector_delete(&sequence->copies);
    vector_delete(&sequence->marks);
    vector_delete(&sequence->passed);
    vector_delete(&sequence->past);
}

static void copy_vector(struct vector *to, const struct vector *from) {
    if (from->count > 0) {
        memcpy(vector_grow(to, from->count), from->data, from->count * from->element_size);
    }
}

void sequence_copy(struct sequence *copy, const struct sequence *sequence) {
    sequence_init(copy, sequence->chronological);
    copy->turned = sequence->turned;
    copy->earlier = sequence->earlier;
    copy->end = sequence->end;
    copy_vector(&copy->elements, &sequence->elements);
    copy_vector(&copy->passed, &sequence->passed);
}

/* --- What the later event becomes --------------------------------------------------------------------------------- */

void race_turn(const struct chronological *chronological, const struct race *race, uint32_t index, uint32_t later,
               struct turned *turned) {
    const struct event *event = chronological_event(chronological, later);
    const struct event *before = chronological_event(chronological, race->event);
    bool for_bus = chronological->bus && before->kind == STEP_SYNC && before->sub == SYNC_BUS_LOCK;
    const struct label *label =
        race->labels > 0 ? vector_at(&chronological->reversed, race->first + index) : &event->label;
    *turned = (struct turned){
        .index = later,
        .waits = event->waits || for_bus,
        .label = *label,
        .last_step = event->kind == STEP_DRAIN ? event->store : event->last_step,
        .last_drain = event->kind == STEP_LOAD || (event->kind == STEP_DRAIN && !chronological->fifo)
                          ? NO_EVENT
                          : event->last_drain,
        .changes = race->labels > 0 && !labels_touch_alike(label, &event->label),
    };
}

/* Must the event be left out because the later one of the race cannot come behind it? */
static bool is_undone(const struct chronological *chronological, uint32_t waiting, uint32_t earlier, uint32_t event) {
    for (size_t i = 0; i < chronological->undone.count; i++) {
        const struct undone_write *undone = vector_at(&chronological->undone, i);
        if (undone->waiting == waiting && undone->earlier == earlier &&
            event_follows(chronological, event, undone->write)) {
            return true;
        }
    }
    return false;
}

/* --- The sequence ------------------------------------------------------------------------------------------------- */

/* Does a load have to wait for a drain of its own thread, because that covers only a part of it? */
static bool drain_holds_up(const struct label *drain, const struct label *load) {
    if (drain->transition.kind != TRANSITION_DRAIN || drain->transition.thread != load->transition.thread ||
        load->accesses == 0) {
        return false;
    }
    const struct access *written = &drain->access[0];
    const struct access *read = &load->access[0];
    bool covers = written->address <= read->address && read->address + read->size <= written->address + written->size;
    return accesses_overlap(written, read) && !covers;
}

/* PSO: is the one a drain that has to come before the turned drain, of the same thread, because of a store barrier? */
static bool barrier_holds_up(const struct chronological *chronological, uint32_t earlier, const struct turned *turned) {
    const struct event *drain = chronological_event(chronological, earlier);
    return drain->kind == STEP_DRAIN && turned->label.transition.kind == TRANSITION_DRAIN &&
           drain->label.transition.thread == turned->label.transition.thread &&
           chronological_event(chronological, drain->store)->barrier <
               chronological_event(chronological, turned->last_step)->barrier;
}

/* The last element may touch memory in another way than it did in the execution: a compare-and-swap that failed may now
 * write, and then depends on more.  It may also be one that had to wait: in the execution it then happens after events
 * that are left out now, and through them after others that it does not need; so only its own thread's past and what it
 * touches count. */
static bool depends(const struct sequence *sequence, uint32_t later, uint32_t earlier) {
    const struct chronological *chronological = sequence->chronological;
    const struct turned *turned = &sequence->turned;
    if (later != turned->index) {
        return happens_before(chronological, earlier, later);
    }
    if (!turned->waits && happens_before(chronological, earlier, later)) {
        return true;
    }
    const struct label *label = &chronological_event(chronological, earlier)->label;
    if (!labels_independent(label, &turned->label, chronological->fifo)) {
        return true;
    }
    if (!turned->waits) {
        return false;
    }
    bool drained = turned->last_drain != NO_EVENT && label->transition.kind == TRANSITION_DRAIN &&
                   label->transition.thread == turned->label.transition.thread;
    return drained || drain_holds_up(label, &turned->label) || barrier_holds_up(chronological, earlier, turned) ||
           event_follows(chronological, turned->last_step, earlier) ||
           event_follows(chronological, turned->last_drain, earlier);
}

/* A label of the sequence's own, to be changed. */
static struct label *copy_label(struct sequence *sequence, const struct label *label) {
    struct label *copy = memory_allocate(sizeof *copy);
    *copy = *label;
    vector_push(&sequence->copies, &copy);
    return copy;
}

/* The newest drain of a load's own thread, among those from `earlier` on, that it overlaps. */
static uint32_t newest_drain(const struct chronological *chronological, uint32_t earlier, uint32_t load) {
    const struct label *label = &chronological_event(chronological, load)->label;
    uint32_t newest = NO_EVENT;
    for (uint32_t i = earlier; i < load; i++) {
        const struct label *drain = &chronological_event(chronological, i)->label;
        if (drain->transition.kind == TRANSITION_DRAIN && drain->transition.thread == label->transition.thread &&
            accesses_overlap(&drain->access[0], &label->access[0]) &&
            (newest == NO_EVENT ||
             drain->transition.choice > chronological_event(chronological, newest)->label.transition.choice)) {
            newest = i;
        }
    }
    return newest;
}

/* The label of an event of the sequence: a load that has read memory behind the drain of a store of its own is served
 * early now if that drain is left out. */
static const struct label *label_without(struct sequence *sequence, uint32_t earlier, uint32_t index) {
    const struct chronological *chronological = sequence->chronological;
    const struct event *event = chronological_event(chronological, index);
    if (!chronological->buffered || event->kind != STEP_LOAD || event->label.accesses == 0) {
        return &event->label;
    }
    uint32_t drain = newest_drain(chronological, earlier, index);
    if (drain == NO_EVENT || (drain != earlier && !happens_before(chronological, earlier, drain))) {
        return &event->label;
    }
    struct label *early = copy_label(sequence, &event->label);
    early->early = chronological_event(chronological, drain)->label.transition.choice;
    early->accesses = 0;
    return early;
}

static void add_element(struct sequence *sequence, const struct label *label, uint32_t index) {
    *(struct element *)vector_room(&sequence->elements) =
        (struct element){.transition = label->transition, .label = label, .index = index};
}

void sequence_make(struct sequence *sequence, uint32_t earlier, const struct turned *turned) {
    const struct chronological *chronological = sequence->chronological;
    uint32_t end = turned->changes ? (uint32_t)chronological->events.count : turned->index;
    free_copies(sequence);
    sequence->turned = *turned;
    sequence->earlier = earlier;
    sequence->end = end;
    sequence->passed.count = 0;
    sequence->elements.count = 0;
    for (uint32_t i = earlier + 1; i < end; i++) {
        if (!happens_before(chronological, earlier, i) && i != turned->index &&
            !chronological_event(chronological, i)->trails &&
            (chronological->undone.count == 0 || !is_undone(chronological, turned->index, earlier, i))) {
            add_element(sequence, label_without(sequence, earlier, i), i);
        }
    }
    add_element(sequence, &sequence->turned.label, turned->index);
}

/* The next step of a thread in the execution, behind what has been taken out, or NO_EVENT. */
static uint32_t next_step(const struct sequence *sequence, uint32_t thread) {
    const struct chronological *chronological = sequence->chronological;
    uint32_t first = sequence->earlier;
    for (size_t i = 0; i < sequence->passed.count; i++) {
        const struct passed_step *passed = vector_at(&sequence->passed, i);
        first = passed->thread == thread ? passed->index + 1 : first;
    }
    for (uint32_t i = first; i < chronological->events.count; i++) {
        const struct event *event = chronological_event(chronological, i);
        struct transition transition = event->label.transition;
        if (transition.thread == thread && transition.kind == TRANSITION_STEP && !event->trails) {
            return i;
        }
    }
    return NO_EVENT;
}

/* Which way a thread goes is settled if it has gone it before the later event of the race.  Behind that, its other ways
 * are tried too, but the race is turned around only once. */
static bool is_settled(const struct sequence *sequence, const struct label *label, uint32_t next) {
    return next != NO_EVENT && (next < sequence->end || next == sequence->turned.index) &&
           chronological_event(sequence->chronological, next)->label.ways == label->ways;
}

bool sequence_leaves_open(const struct sequence *sequence, const struct label *label) {
    return label->ways > 1 && !is_settled(sequence, label, next_step(sequence, label->transition.thread));
}

/* Does the thread go another way in the execution? */
static bool goes_elsewhere(const struct sequence *sequence, const struct label *label) {
    if (label->ways <= 1) {
        return false;
    }
    uint32_t next = next_step(sequence, label->transition.thread);
    return is_settled(sequence, label, next) &&
           chronological_event(sequence->chronological, next)->label.transition.choice != label->transition.choice;
}

bool sequence_weak_initial(const struct sequence *sequence, const struct label *label, size_t *place) {
    const struct element *elements = sequence->elements.data;
    size_t count = sequence->elements.count;
    bool fifo = sequence->chronological->fifo;
    for (size_t i = 0; i < count; i++) {
        if (transitions_equal(elements[i].transition, label->transition)) {
            for (size_t k = 0; k < i; k++) {
                if (depends(sequence, elements[i].index, elements[k].index)) {
                    return false;
                }
            }
            *place = i;
            return true;
        }
    }
    if (goes_elsewhere(sequence, label)) {
        return false;
    }
    struct label waiting;
    for (size_t i = 0; i < count; i++) {
        if (!labels_independent(elements[i].label, label, fifo)) {
            return false;
        }
        if (label_serves(elements[i].label, label)) {
            waiting = *label;
            label_arrive(&waiting);
            label = &waiting;
        }
    }
    *place = count;
    return true;
}

/* Behind a way that the execution did not go, nothing of it says where the thread goes next. */
static void pass_step(struct sequence *sequence, size_t place, const struct label *label) {
    const struct element *elements = sequence->elements.data;
    struct passed_step passed = {.thread = label->transition.thread, .index = UINT32_MAX - 1};
    if (place < sequence->elements.count) {
        passed.index = elements[place].index;
    } else if (label->ways <= 1) {
        uint32_t next = next_step(sequence, passed.thread);
        passed.index = next != NO_EVENT ? next : passed.index;
    }
    vector_push(&sequence->passed, &passed);
}

void sequence_take_out(struct sequence *sequence, size_t place, const struct label *label) {
    struct element *elements = sequence->elements.data;
    if (sequence->chronological->may_choose && label->transition.kind == TRANSITION_STEP) {
        pass_step(sequence, place, label);
    }
    if (place < sequence->elements.count) {
        memmove(elements + place, elements + place + 1, (sequence->elements.count - place - 1) * sizeof *elements);
        sequence->elements.count--;
    }
    /* Loads that the store now drained would have served early change: they get labels of their own. */
    for (size_t i = 0; i < sequence->elements.count && label->transition.kind == TRANSITION_DRAIN; i++) {
        if (label_serves(label, elements[i].label)) {
            struct label *copy = copy_label(sequence, elements[i].label);
            label_arrive(copy);
            elements[i].label = copy;
        }
    }
}

/* --- Shortening --------------------------------------------------------------------------------------------------- */

/* Marks what the marked elements need before them. */
static void mark_past(struct sequence *sequence) {
    const struct chronological *chronological = sequence->chronological;
    const struct element *elements = sequence->elements.data;
    bool *marks = sequence->marks.data;
    uint64_t *past = sequence->past.data;
    size_t last = sequence->elements.count - 1;
    uint32_t first = sequence->earlier / 64;
    memset(past + first, 0, (sequence->past.count - first) * sizeof *past);
    for (size_t i = last; i-- > 0;) {
        uint32_t event = elements[i].index;
        if (marks[i] || (past[event / 64] >> event % 64 & 1) || depends(sequence, elements[last].index, event)) {
            marks[i] = true;
            clocks_add_to(&chronological->clocks, event, past, first);
        }
    }
}

void sequence_mark_last(struct sequence *sequence) {
    sequence->marks.count = sequence->past.count = 0;
    vector_grow(&sequence->marks, sequence->elements.count);
    vector_grow(&sequence->past, sequence->chronological->events.count / 64 + 1);
    *(bool *)vector_at(&sequence->marks, sequence->elements.count - 1) = true;
    mark_past(sequence);
}

bool sequence_mark_waker(struct sequence *sequence, const struct label *asleep) {
    bool *marks = sequence->marks.data;
    size_t count = sequence->elements.count;
    size_t first = count;
    struct label waiting;
    for (size_t i = 0; i < count; i++) {
        const struct label *label = sequence_label(sequence, i);
        if (!labels_independent(label, asleep, sequence->chronological->fifo)) {
            if (marks[i]) {
                return true;
            }
            first = first == count ? i : first;
        } else if (label_serves(label, asleep)) {
            waiting = *asleep;
            label_arrive(&waiting);
            asleep = &waiting;
        }
    }
    if (first < count) {
        marks[first] = true;
        mark_past(sequence);
    }
    return first < count;
}

void sequence_keep_marked(struct sequence *sequence) {
    struct element *elements = sequence->elements.data;
    const bool *marks = sequence->marks.data;
    size_t count = 0;
    for (size_t i = 0; i < sequence->elements.count; i++) {
        if (marks[i]) {
            elements[count++] = elements[i];
        }
    }
    sequence->elements.count = count;
}
