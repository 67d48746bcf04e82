/* The execution up to the race, then what of it is in the sequence, then the section. */
#include "explore/rehearsal.h"

/* Does the section that begins here touch the same things whatever it reads? */
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

/* Takes the transitions of an event, as far as they are possible: the end of a thread may not be. */
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

/* Everything before the race, and what of the execution is in the sequence, with what trails it. */
static void repeat_all(struct rehearsal *rehearsal, const struct sequence *sequence) {
    const struct chronological *execution = sequence->chronological;
    const struct element *elements = sequence->elements.data;
    for (uint32_t i = 0; i < sequence->earlier; i++) {
        repeat(rehearsal, execution, i);
    }
    for (uint32_t i = sequence->earlier + 1; i < sequence->end; i++) {
        bool trails = chronological_event(execution, i)->trails && !happens_before(execution, sequence->earlier, i);
        if (i != sequence->turned.index && (trails || elements->index == i)) {
            repeat(rehearsal, execution, i);
            elements += !trails;
        }
    }
}

void rehearsal_relabel(struct rehearsal *rehearsal, struct sequence *sequence) {
    const struct chronological *execution = sequence->chronological;
    struct turned *turned = &sequence->turned;
    struct transition section = turned->label.transition;
    if (!rehearsal->needed || turned->index >= execution->events.count ||
        chronological_event(execution, turned->index)->kind != STEP_ATOMIC_BEGIN) {
        return;
    }
    if (!rehearsal->machine) {
        make_machine(rehearsal, execution);
    }
    struct chronological *trace = &rehearsal->trace;
    repeat_all(rehearsal, sequence);
    if (machine_is_enabled(rehearsal->machine,
                           (struct transition){.thread = section.thread, .kind = TRANSITION_STEP})) {
        chronological_add(trace, section);
        uint32_t ways = turned->label.ways;
        turned->label = chronological_event(trace, (uint32_t)trace->events.count - 1)->label;
        turned->label.transition = section;
        turned->label.ways = ways;
    }
    while (trace->events.count > 0) {
        chronological_pop(trace);
    }
    machine_undo(rehearsal->machine, rehearsal->start);
}
