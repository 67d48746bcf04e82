/* Executions on the machine, before the solver is used: what is false in a state that SC reaches is no fact.
 *
 * A thread is before a step.  It never stops at loops' heads and claims; but it could have been there in the same
 * state, if only local code leads from there to the step. */
#include "engine/random_source.h"
#include "machine/arithmetic.h"
#include "prove/facts.h"
#include "prove/inferred.h"

#define RUNS 32u
#define STEPS 250u
#define SEED 1u

/* A thread of the machine, and where it is in the flat program. */
struct standing {
    uint32_t slot;
    uint32_t function;
    uint32_t point;
};

/* False if the thread is not there, or not before a step. */
static bool find_standing(const struct system *system, struct machine *machine, uint32_t slot,
                          struct standing *standing) {
    if (!machine_thread_exists(machine, slot) || machine_thread_finished(machine, slot) ||
        machine_thread_stopped(machine, slot) || machine_thread_halted(machine, slot) ||
        machine_in_atomic(machine, slot)) {
        return false;
    }
    uint32_t at = machine_thread_instruction(machine, slot);
    for (uint32_t f = 0; f < system->whole.functions_count; f++) {
        const struct function *function = &system->whole.functions[f];
        if (at >= function->first && at - function->first < function->count) {
            /* Main begins with its invariants and a jump in the program that is proved. */
            uint32_t shift = f == system->flat.entry ? system->invariants + 1 : 0;
            *standing = (struct standing){slot, f, at - function->first + shift};
            return true;
        }
    }
    return false;
}

/* --- Classes ------------------------------------------------------------------------------------------------------ */

void observation_init(struct observation *observation, struct machine *machine) {
    observation->machine = machine;
    observation->taken = 0;
    vector_init(&observation->classes, sizeof(uint32_t));
}

void observation_delete(struct observation *observation) {
    vector_delete(&observation->classes);
}

static uint32_t class_of_slot(const struct observation *observation, uint32_t slot) {
    return slot == 0                           ? 0
           : slot < observation->classes.count ? *(uint32_t *)vector_at(&observation->classes, slot)
                                               : NO_CLASS;
}

static void set_class(struct observation *observation, uint32_t slot, uint32_t class) {
    const uint32_t none = NO_CLASS;
    while (observation->classes.count <= slot) {
        vector_push(&observation->classes, &none);
    }
    *(uint32_t *)vector_at(&observation->classes, slot) = class;
}

void observation_take(struct observation *observation, const struct system *system, struct transition next) {
    struct machine *machine = observation->machine;
    struct standing creator;
    struct vector existed;
    uint32_t class = class_of_slot(observation, next.thread);
    bool known = class != NO_CLASS && find_standing(system, machine, next.thread, &creator);
    vector_init(&existed, sizeof(bool));
    for (uint32_t slot = 0; slot < machine_threads(machine); slot++) {
        bool exists = machine_thread_exists(machine, slot);
        vector_push(&existed, &exists);
    }
    machine_take(machine, next);
    observation->taken++;
    for (uint32_t slot = 0; slot < machine_threads(machine); slot++) {
        bool is_new =
            machine_thread_exists(machine, slot) && !(slot < existed.count && *(bool *)vector_at(&existed, slot));
        struct standing created;
        if (is_new) {
            set_class(observation, slot, NO_CLASS);
        }
        if (is_new && known && find_standing(system, machine, slot, &created)) {
            set_class(observation, slot, system_created(system, class, creator.point, created.function));
        }
    }
    vector_delete(&existed);
}

/* --- Candidates --------------------------------------------------------------------------------------------------- */

static uint64_t peek(const struct inferred *inferred, const struct machine *machine, uint32_t number) {
    const struct fact_place *place = vector_at(&inferred->places, number);
    uint64_t value[2] = {0, 0};
    machine_peek(machine, place->address, place->size, value);
    return value[0];
}

/* Have all elements of the array below the bound the relation? */
static bool elements_hold(const struct inferred *inferred, const struct fact *fact, const struct machine *machine,
                          uint64_t bound) {
    const struct array *array = vector_at(&inferred->arrays, fact->array);
    uint64_t end = bound <= LARGEST_BOUND ? bound + fact->number : 0;
    bool hold = true;
    for (uint64_t i = 0; i < array->count && i < end && hold; i++) {
        uint64_t value[2] = {0, 0};
        hold = !machine_peek(machine, array->address + i * array->stride, (unsigned)array->size, value) ||
               compare((enum predicate)fact->relation, value[0], fact->other_number, 8 * array->size);
    }
    return hold;
}

/* A field that cannot be read is not accessed by the program now. */
static bool field_holds(const struct inferred *inferred, const struct fact *fact, const struct machine *machine,
                        uint64_t pointer) {
    const struct fact_target *target = vector_at(&inferred->targets, fact->target);
    uint64_t value[2] = {0, 0};
    return pointer == 0 || !machine_peek(machine, pointer + target->offset, target->size, value) ||
           compare((enum predicate)fact->relation, value[0], fact->number, 8 * target->size);
}

static bool has_register(const struct fact *fact) {
    return fact->kind == FACT_VALUE || fact->kind == FACT_AGAINST || fact->kind == FACT_IF_VALUE ||
           fact->kind == FACT_WHILE || fact->kind == FACT_FIELD || fact->kind == FACT_IF_FIELD ||
           fact->kind == FACT_BELOW_VALUE;
}

static bool fact_holds(const struct inferred *inferred, const struct fact *fact, const struct machine *machine,
                       uint32_t slot) {
    uint64_t place = fact_has_place(fact) ? peek(inferred, machine, fact->place) : 0;
    uint64_t value = has_register(fact) ? machine_register(machine, slot, fact->reg) : 0;
    switch (fact->kind) {
    case FACT_PLACE:
        return compare((enum predicate)fact->relation, place, fact->number, 8u * fact->size);
    case FACT_SELF:
        return place == (uint64_t)machine_thread_number(machine, slot) + 1;
    case FACT_VALUE:
        return compare((enum predicate)fact->relation, value & bits_mask(8u * fact->size), fact->number,
                       8u * fact->size);
    case FACT_BELOW_PLACE:
        return elements_hold(inferred, fact, machine, place);
    case FACT_BELOW_VALUE:
        return elements_hold(inferred, fact, machine, value);
    case FACT_AGAINST:
        return compare((enum predicate)fact->relation, value, place + fact->number, 64);
    case FACT_PARITY:
        return place % 2 == fact->number;
    case FACT_IF_EVEN:
        return place % 2 == 1 || peek(inferred, machine, fact->second) == peek(inferred, machine, fact->other);
    case FACT_WHILE:
        return place != value ||
               machine_register(machine, slot, fact->second_reg) == peek(inferred, machine, fact->second);
    case FACT_PLACES:
        return compare((enum predicate)fact->relation, place, peek(inferred, machine, fact->second), 64);
    case FACT_FIELD:
        return field_holds(inferred, fact, machine, value);
    case FACT_POINTED:
        return field_holds(inferred, fact, machine, place);
    case FACT_IF_FIELD:
        return place != value || field_holds(inferred, fact, machine, value);
    case FACT_IMPLIES:
        return place != fact->number || peek(inferred, machine, fact->other) == fact->other_number;
    case FACT_IF_VALUE:
        return place != value || peek(inferred, machine, fact->other) == fact->other_number;
    default:
        return place != peek(inferred, machine, fact->second) ||
               peek(inferred, machine, fact->other) == fact->other_number;
    }
}

static bool pair_holds(const struct fact_pair *pair, const struct machine *machine, uint32_t slot, uint32_t other) {
    return pair->differ && machine_register(machine, slot, pair->reg[0]) + pair->plus[0] !=
                               machine_register(machine, other, pair->reg[1]) + pair->plus[1];
}

/* A thread before a step has come there from earlier points by local code.  It could still be at one of these, with the
 * same memory: the local code reads none.  But the registers that it sets are not known there. */
struct stay {
    const struct standing *standing;
    const struct instance *thread;
    uint32_t point;
};

static bool is_kept(const struct stay *stay, uint32_t reg) {
    const struct program *flat = &stay->thread->system->flat;
    bool kept = true;
    for (uint32_t at = stay->standing->point; at != stay->point && kept;) {
        at = facts_before(stay->thread, at);
        uint32_t count = instruction_writes(flat, &stay->thread->code[at]);
        kept = count == 0 || reg - stay->thread->code[at].dst >= count;
    }
    return kept;
}

static bool fact_is_known(const struct stay *stay, const struct fact *fact) {
    return (!has_register(fact) || is_kept(stay, fact->reg)) &&
           (fact->kind != FACT_WHILE || is_kept(stay, fact->second_reg));
}

static size_t observe_facts(struct inferred *inferred, const struct machine *machine, const struct stay *one) {
    const struct fact_range *range = inferred_range(inferred, one->thread->number, one->point);
    size_t dropped = 0;
    for (size_t i = range ? range->first : 0; range && i < range->end; i++) {
        struct fact *fact = vector_at(&inferred->facts, i);
        if (!fact->dropped && !fact_holds(inferred, fact, machine, one->standing->slot) && fact_is_known(one, fact)) {
            fact->dropped = true;
            dropped++;
        }
    }
    return dropped;
}

static bool is_there(const struct fact_pair *pair, int end, const struct stay *stay) {
    return pair->class[end] == stay->thread->number && pair->point[end] == stay->point &&
           (!pair->differ || is_kept(stay, pair->reg[end]));
}

static size_t observe_pairs(struct inferred *inferred, const struct machine *machine, const struct stay *one,
                            const struct stay *other) {
    const struct fact_range *range =
        inferred_pairs(inferred, one->thread->number, one->point, other->thread->number, other->point);
    size_t dropped = 0;
    for (size_t i = range ? range->first : 0; range && i < range->end; i++) {
        struct fact_pair *pair = vector_at(&inferred->pairs, i);
        if (!pair->dropped && is_there(pair, 0, one) && is_there(pair, 1, other) &&
            !pair_holds(pair, machine, one->standing->slot, other->standing->slot)) {
            pair->dropped = true;
            dropped++;
        }
    }
    return dropped;
}

/* Starts with the step before which the thread is; false if that is not known. */
static bool first_stay(const struct inferred *inferred, const struct observation *observation, uint32_t slot,
                       struct standing *standing, struct stay *stay) {
    uint32_t class = class_of_slot(observation, slot);
    if (class == NO_CLASS || !find_standing(inferred->questions->system, observation->machine, slot, standing)) {
        return false;
    }
    *stay = (struct stay){standing, questions_thread(inferred->questions, 0, class), standing->point};
    return true;
}

/* The next earlier point, if there is one. */
static bool next_stay(struct stay *stay) {
    do {
        stay->point = facts_before(stay->thread, stay->point);
    } while (stay->point != UINT32_MAX && !facts_is_point(stay->thread, stay->point));
    return stay->point != UINT32_MAX;
}

/* One thread at one point beside all others. */
static size_t observe_stay(struct inferred *inferred, const struct observation *observation, const struct stay *one) {
    struct machine *machine = observation->machine;
    size_t dropped = observe_facts(inferred, machine, one);
    for (uint32_t slot = 0; slot < machine_threads(machine); slot++) {
        struct standing standing;
        struct stay other;
        bool more = slot != one->standing->slot && first_stay(inferred, observation, slot, &standing, &other);
        for (; more; more = next_stay(&other)) {
            dropped += observe_pairs(inferred, machine, one, &other);
        }
    }
    return dropped;
}

/* Is a thread in an atomic section?  Facts need not hold before its end, since no other thread takes a step there. */
static bool is_in_section(struct machine *machine) {
    for (uint32_t slot = 0; slot < machine_threads(machine); slot++) {
        if (machine_thread_exists(machine, slot) && machine_in_atomic(machine, slot)) {
            return true;
        }
    }
    return false;
}

/* Main has the registers of its class, so facts about them are evaluated like those of any other thread. */
size_t inferred_observe(struct inferred *inferred, const struct observation *observation) {
    bool settled =
        observation->taken >= inferred->questions->system->first_steps && !is_in_section(observation->machine);
    size_t dropped = 0;
    for (uint32_t slot = 0; settled && slot < machine_threads(observation->machine); slot++) {
        struct standing standing;
        struct stay one;
        bool more = first_stay(inferred, observation, slot, &standing, &one);
        for (; more; more = next_stay(&one)) {
            dropped += observe_stay(inferred, observation, &one);
        }
    }
    return dropped;
}

/* Takes a step; false if none is enabled, or after an error.  That the process ends hides what other threads could have
 * done: then main waits. */
static bool take_step(struct observation *observation, const struct system *system, struct random_source *source,
                      bool *main_waits) {
    struct machine *machine = observation->machine;
    const struct transition *enabled;
    size_t count = machine_enabled(machine, &enabled);
    size_t allowed = 0;
    for (size_t i = 0; i < count; i++) {
        allowed += enabled[i].thread != 0 || !*main_waits;
    }
    if (allowed == 0) {
        return false;
    }
    size_t chosen = random_below(source, allowed);
    struct transition next = enabled[0];
    for (size_t i = 0; i < count; i++) {
        if ((enabled[i].thread != 0 || !*main_waits) && chosen-- == 0) {
            next = enabled[i];
        }
    }
    next.choice = random_below(source, machine_choices(machine, next.thread));
    machine_mark mark = machine_set_mark(machine);
    observation_take(observation, system, next);
    if (machine_outcome(machine) == OUTCOME_COMPLETE) {
        machine_undo(machine, mark);
        *main_waits = true;
    }
    return machine_outcome(machine) != OUTCOME_ERROR;
}

void inferred_run(struct inferred *inferred) {
    const struct system *system = inferred->questions->system;
    struct machine_options options = system->task->machine;
    options.model = MODEL_SC;
    options.awaits = AWAIT_SPIN;
    struct machine *machine = machine_new(&system->whole, &options);
    struct random_source source = random_source_from(SEED);
    struct observation observation;
    observation_init(&observation, machine);
    machine_mark mark = machine_set_mark(machine);
    for (unsigned run = 0; run < RUNS && !limits_reached(system->task->limits); run++) {
        bool main_waits = false;
        observation.taken = 0;
        for (unsigned i = 0; i < STEPS && take_step(&observation, system, &source, &main_waits); i++) {
            inferred_observe(inferred, &observation);
        }
        machine_undo(machine, mark);
        mark = machine_set_mark(machine);
    }
    observation_delete(&observation);
    machine_free(machine);
}
