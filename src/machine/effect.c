/* Effects: what a step would do, in memory as it is or as a view has it. */
#include <string.h>

#include "machine/arithmetic.h"
#include "machine/state.h"

void effect_init(struct effect *effect) {
    *effect = (struct effect){.choices = 1};
    vector_init(&effect->accesses, sizeof(struct effect_access));
}

void effect_delete(struct effect *effect) {
    vector_delete(&effect->accesses);
}

void effect_add(struct effect *effect, const struct effect_access *access) {
    struct effect_access *accesses = effect->accesses.data;
    effect->changes |= access->kind != ACCESS_READ;
    for (size_t i = 0; i < effect->accesses.count; i++) {
        if (accesses[i].address == access->address && accesses[i].size == access->size) {
            accesses[i].kind |= access->kind;
            if (access->kind != ACCESS_READ) {
                memcpy(accesses[i].written, access->written, sizeof access->written);
            }
            return;
        }
    }
    *(struct effect_access *)vector_room(&effect->accesses) = *access;
}

bool effects_equal(const struct effect *one, const struct effect *other) {
    const struct effect_access *ones = one->accesses.data;
    const struct effect_access *others = other->accesses.data;
    bool equal = one->enabled == other->enabled && one->bad == other->bad && one->changes == other->changes &&
                 one->error == other->error && one->waits_for == other->waits_for && one->choices == other->choices &&
                 one->results[0] == other->results[0] && one->results[1] == other->results[1] &&
                 one->accesses.count == other->accesses.count;
    for (size_t i = 0; i < one->accesses.count && equal; i++) {
        equal = ones[i].address == others[i].address && ones[i].size == others[i].size &&
                ones[i].kind == others[i].kind &&
                memcmp(ones[i].before, others[i].before, sizeof ones[i].before) == 0 &&
                memcmp(ones[i].written, others[i].written, sizeof ones[i].written) == 0;
    }
    return equal;
}

bool effect_has_come(struct machine *machine, const struct effect *effect) {
    const struct effect_access *accesses = effect->accesses.data;
    for (size_t i = 0; i < effect->accesses.count && !effect->bad && !effect->error; i++) {
        uint64_t expected[2] = {accesses[i].written[0], accesses[i].written[1]};
        uint64_t value[2] = {0};
        if (accesses[i].kind & ACCESS_ADD) {
            expected[0] = (uint32_t)(accesses[i].before[0] + accesses[i].written[0]);
        } else if (!(accesses[i].kind & ACCESS_WRITE)) {
            memcpy(expected, accesses[i].before, sizeof expected);
        }
        if (is_record(accesses[i].address)) {
            value[0] = record_value(machine, accesses[i].address);
        } else if (!machine_peek(machine, accesses[i].address, accesses[i].size, value)) {
            continue;
        }
        if (value[0] != expected[0] || value[1] != expected[1]) {
            return false;
        }
    }
    return true;
}

/* --- Views -------------------------------------------------------------------------------------------------------- */

void view_read(const struct view *view, const struct object *object, uint64_t address, unsigned size,
               uint64_t value[2]) {
    object_read(object, address, size, value);
    if (!view) {
        return;
    }
    uint64_t first = address & ~UINT64_C(7);
    if (address + size <= first + 8 && first >= object->base && first + 8 <= object->base + object->size) {
        uint64_t word;
        memcpy(&word, object->bytes + (first - object->base), sizeof word);
        view->word(view, first, (uint8_t *)&word);
        word >>= 8 * (address - first);
        value[0] = size == 8 ? word : word & ((UINT64_C(1) << 8 * size) - 1);
        return;
    }
    for (uint64_t word = first; word < address + size; word += 8) {
        uint8_t bytes[8] = {0};
        uint64_t from = word > object->base ? word : object->base;
        uint64_t end = word + 8 < object->base + object->size ? word + 8 : object->base + object->size;
        memcpy(bytes + (from - word), object->bytes + (from - object->base), end - from);
        view->word(view, word, bytes);
        for (unsigned i = 0; i < 8; i++) {
            if (word + i >= address && word + i < address + size) {
                ((uint8_t *)value)[word + i - address] = bytes[i];
            }
        }
    }
}

bool view_revives(const struct view *view, const struct object *object, uint64_t address, unsigned size) {
    uint64_t offset = address - object->base;
    bool inside = offset < object->size && size <= object->size - offset;
    return inside && object->life.ended_by && view && view->lives(view, object->base);
}

/* --- Waiting loops ------------------------------------------------------------------------------------------------ */

bool effect_fails_iteration(struct machine *machine, struct thread *thread, const struct effect *effect,
                            const uint64_t value[2]) {
    return effect->enabled && effect->choices == 1 && !effect->changes && is_in_await(thread) &&
           interpret_fails_iteration(machine, thread, value);
}

/* --- Accesses ----------------------------------------------------------------------------------------------------- */

static void access_effect(struct machine *machine, struct thread *thread, const struct instruction *pc,
                          const struct view *view, struct effect *effect) {
    const struct frame *frame = thread_frame(thread);
    struct effect_access access = {.address = operand_value(machine, frame, pc->a), .size = pc->width};
    uint64_t operand[2] = {0};
    const struct object *object = view_object(machine, thread, view, access.address, access.size);
    effect->bad = !object || (object->constant && pc->op != OP_LOAD);
    if (effect->bad) {
        access.kind = pc->op == OP_LOAD ? ACCESS_READ : ACCESS_WRITE;
        effect->changes = true;
        effect_add(effect, &access);
        return;
    }
    view_read(view, object, access.address, access.size, access.before);
    if (pc->op != OP_LOAD) {
        operand_pair(machine, frame, pc->b, pc->width, operand);
    }
    switch (pc->op) {
    case OP_LOAD:
        access.kind = ACCESS_READ;
        break;
    case OP_STORE:
        access.kind = ACCESS_WRITE;
        memcpy(access.written, operand, sizeof operand);
        break;
    case OP_RMW:
        access.kind = ACCESS_READ | ACCESS_WRITE;
        rmw_apply(pc->c, pc->width, access.before, operand, access.written);
        break;
    default:
        access.kind = ACCESS_READ;
        if (operand[0] == access.before[0] && operand[1] == access.before[1]) {
            access.kind |= ACCESS_WRITE;
            operand_pair(machine, frame, pc->c, pc->width, access.written);
        }
        break;
    }
    effect_add(effect, &access);
    memcpy(effect->results, access.before, sizeof effect->results);
    /* A read-modify-write that writes what it reads only reads. */
    bool same = access.written[0] == access.before[0] && access.written[1] == access.before[1];
    bool only_reads = access.kind == ACCESS_READ || (pc->op == OP_RMW && same);
    effect->fails_iteration =
        only_reads && is_in_await(thread) && interpret_fails_iteration(machine, thread, access.before);
}

/* --- The interface ------------------------------------------------------------------------------------------------ */

void machine_effect(struct machine *machine, struct transition transition, const struct view *view,
                    struct effect *effect) {
    struct thread *thread = machine->threads[transition.thread];
    const struct instruction *pc = thread->now.status == THREAD_RUNNING ? thread_frame(thread)->pc : NULL;
    effect_clear(effect);
    if (!pc) {
        return;
    }
    if (pc->op >= OP_LOAD && pc->op <= OP_CAS) {
        access_effect(machine, thread, pc, view, effect);
    } else if (pc->op == OP_SYNC || pc->op == OP_RET) {
        const struct instruction *operation = pc->op == OP_SYNC ? pc : &last_return;
        sync_evaluate(machine, thread, operation, transition.choice, view, effect);
        effect->fails_iteration = effect_fails_iteration(machine, thread, effect, effect->results);
    }
    effect->enabled = effect->enabled && !(effect->fails_iteration && failing_iteration_blocks(machine, thread));
}
