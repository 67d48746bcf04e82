/* What executions assume of the outside (ir/assumption.h). */
#include "machine/state.h"

void machine_assume(struct machine *machine, const struct thread *thread, enum assumption assumption) {
    if (machine->options.assumed && machine->lookahead == LOOKAHEAD_NONE) {
        assumptions_note(machine->options.assumed, machine->program, assumption, thread_user_pos(machine, thread));
    }
}

/* Does the comparison depend on the addresses of objects?  Comparing within one object does not; nor, where `other` is
 * a mask, comparing bits that are the same at all addresses that the object could have. */
static bool depends_on_layout(const struct machine *machine, uint64_t one, uint64_t other) {
    const struct object *first = object_at(machine, one);
    const struct object *second = object_at(machine, other);
    if (other < PAGE_SIZE) {
        return first && other >> first->aligned != 0;
    }
    return first && second && first != second;
}

void machine_meet_assumption(struct machine *machine, const struct thread *thread) {
    const struct frame *frame = thread_frame(thread);
    const struct instruction *pc = frame->pc;
    uint64_t a = operand_value(machine, frame, pc->a);
    if (pc->sub == ASSUMPTION_LAYOUT          ? depends_on_layout(machine, a, operand_value(machine, frame, pc->b))
        : pc->sub == ASSUMPTION_UNINITIALISED ? a == 0
                                              : true) {
        machine_assume(machine, thread, pc->sub);
    }
}
