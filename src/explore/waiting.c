/* Finding the races of a waiting step by following the chains of the words that it reads.
 *
 * A step that is not enabled stays so until a byte that it has read changes.  So, from the newest event back, only
 * events that change such a byte are candidates: the machine tells whether the step is enabled without the candidate
 * and all that happens after it.  If it is not, it may be enabled without all later changes as well, as far as they do
 * not depend on the candidate: these are recorded as undone.  An event that happens before the earlier event of a race
 * found is no candidate. */
#include "explore/waiting.h"

#include <string.h>

#include "explore/without.h"
#include "ir/sync.h"

/* --- The words that a step reads ---------------------------------------------------------------------------------- */

static struct wait_word *word_at(const struct chronological *chronological, size_t index) {
    return vector_at(&chronological->words, index);
}

/* Adds bytes that the step reads in the state before event `end`. */
static void add_bytes(struct chronological *chronological, uint64_t address, uint32_t size, uint32_t end) {
    const struct access access = {.address = address, .size = size};
    for (uint64_t word = address / 8; word <= (address + size - 1) / 8; word++) {
        uint8_t bytes = bytes_in_word(&access, word);
        size_t i = 0;
        while (i < chronological->words.count && word_at(chronological, i)->word != word) {
            i++;
        }
        if (i < chronological->words.count) {
            struct wait_word *at = word_at(chronological, i);
            at->open |= bytes & (uint8_t)~at->seen;
            at->seen |= bytes;
            continue;
        }
        uint32_t link = chains_head(&chronological->chains, word);
        while (link != NO_LINK && chains_at(&chronological->chains, link)->event >= end) {
            link = chains_at(&chronological->chains, link)->previous;
        }
        *(struct wait_word *)vector_room(&chronological->words) =
            (struct wait_word){.word = word, .link = link, .open = bytes, .seen = bytes};
    }
}

static void add_reads(struct chronological *chronological, const struct effect *effect, uint32_t end) {
    const struct effect_access *accesses = effect->accesses.data;
    for (size_t i = 0; i < effect->accesses.count; i++) {
        if (accesses[i].kind & ACCESS_READ) {
            add_bytes(chronological, accesses[i].address, accesses[i].size, end);
        }
    }
}

/* The newest event, not considered yet, that accesses an open byte; NO_EVENT if there is none. */
static uint32_t next_candidate(const struct chronological *chronological) {
    uint32_t newest = NO_EVENT;
    for (size_t i = 0; i < chronological->words.count; i++) {
        struct wait_word *at = word_at(chronological, i);
        while (at->open && at->link != NO_LINK) {
            const struct chain_link *link = chains_at(&chronological->chains, at->link);
            if ((link->writes || link->adds) && (link->bytes & at->open)) {
                break;
            }
            at->link = link->previous;
        }
        if (at->open && at->link != NO_LINK) {
            uint32_t event = chains_at(&chronological->chains, at->link)->event;
            newest = newest == NO_EVENT || event > newest ? event : newest;
        }
    }
    return newest;
}

/* Passes an event; closes the bytes that it writes if no earlier event matters. */
static void pass_candidate(const struct chronological *chronological, uint32_t event, bool closes) {
    for (size_t i = 0; i < chronological->words.count; i++) {
        struct wait_word *at = word_at(chronological, i);
        while (at->link != NO_LINK && chains_at(&chronological->chains, at->link)->event == event) {
            const struct chain_link *link = chains_at(&chronological->chains, at->link);
            if (closes && link->writes) {
                at->open &= (uint8_t)~link->bytes;
            }
            at->link = link->previous;
        }
    }
}

/* --- Races -------------------------------------------------------------------------------------------------------- */

static bool is_before_found(const struct chronological *chronological, uint32_t event) {
    for (size_t i = 0; i < chronological->found.count; i++) {
        const struct race *found = vector_at(&chronological->found, i);
        if (happens_before(chronological, event, found->event)) {
            return true;
        }
    }
    return false;
}

/* Records those later changes of what the step reads that are left out though they do not depend on the candidate. */
static void note_undone(struct chronological *chronological, const struct without *without) {
    struct undone_write undone = {.waiting = (uint32_t)chronological->events.count, .earlier = without->earlier};
    for (size_t i = 0; i < chronological->words.count; i++) {
        const struct wait_word *at = word_at(chronological, i);
        for (uint32_t link = chains_head(&chronological->chains, at->word); link != NO_LINK;) {
            const struct chain_link *node = chains_at(&chronological->chains, link);
            link = node->previous;
            if (node->event <= without->earlier) {
                break;
            }
            if ((node->writes || node->adds) && (node->bytes & at->seen) && without_removes(without, node->event) &&
                !happens_before(chronological, without->earlier, node->event)) {
                undone.write = node->event;
                vector_push(&chronological->undone, &undone);
            }
        }
    }
}

/* Is the earlier event of a race that was found left out? */
static bool removes_found(const struct chronological *chronological, const struct without *without) {
    for (size_t i = 0; i < chronological->found.count; i++) {
        const struct race *found = vector_at(&chronological->found, i);
        if (without_removes(without, found->event)) {
            return true;
        }
    }
    return false;
}

/* Is there a race with the candidate?  Gives it the labels of the step without the candidate. */
static bool find_race(struct chronological *chronological, uint32_t candidate, const struct step *step,
                      const struct label *label, struct race *race) {
    struct without without;
    without_init(&without, chronological, label->transition.thread, candidate);
    if (step->kind == STEP_LOAD) {
        without.last_drain = NO_EVENT; /* the step does not wait for it */
    }
    *race = (struct race){.event = candidate, .first = (uint32_t)chronological->reversed.count};
    race->labels = without_add_labels(&without, label);
    if (race->labels > 0) {
        return true;
    }
    add_reads(chronological, &chronological->effect, candidate);
    if (!without.met_others) {
        return false; /* nothing else that the step reads has changed since */
    }
    without.others = true;
    if (removes_found(chronological, &without)) {
        return false; /* it suffices to leave out less */
    }
    race->labels = without_add_labels(&without, label);
    if (race->labels > 0) {
        note_undone(chronological, &without);
    }
    return race->labels > 0;
}

static void find_wait_races(struct chronological *chronological, uint32_t thread, const struct step *step,
                            const struct label *label) {
    uint32_t own = NO_EVENT; /* a drain of its own for which the step had to wait */
    uint32_t last_step = chronological_last_step(chronological, thread);
    chronological->words.count = 0;
    if (step->kind == STEP_SYNC) {
        add_reads(chronological, step->effect, NO_EVENT);
    } else {
        add_bytes(chronological, step->address, step->size, NO_EVENT);
    }
    for (uint32_t candidate = next_candidate(chronological); candidate != NO_EVENT;
         candidate = next_candidate(chronological)) {
        if (chronological_event(chronological, candidate)->label.transition.thread == thread) {
            own = own == NO_EVENT ? candidate : own;
            pass_candidate(chronological, candidate, true);
            continue;
        }
        bool needed = event_follows(chronological, last_step, candidate) ||
                      (own != NO_EVENT && happens_before(chronological, candidate, own));
        bool closes = needed || is_before_found(chronological, candidate);
        struct race race;
        if (!closes && find_race(chronological, candidate, step, label, &race)) {
            *(struct race *)vector_room(&chronological->found) = race;
            closes = true;
        }
        pass_candidate(chronological, candidate, closes);
    }
}

bool waiting_find(struct chronological *chronological, bool awaits, const struct step *step,
                  const struct label *label) {
    chronological->found.count = 0;
    bool load = (step->kind == STEP_LOAD || step->kind == STEP_RMW || step->kind == STEP_CAS) && !step->forwarded;
    bool sync = step->kind == STEP_SYNC && !(chronological->settles && sync_is_thread(step->sub));
    bool waits = (load && awaits) || (sync && (awaits || sync_codes()[step->sub].may_wait));
    if (waits) {
        find_wait_races(chronological, label->transition.thread, step, label);
    }
    return waits;
}

/* --- Failed reads of waiting loops -------------------------------------------------------------------------------- */

/* Restores the old bytes of a write in a value, as far as bytes of the word are open. */
static void put_back(uint64_t *value, const struct access *access, const struct chain_link *link, uint8_t open) {
    for (uint32_t i = 0; i < access->size; i++) {
        unsigned at = (unsigned)((access->address + i) % 8);
        if (link->undoable && (link->bytes & open) >> at & 1) {
            *value &= ~(UINT64_C(0xff) << 8 * i);
            *value |= (link->old >> 8 * at & 0xff) << 8 * i;
        }
    }
}

/* A view in which the bytes of one access have a value. */
struct value_view {
    struct view view;
    const struct access *access;
    uint64_t value;
};

static void put_value(const struct view *view, uint64_t address, uint8_t bytes[8]) {
    const struct value_view *with = (const struct value_view *)view;
    for (uint32_t i = 0; i < with->access->size; i++) {
        uint64_t at = with->access->address + i;
        if (at / 8 * 8 == address) {
            bytes[at % 8] = (uint8_t)(with->value >> 8 * i);
        }
    }
}

static bool lives(const struct view *view, uint64_t address) {
    (void)view;
    (void)address;
    return true;
}

static bool fails_with(struct chronological *chronological, uint32_t thread, const struct access *access,
                       uint64_t value) {
    struct value_view with = {.view = {.word = put_value, .lives = lives}, .access = access, .value = value};
    struct transition transition = {.thread = thread, .kind = TRANSITION_STEP};
    machine_effect(chronological->machine, transition, &with.view, &chronological->effect);
    return chronological->effect.fails_iteration;
}

/* An iteration fails if it reads what an earlier write has written, or the initial value.  The thread may have read
 * that, unless it was overwritten before the thread reached the loop. */
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
        .access = {.address = access->address, .size = access->size, .reads = true},
        .pos = step->pos,
        .event = event,
        .last_step = chronological_last_step(chronological, thread),
        .last_drain = step->kind == STEP_LOAD ? NO_EVENT : chronological_last_drain(chronological, thread),
        .next = NO_EVENT,
    };
    if (failed.last_step != NO_EVENT && chronological_event(chronological, failed.last_step)->awaits) {
        return; /* another read of the same iteration, which would come again too */
    }
    uint64_t value = step->read[0];
    uint8_t open = bytes_in_word(access, word);
    bool noted = false; /* is the value that is read now recorded? */
    for (uint32_t link = chains_head(&chronological->chains, word);;
         link = chains_at(&chronological->chains, link)->previous) {
        while (link != NO_LINK && !(chains_at(&chronological->chains, link)->writes &&
                                    (chains_at(&chronological->chains, link)->bytes & open))) {
            link = chains_at(&chronological->chains, link)->previous;
        }
        failed.after = link == NO_LINK ? NO_EVENT : chains_at(&chronological->chains, link)->event;
        if (!noted && fails_with(chronological, thread, access, value)) {
            vector_push(&chronological->failed, &failed);
        }
        if (link == NO_LINK) {
            return;
        }
        const struct event *write = chronological_event(chronological, failed.after);
        if (event_follows(chronological, failed.last_step, failed.after) ||
            event_follows(chronological, failed.last_drain, failed.after)) {
            return;
        }
        noted = write->label.transition.thread == thread;
        if (noted) { /* the read has to wait for it if it covers only a part */
            failed.last_drain = failed.after;
            open &= (uint8_t)~chains_at(&chronological->chains, link)->bytes;
            if (open == 0) {
                return;
            }
        } else {
            put_back(&value, access, chains_at(&chronological->chains, link), open);
            failed.next = failed.after;
        }
    }
}
