/* One pass over the blocks of a thread, in reverse post-order, with one state for each. */
#include "prove/instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prove/world.h"
#include "util/hash_table.h"
#include "util/memory.h"

/* --- Variables ---------------------------------------------------------------------------------------------------- */

/* Addresses in objects that threads make: in the region of the thread that made them. */
static Z3_ast in_regions(struct solver *solver, struct term variable) {
    return solver_and(solver, solver_at_most(solver, term_number(THREAD_BASE), variable),
                      solver_at_most(solver, variable, term_number(UINT64_C(1) << 62)));
}

static Z3_ast in_part(const struct system *system, struct solver *solver, struct term variable,
                      const struct part *part) {
    uint64_t base = 0;
    if (part->object != NUMBERS) {
        const struct object *object = object_of(&system->space, part->object);
        if (object->kind != OBJECT_FIXED) {
            return in_regions(solver, variable);
        }
        base = object->base;
    }
    struct term low = term_number(part->low + base);
    struct term high = term_number(part->high + base);
    if (part->stride == 0) {
        return solver_equal(solver, variable, low);
    }
    Z3_ast bound = solver_and(solver, solver_at_most(solver, low, variable), solver_at_most(solver, variable, high));
    if (part->stride > 1 && (part->stride & (part->stride - 1)) == 0) {
        unsigned bits = (unsigned)__builtin_ctzll(part->stride);
        bound = solver_and(solver, bound,
                           solver_equal(solver, solver_modulo(solver, variable, bits),
                                        term_number((part->low + base) & (part->stride - 1))));
    }
    return bound;
}

/* Does every part stay in its object?  Otherwise nothing is known. */
static bool has_bounds(const struct system *system, const struct value *value) {
    for (unsigned i = 0; i < value->count; i++) {
        const struct part *part = &value->parts[i];
        const struct object *object = object_of(&system->space, part->object);
        if (part->object != NUMBERS &&
            (object->kind != OBJECT_FIXED ? part->high > INT64_MAX : part->high > object->size)) {
            return false;
        }
    }
    return !value->any && value->count > 0;
}

/* Narrows the range to the smallest that has all parts; false if one is at an unknown address, or not in the range. */
static bool narrow(const struct system *system, const struct value *value, uint64_t *low, uint64_t *high) {
    uint64_t least = UINT64_MAX;
    uint64_t largest = 0;
    for (unsigned i = 0; i < value->count; i++) {
        const struct part *part = &value->parts[i];
        const struct object *object = object_of(&system->space, part->object);
        if (part->object != NUMBERS && object->kind != OBJECT_FIXED) {
            return false;
        }
        uint64_t base = part->object == NUMBERS ? 0 : object->base;
        least = part->low + base < least ? part->low + base : least;
        largest = part->high + base > largest ? part->high + base : largest;
    }
    if (least < *low || largest > *high) {
        return false;
    }
    *low = least;
    *high = largest;
    return true;
}

struct term term_bounded(const struct system *system, struct solver *solver, const struct value *value, unsigned bits,
                         const char *name) {
    bool bounded = has_bounds(system, value);
    if (bounded && value_is_single(value)) {
        const struct part *part = &value->parts[0];
        const struct object *object = object_of(&system->space, part->object);
        if (part->object == NUMBERS || object->kind == OBJECT_FIXED) {
            return term_number(part->low + (part->object == NUMBERS ? 0 : object->base));
        }
    }
    uint64_t low = 0;
    uint64_t high = bits_mask(bits);
    bool narrowed = bounded && narrow(system, value, &low, &high);
    bool is_range = narrowed && value->count == 1 && value->parts[0].stride == 1;
    struct term variable = solver_variable(solver, name, low, high);
    if (bounded && !is_range) {
        Z3_ast known = solver_false(solver);
        for (unsigned i = 0; i < value->count; i++) {
            known = solver_or(solver, known, in_part(system, solver, variable, &value->parts[i]));
        }
        solver_bound(solver, variable, known);
    }
    return variable;
}

struct term instance_variable(struct instance *thread, enum purpose purpose, uint32_t index, uint32_t which,
                              const struct value *value, unsigned bits) {
    const uint32_t key[] = {(uint32_t)purpose, index, which};
    bool found;
    uint64_t *slot = hash_table_slot(thread->variables, key, sizeof key, &found);
    if (!found) {
        char name[40];
        uint32_t pos = purpose == PURPOSE_RESULT ? thread->code[index].pos : 0;
        snprintf(name, sizeof name, "line%u", thread->system->flat.positions[pos].line);
        *slot = thread->made.count;
        struct term made = term_bounded(thread->system, thread->solver, value, bits, name);
        vector_push(&thread->made, &made);
        return made;
    }
    return *(struct term *)vector_at(&thread->made, *slot);
}

/* --- Owned cells -------------------------------------------------------------------------------------------------- */

static void find_owned(struct instance *thread) {
    if (thread->class->many || thread->number >= MANY_CLASSES) {
        return;
    }
    for (uint32_t i = 1; i < thread->system->space.objects.count; i++) {
        const struct object *object = object_of(&thread->system->space, i);
        for (size_t c = 0; c < object->cells.count; c++) {
            const struct cell *cell = vector_at(&object->cells, c);
            if (object->kind == OBJECT_FIXED && object->stride == 0 && !object->smeared && !object->ends &&
                !cell->mixed && !cell->bytes && cell->writers == UINT64_C(1) << thread->number) {
                vector_push(&thread->owned, &(struct owned){.address = object->base + cell->offset,
                                                            .size = cell->size,
                                                            .object = i,
                                                            .value = cell->value});
            }
        }
    }
}

uint32_t instance_owned(const struct instance *thread, uint64_t address, unsigned size) {
    for (uint32_t i = 0; i < thread->owned.count; i++) {
        const struct owned *owned = vector_at(&thread->owned, i);
        if (owned->address == address && owned->size == size) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* --- States ------------------------------------------------------------------------------------------------------- */

void instance_forget(struct state *state) {
    free(state->terms);
    state->terms = NULL;
}

struct state instance_copy(const struct instance *thread, const struct state *from) {
    struct state state = {.guard = from->guard,
                          .terms = memory_allocate((instance_terms(thread) + 1) * sizeof *state.terms)};
    memcpy(state.terms, from->terms, instance_terms(thread) * sizeof *state.terms);
    return state;
}

void instance_merge(struct instance *thread, struct state *into, const struct state *other, uint32_t index) {
    if (!into->terms) {
        *into = instance_copy(thread, other);
        return;
    }
    for (uint32_t r = 0; r < instance_terms(thread); r++) {
        if (r >= thread->registers || system_is_live(thread->system, thread->class, index, r)) {
            into->terms[r] = solver_choose(thread->solver, other->guard, other->terms[r], into->terms[r]);
        }
    }
    into->guard = solver_or(thread->solver, into->guard, other->guard);
}

/* --- Loops -------------------------------------------------------------------------------------------------------- */

static const struct loop *loop_of(const struct flow *flow, uint32_t block) {
    for (uint32_t i = 0; i < flow->loops_count && !flow->irreducible; i++) {
        if (flow->loops[i].header == block) {
            return &flow->loops[i];
        }
    }
    return NULL;
}

struct owned_write {
    struct instance *thread;
    bool *changes;
};

/* Marks the owned cells that an access may write. */
static void mark_owned(void *data, uint32_t object, struct cell *cell) {
    struct owned_write *write = data;
    for (uint32_t i = 0; i < write->thread->owned.count; i++) {
        const struct owned *owned = vector_at(&write->thread->owned, i);
        if (owned->object == object &&
            owned->address == object_of(&write->thread->system->space, object)->base + cell->offset) {
            write->changes[write->thread->registers + i] = true;
        }
    }
}

static void mark_changes(struct instance *thread, uint32_t block, bool *changes) {
    const struct block *at = &thread->class->flow.blocks[block];
    for (uint32_t i = at->first; i < at->end; i++) {
        const struct instruction *code = &thread->code[i];
        uint32_t count = instruction_writes(&thread->system->flat, code);
        for (uint32_t k = 0; k < count; k++) {
            changes[code->dst + k] = true;
        }
        const struct access *accesses[] = {&thread->class->accesses[i], &thread->class->seconds[i]};
        for (int k = 0; k < 2; k++) {
            struct owned_write write = {thread, changes};
            if (accesses[k]->present && accesses[k]->writes && !accesses[k]->ends) {
                space_cells(&thread->system->space, &accesses[k]->address, accesses[k]->size, mark_owned, &write);
            }
        }
    }
}

void instance_enter_loop(struct instance *thread, struct state *state, uint32_t block) {
    const struct flow *flow = &thread->class->flow;
    const struct loop *loop = loop_of(flow, block);
    bool *changes = memory_allocate(instance_terms(thread) + 1);
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        if (loop ? loop_has(loop, b) : flow->blocks[b].order != NO_BLOCK) {
            mark_changes(thread, b, changes);
        }
    }
    uint32_t first = flow->blocks[block].first;
    for (uint32_t r = 0; r < instance_terms(thread); r++) {
        if (changes[r] && r < thread->registers && system_is_live(thread->system, thread->class, first, r)) {
            state->terms[r] = instance_variable(thread, PURPOSE_HEAD, block, r, &thread->class->in[block][r], 64);
        } else if (changes[r] && r >= thread->registers) {
            const struct owned *owned = vector_at(&thread->owned, r - thread->registers);
            state->terms[r] = instance_variable(thread, PURPOSE_HEAD, block, r, &owned->value, 8 * owned->size);
        }
    }
    free(changes);
}

/* --- The pass ----------------------------------------------------------------------------------------------------- */

struct edge {
    struct instance *thread;
    uint32_t from;
};

static void follow(void *data, uint32_t target, const struct state *state) {
    struct edge *edge = data;
    const struct flow *flow = &edge->thread->class->flow;
    uint32_t to = flow->block_of[target];
    if (flow->blocks[to].order > flow->blocks[edge->from].order) {
        instance_merge(edge->thread, &edge->thread->in[to], state, target);
    }
}

/* Executes a block up to an instruction. */
static struct state run_block(struct instance *thread, uint32_t block, uint32_t end) {
    struct state state = instance_copy(thread, &thread->in[block]);
    for (uint32_t i = thread->class->flow.blocks[block].first; i < end; i++) {
        execute(thread, &state, NULL, i);
    }
    return state;
}

static void leave_block(struct instance *thread, uint32_t block) {
    const struct block *at = &thread->class->flow.blocks[block];
    uint32_t last = at->end - 1;
    if (!instruction_reached(thread->class, last)) {
        return;
    }
    struct state state = run_block(thread, block, last);
    struct edge edge = {thread, block};
    execute(thread, &state, NULL, last);
    execute_jumps(thread, &state, last, follow, &edge);
    instance_forget(&state);
}

static void enter(struct instance *thread) {
    struct state state = {.guard = solver_true(thread->solver),
                          .terms = memory_allocate((instance_terms(thread) + 1) * sizeof *state.terms)};
    for (uint32_t r = 0; r < thread->registers; r++) {
        if (system_is_live(thread->system, thread->class, 0, r)) {
            state.terms[r] = instance_variable(thread, PURPOSE_ENTRY, 0, r, &thread->class->entry[r], 64);
        }
    }
    for (uint32_t i = 0; i < thread->owned.count; i++) {
        const struct owned *owned = vector_at(&thread->owned, i);
        uint64_t value[2] = {0, 0};
        machine_peek(thread->system->machine, owned->address, owned->size, value);
        state.terms[thread->registers + i] = term_number(value[0]);
    }
    thread->in[0] = state;
}

void instance_init(struct instance *thread, struct system *system, struct solver *solver, uint32_t number,
                   struct instance *always) {
    struct class *class = class_of(system, number);
    *thread = (struct instance){
        .system = system,
        .solver = solver,
        .number = number,
        .class = class,
        .code = class_code(system, class),
        .registers = system->flat.functions[class->function].registers,
        .variables = hash_table_new(),
    };
    thread->always = always ? always : thread;
    thread->snapshots =
        memory_allocate(((size_t)system->flat.functions[class->function].count + 1) * sizeof *thread->snapshots);
    thread->additions =
        memory_allocate(((size_t)system->flat.functions[class->function].count + 1) * sizeof *thread->additions);
    vector_init(&thread->owned, sizeof(struct owned));
    vector_init(&thread->made, sizeof(struct term));
    find_owned(thread);
    thread->self = number == 0 ? term_number(0) : solver_variable(solver, "thread", 1, MAX_THREAD_NUMBER);
    uint32_t count = class->flow.blocks_count;
    thread->in = memory_allocate(count * sizeof *thread->in);
    thread->ordered = prove_order_blocks(&class->flow);
    enter(thread);
    for (uint32_t order = 0; order < count; order++) {
        uint32_t b = thread->ordered[order];
        if (class->flow.blocks[b].order == order && thread->in[b].terms && class->in[b]) {
            if (block_is_head(&class->flow, b)) {
                instance_enter_loop(thread, &thread->in[b], b);
            }
            leave_block(thread, b);
        }
    }
}

void instance_delete(struct instance *thread) {
    for (uint32_t b = 0; b < thread->class->flow.blocks_count; b++) {
        instance_forget(&thread->in[b]);
    }
    for (uint32_t i = 0; i < thread->system->flat.functions[thread->class->function].count; i++) {
        if (thread->snapshots[i]) {
            world_delete(&thread->snapshots[i]->world);
            beginning_delete(&thread->snapshots[i]->beginning);
            free(thread->snapshots[i]);
        }
    }
    free(thread->snapshots);
    free(thread->additions);
    free(thread->in);
    free(thread->ordered);
    vector_delete(&thread->owned);
    vector_delete(&thread->made);
    hash_table_free(thread->variables);
}

bool instance_reaches(const struct instance *thread, uint32_t index) {
    return thread->in[thread->class->flow.block_of[index]].terms != NULL;
}

struct state instance_state(struct instance *thread, uint32_t index) {
    return run_block(thread, thread->class->flow.block_of[index], index);
}
