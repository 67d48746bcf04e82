/* A rehearsal executes the events before the race, then those in the sequence, then the section. */
#include "explore/rehearsal.h"

/* Does the section that begins here access the same bytes whatever it reads? */
static bool is_fixed(const struct program *program, size_t begin) {
    for (size_t i = begin + 1; i < program->code_count; i++) {
        const struct instruction *instruction = &program->code[i];
        switch (instruction->op) {
        case OP_ATOMIC_END:
            return true;
        case OP_LOAD:
        case OP_STORE:
        case OP_RMW:
            if (!(instruction->a & OPERAND_CONSTANT)) {
                return false;
            }
            break;
        case OP_NOP:
        case OP_ASSUMED:
        case OP_MOV:
        case OP_ADD:
        case OP_SUB:
        case OP_MUL:
        case OP_AND:
        case OP_OR:
        case OP_XOR:
        case OP_ICMP:
        case OP_SEXT:
        case OP_TRUNC:
        case OP_SELECT:
            break;
        default:
            return false;
        }
    }
    return false;
}

void rehearsal_init(struct rehearsal *rehearsal, const struct program *program, const struct machine_options *options) {
    *rehearsal = (struct rehearsal){.options = *options};
    for (size_t i = 0; i < program->code_count && !rehearsal->needed; i++) {
        rehearsal->needed = program->code[i].op == OP_ATOMIC_BEGIN && !is_fixed(program, i);
    }
}

void rehearsal_delete(struct rehearsal *rehearsal) {
    if (rehearsal->machine) {
        chronological_delete(&rehearsal->trace);
        machine_free(rehearsal->machine);
    }
}

static void make_machine(struct rehearsal *rehearsal, const struct chronological *execution) {
    rehearsal->machine = machine_new(machine_program(execution->machine), &rehearsal->options);
    chronological_init(&rehearsal->trace, rehearsal->machine);
    rehearsal->trace.picks = execution->picks;
    rehearsal->start = machine_set_mark(rehearsal->machine);
}

/* Takes the transitions of an event as far as they are enabled: the end of a thread may not be. */
static void repeat(struct rehearsal *rehearsal, const struct chronological *execution, uint32_t event) {
    const struct transition *taken = execution->taken.data;
    size_t next = chronological_event(execution, event)->taken;
    size_t end = chronological_taken_end(execution, event);
    while (next < end && machine_is_enabled(rehearsal->machine, taken[next])) {
        size_t before = rehearsal->trace.taken.count;
        chronological_follow(&rehearsal->trace, taken + next, end - next);
        next += rehearsal->trace.taken.count - before;
    }
}

/* Executes everything before the race, then the events in the sequence and what trails them. */
static void repeat_all(struct rehearsal *rehearsal, const struct sequence *sequence) {
    const struct chronological *execution = sequence->chronological;
    const struct element *elements = sequence->elements.data;
    for (uint32_t i = 0; i < sequence->earlier; i++) {
        repeat(rehearsal, execution, i);
    }
    for (uint32_t i = sequence->earlier + 1; i < sequence->end; i++) {
        bool trails = chronological_event(execution, i)->trails && !happens_before(execution, sequence->earlier, i);
        if (i != sequence->reversal.index && (trails || elements->index == i)) {
            repeat(rehearsal, execution, i);
            elements += !trails;
        }
    }
}

/* Tries the section with the first picks of a choice, and gives the last element of the sequence the label that it then
 * has. False if the section cannot begin. */
static bool perform(struct rehearsal *rehearsal, struct sequence *sequence, uint64_t choice) {
    struct chronological *trace = &rehearsal->trace;
    struct transition section = sequence->reversal.label.transition;
    section.choice = choice;
    repeat_all(rehearsal, sequence);
    bool begins =
        machine_is_enabled(rehearsal->machine, (struct transition){.thread = section.thread, .kind = TRANSITION_STEP});
    if (begins) {
        struct element *last = vector_at(&sequence->elements, sequence->elements.count - 1);
        chronological_add(trace, section);
        sequence->reversal.label = chronological_event(trace, (uint32_t)trace->events.count - 1)->label;
        last->transition = sequence->reversal.label.transition;
    }
    while (trace->events.count > 0) {
        chronological_pop(trace);
    }
    machine_undo(rehearsal->machine, rehearsal->start);
    return begins;
}

/* The number of first picks with as many choices as in the execution. */
static size_t count_settled(struct rehearsal *rehearsal, uint32_t alternatives) {
    const struct chronological *trace = &rehearsal->trace;
    struct vector known;
    size_t settled = 0;
    vector_init(&known, sizeof(uint32_t));
    picks_copy(trace->picks, alternatives > MAX_CHOICES ? alternatives - MAX_CHOICES : 0, &known);
    while (settled < known.count && settled < trace->section_choices.count &&
           *(uint32_t *)vector_at(&known, settled) == *(uint32_t *)vector_at(&trace->section_choices, settled)) {
        settled++;
    }
    vector_delete(&known);
    return settled;
}

bool rehearsal_first(struct rehearsal *rehearsal, struct sequence *sequence) {
    const struct chronological *execution = sequence->chronological;
    const struct reversal *reversal = &sequence->reversal;
    if (!rehearsal->needed || reversal->index >= execution->events.count ||
        chronological_event(execution, reversal->index)->kind != STEP_ATOMIC_BEGIN) {
        return false;
    }
    if (!rehearsal->machine) {
        make_machine(rehearsal, execution);
    }
    uint32_t alternatives = reversal->label.choices;
    bool begins = perform(rehearsal, sequence, reversal->label.transition.choice);
    rehearsal->settled = begins ? count_settled(rehearsal, alternatives) : 0;
    return begins;
}

bool rehearsal_next(struct rehearsal *rehearsal, struct sequence *sequence) {
    struct vector *picked = &rehearsal->trace.picked;
    const struct vector *alternatives = &rehearsal->trace.section_choices;
    for (; picked->count > rehearsal->settled && !rehearsal->trace.too_many_choices; picked->count--) {
        uint32_t *last = vector_at(picked, picked->count - 1);
        if (++*last < *(uint32_t *)vector_at(alternatives, picked->count - 1)) {
            return perform(rehearsal, sequence, picks_number(rehearsal->trace.picks, picked));
        }
    }
    return false;
}
