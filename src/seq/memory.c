/* Resolving addresses, and accesses. */
#include "seq/memory.h"

#include "util/memory.h"

#define MOST_TARGETS (1u << 22)

void targets_init(struct targets *targets) {
    vector_init(&targets->list, sizeof(struct target));
    targets->bad = LITERAL_FALSE;
    targets->too_many = false;
}

void targets_delete(struct targets *targets) {
    vector_delete(&targets->list);
}

/* --- Which objects an address can mean ---------------------------------------------------------------------------- */

const struct local *local_at_address(const struct state *state, uint64_t address) {
    for (size_t i = state->locals.count; i-- > 0;) {
        const struct local *local = vector_at(&state->locals, i);
        if (address >= local->base && address - local->base < local->size) {
            return local;
        }
    }
    return NULL;
}

/* Adds the target for one address; false if an access there is bad whatever the path. */
static bool add_target(struct symbolic *execution, const struct state *state, struct targets *targets, uint64_t address,
                       unsigned size, bool writes, literal condition) {
    struct target target = {.condition = condition, .address = address};
    const struct local *local = local_at_address(state, address);
    if (local) {
        if (size > local->size - (address - local->base)) {
            return false;
        }
        vector_push(&targets->list, &target);
        return true;
    }
    target.object = object_near(&execution->objects, address);
    if (!target.object || target.object->kind == OBJECT_IS_RECORD) {
        return false;
    }
    uint64_t offset = address - target.object->base;
    if (offset >= target.object->size || size > target.object->size - offset || (writes && target.object->constant)) {
        return false;
    }
    if (offset + size > target.object->least) { /* whether it is in bounds depends on the path */
        struct terms *terms = &execution->terms;
        const struct instruction fits = {.op = OP_ICMP, .width = 64, .sub = PREDICATE_UGE};
        struct value operands[3][2] = {{target.object->bytes}, {value_constant(terms, offset + size)}};
        struct value out[3];
        literal fails;
        term_operate(terms, &fits, operands, out, &fails);
        literal inside = term_any(terms, out[0].term);
        targets->bad = gates_or(&execution->gates, targets->bad, gates_and(&execution->gates, condition, -inside));
        target.condition = gates_and(&execution->gates, condition, inside);
    }
    vector_push(&targets->list, &target);
    return true;
}

static void resolve_values(struct symbolic *execution, const struct state *state, struct value address, unsigned size,
                           bool writes, struct targets *targets, const uint64_t *known, size_t count) {
    uint64_t values[SET_MOST];
    memcpy(values, known, count * sizeof *known);
    for (size_t i = 0; i < count; i++) {
        literal condition = count == 1 ? LITERAL_TRUE : term_equals(&execution->terms, address.term, values[i]);
        if (condition == LITERAL_FALSE) {
            continue;
        }
        if (!add_target(execution, state, targets, values[i], size, writes, condition)) {
            targets->bad = gates_or(&execution->gates, targets->bad, condition);
        }
    }
}

/* All addresses of a set that are in a part of memory. */
static void resolve_part(struct symbolic *execution, const struct state *state, struct value address, unsigned size,
                         bool writes, struct targets *targets, uint64_t base, uint64_t bytes, literal *found) {
    if (bytes < size) {
        return;
    }
    uint64_t last = base + bytes - size;
    for (uint64_t at = base; set_next(&execution->sets, address.set, at, &at) && at <= last; at++) {
        literal condition = term_equals(&execution->terms, address.term, at);
        if (condition == LITERAL_FALSE) {
            continue;
        }
        if (add_target(execution, state, targets, at, size, writes, condition)) {
            *found = gates_or(&execution->gates, *found, condition);
        }
        execution->stopped |= targets->list.count % 16 == 15 && limits_reached(execution->task->limits);
        targets->too_many = targets->list.count > MOST_TARGETS || execution->stopped;
        if (targets->too_many) {
            return;
        }
    }
}

void memory_resolve(struct symbolic *execution, const struct state *state, struct value address, unsigned size,
                    bool writes, struct targets *targets) {
    size_t count;
    uint64_t constant;
    if (value_is_constant(&execution->terms, address, &constant)) {
        resolve_values(execution, state, address, size, writes, targets, &constant, 1);
        return;
    }
    const uint64_t *values = set_values(&execution->sets, address.set, &count);
    if (values) {
        resolve_values(execution, state, address, size, writes, targets, values, count);
        return;
    }
    literal found = LITERAL_FALSE;
    for (size_t i = 0; i < state->locals.count; i++) {
        const struct local *local = vector_at(&state->locals, i);
        resolve_part(execution, state, address, size, writes, targets, local->base, local->size, &found);
    }
    for (size_t i = 0; i < execution->objects.objects.count; i++) {
        const struct shared_object *object = *(struct shared_object **)vector_at(&execution->objects.objects, i);
        if (object->kind != OBJECT_IS_RECORD) {
            resolve_part(execution, state, address, size, writes, targets, object->base, object->size, &found);
        }
    }
    targets->bad = gates_or(&execution->gates, targets->bad, -found);
}

bool target_is_local(const struct state *state, const struct target *target, bool writes) {
    return !target->object || (target->object->constant && !writes) || state->alone || state->section != NO_EVENT;
}

/* --- Initial values ----------------------------------------------------------------------------------------------- */

static struct value initial_bytes(struct symbolic *execution, const struct shared_object *object, uint64_t offset,
                                  unsigned size) {
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++) {
        uint64_t at = offset + i;
        value |= at < object->initial_size ? (uint64_t)object->initial[at] << 8 * i : 0;
    }
    return value_constant(&execution->terms, value);
}

struct from_object {
    struct symbolic *execution;
    const struct shared_object *object;
};

static struct content object_begins(struct symbolic *execution, const struct shared_object *object, uint64_t address,
                                    unsigned size) {
    bool unset = (object->kind == OBJECT_IS_HEAP && !object->zeroed) || object->kind == OBJECT_IS_LOCAL;
    return (struct content){initial_bytes(execution, object, address - object->base, size),
                            unset ? LITERAL_TRUE : LITERAL_FALSE};
}

static struct content object_missing(void *data, uint64_t address, unsigned size) {
    const struct from_object *from = data;
    return object_begins(from->execution, from->object, address, size);
}

struct content initial_read(struct symbolic *execution, struct shared_object *object, uint64_t offset, unsigned size) {
    struct from_object from = {execution, object};
    struct words_default missing = {object_missing, &from};
    return words_read(&execution->initial, &execution->terms, object->base + offset, size, &missing);
}

/* --- Accesses of events ------------------------------------------------------------------------------------------- */

static uint32_t cell_number(struct symbolic *execution, struct shared_object *object, struct cell *cell) {
    if (cell->number == NO_CELL) {
        cell->number = (uint32_t)execution->cells.count;
        struct cell_use use = {
            .object = object,
            .offset = cell->end ? LIFE_OFFSET : cell->offset,
            .size = cell->size,
            .end = cell->end,
            .last_read = NO_ACCESS,
        };
        vector_push(&execution->cells, &use);
    }
    return cell->number;
}

static void add_access(struct symbolic *execution, uint32_t *list, uint32_t cell, literal condition,
                       struct value value) {
    struct access access = {.cell = cell,
                            .next = *list,
                            .condition = condition,
                            .value = value,
                            .initial = LITERAL_FALSE,
                            .finds_initial = LITERAL_FALSE};
    *list = (uint32_t)execution->accesses.count;
    vector_push(&execution->accesses, &access);
}

/* A cell that is never written has its initial value.  A section reads a cell once. */
static struct content read_cell(struct symbolic *execution, uint32_t event, struct shared_object *object,
                                struct cell *cell, literal condition, bool reached) {
    struct content initial = initial_read(execution, object, cell->end ? LIFE_OFFSET : cell->offset, cell->size);
    struct gates *gates = &execution->gates;
    if (!cell->written) {
        return initial;
    }
    uint32_t number = cell_number(execution, object, cell);
    struct event *at = symbolic_event(execution, event);
    uint32_t *list = reached ? &at->reached : &at->reads;
    struct cell_use *use = vector_at(&execution->cells, number);
    for (uint32_t i = use->last_read; i != NO_ACCESS; i = symbolic_access(execution, i)->previous) {
        struct access *access = symbolic_access(execution, i);
        if (access->event == event && access->reached == reached) {
            access->condition = gates_or(gates, access->condition, condition);
            return (struct content){access->value, gates_and(gates, initial.unset, access->initial)};
        }
    }
    set_id set = cell->set ? cell->set : initial.value.set;
    struct value value = {term_fresh(&execution->terms, set), set};
    add_access(execution, list, number, condition, value);
    struct access *added = symbolic_access(execution, *list);
    added->previous = use->last_read;
    added->event = event;
    added->reached = reached;
    added->initial = initial.unset == LITERAL_FALSE || cell->end ? LITERAL_FALSE : gates_free(gates);
    use->last_read = *list;
    return (struct content){value, gates_and(gates, initial.unset, added->initial)};
}

static struct content join_cells(struct symbolic *execution, const struct content *contents, const unsigned *sizes,
                                 unsigned count) {
    if (count == 1) {
        return contents[0];
    }
    struct content bytes[8];
    unsigned total = 0;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < sizes[i]; k++) {
            bytes[total++] = sizes[i] == 1 ? contents[i] : content_byte(&execution->terms, contents[i], k);
        }
    }
    return content_of_bytes(&execution->terms, bytes, total);
}

struct content event_read(struct symbolic *execution, uint32_t event, struct shared_object *object, uint64_t offset,
                          unsigned size, literal condition) {
    struct cell *cells[16];
    struct content contents[16];
    unsigned sizes[16];
    unsigned count;
    if (!object_cells(&execution->objects, &execution->sets, object, offset, size, cells, &count)) {
        return initial_read(execution, object, offset, size);
    }
    for (unsigned i = 0; i < count; i++) {
        sizes[i] = cells[i]->size;
        if (!cells[i]->written) {
            struct event *at = symbolic_event(execution, event);
            at->partly = gates_or(&execution->gates, at->partly, condition);
        }
        contents[i] = read_cell(execution, event, object, cells[i], condition, false);
    }
    return join_cells(execution, contents, sizes, count);
}

static void write_cell(struct symbolic *execution, uint32_t event, struct shared_object *object, struct cell *cell,
                       literal condition, struct value value) {
    if (!cell->written) {
        cell->written = true;
        objects_change(&execution->objects);
    }
    cell_add(&execution->objects, &execution->sets, cell, value.set);
    add_access(execution, &symbolic_event(execution, event)->writes, cell_number(execution, object, cell), condition,
               value);
}

/* Bytes low .. low + count of a value. */
static struct value part_of(struct symbolic *execution, struct value value, unsigned low, unsigned count) {
    struct terms *terms = &execution->terms;
    return (struct value){term_part(terms, value.term, 8 * low, 8 * count),
                          set_part(&execution->sets, value.set, low, count)};
}

void event_write(struct symbolic *execution, uint32_t event, struct shared_object *object, uint64_t offset,
                 unsigned size, literal condition, struct value value) {
    struct cell *cells[16];
    unsigned count;
    unsigned low = 0;
    if (condition == LITERAL_FALSE) {
        return;
    }
    if (!object_cells(&execution->objects, &execution->sets, object, offset, size, cells, &count)) {
        return; /* cells are known next time */
    }
    for (unsigned i = 0; i < count; i++) {
        struct value part = count == 1 ? value : part_of(execution, value, low, cells[i]->size);
        write_cell(execution, event, object, cells[i], condition, part);
        low += cells[i]->size;
    }
}

/* --- Accesses of paths -------------------------------------------------------------------------------------------- */

struct content shared_missing(void *data, uint64_t address, unsigned size) {
    const struct path *path = data;
    struct symbolic *execution = path->execution;
    /* Hidden words precede their objects. */
    struct shared_object *object = object_near(&execution->objects, address);
    struct shared_object *hidden = object_near(&execution->objects, address + 8);
    if (hidden && hidden->base == address + 8) {
        return path->state->section == NO_EVENT
                   ? content_written(value_constant(&execution->terms, 0))
                   : read_cell(execution, path->state->section, hidden, &hidden->life, path->state->guard, false);
    }
    if (!object) {
        return content_written(value_constant(&execution->terms, 0));
    }
    if (path->state->alone || path->state->section == NO_EVENT) {
        return object_begins(execution, object, address, size);
    }
    return event_read(execution, path->state->section, object, address - object->base, size, path->state->guard);
}

/* Thread-local variables are initialised, other locals are not. */
struct content private_missing(void *data, uint64_t address, unsigned size) {
    const struct path *path = data;
    const struct local *local = local_at_address(path->state, address);
    (void)size;
    return (struct content){value_constant(&path->execution->terms, 0),
                            local && !local->thread_local ? LITERAL_TRUE : LITERAL_FALSE};
}

struct content memory_read(struct symbolic *execution, struct state *state, const struct target *target, unsigned size,
                           uint32_t event, literal condition) {
    struct terms *terms = &execution->terms;
    struct path path = {execution, state};
    if (!target->object) {
        struct words_default missing = {private_missing, &path};
        return words_read(&state->private, terms, target->address, size, &missing);
    }
    uint64_t offset = target->address - target->object->base;
    if (target->object->constant) {
        return content_written(initial_bytes(execution, target->object, offset, size));
    }
    if (state->alone || state->section != NO_EVENT) {
        struct words_default missing = {shared_missing, &path};
        return words_read(&state->shared, terms, target->address, size, &missing);
    }
    return event_read(execution, event, target->object, offset, size, condition);
}

void memory_write(struct symbolic *execution, struct state *state, const struct target *target, unsigned size,
                  uint32_t event, literal condition, struct value value) {
    struct terms *terms = &execution->terms;
    if (target->object && !state->alone && state->section == NO_EVENT) {
        event_write(execution, event, target->object, target->address - target->object->base, size, condition, value);
        return;
    }
    struct path path = {execution, state};
    struct words_default shared = {shared_missing, &path};
    struct words_default private = {private_missing, &path};
    struct words *words = target->object ? &state->shared : &state->private;
    const struct words_default *missing = target->object ? &shared : &private;
    struct content content = content_written(value);
    if (condition != LITERAL_TRUE) {
        content = content_mux(terms, condition, content, words_read(words, terms, target->address, size, missing));
    }
    words_write(words, terms, target->address, size, content);
}

literal memory_ended(struct symbolic *execution, struct state *state, struct shared_object *object, uint32_t event,
                     literal condition, bool reached) {
    if (!object || !object->ends) {
        return LITERAL_FALSE;
    }
    struct content life;
    if (state->alone || state->section != NO_EVENT) {
        struct path path = {execution, state};
        struct words_default missing = {shared_missing, &path};
        life = words_read(&state->shared, &execution->terms, object->base + LIFE_OFFSET, 1, &missing);
    } else {
        life = read_cell(execution, event, object, &object->life, condition, reached);
    }
    return gates_and(&execution->gates, condition, term_any(&execution->terms, life.value.term));
}

void memory_end(struct symbolic *execution, struct state *state, struct shared_object *object, uint32_t event,
                literal condition) {
    struct terms *terms = &execution->terms;
    struct value one = value_constant(terms, 1);
    if (!object->ends) {
        object->ends = true;
        objects_change(&execution->objects);
    }
    if (state->alone || state->section != NO_EVENT) {
        struct path path = {execution, state};
        struct words_default missing = {shared_missing, &path};
        uint64_t address = object->base + LIFE_OFFSET;
        if (condition != LITERAL_TRUE) {
            one = value_mux(terms, condition, one, words_read(&state->shared, terms, address, 1, &missing).value);
        }
        words_write(&state->shared, terms, address, 1, content_written(one));
        return;
    }
    cell_add(&execution->objects, &execution->sets, &object->life, set_range(&execution->sets, 0, 1, 1));
    write_cell(execution, event, object, &object->life, condition, one);
}

/* --- Atomic sections ---------------------------------------------------------------------------------------------- */

static void publish_word(void *data, uint64_t address, unsigned size, struct value value) {
    const struct path *path = data;
    struct symbolic *execution = path->execution;
    struct state *state = path->state;
    struct shared_object *hidden = object_near(&execution->objects, address + 8);
    if (hidden && hidden->base == address + 8) {
        cell_add(&execution->objects, &execution->sets, &hidden->life, set_range(&execution->sets, 0, 1, 1));
        write_cell(execution, state->section, hidden, &hidden->life, state->guard, value);
        return;
    }
    struct shared_object *object = object_near(&execution->objects, address);
    event_write(execution, state->section, object, address - object->base, size, state->guard, value);
}

void memory_publish(struct symbolic *execution, struct state *state) {
    struct path path = {execution, state};
    words_visit(&state->shared, publish_word, &path);
    words_clear(&state->shared);
}
