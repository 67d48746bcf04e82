/* Making events, from what is known before a step is taken and after it; and removing them. */
#include "explore/chronological.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/noticing.h"
#include "explore/edges.h"
#include "explore/waiting.h"
#include "ir/sync.h"
#include "util/memory.h"

/* --- Making, growing ---------------------------------------------------------------------------------------------- */

/* The old value of a write matters to steps that wait for a value, to a compare-and-swap, and to operations that depend
 * on the state of an object, or of a thread whose end others notice. */
static bool needs_old(const struct program *program, bool settles) {
    const struct sync_code *codes = sync_codes();
    for (size_t i = 0; i < program->code_count; i++) {
        const struct instruction *instruction = &program->code[i];
        if ((instruction->flags & INSTRUCTION_AWAIT) || instruction->op == OP_CAS ||
            (instruction->op == OP_SYNC && codes[instruction->width].instructions &&
             !(settles && sync_is_thread(instruction->width)))) {
            return true;
        }
    }
    return false;
}

static bool may_choose(const struct program *program) {
    const struct sync_code *codes = sync_codes();
    for (size_t i = 0; i < program->code_count; i++) {
        const struct instruction *instruction = &program->code[i];
        bool sync = instruction->op == OP_SYNC && codes[instruction->width].may_choose;
        if (sync || instruction->op == OP_NONDET || instruction->op == OP_MALLOC) {
            return true;
        }
    }
    return false;
}

static bool locks_bus(const struct program *program) {
    for (size_t i = 0; i < program->code_count; i++) {
        if (program->code[i].op == OP_SYNC && program->code[i].width == SYNC_BUS_LOCK) {
            return true;
        }
    }
    return false;
}

void chronological_init(struct chronological *chronological, struct machine *machine) {
    memset(chronological, 0, sizeof *chronological);
    chronological->machine = machine;
    chronological->buffered = machine_model(machine) != MODEL_SC;
    chronological->fifo = machine_model(machine) != MODEL_PSO;
    vector_init(&chronological->events, sizeof(struct event));
    vector_init(&chronological->keys, sizeof(uint32_t));
    vector_init(&chronological->races, sizeof(struct race));
    vector_init(&chronological->reversed, sizeof(struct label));
    access_lists_init(&chronological->lists);
    vector_init(&chronological->taken, sizeof(struct transition));
    vector_init(&chronological->lines, sizeof(struct line *));
    chains_init(&chronological->chains);
    vector_init(&chronological->failed, sizeof(struct failed_read));
    vector_init(&chronological->undone, sizeof(struct undone_write));
    vector_init(&chronological->lives, sizeof(struct event_life));
    vector_init(&chronological->noted, sizeof(struct life_note));
    vector_init(&chronological->changes, sizeof(struct change));
    effect_init(&chronological->effect);
    vector_init(&chronological->large, sizeof(uint32_t));
    vector_init(&chronological->predecessors, sizeof(uint32_t));
    vector_init(&chronological->found, sizeof(struct race));
    vector_init(&chronological->words, sizeof(struct wait_word));
    vector_init(&chronological->newborn, sizeof(uint32_t));
    vector_init(&chronological->picked, sizeof(uint32_t));
    vector_init(&chronological->section_choices, sizeof(uint32_t));
    chronological->needs_old = needs_old(machine_program(machine), false);
    chronological->may_choose = may_choose(machine_program(machine));
    chronological->bus = locks_bus(machine_program(machine));
    clocks_init(&chronological->clocks);
}

void chronological_delete(struct chronological *chronological) {
    for (size_t i = 0; i < chronological->lines.count; i++) {
        struct line *line = *(struct line **)vector_at(&chronological->lines, i);
        vector_delete(&line->stores);
        vector_delete(&line->updates);
        free(line);
    }
    vector_delete(&chronological->taken);
    vector_delete(&chronological->events);
    vector_delete(&chronological->keys);
    vector_delete(&chronological->races);
    vector_delete(&chronological->reversed);
    access_lists_delete(&chronological->lists);
    vector_delete(&chronological->lines);
    chains_delete(&chronological->chains);
    vector_delete(&chronological->failed);
    vector_delete(&chronological->undone);
    vector_delete(&chronological->lives);
    vector_delete(&chronological->noted);
    vector_delete(&chronological->changes);
    effect_delete(&chronological->effect);
    vector_delete(&chronological->large);
    vector_delete(&chronological->predecessors);
    vector_delete(&chronological->found);
    vector_delete(&chronological->words);
    vector_delete(&chronological->newborn);
    vector_delete(&chronological->picked);
    vector_delete(&chronological->section_choices);
    clocks_delete(&chronological->clocks);
}

/* The slot for a serial number; it may be the next one after those in use. */
static uint32_t *serial_slot(struct vector *events, uint64_t serial) {
    while (events->count <= serial) {
        *(uint32_t *)vector_grow(events, 1) = NO_EVENT;
    }
    return vector_at(events, serial);
}

void chronological_label(struct chronological *chronological, struct label *label, struct transition transition,
                         const struct step *step) {
    label_init(label, &chronological->lists, transition, step, chronological->buffered);
    if (step->kind == STEP_SYNC && chronological->settles && sync_is_thread(step->sub)) {
        label->accesses = 0; /* its position does not matter */
    }
    bool stores = step->kind == STEP_DRAIN || (is_store(step->kind) && !chronological->buffered);
    if (chronological->bus && stores) {
        label_add(label, &chronological->lists,
                  (struct access){.address = BUS_ADDRESS, .size = BUS_BYTES, .reads = true});
    }
}

void chronological_label_effect(struct chronological *chronological, struct label *label, const struct effect *effect) {
    label_set_effect(label, &chronological->lists, effect);
}

/* --- Adding and removing ------------------------------------------------------------------------------------------ */

uint32_t chronological_last_step(struct chronological *chronological, uint32_t thread) {
    return line_of(chronological, thread)->last_step;
}

uint32_t chronological_last_drain(struct chronological *chronological, uint32_t thread) {
    return line_of(chronological, thread)->last_drain;
}

/* Adds a change by an event: the old bytes before its first change of them, and the sum of all that it adds to them. */
static void add_change(struct chronological *chronological, const struct change *change) {
    for (size_t i = 0; i < chronological->changes.count; i++) {
        struct change *other = vector_at(&chronological->changes, i);
        if (other->address == change->address && other->size == change->size) {
            other->added += change->added;
            return;
        }
    }
    *(struct change *)vector_room(&chronological->changes) = *change;
}

/* Records what a step overwrites, before the step is taken. */
static void note_changes(struct chronological *chronological, const struct step *step) {
    struct change change = {.address = step->address, .size = step->size};
    if (step->kind == STEP_SYNC) {
        const struct effect_access *accesses = step->effect->accesses.data;
        for (size_t i = 0; i < step->effect->accesses.count; i++) {
            if (accesses[i].kind == ACCESS_READ) {
                continue;
            }
            change.address = accesses[i].address;
            change.size = accesses[i].size;
            memcpy(change.before, accesses[i].before, sizeof change.before);
            change.added = accesses[i].kind & ACCESS_ADD ? accesses[i].written[0] : 0;
            add_change(chronological, &change);
        }
    } else if (step->writes && step->size > 0) {
        machine_peek(chronological->machine, change.address, change.size, change.before);
        add_change(chronological, &change);
    }
}

static void count_others(struct chronological *chronological, uint32_t index, int32_t more) {
    chronological_event(chronological, index)->others += more;
    chronological->others += more;
}

/* Records that event `index` creates or joins another thread by this step. */
static void note_others(struct chronological *chronological, uint32_t index, const struct step *step) {
    if (step->kind == STEP_SYNC && step->sub == SYNC_THREAD_CREATE) {
        struct line *child = line_of(chronological, (uint32_t)step->other);
        child->last_step = index;
        child->last_drain = NO_EVENT;
        child->fenced = 0;
        child->stores.count = child->updates.count = 0;
        *(uint32_t *)vector_room(&chronological->newborn) = (uint32_t)step->other;
        count_others(chronological, index, 1);
    }
    if (joins(step)) {
        count_others(chronological, index, -1);
    }
}

static void note_effects(struct chronological *chronological, struct line *line, uint32_t index,
                         const struct step *step) {
    struct event *event = chronological_event(chronological, index);
    if (step->kind == STEP_DRAIN) {
        *serial_slot(&line->updates, step->serial) = index;
        line->last_drain = index;
        return;
    }
    line->last_step = index;
    if (waits_for_buffer(step)) {
        line->fenced = line->updates.count > 0 ? line->updates.count - 1 : 0;
    }
    if (is_store(step->kind)) {
        *serial_slot(&line->stores, step->serial) = index;
        *serial_slot(&line->updates, step->serial) = chronological->buffered ? NO_EVENT : index;
    }
    if (step->kind == STEP_LOAD && step->forwarded) {
        event->store = *serial_slot(&line->stores, step->serial);
        struct event *store = chronological_event(chronological, event->store);
        event->early = store->early;
        store->early = index;
    }
    note_others(chronological, index, step);
}

/* Records the first error of the newest events, if this step has made it. */
static void note_error(struct chronological *chronological, uint32_t before) {
    if (machine_errors(chronological->machine) > before && chronological->error_end == 0) {
        chronological->error_end = (uint32_t)chronological->taken.count;
        chronological->error_event = (uint32_t)chronological->events.count - 1;
        chronological->error = *machine_error(chronological->machine);
    }
}

/* Records the notes about lives of the step just taken, which is one of the newest event.  Most steps have none. */
__attribute__((noinline)) static void note_lives(struct chronological *chronological) {
    uint32_t event = (uint32_t)chronological->events.count - 1;
    for (size_t i = 0; i < chronological->noted.count; i++) {
        struct event_life *life = vector_room(&chronological->lives);
        life->event = event;
        life->note = *(struct life_note *)vector_at(&chronological->noted, i);
    }
}

static void take(struct chronological *chronological, struct transition transition) {
    *(struct transition *)vector_room(&chronological->taken) = transition;
    uint32_t errors = machine_errors(chronological->machine);
    if (chronological->trace) {
        machine_look(chronological->machine, transition);
    }
    chronological->noted.count = 0;
    machine_take(chronological->machine, transition);
    if (chronological->noted.count > 0) {
        note_lives(chronological);
    }
    note_error(chronological, errors);
    if (chronological->trace) {
        trace_add(chronological->trace, chronological->machine);
    }
}

/* The next choice of the section, of `alternatives` many: the prescribed one, or else the first. */
static uint64_t pick(struct chronological *chronological, uint32_t thread, uint32_t alternatives, size_t taken) {
    size_t number = chronological->section_choices.count;
    uint32_t picked = number < chronological->picked.count ? *(uint32_t *)vector_at(&chronological->picked, number) : 0;
    if (taken < chronological->script_count) {
        picked = (uint32_t)chronological->script[taken].choice;
    }
    picked = picked < alternatives ? picked : 0;
    if (alternatives > MAX_CHOICES) {
        chronological->too_many_choices = true;
        chronological->too_many_pos = machine_thread_pos(chronological->machine, thread);
    }
    if (number == chronological->picked.count) {
        vector_grow(&chronological->picked, 1);
    }
    *(uint32_t *)vector_at(&chronological->picked, number) = picked;
    vector_push(&chronological->section_choices, &alternatives);
    return picked;
}

/* Executes an atomic section to its end, as one event: its drains as they are needed, its steps one after the other. */
static void run_section(struct chronological *chronological, uint32_t index, struct label *label) {
    struct machine *machine = chronological->machine;
    uint32_t thread = label->transition.thread;
    chronological->picked.count = chronological->section_choices.count = 0;
    if (chronological->picks) {
        picks_copy(chronological->picks, label->transition.choice, &chronological->picked);
    }
    for (size_t taken = 1; machine_in_atomic(machine, thread); taken++) {
        struct transition transition = {.thread = thread, .kind = TRANSITION_STEP};
        if (!machine_is_enabled(machine, transition)) {
            const struct buffer_entry *entries;
            if (machine_buffer(machine, thread, &entries) == 0) {
                struct step waits; /* until another thread changes what it reads */
                machine_next(machine, transition, &waits);
                label_add_step(label, &chronological->lists, &waits, chronological->buffered);
                break;
            }
            transition = (struct transition){.thread = thread, .kind = TRANSITION_DRAIN, .choice = entries[0].serial};
        } else {
            uint64_t alternatives = machine_choices(machine, thread);
            alternatives = alternatives < UINT32_MAX ? alternatives : UINT32_MAX;
            transition.choice = alternatives > 1 ? pick(chronological, thread, (uint32_t)alternatives, taken) : 0;
        }
        const struct step *step = machine_look(machine, transition);
        if (chronological->needs_old) {
            note_changes(chronological, step);
        }
        label_add_step(label, &chronological->lists, step, chronological->buffered);
        chronological_event(chronological, index)->plain |= step->size > 0 && !step->atomic;
        chronological_event(chronological, index)->exits |= step->kind == STEP_EXIT;
        take(chronological, transition);
        note_others(chronological, index, machine_last(machine));
    }
    if (machine_in_atomic(machine, thread) && chronological->end_sections) {
        uint32_t errors = machine_errors(machine);
        machine_fail_section(machine, thread);
        note_error(chronological, errors);
    }
    chronological->picked.count = chronological->section_choices.count;
    if (chronological->picks) {
        label->transition.choice = picks_number(chronological->picks, &chronological->picked);
        label->choices = picks_choices(chronological->picks, &chronological->section_choices);
    }
}

/* May the step be disabled, and if so, what are its races? */
static bool find_waiting(struct chronological *chronological, bool awaits, const struct step *step,
                         const struct label *label) {
    uint32_t thread = label->transition.thread;
    bool waits = waiting_find(chronological, awaits, step, label);
    if (waits && chronological->notes_failed) {
        waiting_note_failed(chronological, thread, step, label, (uint32_t)chronological->events.count);
    }
    return waits;
}

/* Makes a new event, and sets where its parts begin in the lists. */
static struct event *begin_event(struct chronological *chronological, struct transition transition,
                                 const struct line *line, bool trails) {
    struct event *event = vector_room(&chronological->events);
    *(uint32_t *)vector_room(&chronological->keys) = trails ? TRAILING_KEY : transition_key(transition);
    event->label.transition = transition;
    event->trails = trails;
    event->waits = event->chooses = event->plain = event->awaits = event->ends_object = event->fails = false;
    event->joins = event->exits = false;
    event->position = chronological->scheduled;
    event->store = event->early = NO_EVENT;
    event->taken = (uint32_t)chronological->taken.count;
    event->races = (uint32_t)chronological->races.count;
    event->reversed = (uint32_t)chronological->reversed.count;
    event->links = (uint32_t)chronological->chains.links.count;
    event->failed = (uint32_t)chronological->failed.count;
    event->undone = (uint32_t)chronological->undone.count;
    event->large = (uint32_t)chronological->large.count;
    event->lives = (uint32_t)chronological->lives.count;
    event->barrier = 0;
    event->others = 0;
    event->serial = event->other = 0;
    event->last_step = line->last_step;
    event->last_drain = line->last_drain;
    event->fenced = line->fenced;
    event->serials = (uint32_t)line->updates.count;
    return event;
}

/* Makes an event with what is known before its step is taken. */
static struct event *add_event(struct chronological *chronological, struct transition transition,
                               const struct line *line, const struct step *step, bool trails) {
    uint32_t failed = (uint32_t)chronological->failed.count;
    uint32_t undone = (uint32_t)chronological->undone.count;
    bool awaits =
        (step->kind == STEP_LOAD || step->kind == STEP_RMW || step->kind == STEP_CAS || step->kind == STEP_SYNC) &&
        machine_thread_awaits(chronological->machine, transition.thread);
    uint64_t alternatives = step->kind == STEP_SYNC || step->kind == STEP_NONDET || step->kind == STEP_MALLOC
                                ? machine_choices(chronological->machine, transition.thread)
                                : 1;
    struct label label;
    chronological->found.count = 0;
    chronological_label(chronological, &label, transition, step);
    bool waits = (awaits || step->kind == STEP_SYNC) && find_waiting(chronological, awaits, step, &label);
    struct event *event = begin_event(chronological, transition, line, trails);
    chronological->scheduled += !trails;
    event->kind = step->kind;
    event->sub = step->sub;
    event->waits = waits;
    event->chooses = alternatives > 1;
    event->plain = !step->atomic;
    event->awaits = awaits;
    event->ends_object = step->ends_object;
    event->pos = step->pos;
    if (step->kind == STEP_DRAIN) {
        event->store = *(uint32_t *)vector_at(&line->stores, step->serial);
    }
    event->failed = failed;
    event->undone = undone;
    event->serial = step->serial;
    label_copy(&event->label, &label);
    event->label.choices = alternatives > 1 ? (uint32_t)alternatives : 0;
    chronological->choosing += event->chooses;
    chronological->changes.count = 0;
    if (chronological->needs_old) {
        note_changes(chronological, step);
    }
    return event;
}

/* Adds the edges of the newest event, and its races. */
static void add_edges(struct chronological *chronological, uint32_t index, struct line *line, const struct step *step) {
    struct event *event = chronological_event(chronological, index);
    chronological->predecessors.count = 0;
    if (step->kind == STEP_DRAIN) {
        edges_add_drain(chronological, line, event);
    } else {
        edges_add_step(chronological, line, step);
    }
    size_t structural = chronological->predecessors.count;
    edges_add_memory(chronological, index);
    edges_finish(chronological, index, structural, event->waits);
}

/* Takes a transition and adds its event, a scheduled or a trailing one.  The edges of a section are known after it;
 * those of any other event before it is taken, while the machine can still tell what the step would do without some of
 * the others. */
static void add_taken(struct chronological *chronological, struct transition transition, bool trails) {
    struct machine *machine = chronological->machine;
    uint32_t index = (uint32_t)chronological->events.count;
    const struct step *step = machine_look(machine, transition);
    struct line *line = line_of(chronological, transition.thread);
    struct event *event = add_event(chronological, transition, line, step, trails);
    struct step section;
    if (step->kind == STEP_ATOMIC_BEGIN) {
        section = *step;
        step = &section;
        event->plain = false;
        transition.choice = 0; /* the choice is the section's */
        take(chronological, transition);
        uint32_t errors = machine_errors(machine);
        run_section(chronological, index, &event->label);
        event->fails = machine_errors(machine) > errors;
        event->chooses = chronological->section_choices.count > 0;
        chronological->choosing += event->chooses;
        add_edges(chronological, index, line, step);
    } else {
        add_edges(chronological, index, line, step);
        take(chronological, transition);
        event->other = step->other;
        event->joins = joins(step);
    }
    if (is_store(step->kind) && chronological->buffered && !chronological->fifo) {
        const struct buffer_entry *entries;
        size_t count = machine_buffer(machine, transition.thread, &entries);
        event->barrier = count > 0 ? entries[count - 1].barrier : 0;
    }
    assert((event->kind == STEP_DRAIN || event->last_step == NO_EVENT ||
            happens_before(chronological, event->last_step, index)) &&
           "C1: a step happens after those of its thread before it");
    assert((event->kind != STEP_DRAIN || happens_before(chronological, event->store, index)) &&
           "C1: a drain happens after its store");
    note_effects(chronological, line, index, step);
}

/* --- Trailing events ---------------------------------------------------------------------------------------------- */

void chronological_settle(struct chronological *chronological, bool merges) {
    const struct program *program = machine_program(chronological->machine);
    chronological->settles = !threads_are_noticed(program);
    chronological->merges = merges;
    chronological->needs_old = needs_old(program, chronological->settles);
}

/* Makes a new event, for a thread that ends or joins.  It accesses nothing, and its clock is still empty. */
static void begin_trailing(struct chronological *chronological, struct transition transition, const struct line *line) {
    struct event *event = begin_event(chronological, transition, line, true);
    event->kind = STEP_NONE;
    event->label.accesses = 0;
    event->label.early = 0;
    bool first = line->last_step == NO_EVENT;
    clocks_push(&chronological->clocks, first ? 0 : clocks_floor(&chronological->clocks, line->last_step));
}

/* Adds the end of the thread, or its join. */
static void add_trailing(struct chronological *chronological, uint32_t thread) {
    struct transition transition = {.thread = thread, .kind = TRANSITION_STEP};
    struct line *line = line_of(chronological, thread);
    const struct event *newest = chronological_event(chronological, (uint32_t)chronological->events.count - 1);
    bool ended = newest->kind == STEP_SYNC || newest->kind == STEP_EXIT || newest->kind == STEP_HALT;
    bool merges = chronological->merges && newest->trails && ended && newest->label.transition.thread == thread;
    chronological->predecessors.count = 0;
    if (!merges) {
        begin_trailing(chronological, transition, line);
        edges_add(chronological, line->last_step);
    }
    take(chronological, transition);
    uint32_t index = (uint32_t)chronological->events.count - 1;
    struct event *event = chronological_event(chronological, index);
    const struct step *step = machine_last(chronological->machine);
    event->kind = step->kind;
    event->sub = step->sub;
    event->pos = step->pos;
    event->other = step->other;
    if (chronological->buffered && !merges) {
        edges_add_updates(chronological, line);
    }
    if (joins(step)) {
        event->joins = true;
        edges_add(chronological, line_of(chronological, (uint32_t)step->other)->last_step);
        count_others(chronological, index, -1);
    }
    edges_join(chronological, index);
    line->last_step = index;
    line->fenced = line->updates.count > 0 ? line->updates.count - 1 : 0;
}

/* Is the next step of the thread one that only its buffer notices?  Not all fences and stores count, so that a thread
 * with endlessly many of them is scheduled again. */
static bool goes_on_unnoticed(struct chronological *chronological, uint32_t thread) {
    if (!chronological->buffered || !machine_only_buffers(chronological->machine, thread)) {
        return false;
    }
    uint32_t last = line_of(chronological, thread)->last_step;
    return last != NO_EVENT && chronological_event(chronological, last)->kind != STEP_FENCE;
}

/* Adds the events that trail a step or a drain of a thread: its buffered stores, its end, the joins that have waited
 * for it, and what trails these. */
static void add_all_trailing(struct chronological *chronological, uint32_t thread) {
    struct machine *machine = chronological->machine;
    while (thread < machine_threads(machine)) {
        if (machine_ends_or_joins(machine, thread)) {
            add_trailing(chronological, thread);
        } else if (goes_on_unnoticed(chronological, thread)) {
            add_taken(chronological, (struct transition){.thread = thread, .kind = TRANSITION_STEP}, true);
        } else {
            thread = machine_thread_joiner(machine, thread);
        }
    }
}

/* --- The whole ---------------------------------------------------------------------------------------------------- */

void chronological_add(struct chronological *chronological, struct transition transition) {
    chronological->newborn.count = 0;
    chronological->error_end = 0;
    add_taken(chronological, transition, false);
    if (chronological->settles) {
        add_all_trailing(chronological, transition.thread);
        for (size_t i = 0; i < chronological->newborn.count; i++) {
            add_all_trailing(chronological, *(uint32_t *)vector_at(&chronological->newborn, i));
        }
    }
}

void chronological_follow(struct chronological *chronological, const struct transition *steps, size_t count) {
    chronological->script = steps;
    chronological->script_count = count;
    chronological_add(chronological, steps[0]);
    chronological->script_count = 0;
}

/* Removes the last event; returns whether it was a trailing one. */
static bool pop_event(struct chronological *chronological) {
    uint32_t index = (uint32_t)chronological->events.count - 1;
    const struct event *event = chronological_event(chronological, index);
    struct line *line = line_of(chronological, event->label.transition.thread);
    chains_cut(&chronological->chains, event->links);
    chronological->failed.count = event->failed;
    chronological->undone.count = event->undone;
    chronological->choosing -= event->chooses;
    chronological->others -= event->others;
    chronological->large.count = event->large;
    chronological->lives.count = event->lives;
    chronological->taken.count = event->taken;
    if (chronological->trace) {
        trace_cut(chronological->trace, event->taken);
    }
    chronological->races.count = event->races;
    chronological->reversed.count = event->reversed;
    if (event->kind == STEP_DRAIN) {
        *serial_slot(&line->updates, event->serial) = NO_EVENT;
    }
    if (event->kind == STEP_LOAD && event->store != NO_EVENT) {
        chronological_event(chronological, event->store)->early = event->early;
    }
    line->last_step = event->last_step;
    line->last_drain = event->last_drain;
    line->fenced = event->fenced;
    line->stores.count = line->updates.count = event->serials;
    chronological->events.count--;
    clocks_pop(&chronological->clocks);
    chronological->keys.count--;
    chronological->scheduled -= !event->trails;
    return event->trails;
}

void chronological_pop(struct chronological *chronological) {
    while (pop_event(chronological)) {
    }
}

size_t chronological_blocked_races(struct chronological *chronological, uint32_t thread, struct label *label,
                                   uint32_t *last_step, uint32_t *last_drain) {
    struct machine *machine = chronological->machine;
    struct transition transition = {.thread = thread, .kind = TRANSITION_STEP};
    struct step step;
    machine_next(machine, transition, &step);
    chronological_label(chronological, label, transition, &step);
    waiting_find(chronological, machine_thread_awaits(machine, thread), &step, label);
    const struct line *line = line_of(chronological, thread);
    *last_step = line->last_step;
    *last_drain = step.kind == STEP_LOAD ? NO_EVENT : line->last_drain;
    /* Events that are ordered by the thread's own past are no races. */
    size_t count = 0;
    for (size_t f = 0; f < chronological->found.count; f++) {
        struct race race = *(struct race *)vector_at(&chronological->found, f);
        if (!event_follows(chronological, *last_step, race.event) &&
            !event_follows(chronological, *last_drain, race.event)) {
            *(struct race *)vector_at(&chronological->found, count++) = race;
        }
    }
    chronological->found.count = count;
    return count;
}
