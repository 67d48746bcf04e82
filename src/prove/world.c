/* Reading over writing, as choices between terms. */
#include "prove/world.h"

#include <stdlib.h>
#include <string.h>

#include "machine/describe.h"
#include "util/memory.h"
#include "util/range.h"

#define MOST_SHOWN 6u     /* places of a model */
#define MOST_INITIAL 256u /* addresses of which the initial content is looked up */

void beginning_init(struct beginning *beginning, struct system *system, struct solver *solver) {
    *beginning = (struct beginning){.system = system, .solver = solver, .known = solver_true(solver)};
    vector_init(&beginning->places, sizeof(struct place));
    vector_init(&beginning->elements, sizeof(struct element_fact));
}

void beginning_delete(struct beginning *beginning) {
    vector_delete(&beginning->places);
    vector_delete(&beginning->elements);
}

/* A fact about elements is about this place, if it is one of them. */
static void know_element(struct beginning *beginning, const struct element_fact *fact, const struct place *place) {
    if (array_fits(&fact->array, &place->unit.where, place->unit.size)) {
        beginning->known = solver_and(beginning->solver, beginning->known,
                                      element_formula(beginning->solver, fact, place->unit.address, place->value));
    }
}

static void add_place(struct beginning *beginning, struct place place) {
    vector_push(&beginning->places, &place);
    for (size_t i = 0; i < beginning->elements.count; i++) {
        know_element(beginning, vector_at(&beginning->elements, i), &place);
    }
}

/* What is known of a unit at this very address, if anything is. */
static const struct place *place_of(const struct beginning *beginning, const struct unit *unit) {
    for (size_t i = 0; i < beginning->places.count; i++) {
        const struct place *place = vector_at(&beginning->places, i);
        if (place->unit.size == unit->size && terms_same(place->unit.address, unit->address)) {
            return place;
        }
    }
    return NULL;
}

void beginning_know(struct beginning *beginning, const struct instance *thread, const struct state *state,
                    const struct vector *without) {
    for (uint32_t i = 0; i < thread->owned.count; i++) {
        const struct owned *owned = vector_at(&thread->owned, i);
        const struct object *object = object_of(&thread->system->space, owned->object);
        struct unit unit = {.address = term_number(owned->address),
                            .where = value_address(owned->object, owned->address - object->base),
                            .size = owned->size};
        bool excluded = false;
        for (size_t k = 0; without && k < without->count; k++) {
            const struct access *access = *(struct access **)vector_at(without, k);
            excluded = excluded ||
                       space_overlap(&thread->system->space, &access->address, access->size, &unit.where, unit.size);
        }
        struct term content = state->terms[thread->registers + i];
        const struct place *read = excluded ? NULL : place_of(beginning, &unit);
        if (read) {
            beginning->known =
                solver_and(beginning->solver, beginning->known, solver_equal(beginning->solver, read->value, content));
        } else if (!excluded) {
            add_place(beginning, (struct place){unit, content});
        }
    }
}

void world_init(struct world *world, struct beginning *beginning) {
    *world = (struct world){
        .beginning = beginning, .enabled = solver_true(beginning->solver), .failed = solver_false(beginning->solver)};
    vector_init(&world->writes, sizeof(struct write));
    vector_init(&world->failures, sizeof(struct failure));
}

void world_delete(struct world *world) {
    vector_delete(&world->writes);
    vector_delete(&world->failures);
}

void world_fail(struct world *world, Z3_ast condition, uint32_t index) {
    world->failed = solver_or(world->beginning->solver, world->failed, condition);
    if (!solver_is_false(world->beginning->solver, condition)) {
        vector_push(&world->failures, &(struct failure){condition, index});
    }
}

char *beginning_text(const struct beginning *beginning) {
    struct solver *solver = beginning->solver;
    const struct machine *machine = beginning->system->machine;
    char *text = memory_copy_text("");
    unsigned shown = 0;
    for (size_t i = 0; i < beginning->places.count && shown < MOST_SHOWN; i++) {
        const struct place *place = vector_at(&beginning->places, i);
        struct machine_object object;
        uint64_t address = solver_value(solver, place->unit.address);
        uint64_t value[2] = {solver_value(solver, place->value), 0};
        if (!machine_object_at(machine, address, &object)) {
            continue;
        }
        char name[128];
        char content[128];
        machine_describe(machine, address, place->unit.size, name, sizeof name);
        machine_describe_value(machine, address, place->unit.size, value, content, sizeof content);
        char *longer = memory_format("%s%s%s = %s", text, shown > 0 ? ", " : "", name, content);
        free(text);
        text = longer;
        shown++;
    }
    return text;
}

/* --- Units -------------------------------------------------------------------------------------------------------- */

/* The condition under which two units are the same place.  Units of different sizes with a byte in common are those of
 * places that nobody writes (otherwise all of them have one byte): each is known by what the analysis says of it. */
static Z3_ast units_meet(const struct beginning *beginning, const struct unit *one, const struct unit *other) {
    if (one->size != other->size) {
        return solver_false(beginning->solver);
    }
    if (!space_may_meet(&beginning->system->space, &one->where, one->size, &other->where, other->size)) {
        return solver_false(beginning->solver);
    }
    return solver_equal(beginning->solver, one->address, other->address);
}

/* --- The content at the beginning --------------------------------------------------------------------------------- */

struct reading {
    const struct beginning *beginning;
    struct value value;
};

static void join_cell(void *data, uint32_t object, struct cell *cell) {
    struct reading *reading = data;
    struct value unknown = value_any();
    bool vague = object_of(&reading->beginning->system->space, object)->smeared || cell->mixed || cell->bytes;
    value_join(&reading->value, vague ? &unknown : &cell->value);
}

/* Can one of the accesses have a byte in common with the unit? */
static bool is_apart(const struct beginning *beginning, const struct unit *unit) {
    for (size_t i = 0; i < beginning->apart->count; i++) {
        const struct access *access = *(struct access **)vector_at(beginning->apart, i);
        if (space_may_meet(&beginning->system->space, &access->address, access->size, &unit->where, unit->size)) {
            return true;
        }
    }
    return false;
}

/* At each address that the unit can have and that is known, the content is what the machine has there. */
static void know_initial(struct beginning *beginning, const struct unit *unit, struct term content) {
    struct solver *solver = beginning->solver;
    unsigned count = 0;
    for (unsigned i = 0; i < unit->where.count && !unit->where.any; i++) {
        const struct part *part = &unit->where.parts[i];
        const struct object *object = object_of(&beginning->system->space, part->object);
        if (part->object == NUMBERS || object->kind != OBJECT_FIXED) {
            continue;
        }
        for (uint64_t offset = part->low; offset <= part->high && offset + unit->size <= object->size;
             offset += part->stride) {
            uint64_t value[2] = {0, 0};
            struct term address = term_number(object->base + offset);
            if (++count > MOST_INITIAL ||
                !machine_peek(beginning->system->machine, address.number, unit->size, value)) {
                return;
            }
            Z3_ast elsewhere = solver_not(solver, solver_equal(solver, unit->address, address));
            Z3_ast equal = solver_equal(solver, content, term_number(value[0]));
            beginning->known = solver_and(solver, beginning->known, solver_or(solver, elsewhere, equal));
            if (part->stride == 0) {
                break;
            }
        }
    }
}

static struct term first_content(struct beginning *beginning, const struct unit *unit) {
    struct solver *solver = beginning->solver;
    const struct place *read = place_of(beginning, unit);
    if (read) {
        return read->value;
    }
    if (beginning->base && !is_apart(beginning, unit)) {
        return first_content(beginning->base, unit);
    }
    struct reading reading = {.beginning = beginning, .value = value_none()};
    space_cells(&beginning->system->space, &unit->where, unit->size, join_cell, &reading);
    struct term content = term_bounded(beginning->system, solver, &reading.value, 8 * unit->size, "memory");
    if (beginning->initial) {
        know_initial(beginning, unit, content);
    }
    for (size_t i = 0; i < beginning->places.count; i++) {
        const struct place *place = vector_at(&beginning->places, i);
        Z3_ast meet = units_meet(beginning, &place->unit, unit);
        if (!solver_is_false(solver, meet)) {
            beginning->known =
                solver_and(solver, beginning->known,
                           solver_or(solver, solver_not(solver, meet), solver_equal(solver, place->value, content)));
        }
    }
    add_place(beginning, (struct place){*unit, content});
    return content;
}

void beginning_assume(struct beginning *beginning, const struct element_fact *fact) {
    const struct vector *places = &beginning->places;
    for (size_t i = 0; i < places->count; i++) {
        know_element(beginning, fact, vector_at(places, i));
    }
    for (size_t i = 0; beginning->base && i < beginning->base->places.count; i++) {
        const struct place *place = vector_at(&beginning->base->places, i);
        if (!is_apart(beginning, &place->unit)) {
            know_element(beginning, fact, place);
        }
    }
    vector_push(&beginning->elements, fact);
}

static struct term read_unit(struct world *world, const struct unit *unit) {
    struct solver *solver = world->beginning->solver;
    struct term content = {0};
    size_t first = 0;
    bool known = false;
    for (size_t i = world->writes.count; i-- > 0 && !known;) {
        const struct write *write = vector_at(&world->writes, i);
        known = solver_is_true(solver, write->guard) && write->unit.size == unit->size &&
                terms_same(write->unit.address, unit->address);
        if (known) {
            content = write->value;
            first = i + 1;
        }
    }
    if (!known) {
        content = first_content(world->beginning, unit);
    }
    for (size_t i = first; i < world->writes.count; i++) {
        const struct write *write = vector_at(&world->writes, i);
        Z3_ast meet = solver_and(solver, write->guard, units_meet(world->beginning, &write->unit, unit));
        content = solver_choose(solver, meet, write->value, content);
    }
    return content;
}

/* --- Accesses ----------------------------------------------------------------------------------------------------- */

static void note_bytes(void *data, uint32_t object, struct cell *cell) {
    (void)object;
    *(bool *)data = *(bool *)data || cell->bytes;
}

static bool in_bytes(const struct beginning *beginning, const struct value *where, unsigned size) {
    bool bytes = false;
    space_cells(&beginning->system->space, where, size, note_bytes, &bytes);
    return bytes;
}

static struct unit byte_of(const struct beginning *beginning, struct term address, const struct value *where,
                           unsigned index) {
    struct value offset = value_number(index);
    return (struct unit){.address = solver_plus(beginning->solver, address, term_number(index)),
                         .where = value_binary(OP_ADD, 64, where, &offset),
                         .size = 1};
}

struct term world_read(struct world *world, struct term address, const struct value *where, unsigned size) {
    struct solver *solver = world->beginning->solver;
    if (world->watch) {
        vector_push(world->watch, &(struct unit){.address = address, .where = *where, .size = size});
    }
    if (!space_known(where)) {
        world->beginning->hopeless = true;
        return term_number(0);
    }
    if (!in_bytes(world->beginning, where, size)) {
        struct unit unit = {.address = address, .where = *where, .size = size};
        return read_unit(world, &unit);
    }
    struct term content = term_number(0);
    for (unsigned i = 0; i < size; i++) {
        struct unit unit = byte_of(world->beginning, address, where, i);
        content = solver_plus(solver, content, solver_times(solver, read_unit(world, &unit), UINT64_C(1) << 8 * i));
    }
    content.bits = 8 * size;
    return content;
}

void world_write(struct world *world, Z3_ast guard, struct term address, const struct value *where, unsigned size,
                 struct term value) {
    struct solver *solver = world->beginning->solver;
    if (!space_known(where)) {
        world->beginning->hopeless = true;
        return;
    }
    value = solver_modulo(solver, value, 8 * size);
    if (!in_bytes(world->beginning, where, size)) {
        vector_push(&world->writes, &(struct write){.unit = {.address = address, .where = *where, .size = size},
                                                    .guard = guard,
                                                    .value = value});
        return;
    }
    for (unsigned i = 0; i < size; i++) {
        struct write write = {.unit = byte_of(world->beginning, address, where, i), .guard = guard};
        write.value = solver_byte(solver, value, size, i);
        vector_push(&world->writes, &write);
    }
}

static Z3_ast equal_where_written(struct world *one, struct world *other, const struct world *written) {
    struct solver *solver = one->beginning->solver;
    Z3_ast equal = solver_true(solver);
    for (size_t i = 0; i < written->writes.count; i++) {
        const struct unit unit = ((struct write *)vector_at(&written->writes, i))->unit;
        equal = solver_and(solver, equal, solver_equal(solver, read_unit(one, &unit), read_unit(other, &unit)));
    }
    return equal;
}

Z3_ast worlds_equal(struct world *one, struct world *other) {
    return solver_and(one->beginning->solver, equal_where_written(one, other, one),
                      equal_where_written(one, other, other));
}
