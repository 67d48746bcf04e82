/* Targets of addresses: sets, and how instructions change them. */
#include "seq/print/points.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

#define MOST_TARGETS 256u /* of a set: beyond, offsets are given up */
#define NEAR (PAGE_SIZE / 2)
#define ADDRESS_BYTES 8

uint32_t points_global(const struct program *program, uint64_t address) {
    for (uint32_t g = 0; g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        if (global->address != 0 && address + NEAR - global->address <= global->size + 2 * (uint64_t)NEAR) {
            return g;
        }
    }
    return NO_REGISTER;
}

/* --- Sets --------------------------------------------------------------------------------------------------------- */

static int target_compare(const void *a, const void *b) {
    const struct target *one = a;
    const struct target *other = b;
    if (one->global != other->global) {
        return one->global < other->global ? -1 : 1;
    }
    return one->offset < other->offset ? -1 : one->offset > other->offset;
}

/* The set of these targets, which are sorted here; an object with any offset needs no other. */
static uint32_t set_of(struct points *points, struct target *targets, uint32_t count) {
    uint32_t kept = 0;
    if (count == 0) {
        return 0;
    }
    for (uint32_t i = 0; count > MOST_TARGETS && i < count; i++) {
        targets[i].offset = ANY_OFFSET;
    }
    qsort(targets, count, sizeof *targets, target_compare);
    for (uint32_t i = 0; i < count; i++) {
        const struct target *last = kept > 0 ? &targets[kept - 1] : NULL;
        bool covered = last && last->global == targets[i].global &&
                       (last->offset == ANY_OFFSET || last->offset == targets[i].offset);
        if (!covered) {
            targets[kept++] = targets[i];
        }
    }
    for (uint32_t s = 0; s < points->sets.count; s++) {
        const struct target_set *set = points_set(points, s);
        bool same = set->count == kept;
        for (uint32_t i = 0; i < kept && same; i++) {
            same = target_compare(points_target(points, set, i), &targets[i]) == 0;
        }
        if (same) {
            return s;
        }
    }
    struct target_set made = {(uint32_t)points->targets.count, kept};
    for (uint32_t i = 0; i < kept; i++) {
        vector_push(&points->targets, &targets[i]);
    }
    vector_push(&points->sets, &made);
    return (uint32_t)points->sets.count - 1;
}

static uint32_t set_union(struct points *points, uint32_t one, uint32_t other) {
    if (one == other || other == 0) {
        return one;
    }
    if (one == 0) {
        return other;
    }
    uint32_t count = points_set(points, one)->count + points_set(points, other)->count;
    struct target *all = memory_allocate(count * sizeof *all);
    uint32_t n = 0;
    for (int side = 0; side < 2; side++) {
        const struct target_set *set = points_set(points, side == 0 ? one : other);
        for (uint32_t i = 0; i < set->count; i++) {
            all[n++] = *points_target(points, set, i);
        }
    }
    uint32_t result = set_of(points, all, count);
    free(all);
    return result;
}

/* The targets moved by a number of bytes, or to any offset. */
static uint32_t set_move(struct points *points, uint32_t of, int64_t by) {
    const struct target_set set = *points_set(points, of);
    struct target *all = memory_allocate(((size_t)set.count + 1) * sizeof *all);
    for (uint32_t i = 0; i < set.count; i++) {
        all[i] = *points_target(points, &set, i);
        int64_t size = (int64_t)points->unrolled->program.globals[all[i].global].size;
        if (by == ANY_OFFSET || all[i].offset == ANY_OFFSET) {
            all[i].offset = ANY_OFFSET;
        } else {
            all[i].offset += by;
            bool far = all[i].offset < -(int64_t)NEAR || all[i].offset > size + (int64_t)NEAR;
            all[i].offset = far ? ANY_OFFSET : all[i].offset;
        }
    }
    uint32_t result = set_of(points, all, set.count);
    free(all);
    return result;
}

static uint32_t set_of_number(struct points *points, uint64_t number) {
    const struct program *program = &points->unrolled->program;
    uint32_t g = points_global(program, number);
    if (g == NO_REGISTER) {
        return 0;
    }
    struct target target = {g, (int64_t)(number - program->globals[g].address)};
    return set_of(points, &target, 1);
}

/* --- Code --------------------------------------------------------------------------------------------------------- */

/* What an object may hold at an offset, or after a store at any offset. */
struct content {
    int64_t offset;
    uint32_t set;
};

struct search {
    struct points *points;
    const struct program *program;
    struct vector *contents;  /* by global: of struct content */
    uint32_t (*arguments)[2]; /* by function */
    uint32_t results;         /* what threads may return */
    bool changed;
    struct fact *registers; /* at the instruction at hand */
};

static void grow(struct search *search, uint32_t *set, uint32_t by) {
    uint32_t larger = set_union(search->points, *set, by);
    search->changed |= larger != *set;
    *set = larger;
}

static struct fact fact_of(struct search *search, uint32_t operand) {
    if (operand == NO_REGISTER) {
        return (struct fact){0};
    }
    if (operand & OPERAND_CONSTANT) {
        uint64_t number = search->program->constants[operand & ~OPERAND_CONSTANT];
        return (struct fact){value_known(number), set_of_number(search->points, number)};
    }
    return search->registers[operand];
}

/* What an object may hold in `size` bytes at an offset.  Of a part of an address, or of two, the offset is given up. */
static uint32_t content_read(struct search *search, const struct target *target, unsigned size) {
    const struct vector *contents = &search->contents[target->global];
    uint32_t result = 0;
    for (size_t i = 0; i < contents->count; i++) {
        const struct content *content = vector_at(contents, i);
        bool anywhere = content->offset == ANY_OFFSET || target->offset == ANY_OFFSET;
        bool overlaps = anywhere || (content->offset < target->offset + (int64_t)size &&
                                     target->offset < content->offset + ADDRESS_BYTES);
        bool whole = size == ADDRESS_BYTES && (anywhere || content->offset == target->offset);
        if (overlaps) {
            uint32_t set = whole ? content->set : set_move(search->points, content->set, ANY_OFFSET);
            result = set_union(search->points, result, set);
        }
    }
    return result;
}

static void content_grow(struct search *search, const struct target *target, uint32_t set) {
    struct vector *contents = &search->contents[target->global];
    for (size_t i = 0; i < contents->count; i++) {
        struct content *content = vector_at(contents, i);
        if (content->offset == target->offset) {
            grow(search, &content->set, set);
            return;
        }
    }
    struct content content = {target->offset, set};
    vector_push(contents, &content);
    search->changed = true;
}

static uint32_t read_contents(struct search *search, uint32_t address, unsigned size) {
    const struct target_set set = *points_set(search->points, address);
    uint32_t result = 0;
    for (uint32_t i = 0; i < set.count; i++) {
        struct target target = *points_target(search->points, &set, i);
        result = set_union(search->points, result, content_read(search, &target, size));
    }
    return result;
}

static void write_contents(struct search *search, uint32_t address, uint32_t value, unsigned size) {
    const struct target_set set = *points_set(search->points, address);
    uint32_t written = size == ADDRESS_BYTES ? value : set_move(search->points, value, ANY_OFFSET);
    for (uint32_t i = 0; i < set.count && value != 0; i++) {
        struct target target = *points_target(search->points, &set, i);
        target.offset = size == ADDRESS_BYTES ? target.offset : ANY_OFFSET;
        content_grow(search, &target, written);
    }
}

struct reads {
    struct search *search;
    uint32_t set;
};

static void collect_read(void *data, uint32_t operand) {
    struct reads *reads = data;
    reads->set = set_union(reads->search->points, reads->set, fact_of(reads->search, operand).set);
}

static struct fact moved(struct search *search, const struct instruction *code, struct fact a, struct fact b) {
    struct points *points = search->points;
    bool subtracts = code->op == OP_SUB;
    if (b.value.known && b.set == 0) {
        return (struct fact){
            .set = set_move(points, a.set, subtracts ? -(int64_t)b.value.number : (int64_t)b.value.number)};
    }
    if (a.value.known && a.set == 0 && !subtracts) {
        return (struct fact){.set = set_move(points, b.set, (int64_t)a.value.number)};
    }
    return (struct fact){.set = set_move(points, set_union(points, a.set, b.set), ANY_OFFSET)};
}

/* What an instruction writes into its first register. */
static struct fact result_of(struct search *search, const struct instruction *code) {
    struct points *points = search->points;
    struct fact a = fact_of(search, code->a);
    switch (code->op) {
    case OP_MOV:
        return a;
    case OP_MALLOC:
        return (struct fact){value_known(a.value.number), a.set};
    case OP_ADD:
    case OP_SUB: {
        struct fact b = fact_of(search, code->b);
        struct fact result = moved(search, code, a, b);
        result.value = value_compute(code, a.value, b.value, (struct value){0});
        return result;
    }
    case OP_SELECT:
        return (struct fact){.set = set_union(points, fact_of(search, code->b).set, fact_of(search, code->c).set)};
    case OP_ICMP:
    case OP_FCMP:
    case OP_WIDE_ICMP:
    case OP_NONDET:
        return (struct fact){0};
    case OP_LOAD:
        return (struct fact){.set = read_contents(search, a.set, code->width)};
    case OP_RMW: {
        uint32_t value = fact_of(search, code->b).set;
        uint32_t old = read_contents(search, a.set, code->width);
        bool whole = code->c == RMW_XCHG;
        write_contents(search, a.set, whole ? value : set_move(points, set_union(points, old, value), ANY_OFFSET),
                       code->width);
        return (struct fact){.set = old};
    }
    case OP_CAS:
        write_contents(search, a.set, fact_of(search, code->c).set, code->width);
        return (struct fact){.set = read_contents(search, a.set, code->width)};
    case OP_SYNC:
        return (struct fact){0};
    default: {
        struct reads reads = {search, 0};
        instruction_reads(search->program, code, collect_read, &reads);
        return (struct fact){.set = set_move(points, reads.set, ANY_OFFSET)};
    }
    }
}

static void pass_thread_operation(struct search *search, const struct instruction *code) {
    if (code->width == SYNC_THREAD_CREATE) {
        uint64_t start = search->program->constants[code->a & ~OPERAND_CONSTANT];
        uint32_t function = (uint32_t)function_at(search->program, start);
        grow(search, &search->arguments[function][0], fact_of(search, code->b).set);
        grow(search, &search->arguments[function][1], fact_of(search, code->c).set);
    } else if (code->width == SYNC_THREAD_EXIT) {
        grow(search, &search->results, fact_of(search, code->a).set);
    }
}

static void pass_instruction(struct search *search, const struct instruction *code) {
    struct points *points = search->points;
    size_t index = (size_t)(code - search->program->code);
    const char *shape = op_table[code->op].shape;
    points->a[index] = shape[1] == 'r' ? fact_of(search, code->a) : (struct fact){0};
    points->b[index] = shape[2] == 'r' || shape[2] == 'v' ? fact_of(search, code->b) : (struct fact){0};
    if (code->op == OP_STORE) {
        uint32_t value = points->b[index].set;
        if (code->width > ADDRESS_BYTES) {
            value = set_union(points, value, fact_of(search, code->b + 1).set);
        }
        write_contents(search, points->a[index].set, value, code->width);
    } else if (code->op == OP_RET) {
        for (uint32_t i = 0; i < code->b; i++) {
            grow(search, &search->results, fact_of(search, search->program->operands[code->a + i]).set);
        }
    } else if (code->op == OP_SYNC) {
        pass_thread_operation(search, code);
    }
    unsigned writes = instruction_writes(search->program, code);
    if (writes == 0) {
        return;
    }
    struct fact result = result_of(search, code);
    bool joins = code->op == OP_SYNC && writes == 2;
    for (unsigned r = 0; r < writes; r++) {
        search->registers[code->dst + r] = r == 0 ? result : (struct fact){.set = joins ? search->results : result.set};
    }
}

/* What is known where a branch leads: the merge of all that leads there. */
struct landing {
    struct search *search;
    const struct function *function;
    struct fact **at; /* by instruction */
    uint32_t index;
};

static void land(void *data, uint32_t target) {
    struct landing *landing = data;
    uint32_t registers = landing->function->registers;
    assert(target > landing->index && "branches go forward (U2)");
    if (!landing->at[target]) {
        landing->at[target] = memory_allocate(((size_t)registers + 1) * sizeof(struct fact));
        memcpy(landing->at[target], landing->search->registers, registers * sizeof(struct fact));
        return;
    }
    for (uint32_t r = 0; r < registers; r++) {
        struct fact *fact = &landing->at[target][r];
        const struct fact *other = &landing->search->registers[r];
        fact->value = value_merge(fact->value, other->value);
        fact->set = set_union(landing->search->points, fact->set, other->set);
    }
}

static void pass_function(struct search *search, uint32_t f) {
    const struct function *function = &search->program->functions[f];
    const struct instruction *code = function_code(search->program, f);
    struct landing landing = {search, function, NULL, 0};
    landing.at = memory_allocate(((size_t)function->count + 1) * sizeof *landing.at);
    search->registers = memory_allocate(((size_t)function->registers + 1) * sizeof(struct fact));
    for (uint32_t i = 0; i < function->parameters && i < 2; i++) {
        search->registers[i].set = search->arguments[f][i];
    }
    bool reached = true;
    for (uint32_t i = 0; i < function->count; i++) {
        landing.index = i;
        if (landing.at[i]) {
            if (reached) {
                landing.index = i > 0 ? i - 1 : 0;
                land(&landing, i);
            }
            memcpy(search->registers, landing.at[i], function->registers * sizeof(struct fact));
            free(landing.at[i]);
            landing.at[i] = NULL;
            reached = true;
        }
        if (!reached) {
            continue;
        }
        landing.index = i;
        pass_instruction(search, &code[i]);
        instruction_targets(search->program, &code[i], land, &landing);
        reached = !instruction_ends_block(&code[i]);
    }
    free(search->registers);
    free(landing.at);
}

/* Addresses in initial bytes, of which zeros at the end may be left out. */
static void initial_contents(struct search *search) {
    const struct program *program = search->program;
    for (size_t g = 0; g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        for (uint64_t offset = 0; offset < global->initial_size; offset++) {
            uint64_t number = 0;
            uint64_t rest = global->initial_size - offset;
            memcpy(&number, program->bytes + global->initial + offset, rest < sizeof number ? rest : sizeof number);
            struct target target = {(uint32_t)g, (int64_t)offset};
            uint32_t set = number >= GLOBAL_BASE ? set_of_number(search->points, number) : 0;
            if (set != 0) {
                content_grow(search, &target, set);
            }
        }
    }
}

void points_init(struct points *points, const struct unrolled *unrolled) {
    const struct program *program = &unrolled->program;
    *points = (struct points){.unrolled = unrolled};
    vector_init(&points->targets, sizeof(struct target));
    vector_init(&points->sets, sizeof(struct target_set));
    vector_grow(&points->sets, 1);
    points->a = memory_allocate((program->code_count + 1) * sizeof *points->a);
    points->b = memory_allocate((program->code_count + 1) * sizeof *points->b);
    struct search search = {.points = points, .program = program};
    search.contents = memory_allocate((program->globals_count + 1) * sizeof *search.contents);
    search.arguments = memory_allocate((program->functions_count + 1) * sizeof *search.arguments);
    for (size_t g = 0; g < program->globals_count; g++) {
        vector_init(&search.contents[g], sizeof(struct content));
    }
    initial_contents(&search);
    do {
        search.changed = false;
        for (size_t t = 0; t < unrolled->threads.count; t++) {
            const struct thread_plan *plan = vector_at(&unrolled->threads, t);
            if (plan->created) {
                pass_function(&search, plan->function);
            }
        }
    } while (search.changed);
    for (size_t g = 0; g < program->globals_count; g++) {
        vector_delete(&search.contents[g]);
    }
    free(search.contents);
    free(search.arguments);
}

void points_delete(struct points *points) {
    vector_delete(&points->targets);
    vector_delete(&points->sets);
    free(points->a);
    free(points->b);
}
