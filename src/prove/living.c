/* The analysis says in which objects an address can lie, and at which offsets; for objects at known addresses the
 * formula says the rest. */
#include "prove/living.h"

static bool is_constant(const struct program *program, uint64_t address) {
    for (size_t i = 0; i < program->globals_count; i++) {
        const struct global *global = &program->globals[i];
        if (address >= global->address && address - global->address < global->size) {
            return global->flags & GLOBAL_CONSTANT;
        }
    }
    return false;
}

/* What is known of one of the objects that an address can be in. */
struct target {
    bool number; /* it is in none */
    bool fixed;
    bool alive;  /* and of known size, and may be accessed so */
    bool within; /* at every offset that the analysis allows */
};

static struct target target_of(const struct system *system, const struct part *part, const struct access *access) {
    struct target target = {.number = part->object == NUMBERS};
    if (target.number) {
        return target;
    }
    const struct object *object = object_of(&system->space, part->object);
    target.fixed = object->kind == OBJECT_FIXED;
    /* A thread-local variable ends with its thread, which others may not notice. */
    target.alive = !object->ends && object->size != UINT64_MAX && object->size >= access->size &&
                   (object->kind != OBJECT_THREAD_LOCAL || object->private) &&
                   !(target.fixed && access->writes && is_constant(&system->flat, object->base));
    target.within = target.alive && part->low <= part->high && part->high <= object->size - access->size;
    return target;
}

/* An address of a thread's own part of memory is in one of the objects that threads have made, if all that the address
 * can be apart from these is elsewhere, or right. */
static bool sites_are_right(const struct system *system, const struct access *access) {
    bool some = false;
    for (unsigned i = 0; i < access->address.count; i++) {
        const struct part *part = &access->address.parts[i];
        struct target target = target_of(system, part, access);
        if (target.number ? part->high >= THREAD_BASE : !target.within) {
            return false;
        }
        some = some || (!target.number && !target.fixed);
    }
    return some;
}

Z3_ast living_hit(const struct instance *thread, struct term address, const struct access *access) {
    struct solver *solver = thread->solver;
    const struct system *system = thread->system;
    Z3_ast good = solver_false(solver);
    bool all = !access->address.any && access->address.count > 0;
    for (unsigned i = 0; i < access->address.count; i++) {
        const struct part *part = &access->address.parts[i];
        struct target target = target_of(system, part, access);
        all = all && target.within;
        if (target.fixed && target.alive) {
            const struct object *object = object_of(&system->space, part->object);
            struct term low = term_number(object->base);
            struct term high = term_number(object->base + object->size - access->size);
            good = solver_or(
                solver, good,
                solver_and(solver, solver_at_most(solver, low, address), solver_at_most(solver, address, high)));
        }
    }
    if (all) {
        return solver_true(solver);
    }
    if (access->address.any) {
        return solver_false(solver);
    }
    return sites_are_right(system, access)
               ? solver_or(solver, good, solver_at_most(solver, term_number(THREAD_BASE), address))
               : good;
}
