/* The instructions as formulas.  What an instruction does to registers is the machine's arithmetic (terms.c); what an
 * operation on a lock does is its code (ir/sync.h). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ir/sync.h"
#include "prove/facts.h"
#include "prove/found.h"
#include "prove/joins.h"
#include "prove/living.h"
#include "util/memory.h"

/* One instruction being executed. */
struct execution {
    struct instance *thread;
    struct state *state;
    struct world *world;
    uint32_t index;
    const struct instruction *code;
};

struct term execute_operand(const struct instance *thread, const struct state *state, uint32_t operand) {
    return operand & OPERAND_CONSTANT ? term_number(thread->system->flat.constants[operand & ~OPERAND_CONSTANT])
                                      : state->terms[operand];
}

static struct term operand(const struct execution *at, uint32_t number) {
    return execute_operand(at->thread, at->state, number);
}

static void set(const struct execution *at, uint32_t which, struct term term) {
    if (at->code->dst != NO_REGISTER) {
        at->state->terms[at->code->dst + which] = term;
    }
}

/* A variable that is the result of this instruction. */
static struct term result_variable(const struct execution *at, uint32_t which, const struct value *value,
                                   unsigned bits) {
    return instance_variable(at->thread, PURPOSE_RESULT, at->index, which, value, bits);
}

static struct term unknown_result(const struct execution *at, uint32_t which) {
    struct value any = value_any();
    return result_variable(at, which, &any, 64);
}

static void require(const struct execution *at, Z3_ast condition) {
    struct solver *solver = at->thread->solver;
    if (at->world) {
        at->world->enabled =
            solver_and(solver, at->world->enabled, solver_or(solver, solver_not(solver, at->state->guard), condition));
    }
    at->state->guard = solver_and(solver, at->state->guard, condition);
}

static void fail_unless(const struct execution *at, Z3_ast condition) {
    struct solver *solver = at->thread->solver;
    if (at->world) {
        world_fail(at->world, solver_and(solver, at->state->guard, solver_not(solver, condition)), at->index);
    }
    at->state->guard = solver_and(solver, at->state->guard, condition);
}

#define MOST_ADDED 1024u /* of which an overflow may be assumed not to happen */

/* If that is to be assumed: a number that is not negative does not become so by adding a small one, and one that is
 * negative remains so when a small one is subtracted. */
static void assume_no_overflow(const struct execution *at, enum op op, unsigned bits, struct term old,
                               struct term number) {
    struct solver *solver = at->thread->solver;
    struct system *system = at->thread->system;
    if (number.ast || number.number == 0 || number.number > MOST_ADDED || bits < 16) {
        return;
    }
    uint64_t negative = UINT64_C(1) << (bits - 1);
    struct term least = term_number(negative);
    Z3_ast fine = op == OP_ADD ? solver_or(solver, solver_at_most(solver, least, old),
                                           solver_at_most(solver, old, term_number(negative - 1 - number.number)))
                               : solver_or(solver, solver_not(solver, solver_at_most(solver, least, old)),
                                           solver_at_most(solver, term_number(negative + number.number), old));
    enum addition *known = &at->thread->additions[at->index];
    if (*known == ADDITION_OPEN && system->no_overflow) {
        assert(!solver->supposed); /* the answer is for all questions */
        bool never = solver_ask(solver, solver_and(solver, at->state->guard, solver_not(solver, fine)),
                                "an addition does not overflow") == ANSWER_NO;
        *known = never ? ADDITION_FITS : ADDITION_MAY_OVERFLOW;
    }
    if (solver_is_true(solver, fine) || *known == ADDITION_FITS) {
        return;
    }
    system->can_overflow = true;
    if (!system->no_overflow) {
        return;
    }
    require(at, fine);
    for (size_t i = 0; i < system->assumed.count; i++) {
        if (*(uint32_t *)vector_at(&system->assumed, i) == at->code->pos) {
            return;
        }
    }
    vector_push(&system->assumed, &at->code->pos);
}

/* --- Accesses ----------------------------------------------------------------------------------------------------- */

static struct value moved(const struct value *address, uint64_t by) {
    struct value offset = value_number(by);
    return value_binary(OP_ADD, 64, address, &offset);
}

/* Up to 8 bytes of an access, `offset` bytes after its address. */
struct piece {
    struct term address;
    struct value where;
    unsigned size;
    uint32_t owned; /* its index among the thread's terms; UINT32_MAX: not an owned cell */
};

static struct piece piece_of(const struct execution *at, struct term address, const struct value *where,
                             unsigned offset, unsigned size) {
    struct piece piece = {.address = solver_plus(at->thread->solver, address, term_number(offset)),
                          .where = moved(where, offset),
                          .size = size,
                          .owned = UINT32_MAX};
    if (!piece.address.ast) {
        uint32_t owned = instance_owned(at->thread, piece.address.number, size);
        piece.owned = owned == UINT32_MAX ? owned : at->thread->registers + owned;
    }
    return piece;
}

/* Is memory known in part where a thread executes this access, or has an annotation a condition on it? */
static bool has_snapshot(const struct execution *at) {
    const struct class *class = at->thread->class;
    return at->thread->system->annotated && class->depth[at->index] == 0 && !class->noted[at->index] &&
           !space_private(&at->thread->system->space, &class->accesses[at->index].address) &&
           space_known(&class->accesses[at->index].address);
}

/* Memory as the access finds it: all facts hold in it. */
static struct snapshot *snapshot_of(const struct execution *at) {
    struct snapshot **slot = &at->thread->snapshots[at->index];
    if (!*slot) {
        struct snapshot *snapshot = memory_allocate(sizeof *snapshot);
        *slot = snapshot;
        beginning_init(&snapshot->beginning, at->thread->system, at->thread->solver);
        beginning_know(&snapshot->beginning, at->thread, at->state, NULL);
        world_init(&snapshot->world, &snapshot->beginning);
        Z3_ast facts = facts_at(at->thread, &snapshot->world, at->index);
        snapshot->beginning.known = solver_and(at->thread->solver, snapshot->beginning.known, facts);
    }
    return *slot;
}

/* What was read from the snapshot is part of what the thread knows. */
static void know_snapshot(const struct execution *at) {
    struct snapshot *snapshot = at->world ? NULL : at->thread->snapshots[at->index];
    if (snapshot && !snapshot->beginning.hopeless) {
        require(at, snapshot->beginning.known);
    }
}

static struct term read_piece(const struct execution *at, const struct piece *piece, uint32_t which) {
    if (at->world) {
        return world_read(at->world, piece->address, &piece->where, piece->size);
    }
    if (has_snapshot(at)) {
        return world_read(&snapshot_of(at)->world, piece->address, &piece->where, piece->size);
    }
    if (piece->owned != UINT32_MAX) {
        return at->state->terms[piece->owned];
    }
    struct value value = space_read(&at->thread->system->space, &piece->where, piece->size);
    return result_variable(at, which, &value, 8 * piece->size);
}

/* An owned cell that may have been written: it holds what it can hold. */
static void clobber_cell(void *data, uint32_t object, struct cell *cell) {
    const struct execution *at = *(const struct execution **)data;
    for (uint32_t i = 0; i < at->thread->owned.count; i++) {
        const struct owned *owned = vector_at(&at->thread->owned, i);
        uint64_t base = object_of(&at->thread->system->space, object)->base;
        if (owned->object == object && owned->address == base + cell->offset) {
            at->state->terms[at->thread->registers + i] = result_variable(at, 16 + i, &owned->value, 8 * owned->size);
        }
    }
}

static void clobber(const struct execution *at, const struct value *where, unsigned size) {
    if (!at->world) {
        space_cells(&at->thread->system->space, where, size, clobber_cell, &at);
    }
}

static void write_piece(const struct execution *at, const struct piece *piece, struct term value) {
    if (at->world) {
        world_write(at->world, at->state->guard, piece->address, &piece->where, piece->size, value);
    } else if (piece->owned != UINT32_MAX) {
        at->state->terms[piece->owned] = solver_modulo(at->thread->solver, value, 8 * piece->size);
    } else {
        clobber(at, &piece->where, piece->size);
    }
}

/* --- Abstractions ------------------------------------------------------------------------------------------------- */

static const struct abstraction *abstraction_of(const struct execution *at) {
    const struct abstraction *abstraction = class_abstraction(at->thread->class, at->index);
    return abstraction && abstraction_applies(at->thread->class, abstraction) ? abstraction : NULL;
}

/* The condition of an abstraction, if the access returns this value; the code between the two is local. */
static Z3_ast abstract_condition(const struct execution *at, const struct abstraction *abstraction, struct term value) {
    struct world *world = at->world ? at->world : &snapshot_of(at)->world;
    if (abstraction->found.kind != FOUND_NONE) {
        struct term content = world_read(world, operand(at, at->code->a),
                                         &at->thread->class->accesses[at->index].address, at->code->width);
        return found_condition(at->thread, at->state, &abstraction->found, content, value);
    }
    struct state state = instance_copy(at->thread, at->state);
    state.terms[at->code->dst + abstraction->result] = value;
    for (uint32_t i = at->index + 1; i < abstraction->note; i++) {
        execute(at->thread, &state, NULL, i);
    }
    Z3_ast condition = path_condition(at->thread, &state, world, abstraction->note);
    instance_forget(&state);
    return condition;
}

/* A value that an abstracted access may return. */
static struct term abstract_value(const struct execution *at) {
    struct value any = at->code->width == 8 ? value_any() : value_width(8u * at->code->width);
    return result_variable(at, 240, &any, 8u * at->code->width);
}

Z3_ast execute_abstraction(struct instance *thread, struct state *state, struct world *world,
                           const struct abstraction *abstraction, struct term *value) {
    const struct execution at = {thread, state, world, abstraction->access, &thread->code[abstraction->access]};
    const struct value *where = &thread->class->accesses[at.index].address;
    *value = world_read(world, operand(&at, at.code->a), where, at.code->width);
    return abstract_condition(&at, abstraction, *value);
}

Z3_ast execute_allowed(struct instance *thread, struct state *state, struct world *world,
                       const struct abstraction *abstraction, struct term *content, struct term *value) {
    const struct execution at = {thread, state, world, abstraction->access, &thread->code[abstraction->access]};
    const struct value *where = &thread->class->accesses[at.index].address;
    *content = world_read(world, operand(&at, at.code->a), where, at.code->width);
    *value = abstract_value(&at);
    return abstract_condition(&at, abstraction, *value);
}

/* The load returns any value with which the condition holds. */
static void abstract_load(const struct execution *at, const struct abstraction *abstraction) {
    struct term value = abstract_value(at);
    require(at, abstract_condition(at, abstraction, value));
    set(at, 0, value);
}

/* Does the read-modify-write leave memory alone?  False if there is no annotation that allows it. */
static Z3_ast fails_by_annotation(const struct execution *at) {
    const struct abstraction *abstraction = abstraction_of(at);
    struct value bit = value_range(0, 1);
    if (abstraction && at->world && at->world->failing) {
        return solver_true(at->thread->solver);
    }
    return abstraction ? solver_equal(at->thread->solver, result_variable(at, 241, &bit, 1), term_number(1))
                       : solver_false(at->thread->solver);
}

/* It may have left memory alone: then it returns any value with which the condition holds. */
static void abstract_update(const struct execution *at, Z3_ast fails) {
    const struct abstraction *abstraction = abstraction_of(at);
    struct solver *solver = at->thread->solver;
    if (abstraction && at->code->dst != NO_REGISTER) {
        struct term value = at->world && at->world->failing ? *at->world->failing : abstract_value(at);
        struct term *result = &at->state->terms[at->code->dst + abstraction->result];
        require(at, solver_or(solver, solver_not(solver, fails), abstract_condition(at, abstraction, value)));
        *result = solver_choose(solver, fails, value, *result);
    }
}

/* --- Loads, stores, updates --------------------------------------------------------------------------------------- */

static struct term rmw_value(const struct execution *at, struct term old, struct term with) {
    static const uint8_t ops[RMW_COUNT] = {
        [RMW_ADD] = OP_ADD, [RMW_SUB] = OP_SUB, [RMW_AND] = OP_AND, [RMW_OR] = OP_OR, [RMW_XOR] = OP_XOR};
    struct solver *solver = at->thread->solver;
    unsigned bits = 8u * at->code->width;
    struct term cut = solver_modulo(solver, with, bits);
    if (at->code->c == RMW_XCHG) {
        return cut;
    }
    struct instruction code = {.op = ops[at->code->c], .width = (uint8_t)bits};
    if (code.op != OP_NOP) {
        return solver_operation(solver, &code, old, cut, term_number(0));
    }
    uint32_t what = 0x8000u + at->code->c;
    return solver_unknown(solver, what << 8 | bits, 0, old, cut, term_number(0), bits);
}

static void execute_wide_rmw(const struct execution *at, const struct piece pieces[2]) {
    struct solver *solver = at->thread->solver;
    for (uint32_t i = 0; i < 2; i++) {
        struct term old = read_piece(at, &pieces[i], i);
        struct term with = operand(at, at->code->b + i);
        struct term value = at->code->c == RMW_XCHG
                                ? with
                                : solver_unknown(solver, 0x9000u + at->code->c, i, old, with, term_number(0), 64);
        write_piece(at, &pieces[i], value);
        set(at, i, old);
    }
}

static void execute_cas(const struct execution *at, const struct piece *pieces, unsigned count) {
    struct solver *solver = at->thread->solver;
    struct term old[2];
    Z3_ast equal = solver_true(solver);
    for (unsigned i = 0; i < count; i++) {
        old[i] = read_piece(at, &pieces[i], i);
        struct term expected = solver_modulo(solver, operand(at, at->code->b + i), 8 * pieces[i].size);
        equal = solver_and(solver, equal, solver_equal(solver, old[i], expected));
    }
    Z3_ast fails = fails_by_annotation(at);
    for (unsigned i = 0; i < count; i++) {
        struct term desired = solver_modulo(solver, operand(at, at->code->c + i), 8 * pieces[i].size);
        write_piece(at, &pieces[i],
                    solver_choose(solver, solver_and(solver, equal, solver_not(solver, fails)), desired, old[i]));
    }
    for (unsigned i = 0; i < count; i++) {
        set(at, i, old[i]);
    }
    set(at, count, solver_choose(solver, equal, term_number(1), term_number(0)));
    abstract_update(at, fails);
    if (at->world && at->world->cas_succeeds) {
        require(at, equal);
    }
}

/* --- All accesses ------------------------------------------------------------------------------------------------- */

static void check_access(const struct execution *at, uint32_t operand_number, const struct access *access) {
    if (at->world && at->world->checks && access->present) {
        fail_unless(at, living_hit(at->thread, operand(at, operand_number), access));
    }
}

static void execute_access(const struct execution *at) {
    struct term address = operand(at, at->code->a);
    check_access(at, at->code->a, &at->thread->class->accesses[at->index]);
    const struct value *where = &at->thread->class->accesses[at->index].address;
    unsigned width = at->code->width;
    unsigned count = width > 8 ? 2 : 1;
    struct piece pieces[2];
    for (unsigned i = 0; i < count; i++) {
        pieces[i] = piece_of(at, address, where, 8 * i, width > 8 ? 8 : width);
    }
    if (at->code->op == OP_CAS) {
        execute_cas(at, pieces, count);
        return;
    }
    if (at->code->op == OP_RMW && count == 2) {
        execute_wide_rmw(at, pieces);
        return;
    }
    const struct abstraction *abstraction = abstraction_of(at);
    if (at->code->op == OP_LOAD && abstraction) {
        abstract_load(at, abstraction);
        return;
    }
    Z3_ast fails = at->code->op == OP_RMW ? fails_by_annotation(at) : solver_false(at->thread->solver);
    struct term values[2];
    for (unsigned i = 0; i < count; i++) {
        values[i] = at->code->op == OP_STORE ? operand(at, at->code->b + i) : read_piece(at, &pieces[i], i);
    }
    for (unsigned i = 0; i < count; i++) {
        if (at->code->op == OP_STORE) {
            write_piece(at, &pieces[i], values[i]);
        } else if (at->code->op == OP_RMW) {
            if (at->code->c == RMW_ADD || at->code->c == RMW_SUB) {
                assume_no_overflow(at, at->code->c == RMW_ADD ? OP_ADD : OP_SUB, 8u * width, values[i],
                                   operand(at, at->code->b));
            }
            struct term value = rmw_value(at, values[i], operand(at, at->code->b));
            write_piece(at, &pieces[i], solver_choose(at->thread->solver, fails, values[i], value));
        }
        if (at->code->op != OP_STORE) {
            set(at, i, values[i]);
        }
    }
    if (at->code->op == OP_RMW) {
        abstract_update(at, fails);
    }
}

/* --- Operations on locks and threads ------------------------------------------------------------------------------ */

/* Runs the code of an operation.  Its paths go forward only, so one pass with a condition for each instruction is
 * enough. */
struct code_run {
    const struct execution *at;
    const struct sync_code *code;
    struct term registers[SYNC_MAX_REGISTERS];
    struct value where[SYNC_MAX_REGISTERS];
    Z3_ast *guards; /* by instruction */
};

static struct term code_operand(const struct code_run *run, uint32_t number) {
    return number & OPERAND_CONSTANT ? term_number(sync_constants[number & ~OPERAND_CONSTANT]) : run->registers[number];
}

static void code_results(struct code_run *run, const struct instruction *code, Z3_ast guard) {
    struct solver *solver = run->at->thread->solver;
    const uint32_t operands[] = {code->a, code->b};
    for (uint32_t i = 0; i < run->at->code->sub && i < 2 && run->at->code->dst != NO_REGISTER; i++) {
        struct term *to = &run->at->state->terms[run->at->code->dst + i];
        *to = solver_choose(solver, guard, code_operand(run, operands[i]), *to);
    }
}

static void code_access(struct code_run *run, const struct instruction *code, Z3_ast guard) {
    struct world *world = run->at->world;
    struct solver *solver = run->at->thread->solver;
    struct term address = code_operand(run, code->a);
    const struct value *where = &run->where[code->a];
    if (value_is_none(where)) {
        /* A record of a thread: no load or store accesses it, so all that reads it finds the same. */
        if (code->op == OP_LOAD) {
            run->registers[code->dst] =
                solver_unknown(solver, 0xa0000000u + (uint32_t)(code - run->code->instructions), run->at->index,
                               run->at->thread->self, address, term_number(0), 8u * code->width);
        }
        return;
    }
    if (code->op == OP_LOAD) {
        run->registers[code->dst] = world_read(world, address, where, code->width);
    } else if (code->op == OP_STORE) {
        world_write(world, guard, address, where, code->width, code_operand(run, code->b));
    } else {
        struct instruction add = {.op = OP_ADD, .width = 32};
        struct term old = world_read(world, address, where, 4);
        world_write(world, guard, address, where, 4,
                    solver_operation(solver, &add, old, code_operand(run, code->b), term_number(0)));
    }
}

static void code_branch(struct code_run *run, const struct instruction *code, uint32_t index) {
    struct solver *solver = run->at->thread->solver;
    Z3_ast yes = solver_not(solver, solver_equal(solver, code_operand(run, code->a), term_number(0)));
    Z3_ast guard = run->guards[index];
    run->guards[code->b] = solver_or(solver, run->guards[code->b], solver_and(solver, guard, yes));
    run->guards[code->c] = solver_or(solver, run->guards[code->c], solver_and(solver, guard, solver_not(solver, yes)));
}

static void code_instruction(struct code_run *run, uint32_t index) {
    const struct instruction *code = &run->code->instructions[index];
    struct instance *thread = run->at->thread;
    struct solver *solver = thread->solver;
    struct world *world = run->at->world;
    Z3_ast guard = run->guards[index];
    struct value bit = value_range(0, 1);
    switch (code->op) {
    case OP_LOAD:
    case OP_STORE:
    case OP_ADD_TO:
        code_access(run, code, guard);
        break;
    case OP_BR:
        code_branch(run, code, index);
        return;
    case OP_NONDET:
        run->registers[code->dst] = result_variable(run->at, 64 + index, &bit, 1);
        break;
    case OP_RECORD:
        run->registers[code->dst] = code_operand(run, code->a);
        run->where[code->dst] = value_none();
        break;
    case OP_WAIT_UNLESS: {
        Z3_ast goes_on = solver_not(solver, solver_equal(solver, code_operand(run, code->a), term_number(0)));
        if (world->checks && thread->class->depth[run->at->index] > 0) { /* to wait in a section is an error */
            world_fail(world, solver_and(solver, guard, solver_not(solver, goes_on)), run->at->index);
            break;
        }
        world->enabled = solver_and(solver, world->enabled, solver_or(solver, solver_not(solver, guard), goes_on));
        break;
    }
    case OP_ERROR:
        world_fail(world, guard, run->at->index);
        return;
    case OP_RESULT:
        code_results(run, code, guard);
        return;
    case OP_WAKE: /* changes records only, in the same way in both orders */
        break;
    default: {
        struct term a = code_operand(run, code->a);
        struct term b = code_operand(run, code->b);
        run->registers[code->dst] = solver_operation(solver, code, a, b, term_number(0));
        bool is_address = code->op == OP_ADD && !(code->a & OPERAND_CONSTANT) && (code->b & OPERAND_CONSTANT);
        run->where[code->dst] = is_address ? moved(&run->where[code->a], b.number) : value_none();
        break;
    }
    }
    run->guards[index + 1] = solver_or(solver, run->guards[index + 1], guard);
}

static void execute_code(const struct execution *at) {
    const struct sync_code *code = &sync_codes()[at->code->width];
    struct solver *solver = at->thread->solver;
    struct code_run run = {.at = at, .code = code};
    run.guards = memory_allocate(((size_t)code->count + 2) * sizeof *run.guards);
    for (uint32_t i = 0; i <= code->count; i++) {
        run.guards[i] = solver_false(solver);
    }
    run.guards[0] = at->state->guard;
    run.registers[SYNC_A] = operand(at, at->code->a);
    run.registers[SYNC_B] = operand(at, at->code->b);
    run.registers[SYNC_C] = operand(at, at->code->c);
    run.registers[SYNC_SELF] = solver_plus(solver, at->thread->self, term_number(1));
    run.registers[SYNC_OWN] = at->thread->self;
    run.registers[SYNC_SPURIOUS] = term_number(at->thread->system->task->machine.spurious);
    run.where[SYNC_A] = at->thread->class->accesses[at->index].address;
    run.where[SYNC_B] = at->thread->class->seconds[at->index].address;
    for (uint32_t i = 0; i < code->count; i++) {
        code_instruction(&run, i);
    }
    free(run.guards);
}

static void execute_operation(const struct execution *at) {
    const struct access *accesses[] = {&at->thread->class->accesses[at->index], &at->thread->class->seconds[at->index]};
    bool has_code = sync_codes()[at->code->width].count > 0 && accesses[0]->present;
    if (at->world && at->world->checks) {
        check_access(at, at->code->a, accesses[0]);
        check_access(at, at->code->b, accesses[1]);
        if (!has_code && at->thread->class->depth[at->index] > 0) { /* it may wait, in a section */
            fail_unless(at, solver_false(at->thread->solver));
        }
    }
    if (at->world && has_code) {
        execute_code(at);
        return;
    }
    for (int i = 0; i < 2; i++) {
        if (accesses[i]->present) {
            clobber(at, &accesses[i]->address, accesses[i]->size);
        }
    }
    for (uint32_t i = 0; i < at->code->sub; i++) {
        struct value width = value_width(32);
        bool joins = joins_class(at->thread->class, at->index) != NO_CLASS;
        set(at, i, i > 0 ? unknown_result(at, i) : joins ? term_number(0) : result_variable(at, i, &width, 32));
    }
}

/* --- The rest ----------------------------------------------------------------------------------------------------- */

/* An object that this thread makes is in the thread's own part of memory. */
static struct term own_object(const struct execution *at, enum purpose purpose, uint32_t which) {
    struct solver *solver = at->thread->solver;
    struct value offsets = value_range(PAGE_SIZE, REGION_SIZE - 1);
    struct term offset = instance_variable(at->thread, purpose, purpose == PURPOSE_RESULT ? at->index : 0, which,
                                           &offsets, REGION_SHIFT);
    return solver_plus(
        solver, solver_plus(solver, term_number(THREAD_BASE), solver_times(solver, at->thread->self, REGION_SIZE)),
        offset);
}

static void execute_thread_local(const struct execution *at) {
    uint64_t address;
    if (at->thread->number == 0 && machine_thread_local(at->thread->system->machine, 0, at->code->a, &address)) {
        set(at, 0, term_number(address));
    } else {
        set(at, 0, own_object(at, PURPOSE_THREAD_LOCAL, at->code->a));
    }
}

static void execute_choice(const struct execution *at) {
    struct term low = operand(at, at->code->a);
    struct term high = operand(at, at->code->b);
    bool known = !low.ast && !high.ast && low.number <= high.number &&
                 (!(at->code->flags & INSTRUCTION_SIGNED) || (int64_t)low.number <= (int64_t)high.number);
    struct value value = known ? value_range(low.number, high.number) : value_width(at->code->width);
    set(at, 0, result_variable(at, 0, &value, at->code->width));
}

static Z3_ast holds(const struct execution *at, uint32_t condition) {
    struct solver *solver = at->thread->solver;
    return solver_not(solver, solver_equal(solver, operand(at, condition), term_number(0)));
}

/* An operation on registers that is not followed: the same result for the same operands. */
static void execute_other(const struct execution *at) {
    const char *shape = op_table[at->code->op].shape;
    uint32_t count = instruction_writes(&at->thread->system->flat, at->code);
    bool of_operands = op_table[at->code->op].class == OP_LOCAL && at->code->op != OP_LIB && shape[1] == 'r';
    for (uint32_t i = 0; i < count; i++) {
        if (of_operands && (shape[2] == 'r' || shape[2] == '-') && (shape[3] == 'r' || shape[3] == '-')) {
            uint32_t what = (uint32_t)at->code->op << 16 | (uint32_t)at->code->width << 8 | at->code->sub;
            set(at, i,
                solver_unknown(at->thread->solver, what, i, operand(at, at->code->a),
                               shape[2] == 'r' ? operand(at, at->code->b) : term_number(0),
                               shape[3] == 'r' ? operand(at, at->code->c) : term_number(0), 64));
        } else if (at->world) {
            /* Its result may differ in each execution. */
            set(at, i, solver_variable(at->thread->solver, "value", 0, UINT64_MAX));
        } else {
            set(at, i, unknown_result(at, i));
        }
    }
}

/* A claim that the thread comes past holds in memory as it is then. */
static void execute_claim(const struct execution *at) {
    if (!at->world && facts_claim(at->thread, at->index) && at->thread->class->depth[at->index] == 0) {
        require(at, snapshot_of(at)->beginning.known);
    }
}

/* Text without arguments is printed; whatever else the library does itself is not followed. */
static bool never_fails(const struct execution *at) {
    const uint32_t *arguments = at->thread->system->flat.operands + at->code->b;
    return at->code->op == OP_LIB && (at->code->a == LIB_OBJECT_SIZE ||
                                      (at->code->a == LIB_PRINT && at->code->c >= 3 &&
                                       term_is_number(operand(at, arguments[2]), 0) && !operand(at, arguments[1]).ast));
}

void execute(struct instance *thread, struct state *state, struct world *world, uint32_t index) {
    const struct execution at = {thread, state, world, index, &thread->code[index]};
    const struct instruction *code = at.code;
    struct solver *solver = thread->solver;
    switch (code->op) {
    case OP_MOV:
        set(&at, 0, operand(&at, code->a));
        break;
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
        fail_unless(&at, solver_not(solver, solver_equal(solver, operand(&at, code->b), term_number(0))));
        if (world && world->checks && (code->op == OP_SDIV || code->op == OP_SREM)) {
            struct term least = term_number(UINT64_C(1) << (code->width - 1));
            Z3_ast overflows =
                solver_and(solver, solver_equal(solver, operand(&at, code->a), least),
                           solver_equal(solver, operand(&at, code->b), term_number(bits_mask(code->width))));
            fail_unless(&at, solver_not(solver, overflows));
        }
        set(&at, 0, solver_operation(solver, code, operand(&at, code->a), operand(&at, code->b), term_number(0)));
        break;
    case OP_ADD:
    case OP_SUB:
        assume_no_overflow(&at, (enum op)code->op, code->width, operand(&at, code->a), operand(&at, code->b));
        /* fall through */
    case OP_MUL:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
    case OP_ICMP:
        set(&at, 0, solver_operation(solver, code, operand(&at, code->a), operand(&at, code->b), term_number(0)));
        break;
    case OP_SEXT:
    case OP_TRUNC:
        set(&at, 0, solver_operation(solver, code, operand(&at, code->a), term_number(0), term_number(0)));
        break;
    case OP_SELECT:
        set(&at, 0,
            solver_operation(solver, code, operand(&at, code->a), operand(&at, code->b), operand(&at, code->c)));
        break;
    case OP_UNINIT:
        set(&at, 0, term_number(0));
        break;
    case OP_TLS:
        execute_thread_local(&at);
        break;
    case OP_SELF:
        set(&at, 0, thread->self);
        break;
    case OP_ALLOCA:
    case OP_MALLOC:
        set(&at, 0, own_object(&at, PURPOSE_RESULT, 0));
        break;
    case OP_LOAD:
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
        execute_access(&at);
        know_snapshot(&at);
        break;
    case OP_SYNC:
        execute_operation(&at);
        break;
    case OP_NOTE:
        execute_claim(&at);
        break;
    case OP_FREE:
    case OP_LIB:
        if (world && world->checks && !never_fails(&at)) {
            fail_unless(&at, solver_false(solver));
        }
        execute_other(&at);
        break;
    case OP_NONDET:
        execute_choice(&at);
        break;
    case OP_ASSUME:
        require(&at, holds(&at, code->a));
        break;
    case OP_ASSERT:
        fail_unless(&at, holds(&at, code->a));
        break;
    case OP_ERROR:
        fail_unless(&at, solver_false(solver));
        break;
    default:
        execute_other(&at);
        break;
    }
}

/* --- Jumps -------------------------------------------------------------------------------------------------------- */

struct jumping {
    struct instance *thread;
    const struct state *state;
    uint32_t block;
    void (*visit)(void *data, uint32_t target, const struct state *state);
    void *data;
};

static void jump_if(const struct jumping *jumping, uint32_t target, Z3_ast condition) {
    const struct class *class = jumping->thread->class;
    const struct block *block = &class->flow.blocks[jumping->block];
    struct solver *solver = jumping->thread->solver;
    struct state state = *jumping->state;
    state.guard = solver_and(solver, state.guard, condition);
    for (uint32_t i = 0; i < block->successors_count; i++) {
        if (class->flow.edges[block->successors + i] == class->flow.block_of[target] &&
            class->feasible[block->successors + i] && !solver_is_false(solver, state.guard)) {
            jumping->visit(jumping->data, target, &state);
        }
    }
}

static void jump_always(void *data, uint32_t target) {
    const struct jumping *jumping = data;
    jump_if(jumping, target, solver_true(jumping->thread->solver));
}

static void execute_switch(const struct jumping *jumping, const struct instruction *code) {
    struct solver *solver = jumping->thread->solver;
    const struct program *program = &jumping->thread->system->flat;
    const uint32_t *pairs = program->operands + code->b;
    struct term value = execute_operand(jumping->thread, jumping->state, code->a);
    Z3_ast rest = solver_true(solver);
    for (uint32_t i = 0; i < code->c; i++) {
        struct term number = term_number(program->constants[pairs[2 * i] & ~OPERAND_CONSTANT]);
        Z3_ast equal = solver_equal(solver, value, number);
        jump_if(jumping, pairs[2 * i + 1], solver_and(solver, rest, equal));
        rest = solver_and(solver, rest, solver_not(solver, equal));
    }
    jump_if(jumping, code->dst, rest);
}

void execute_jumps(struct instance *thread, const struct state *state, uint32_t index,
                   void (*visit)(void *data, uint32_t target, const struct state *state), void *data) {
    const struct instruction *code = &thread->code[index];
    struct solver *solver = thread->solver;
    struct jumping jumping = {thread, state, thread->class->flow.block_of[index], visit, data};
    if (code->op == OP_BR) {
        Z3_ast no = solver_equal(solver, execute_operand(thread, state, code->a), term_number(0));
        jump_if(&jumping, code->b, solver_not(solver, no));
        jump_if(&jumping, code->c, no);
    } else if (code->op == OP_SWITCH) {
        execute_switch(&jumping, code);
    } else {
        if (code->op == OP_NOTE) {
            jump_if(&jumping, code->b, solver_true(solver));
            return;
        }
        if (code->op == OP_AGAIN) {
            /* Which of the two is taken depends on what others do meanwhile. */
            struct value bit = value_range(0, 1);
            struct term choice = instance_variable(thread, PURPOSE_RESULT, index, 0, &bit, 1);
            Z3_ast first = solver_equal(solver, choice, term_number(0));
            jump_if(&jumping, code->a, first);
            jump_if(&jumping, code->b, solver_not(solver, first));
            return;
        }
        instruction_targets(&thread->system->flat, code, jump_always, &jumping);
        if (!instruction_ends_block(code)) {
            jump_always(&jumping, index + 1);
        }
    }
}
