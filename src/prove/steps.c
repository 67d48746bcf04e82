/* Sections, steps and pairs, found in the flow graphs. */
#include "prove/steps.h"

#include <stdlib.h>

#include "util/memory.h"

const char *const prove_seed_names[SEED_COUNT] = {
    [SEED_NONE] = "none",
    [SEED_PRESENT_VALUES] = "present-values",
    [SEED_NO_UPDATES] = "no-updates",
    [SEED_NO_FAILED_CAS] = "no-failed-cas",
    [SEED_LOADS_ONLY] = "loads-only",
    [SEED_SERVED_EARLY] = "served-early",
    [SEED_ALL_IDLE] = "all-idle",
    [SEED_NO_INTERFERENCE] = "no-interference",
    [SEED_NO_BEGINNING] = "no-beginning",
    [SEED_NO_ARRIVAL] = "no-arrival",
    [SEED_FACTS_ALONE] = "facts-alone",
    [SEED_PAIRS_ALONE] = "pairs-alone",
};

/* --- Atomic sections ---------------------------------------------------------------------------------------------- */

struct depth_search {
    struct system *system;
    struct class *class;
    const struct instruction *code;
    uint32_t *known;     /* by instruction: depth before it + 1, 0: not known */
    struct vector stack; /* of uint32_t: instructions */
    uint32_t depth;
    uint32_t from;
};

static bool edge_is_feasible(const struct class *class, uint32_t from, uint32_t to) {
    uint32_t one = class->flow.block_of[from];
    uint32_t other = class->flow.block_of[to];
    const struct block *block = &class->flow.blocks[one];
    if (to == from + 1 && one == other) {
        return true;
    }
    for (uint32_t i = 0; i < block->successors_count; i++) {
        if (class->flow.edges[block->successors + i] == other && class->feasible[block->successors + i]) {
            return true;
        }
    }
    return false;
}

static void go_to(void *data, uint32_t target) {
    struct depth_search *search = data;
    if (!instruction_reached(search->class, target) || !edge_is_feasible(search->class, search->from, target)) {
        return;
    }
    if (search->known[target] == 0) {
        search->known[target] = search->depth + 1;
        vector_push(&search->stack, &target);
    } else if (search->known[target] != search->depth + 1) {
        system_refuse(search->system, search->code[target].pos, "an atomic section that is not nested in its function");
    }
}

/* Fills in how many sections are around each instruction. */
static void find_depths(struct system *system, struct class *class) {
    uint32_t count = system->flat.functions[class->function].count;
    struct depth_search search = {.system = system, .class = class, .code = class_code(system, class)};
    search.known = memory_allocate(((size_t)count + 1) * sizeof *search.known);
    vector_init(&search.stack, sizeof(uint32_t));
    uint32_t first = 0;
    search.known[0] = 1;
    vector_push(&search.stack, &first);
    while (search.stack.count > 0) {
        uint32_t at = *(uint32_t *)vector_at(&search.stack, --search.stack.count);
        const struct instruction *code = &search.code[at];
        search.from = at;
        search.depth = search.known[at] - 1;
        class->depth[at] = search.depth;
        search.depth += code->op == OP_ATOMIC_BEGIN;
        search.depth -= code->op == OP_ATOMIC_END && search.depth > 0;
        instruction_targets(&system->flat, code, go_to, &search);
        if (!instruction_ends_block(code) && at + 1 < count) {
            go_to(&search, at + 1);
        }
    }
    free(search.known);
    vector_delete(&search.stack);
}

/* --- Steps -------------------------------------------------------------------------------------------------------- */

static void add_access(const struct steps *steps, struct step_site *step, const struct access *access) {
    if (access->present && !space_private(&steps->system->space, &access->address)) {
        vector_push(&step->accesses, &access);
        step->ends = step->ends || access->ends;
    }
}

/* Finds the instructions of a section by a search from its beginning. */
struct section_search {
    struct steps *steps;
    const struct class *class;
    struct step_site *step;
    const struct instruction *code;
    uint8_t *colours; /* by instruction: 1 on the path, 2 done */
    uint32_t from;
};

static void visit_section(struct section_search *search, uint32_t at);

static void visit_target(void *data, uint32_t target) {
    struct section_search *search = data;
    uint32_t from = search->from;
    if (instruction_reached(search->class, target) && search->class->depth[target] > 0 &&
        edge_is_feasible(search->class, from, target)) {
        if (search->colours[target] == 1) {
            system_refuse(search->steps->system, search->code[target].pos, "an atomic section with a loop");
        } else if (search->colours[target] == 0) {
            visit_section(search, target);
        }
    }
    search->from = from;
}

static void visit_section(struct section_search *search, uint32_t at) {
    const struct instruction *code = &search->code[at];
    search->colours[at] = 1;
    add_access(search->steps, search->step, &search->class->accesses[at]);
    add_access(search->steps, search->step, &search->class->seconds[at]);
    search->from = at;
    instruction_targets(&search->steps->system->flat, code, visit_target, search);
    if (!instruction_ends_block(code)) {
        visit_target(search, at + 1);
    }
    search->colours[at] = 2;
}

static void add_section(struct steps *steps, const struct class *class, struct step_site *step) {
    struct section_search search = {
        .steps = steps, .class = class, .step = step, .code = class_code(steps->system, class), .from = step->index};
    search.colours = memory_allocate((size_t)steps->system->flat.functions[class->function].count + 1);
    step->section = true;
    visit_target(&search, step->index + 1);
    free(search.colours);
}

static void find_steps(struct steps *steps, uint32_t number, enum prove_seed seed) {
    const struct class *class = class_of(steps->system, number);
    const struct instruction *code = class_code(steps->system, class);
    for (uint32_t i = 0; i < steps->system->flat.functions[class->function].count; i++) {
        if (!instruction_reached(class, i) || class->depth[i] > 0 || class->noted[i] ||
            (seed == SEED_NO_UPDATES && (code[i].op == OP_RMW || code[i].op == OP_CAS))) {
            continue;
        }
        struct step_site step = {.class = number, .index = i};
        vector_init(&step.accesses, sizeof(const struct access *));
        if (code[i].op == OP_ATOMIC_BEGIN) {
            add_section(steps, class, &step);
        } else {
            add_access(steps, &step, &class->accesses[i]);
            add_access(steps, &step, &class->seconds[i]);
        }
        if (step.accesses.count > 0) {
            vector_push(&steps->steps, &step);
        } else {
            vector_delete(&step.accesses);
        }
    }
}

bool step_overlaps(const struct steps *steps, const struct step_site *step, const struct access *access, bool writes) {
    for (size_t i = 0; i < step->accesses.count; i++) {
        const struct access *other = *(const struct access **)vector_at(&step->accesses, i);
        if ((other->writes || !writes) &&
            space_overlap(&steps->system->space, &other->address, other->size, &access->address, access->size)) {
            return true;
        }
    }
    return false;
}

/* --- Pairs -------------------------------------------------------------------------------------------------------- */

/* Does the instruction wait for the empty buffer? */
static bool drains(const struct instruction *code) {
    switch (code->op) {
    case OP_FENCE:
        return code->sub == ORDER_SEQ_CST;
    case OP_RMW:
    case OP_CAS:
    case OP_SYNC:
    case OP_ATOMIC_BEGIN:
    case OP_ATOMIC_END:
    case OP_EXIT:
        return true;
    default:
        return false;
    }
}

/* Do they have a byte in common on every path from the store to the load? */
static bool certainly_overlaps(const struct steps *steps, const struct class *class, uint32_t store, uint32_t load) {
    const struct access *one = &class->accesses[store];
    const struct access *other = &class->accesses[load];
    const struct instruction *code = class_code(steps->system, class);
    if (one->ends) {
        return false;
    }
    if (space_certainly_overlap(&steps->system->space, &one->address, one->size, &other->address, other->size)) {
        return true;
    }
    /* The same register in one block, the store first: every path reaches the load after the store. */
    if (class->flow.block_of[store] != class->flow.block_of[load] || store > load ||
        (code[store].a & OPERAND_CONSTANT) || code[store].a != code[load].a) {
        return false;
    }
    for (uint32_t i = store; i < load; i++) {
        uint32_t count = instruction_writes(&steps->system->flat, &code[i]);
        if (count > 0 && code[store].a - code[i].dst < count) {
            return false;
        }
    }
    return true;
}

struct pair_search {
    struct steps *steps;
    uint32_t number;
    const struct class *class;
    const struct instruction *code;
    uint32_t load;
    bool *seen; /* by instruction: its predecessors were visited */
    struct vector stack;
};

static void come_from(struct pair_search *search, uint32_t from) {
    if (instruction_reached(search->class, from) && !search->seen[from]) {
        search->seen[from] = true;
        vector_push(&search->stack, &from);
    }
}

/* Visits all predecessors of this instruction. */
static void come_from_all(struct pair_search *search, uint32_t at) {
    const struct flow *flow = &search->class->flow;
    const struct block *block = &flow->blocks[flow->block_of[at]];
    if (at > block->first) {
        come_from(search, at - 1);
        return;
    }
    for (uint32_t i = 0; i < block->predecessors_count; i++) {
        uint32_t last = flow->blocks[flow->edges[block->predecessors + i]].end - 1;
        if (edge_is_feasible(search->class, last, at)) {
            come_from(search, last);
        }
    }
}

/* Is it a buffered store, or the end of an object, that others may notice? */
static bool is_store(const struct pair_search *search, uint32_t at) {
    const struct access *access = &search->class->accesses[at];
    uint8_t op = search->code[at].op;
    return (op == OP_STORE || access->ends) && access->present &&
           !space_private(&search->steps->system->space, &access->address);
}

static void find_pairs_of_load(struct pair_search *search, enum prove_seed seed) {
    uint32_t count = search->steps->system->flat.functions[search->class->function].count;
    const struct access *load = &search->class->accesses[search->load];
    size_t first = search->steps->pairs.count;
    bool served = false;
    memset(search->seen, 0, count);
    come_from_all(search, search->load);
    while (search->stack.count > 0) {
        uint32_t at = *(uint32_t *)vector_at(&search->stack, --search->stack.count);
        if (drains(&search->code[at])) {
            continue;
        }
        if (is_store(search, at)) {
            const struct access *store = &search->class->accesses[at];
            served = served || space_overlap(&search->steps->system->space, &store->address, store->size,
                                             &load->address, load->size);
            if (certainly_overlaps(search->steps, search->class, at, search->load)) {
                continue;
            }
            vector_push(&search->steps->pairs, &(struct pair){search->number, at, search->load});
        }
        come_from_all(search, at);
    }
    if (seed == SEED_SERVED_EARLY && served) {
        search->steps->pairs.count = first;
    }
}

static void find_pairs(struct steps *steps, uint32_t number, enum prove_seed seed) {
    const struct class *class = class_of(steps->system, number);
    struct pair_search search = {
        .steps = steps, .number = number, .class = class, .code = class_code(steps->system, class)};
    uint32_t count = steps->system->flat.functions[class->function].count;
    search.seen = memory_allocate((size_t)count + 1);
    vector_init(&search.stack, sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        if (search.code[i].op == OP_LOAD && instruction_reached(class, i) && class->depth[i] == 0 && !class->noted[i] &&
            !space_private(&steps->system->space, &class->accesses[i].address)) {
            search.load = i;
            find_pairs_of_load(&search, seed);
        }
    }
    free(search.seen);
    vector_delete(&search.stack);
}

/* --- Words and bytes ---------------------------------------------------------------------------------------------- */

static void any_bytes(void *data, uint32_t object, struct cell *cell) {
    (void)object;
    *(bool *)data = *(bool *)data || cell->bytes;
}

struct marking {
    bool changed;
};

static void make_bytes(void *data, uint32_t object, struct cell *cell) {
    (void)object;
    struct marking *marking = data;
    marking->changed = marking->changed || !cell->bytes;
    cell->bytes = true;
}

static void spread_bytes(const struct space *space, const struct access *access, struct marking *marking) {
    bool bytes = false;
    if (access->present && !access->ends) {
        space_cells(space, &access->address, access->size, any_bytes, &bytes);
        if (bytes) {
            space_cells(space, &access->address, access->size, make_bytes, marking);
        }
    }
}

/* Cells that share bytes with others are accessed byte by byte; so is all that an instruction accesses which may access
 * one of them. */
static void find_bytes(struct system *system) {
    struct space *space = &system->space;
    for (uint32_t i = 1; i < space->objects.count; i++) {
        const struct object *object = object_of(space, i);
        for (size_t c = 0; c < object->cells.count; c++) {
            struct cell *cell = vector_at(&object->cells, c);
            cell->bytes = cell->mixed || object->smeared;
        }
    }
    struct marking marking = {.changed = true};
    while (marking.changed) {
        marking.changed = false;
        for (uint32_t c = 0; c < system->classes.count; c++) {
            const struct class *class = class_of(system, c);
            for (uint32_t i = 0; i < system->flat.functions[class->function].count; i++) {
                spread_bytes(space, &class->accesses[i], &marking);
                spread_bytes(space, &class->seconds[i], &marking);
            }
        }
    }
}

void prove_steps_init(struct steps *steps, struct system *system, enum prove_seed seed) {
    *steps = (struct steps){.system = system};
    vector_init(&steps->steps, sizeof(struct step_site));
    vector_init(&steps->pairs, sizeof(struct pair));
    for (uint32_t c = 0; c < system->classes.count && !system->refusal; c++) {
        find_depths(system, class_of(system, c));
    }
    annotations_check(system);
    find_bytes(system);
    for (uint32_t c = 0; c < system->classes.count && !system->refusal; c++) {
        find_steps(steps, c, seed);
        find_pairs(steps, c, seed);
    }
}

void prove_steps_delete(struct steps *steps) {
    for (size_t i = 0; i < steps->steps.count; i++) {
        vector_delete(&((struct step_site *)vector_at(&steps->steps, i))->accesses);
    }
    vector_delete(&steps->steps);
    vector_delete(&steps->pairs);
}
