/* Thread automata into a Program.
 *
 * Each thread becomes a function, and the entry creates them all.  The code of a state evaluates the guards of the
 * checks of its transitions, takes the enabled transition, or one chosen by a NONDET if there are several, and stops
 * the thread if there is none.  In a final state the thread may also stop, at a goal.
 *
 * Cells are 4-byte globals of their own if every address in the file is a number.  If some address is computed they are
 * one array, and an address outside of it is an error at run time.
 *
 * A cycle of transitions without a visible step would be one endless local run, so a transition that may close one
 * becomes a step: a choice with one alternative. */
#include "front/automaton.h"

#include <stdlib.h>
#include <string.h>

#include "ir/builder.h"
#include "util/memory.h"

#define LEAST_COMPUTED_CELLS 64u
#define CELL_BYTES 4u

/* A branch whose target is not known yet: field 0 is a, 1 is b, 2 is c. */
struct pending_target {
    uint32_t instruction;
    uint32_t field;
    uint32_t transition;
};

struct lowering {
    const char *file;
    struct diagnostics *diagnostics;
    struct automata *automata;
    struct builder builder;
    bool computed;    /* addresses: cells are an array */
    uint32_t array;   /* the global, if so */
    uint32_t *cells;  /* else: number of a cell -> its global + 1 */
    uint32_t goals;   /* number of threads with a final state */
    uint32_t *starts; /* function of each thread */
    /* the present thread */
    const struct automaton_thread *thread;
    uint32_t registers;
    uint32_t *state_at; /* by state: index of its code */
    bool *closes;       /* by transition: may it close a cycle without visible steps? */
    struct vector targets;
    uint32_t pos;
};

/* --- Instructions and expressions --------------------------------------------------------------------------------- */

static uint32_t emit(struct lowering *lowering, struct instruction instruction) {
    instruction.pos = lowering->pos;
    return builder_emit(&lowering->builder, instruction);
}

static uint32_t constant(struct lowering *lowering, int64_t value) {
    return builder_constant(&lowering->builder, (uint64_t)value);
}

/* A 32-bit operation into a new register. */
static uint32_t compute(struct lowering *lowering, unsigned op, unsigned sub, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t dst = lowering->registers++;
    emit(lowering,
         (struct instruction){.op = (uint8_t)op, .width = 32, .sub = (uint8_t)sub, .dst = dst, .a = a, .b = b, .c = c});
    return dst;
}

/* Division wraps: dividing by -1 negates, which cannot overflow. */
static uint32_t divide(struct lowering *lowering, unsigned op, uint32_t a, uint32_t b) {
    uint32_t minus_one = compute(lowering, OP_ICMP, PREDICATE_EQ, b, constant(lowering, UINT32_MAX), 0);
    uint32_t divisor = compute(lowering, OP_SELECT, 0, minus_one, constant(lowering, 1), b);
    uint32_t result = compute(lowering, op, 0, a, divisor, 0);
    if (op == OP_SREM) {
        return result; /* by 1, which gives 0 as well */
    }
    uint32_t negated = compute(lowering, OP_SUB, 0, constant(lowering, 0), a, 0);
    return compute(lowering, OP_SELECT, 0, minus_one, negated, result);
}

static uint32_t apply(struct lowering *lowering, const struct automaton_operator *operator, uint32_t a, uint32_t b) {
    uint32_t zero = constant(lowering, 0);
    switch (operator->op) {
    case OP_SELECT: {
        bool both = operator->text[0] == '&';
        uint32_t second = compute(lowering, OP_ICMP, PREDICATE_NE, b, zero, 0);
        return both ? compute(lowering, OP_SELECT, 0, a, second, zero)
                    : compute(lowering, OP_SELECT, 0, a, constant(lowering, 1), second);
    }
    case OP_SDIV:
    case OP_SREM:
        return divide(lowering, operator->op, a, b);
    default:
        return compute(lowering, operator->op, operator->predicate, a, operator->operands == 1 ? zero : b, 0);
    }
}

/* The operand with the value of the expression; *at moves to the end of the expression.  The reader bounds nesting. */
static uint32_t lower_expression(struct lowering *lowering, uint32_t *at) {
    const struct atom *atom = vector_at(&lowering->thread->atoms, (*at)++);
    if (atom->kind == ATOM_NUMBER) {
        return constant(lowering, (uint32_t)atom->value);
    }
    if (atom->kind == ATOM_REGISTER) {
        return (uint32_t)atom->value;
    }
    const struct automaton_operator *operator= & automaton_operators[atom->value];
    uint32_t a = lower_expression(lowering, at);
    uint32_t b = operator->operands> 1 ? lower_expression(lowering, at) : 0;
    return apply(lowering, operator, a, b);
}

/* --- Cells -------------------------------------------------------------------------------------------------------- */

static const struct atom *address_atom(const struct automaton_thread *thread,
                                       const struct automaton_transition *transition) {
    bool accesses = transition->command == COMMAND_READ || transition->command == COMMAND_WRITE;
    return accesses ? vector_at(&thread->atoms, transition->expressions[transition->command == COMMAND_WRITE]) : NULL;
}

static uint32_t array_type(struct builder *builder, uint32_t element, uint32_t count) {
    uint32_t type = builder_type(builder);
    *(struct type *)vector_at(&builder->types, type) =
        (struct type){.kind = TYPE_ARRAY, .size = (uint64_t)count * CELL_BYTES, .first = element, .count = count};
    return type;
}

static uint32_t integer_type(struct builder *builder) {
    uint32_t type = builder_type(builder);
    uint32_t name = builder_string(builder, "int");
    *(struct type *)vector_at(&builder->types, type) =
        (struct type){.kind = TYPE_INTEGER, .name = name, .size = CELL_BYTES};
    return type;
}

/* Finds whether any address is computed, checks that the others are in range, and finds the greatest number. */
static uint32_t survey_addresses(struct lowering *lowering) {
    uint32_t largest = 0;
    int cells = lowering->automata->memory_size > 0 ? (int)lowering->automata->memory_size : AUTOMATON_CELLS;
    for (size_t t = 0; t < lowering->automata->threads.count; t++) {
        const struct automaton_thread *thread = vector_at(&lowering->automata->threads, t);
        for (size_t i = 0; i < thread->transitions.count; i++) {
            const struct automaton_transition *transition = vector_at(&thread->transitions, i);
            const struct atom *atom = address_atom(thread, transition);
            if (atom && atom->kind != ATOM_NUMBER) {
                lowering->computed = true;
            } else if (atom && (atom->value < 0 || atom->value >= cells)) {
                diagnostics_add(lowering->diagnostics, lowering->file, transition->line, transition->column,
                                "address %d is out of range: cells have the numbers 0 to %d", atom->value, cells - 1);
            }
        }
        for (size_t i = 0; i < thread->atoms.count; i++) {
            const struct atom *atom = vector_at(&thread->atoms, i);
            if (atom->kind == ATOM_NUMBER && atom->value > 0 && atom->value < AUTOMATON_CELLS &&
                (uint32_t)atom->value > largest) {
                largest = (uint32_t)atom->value;
            }
        }
    }
    return largest;
}

static void make_cells(struct lowering *lowering) {
    struct builder *builder = &lowering->builder;
    uint32_t largest = survey_addresses(lowering);
    uint32_t type = integer_type(builder);
    if (lowering->computed) {
        uint32_t count = 2 * (largest + 1);
        count = count < LEAST_COMPUTED_CELLS ? LEAST_COMPUTED_CELLS : count > AUTOMATON_CELLS ? AUTOMATON_CELLS : count;
        count = lowering->automata->memory_size > 0 ? lowering->automata->memory_size : count;
        lowering->array = builder_global(builder, "mem", (uint64_t)count * CELL_BYTES, CELL_BYTES, 0);
        builder_global_at(builder, lowering->array)->type = array_type(builder, type, count);
        return;
    }
    bool *used = memory_allocate(AUTOMATON_CELLS * sizeof *used);
    for (size_t t = 0; t < lowering->automata->threads.count; t++) {
        const struct automaton_thread *thread = vector_at(&lowering->automata->threads, t);
        for (size_t i = 0; i < thread->transitions.count; i++) {
            const struct atom *atom = address_atom(thread, vector_at(&thread->transitions, i));
            if (atom && atom->value >= 0 && atom->value < AUTOMATON_CELLS) {
                used[atom->value] = true;
            }
        }
    }
    lowering->cells = memory_allocate(((size_t)largest + 1) * sizeof *lowering->cells);
    for (uint32_t cell = 0; cell <= largest; cell++) {
        char name[16];
        snprintf(name, sizeof name, "mem[%u]", cell);
        if (used[cell]) {
            uint32_t global = builder_global(builder, name, CELL_BYTES, CELL_BYTES, 0);
            builder_global_at(builder, global)->type = type;
            lowering->cells[cell] = global + 1;
        }
    }
    free(used);
}

/* The operand with the memory address of the cell whose number an expression computes. */
static uint32_t lower_address(struct lowering *lowering, uint32_t at) {
    const struct atom *atom = vector_at(&lowering->thread->atoms, at);
    if (!lowering->computed) {
        const struct global *global = builder_global_at(&lowering->builder, lowering->cells[atom->value] - 1);
        return builder_address(&lowering->builder, global->address);
    }
    uint64_t base = builder_global_at(&lowering->builder, lowering->array)->address;
    if (atom->kind == ATOM_NUMBER) {
        return builder_address(&lowering->builder, base + (uint64_t)atom->value * CELL_BYTES);
    }
    uint32_t cell = lower_expression(lowering, &at);
    uint32_t wide = lowering->registers++;
    uint32_t offset = lowering->registers++;
    uint32_t address = lowering->registers++;
    emit(lowering, (struct instruction){.op = OP_SEXT, .width = 32, .sub = 64, .dst = wide, .a = cell});
    emit(lowering, (struct instruction){
                       .op = OP_MUL, .width = 64, .dst = offset, .a = wide, .b = constant(lowering, CELL_BYTES)});
    emit(lowering,
         (struct instruction){
             .op = OP_ADD, .width = 64, .dst = address, .a = offset, .b = builder_address(&lowering->builder, base)});
    return address;
}

/* --- Transitions -------------------------------------------------------------------------------------------------- */

static void emit_sync(struct lowering *lowering, unsigned kind, uint32_t a) {
    uint32_t zero = constant(lowering, 0);
    emit(lowering,
         (struct instruction){.op = OP_SYNC, .width = (uint8_t)kind, .dst = NO_REGISTER, .a = a, .b = zero, .c = zero});
}

/* The effect of the transition, without its check. */
static void lower_command(struct lowering *lowering, const struct automaton_transition *transition) {
    uint32_t first = transition->expressions[0];
    uint32_t second = transition->expressions[1];
    switch (transition->command) {
    case COMMAND_WRITE: {
        uint32_t value = lower_expression(lowering, &first);
        uint32_t address = lower_address(lowering, second);
        emit(lowering, (struct instruction){.op = OP_STORE,
                                            .width = CELL_BYTES,
                                            .sub = ORDER_RELAXED,
                                            .flags = INSTRUCTION_ATOMIC,
                                            .dst = NO_REGISTER,
                                            .a = address,
                                            .b = value});
        break;
    }
    case COMMAND_READ: {
        uint32_t address = lower_address(lowering, first);
        emit(lowering, (struct instruction){.op = OP_LOAD,
                                            .width = CELL_BYTES,
                                            .sub = ORDER_RELAXED,
                                            .flags = INSTRUCTION_ATOMIC,
                                            .dst = transition->reg,
                                            .a = address});
        break;
    }
    case COMMAND_MFENCE:
        emit(lowering, (struct instruction){.op = OP_FENCE, .sub = ORDER_SEQ_CST, .dst = NO_REGISTER});
        break;
    case COMMAND_SFENCE:
        emit(lowering, (struct instruction){.op = OP_FENCE, .sub = ORDER_RELEASE, .dst = NO_REGISTER});
        break;
    case COMMAND_LOCAL:
        emit(lowering,
             (struct instruction){.op = OP_MOV, .dst = transition->reg, .a = lower_expression(lowering, &first)});
        break;
    case COMMAND_LOCK:
    case COMMAND_UNLOCK:
        emit_sync(lowering, transition->command == COMMAND_LOCK ? SYNC_BUS_LOCK : SYNC_BUS_UNLOCK,
                  constant(lowering, 0));
        break;
    default: /* CHECK, which the state has evaluated; NOOP */
        break;
    }
}

static void set_position(struct lowering *lowering, const struct automaton_transition *transition) {
    lowering->pos = builder_position(&lowering->builder, lowering->file, transition->line, transition->column,
                                     lowering->thread->name, NULL);
}

static void aim(struct lowering *lowering, uint32_t instruction, uint32_t field, uint32_t transition) {
    vector_push(&lowering->targets, &(struct pending_target){instruction, field, transition});
}

/* A branch to the transition if the operand is not 0, else to the next instruction. */
static void branch_to(struct lowering *lowering, uint32_t operand, uint32_t transition) {
    uint32_t at = emit(lowering, (struct instruction){.op = OP_BR, .dst = NO_REGISTER, .a = operand});
    builder_at(&lowering->builder, at)->c = at + 1;
    aim(lowering, at, 1, transition);
}

static void jump_to(struct lowering *lowering, uint32_t transition) {
    aim(lowering, emit(lowering, (struct instruction){.op = OP_JMP, .dst = NO_REGISTER}), 0, transition);
}

/* The transition "stay in the final state". */
#define STAY UINT32_MAX

struct exit {
    uint32_t transition; /* or STAY */
    uint32_t guard;      /* operand: 1 if it is enabled, else 0; NO_REGISTER: it always is */
};

/* Branches to one of several exits, by the index `index` among those that are enabled. */
static void lower_pick(struct lowering *lowering, const struct exit *exits, uint32_t count, uint32_t index) {
    uint32_t zero = constant(lowering, 0);
    for (uint32_t i = 0; i + 1 < count; i++) {
        uint32_t here = compute(lowering, OP_ICMP, PREDICATE_EQ, index, zero, 0);
        uint32_t passed = constant(lowering, 1);
        if (exits[i].guard != NO_REGISTER) {
            here = compute(lowering, OP_SELECT, 0, exits[i].guard, here, zero);
            passed = exits[i].guard;
        }
        branch_to(lowering, here, exits[i].transition);
        index = compute(lowering, OP_SUB, 0, index, passed, 0);
    }
    jump_to(lowering, exits[count - 1].transition);
}

/* No exit, or one, or a choice. */
static void lower_exits(struct lowering *lowering, const struct exit *exits, uint32_t count) {
    uint32_t always = 0;
    for (uint32_t i = 0; i < count; i++) {
        always += exits[i].guard == NO_REGISTER;
    }
    if (count == 1) {
        if (always == 0) {
            branch_to(lowering, exits[0].guard, exits[0].transition);
            emit(lowering, (struct instruction){.op = OP_HALT, .dst = NO_REGISTER});
        } else {
            jump_to(lowering, exits[0].transition);
        }
        return;
    }
    uint32_t possible = constant(lowering, always);
    for (uint32_t i = 0; i < count; i++) {
        if (exits[i].guard != NO_REGISTER) {
            possible = compute(lowering, OP_ADD, 0, possible, exits[i].guard, 0);
        }
    }
    if (always < 2) {
        uint32_t several = compute(lowering, OP_ICMP, PREDICATE_UGT, possible, constant(lowering, 1), 0);
        uint32_t branch = emit(lowering, (struct instruction){.op = OP_BR, .dst = NO_REGISTER, .a = several});
        builder_at(&lowering->builder, branch)->c = branch + 1;
        uint32_t otherwise = NO_REGISTER;
        for (uint32_t i = 0; i < count; i++) {
            if (exits[i].guard != NO_REGISTER) {
                branch_to(lowering, exits[i].guard, exits[i].transition);
            } else {
                otherwise = exits[i].transition;
            }
        }
        if (always == 1) {
            jump_to(lowering, otherwise);
        } else {
            emit(lowering, (struct instruction){.op = OP_HALT, .dst = NO_REGISTER});
        }
        builder_at(&lowering->builder, branch)->b = builder_here(&lowering->builder);
    }
    uint32_t last = compute(lowering, OP_SUB, 0, possible, constant(lowering, 1), 0);
    uint32_t index = compute(lowering, OP_NONDET, 0, constant(lowering, 0), last, 0);
    lower_pick(lowering, exits, count, index);
}

static void lower_state(struct lowering *lowering, uint32_t state) {
    const struct automaton_thread *thread = lowering->thread;
    struct exit *exits = memory_allocate((thread->transitions.count + 1) * sizeof *exits);
    uint32_t count = 0;
    lowering->state_at[state] = builder_here(&lowering->builder);
    if (state == thread->final) {
        exits[count++] = (struct exit){STAY, NO_REGISTER};
    }
    for (uint32_t i = 0; i < thread->transitions.count; i++) {
        const struct automaton_transition *transition = vector_at(&thread->transitions, i);
        if (transition->from != state) {
            continue;
        }
        struct exit exit = {i, NO_REGISTER};
        set_position(lowering, transition);
        if (transition->command == COMMAND_CHECK) {
            uint32_t at = transition->expressions[0];
            const struct atom *top = vector_at(&thread->atoms, at);
            exit.guard = lower_expression(lowering, &at);
            if (top->kind != ATOM_OPERATOR || automaton_operators[top->value].op != OP_ICMP) {
                exit.guard = compute(lowering, OP_ICMP, PREDICATE_NE, exit.guard, constant(lowering, 0), 0);
            }
        }
        exits[count++] = exit;
    }
    if (count > 0) {
        lower_exits(lowering, exits, count);
    } else {
        emit(lowering, (struct instruction){
                           .op = OP_RET, .dst = NO_REGISTER, .a = builder_operands(&lowering->builder, NULL, 0)});
    }
    free(exits);
}

/* --- Cycles without steps ----------------------------------------------------------------------------------------- */

/* A fence is a step only if there are store buffers. */
static bool is_quiet(const struct automaton_transition *transition) {
    return transition->command == COMMAND_LOCAL || transition->command == COMMAND_CHECK ||
           transition->command == COMMAND_NOOP || transition->command == COMMAND_MFENCE;
}

/* Marks the quiet transitions that lead back to a state on the stack of a depth-first search along quiet transitions:
 * each cycle of quiet transitions has one. */
static void find_cycles(struct lowering *lowering) {
    const struct automaton_thread *thread = lowering->thread;
    enum mark { NEW, OPEN, DONE };
    uint8_t *marks = memory_allocate(thread->states.count + 1);
    struct {
        uint32_t state;
        uint32_t next;
    } *stack = memory_allocate((thread->states.count + 1) * sizeof *stack);
    for (uint32_t root = 0; root < thread->states.count; root++) {
        uint32_t depth = 0;
        if (marks[root] == NEW) {
            stack[depth].state = root;
            stack[depth++].next = 0;
            marks[root] = OPEN;
        }
        while (depth > 0) {
            uint32_t state = stack[depth - 1].state;
            uint32_t i = stack[depth - 1].next++;
            if (i >= thread->transitions.count) {
                marks[state] = DONE;
                depth--;
                continue;
            }
            const struct automaton_transition *transition = vector_at(&thread->transitions, i);
            if (transition->from != state || !is_quiet(transition)) {
                continue;
            }
            if (marks[transition->to] == OPEN) {
                lowering->closes[i] = true;
            } else if (marks[transition->to] == NEW) {
                marks[transition->to] = OPEN;
                stack[depth].state = transition->to;
                stack[depth++].next = 0;
            }
        }
    }
    free(marks);
    free(stack);
}

/* --- Threads ------------------------------------------------------------------------------------------------------ */

static void lower_transitions(struct lowering *lowering, uint32_t *transition_at) {
    const struct automaton_thread *thread = lowering->thread;
    for (uint32_t i = 0; i < thread->transitions.count; i++) {
        const struct automaton_transition *transition = vector_at(&thread->transitions, i);
        set_position(lowering, transition);
        transition_at[i] = builder_here(&lowering->builder);
        lower_command(lowering, transition);
        if (lowering->closes[i]) {
            compute(lowering, OP_NONDET, 0, constant(lowering, 0), constant(lowering, 0), 0);
        }
        emit(lowering, (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .a = lowering->state_at[transition->to]});
    }
}

static void patch_targets(struct lowering *lowering, const uint32_t *transition_at, uint32_t stay_at) {
    for (size_t i = 0; i < lowering->targets.count; i++) {
        const struct pending_target *target = vector_at(&lowering->targets, i);
        struct instruction *instruction = builder_at(&lowering->builder, target->instruction);
        uint32_t to = target->transition == STAY ? stay_at : transition_at[target->transition];
        *(target->field == 0 ? &instruction->a : &instruction->b) = to;
    }
}

static void lower_thread(struct lowering *lowering, uint32_t function) {
    const struct automaton_thread *thread = lowering->thread;
    uint32_t *transition_at = memory_allocate((thread->transitions.count + 1) * sizeof *transition_at);
    lowering->registers = (uint32_t)thread->registers.count;
    lowering->state_at = memory_allocate((thread->states.count + 1) * sizeof *lowering->state_at);
    lowering->closes = memory_allocate((thread->transitions.count + 1) * sizeof *lowering->closes);
    vector_init(&lowering->targets, sizeof(struct pending_target));
    find_cycles(lowering);
    builder_begin(&lowering->builder, function);
    lowering->pos = builder_position(&lowering->builder, lowering->file, thread->line, 1, thread->name, NULL);
    uint32_t start = lowering->pos;
    for (uint32_t r = 0; r < thread->registers.count; r++) {
        emit(lowering, (struct instruction){.op = OP_MOV, .dst = r, .a = constant(lowering, 0)});
    }
    uint32_t enter = emit(lowering, (struct instruction){.op = OP_JMP, .dst = NO_REGISTER});
    for (uint32_t s = 0; s < thread->states.count; s++) {
        lower_state(lowering, s);
    }
    builder_at(&lowering->builder, enter)->a = lowering->state_at[thread->initial];
    lower_transitions(lowering, transition_at);
    lowering->pos = thread->final == NO_STATE ? start
                                              : builder_position(&lowering->builder, lowering->file, thread->final_line,
                                                                 1, thread->name, NULL);
    uint32_t stay_at = emit(lowering, (struct instruction){.op = OP_HALT, .dst = NO_REGISTER, .a = lowering->goals});
    patch_targets(lowering, transition_at, stay_at);
    builder_end(&lowering->builder, lowering->registers);
    vector_delete(&lowering->targets);
    free(lowering->state_at);
    free(lowering->closes);
    free(transition_at);
}

static void lower_entry(struct lowering *lowering, uint32_t entry) {
    builder_begin(&lowering->builder, entry);
    lowering->pos = 0;
    for (size_t t = 0; t < lowering->automata->threads.count; t++) {
        emit_sync(lowering, SYNC_THREAD_CREATE,
                  builder_address(&lowering->builder, function_address(lowering->starts[t])));
    }
    emit_sync(lowering, SYNC_THREAD_EXIT, constant(lowering, 0));
    builder_end(&lowering->builder, 0);
    lowering->builder.entry = entry;
}

bool automaton_read(const char *file, struct program *program, struct diagnostics *diagnostics) {
    struct automata automata;
    bool good = automata_parse(&automata, file, diagnostics);
    struct lowering lowering = {.file = file, .diagnostics = diagnostics, .automata = &automata};
    if (good) {
        builder_init(&lowering.builder);
        make_cells(&lowering);
        good = diagnostics_empty(diagnostics);
        if (!good) {
            builder_delete(&lowering.builder);
        }
    }
    if (good) {
        size_t count = automata.threads.count;
        lowering.starts = memory_allocate(count * sizeof *lowering.starts);
        uint32_t entry = builder_function(&lowering.builder, "start", 0, 0, 0);
        for (size_t t = 0; t < count; t++) {
            const struct automaton_thread *thread = vector_at(&automata.threads, t);
            lowering.starts[t] = builder_function(&lowering.builder, thread->name, 0, 0, 0);
            lowering.goals += thread->final != NO_STATE;
        }
        lower_entry(&lowering, entry);
        for (size_t t = 0; t < count; t++) {
            lowering.thread = vector_at(&automata.threads, t);
            lower_thread(&lowering, lowering.starts[t]);
        }
        uint32_t name = builder_string(&lowering.builder, file);
        vector_push(&lowering.builder.files, &name);
        builder_finish(&lowering.builder, program);
    }
    free(lowering.starts);
    free(lowering.cells);
    automata_delete(&automata);
    return good;
}
