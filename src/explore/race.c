/* Without the earlier event the later one may be another one: a compare-and-swap, a trylock, a timed wait read other
 * values. */
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
    copy->reversal = sequence->reversal;
    copy->earlier = sequence->earlier;
    copy->end = sequence->end;
    copy_vector(&copy->elements, &sequence->elements);
    copy_vector(&copy->passed, &sequence->passed);
}

/* --- The later event without the earlier one ---------------------------------------------------------------------- */

void race_reverse(const struct chronological *chronological, const struct race *race, uint32_t index, uint32_t later,
                  struct reversal *reversal) {
    const struct event *event = chronological_event(chronological, later);
    const struct event *before = chronological_event(chronological, race->event);
    bool for_bus = chronological->bus && before->kind == STEP_SYNC && before->sub == SYNC_BUS_LOCK;
    const struct label *label =
        race->labels > 0 ? vector_at(&chronological->reversed, race->first + index) : &event->label;
    *reversal = (struct reversal){
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

/* Must the event be left out because the later one of the race cannot come after it? */
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

/* Must a load wait for a drain of its own thread that covers only a part of it? */
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

/* PSO: does a store barrier put the earlier drain before the reversed drain of the same thread? */
static bool barrier_holds_up(const struct chronological *chronological, uint32_t earlier,
                             const struct reversal *reversal) {
    const struct event *drain = chronological_event(chronological, earlier);
    return drain->kind == STEP_DRAIN && reversal->label.transition.kind == TRANSITION_DRAIN &&
           drain->label.transition.thread == reversal->label.transition.thread &&
           chronological_event(chronological, drain->store)->barrier <
               chronological_event(chronological, reversal->last_step)->barrier;
}

/* The last element may access memory differently than in the execution: a compare-and-swap that failed may now write,
 * and then depends on more.  It may also be a step that had to wait: in the execution it happens after events that are
 * left out now, and through these after others that it does not need.  So for such a step only the past of its own
 * thread and its accesses count. */
static bool depends(const struct sequence *sequence, uint32_t later, uint32_t earlier) {
    const struct chronological *chronological = sequence->chronological;
    const struct reversal *reversal = &sequence->reversal;
    if (later != reversal->index) {
        return happens_before(chronological, earlier, later);
    }
    if (!reversal->waits && happens_before(chronological, earlier, later)) {
        return true;
    }
    const struct label *label = &chronological_event(chronological, earlier)->label;
    if (!labels_independent(label, &reversal->label, chronological->fifo)) {
        return true;
    }
    if (!reversal->waits) {
        return false;
    }
    bool drained = reversal->last_drain != NO_EVENT && label->transition.kind == TRANSITION_DRAIN &&
                   label->transition.thread == reversal->label.transition.thread;
    return drained || drain_holds_up(label, &reversal->label) || barrier_holds_up(chronological, earlier, reversal) ||
           event_follows(chronological, reversal->last_step, earlier) ||
           event_follows(chronological, reversal->last_drain, earlier);
}

/* A copy of a label that the sequence may change. */
static struct label *copy_label(struct sequence *sequence, const struct label *label) {
    struct label *copy = memory_allocate(sizeof *copy);
    *copy = *label;
    vector_push(&sequence->copies, &copy);
    return copy;
}

/* The newest drain of a load's own thread, among those from `earlier` on, that the load overlaps. */
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

/* The label of an event of the sequence.  A load that has read memory after the drain of an own store is served early
 * if that drain is left out. */
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

void sequence_make(struct sequence *sequence, uint32_t earlier, const struct reversal *reversal) {
    const struct chronological *chronological = sequence->chronological;
    uint32_t end = reversal->changes ? (uint32_t)chronological->events.count : reversal->index;
    free_copies(sequence);
    sequence->reversal = *reversal;
    sequence->earlier = earlier;
    sequence->end = end;
    sequence->passed.count = 0;
    sequence->elements.count = 0;
    for (uint32_t i = earlier + 1; i < end; i++) {
        if (!happens_before(chronological, earlier, i) && i != reversal->index &&
            !chronological_event(chronological, i)->trails &&
            (chronological->undone.count == 0 || !is_undone(chronological, reversal->index, earlier, i))) {
            add_element(sequence, label_without(sequence, earlier, i), i);
        }
    }
    add_element(sequence, &sequence->reversal.label, reversal->index);
}

/* The next step of a thread in the execution, after those removed, or NO_EVENT. */
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

/* The choice of a thread is settled if the thread has made it before the later event of the race.  After the race other
 * choices are explored too, but the race is reversed only once. */
static bool is_settled(const struct sequence *sequence, const struct label *label, uint32_t next) {
    return next != NO_EVENT && (next < sequence->end || next == sequence->reversal.index) &&
           chronological_event(sequence->chronological, next)->label.choices == label->choices;
}

bool sequence_leaves_open(const struct sequence *sequence, const struct label *label) {
    return label->choices > 1 && !is_settled(sequence, label, next_step(sequence, label->transition.thread));
}

/* Does the thread make another choice in the execution? */
static bool takes_other_choice(const struct sequence *sequence, const struct label *label) {
    if (label->choices <= 1) {
        return false;
    }
    uint32_t next = next_step(sequence, label->transition.thread);
    return is_settled(sequence, label, next) &&
           chronological_event(sequence->chronological, next)->label.transition.choice != label->transition.choice;
}

bool sequence_weak_initial(const struct sequence *sequence, const struct label *label, size_t *index) {
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
            *index = i;
            return true;
        }
    }
    if (takes_other_choice(sequence, label)) {
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
    *index = count;
    return true;
}

/* After a choice that the execution did not make, the next step of the thread is unknown. */
static void pass_step(struct sequence *sequence, size_t index, const struct label *label) {
    const struct element *elements = sequence->elements.data;
    struct passed_step passed = {.thread = label->transition.thread, .index = UINT32_MAX - 1};
    if (index < sequence->elements.count) {
        passed.index = elements[index].index;
    } else if (label->choices <= 1) {
        uint32_t next = next_step(sequence, passed.thread);
        passed.index = next != NO_EVENT ? next : passed.index;
    }
    vector_push(&sequence->passed, &passed);
}

void sequence_take_out(struct sequence *sequence, size_t index, const struct label *label) {
    struct element *elements = sequence->elements.data;
    if (sequence->chronological->may_choose && label->transition.kind == TRANSITION_STEP) {
        pass_step(sequence, index, label);
    }
    if (index < sequence->elements.count) {
        memmove(elements + index, elements + index + 1, (sequence->elements.count - index - 1) * sizeof *elements);
        sequence->elements.count--;
    }
    /* Loads that the drained store would have served early change: they get labels of their own. */
    for (size_t i = 0; i < sequence->elements.count && label->transition.kind == TRANSITION_DRAIN; i++) {
        if (label_serves(label, elements[i].label)) {
            struct label *copy = copy_label(sequence, elements[i].label);
            label_arrive(copy);
            elements[i].label = copy;
        }
    }
}

/* --- Shortening --------------------------------------------------------------------------------------------------- */

/* Marks the elements that the marked ones need before them. */
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
