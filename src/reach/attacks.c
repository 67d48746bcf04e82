/* Finds attacks from the program text alone.
 *
 * A function belongs to one thread if only that thread executes it: the first thread, or a thread that is created at
 * one place, outside of loops, in the entry's code.  All other functions belong to several threads.  Calls are not
 * followed here: any access may come after one.  Flat programs have none. */
#include "reach/attacks.h"

#include <stdlib.h>
#include <string.h>

#include "ir/flow.h"
#include "ir/sync.h"
#include "util/memory.h"
#include "util/range.h"

#define NOBODY 0u
#define SEVERAL UINT32_MAX

/* What an instruction may do to shared memory. */
struct shared_access {
    uint32_t instruction;
    uint32_t owner;
    bool anywhere; /* its address is unknown */
    bool writes;
    bool disturbed; /* load: another thread may write the bytes that it reads */
    uint64_t address;
    uint64_t size;
};

/* --- Threads of functions -------------------------------------------------------------------------------------- */

static bool constant_function(const struct program *program, uint32_t operand, uint32_t *function) {
    int64_t found =
        operand & OPERAND_CONSTANT ? function_at(program, program->constants[operand & ~OPERAND_CONSTANT]) : -1;
    *function = (uint32_t)found;
    return found >= 0;
}

/* Assigns the function and all its callees to a thread. */
static void give(struct attacks *attacks, uint32_t function, uint32_t owner) {
    const struct program *program = attacks->program;
    if (attacks->owner[function] == owner || attacks->owner[function] == SEVERAL) {
        return;
    }
    attacks->owner[function] = attacks->owner[function] == NOBODY ? owner : SEVERAL;
    const struct instruction *code = function_code(program, function);
    for (uint32_t i = 0; i < program->functions[function].count; i++) {
        if (code[i].op == OP_CALL) {
            give(attacks, code[i].a, attacks->owner[function]);
        } else if (code[i].op == OP_CALL_INDIRECT) {
            for (uint32_t f = 0; f < program->functions_count; f++) {
                give(attacks, f, SEVERAL);
            }
        }
    }
}

static bool in_loop(const struct flow *flow, uint32_t instruction) {
    uint32_t block = flow->block_of[instruction];
    for (uint32_t l = 0; l < flow->loops_count; l++) {
        if (loop_has(&flow->loops[l], block)) {
            return true;
        }
    }
    return flow->irreducible;
}

static void find_owners(struct attacks *attacks) {
    const struct program *program = attacks->program;
    give(attacks, program->entry, 1);
    bool known = true;
    for (uint32_t f = 0; f < program->functions_count; f++) {
        const struct instruction *code = function_code(program, f);
        struct flow flow;
        flow_init(&flow, program, f);
        for (uint32_t i = 0; i < program->functions[f].count; i++) {
            uint32_t created;
            if (code[i].op != OP_SYNC || code[i].width != SYNC_THREAD_CREATE) {
                continue;
            }
            if (!constant_function(program, code[i].a, &created)) {
                known = false;
                continue;
            }
            bool once = f == program->entry && !in_loop(&flow, i);
            give(attacks, created, once ? program->functions[f].first + i + 2 : SEVERAL);
        }
        flow_delete(&flow);
    }
    for (uint32_t f = 0; !known && f < program->functions_count; f++) {
        give(attacks, f, SEVERAL);
    }
}

/* --- Accesses -------------------------------------------------------------------------------------------------- */

static bool find_access(const struct program *program, const struct instruction *code, bool has_escaping_locals,
                        struct shared_access *access) {
    switch (code->op) {
    case OP_LOAD:
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
        access->size = code->width;
        break;
    case OP_FREE:
    case OP_LEAVE:
    case OP_STACK_RESTORE:
        access->writes = true;
        access->address = THREAD_BASE; /* the object that ends may be any, but no global */
        access->size = UINT64_MAX - THREAD_BASE;
        return code->op == OP_FREE || has_escaping_locals;
    case OP_SYNC:
        if (sync_table[code->width].bytes == 0) {
            return false;
        }
        access->anywhere = sync_codes()[code->width].second > 0;
        access->size = sync_table[code->width].bytes;
        break;
    default:
        return false;
    }
    access->writes = code->op != OP_LOAD;
    access->anywhere |= !(code->a & OPERAND_CONSTANT);
    access->address = access->anywhere ? 0 : program->constants[code->a & ~OPERAND_CONSTANT];
    return true;
}

static void find_accesses(struct attacks *attacks) {
    const struct program *program = attacks->program;
    for (uint32_t f = 0; f < program->functions_count; f++) {
        bool escaping = false;
        for (uint32_t i = 0; i < program->functions[f].count; i++) {
            const struct instruction *code = function_code(program, f) + i;
            escaping = escaping || (code->op == OP_ALLOCA && !(code->flags & INSTRUCTION_PRIVATE));
        }
        for (uint32_t i = 0; attacks->owner[f] != NOBODY && i < program->functions[f].count; i++) {
            uint32_t index = program->functions[f].first + i;
            struct shared_access access = {.instruction = index, .owner = attacks->owner[f]};
            if (find_access(program, &program->code[index], escaping, &access)) {
                vector_push(&attacks->accesses, &access);
            }
        }
    }
}

static bool may_overlap(const struct shared_access *one, const struct shared_access *other) {
    return one->anywhere || other->anywhere || ranges_overlap(one->address, one->size, other->address, other->size);
}

/* Does another thread access these bytes (with `writes`: write them)? */
static bool disturbed(const struct attacks *attacks, const struct shared_access *access, bool by_writes) {
    for (size_t i = 0; i < attacks->accesses.count; i++) {
        const struct shared_access *other = vector_at(&attacks->accesses, i);
        if ((other->owner != access->owner || other->owner == SEVERAL) && (other->writes || !by_writes) &&
            may_overlap(access, other)) {
            return true;
        }
    }
    return false;
}

/* --- Paths from stores to loads -------------------------------------------------------------------------------- */

static bool starts_thread(const struct attacks *attacks, uint32_t function) {
    const struct program *program = attacks->program;
    if (function == program->entry) {
        return true;
    }
    for (size_t i = 0; i < program->code_count; i++) {
        uint32_t created;
        if (program->code[i].op == OP_SYNC && program->code[i].width == SYNC_THREAD_CREATE &&
            constant_function(program, program->code[i].a, &created) && created == function) {
            return true;
        }
    }
    return false;
}

/* Must the buffer be empty before this instruction?  An update of private memory is local and waits for nothing, so the
 * address must be known. */
static bool waits_for_buffer(const struct instruction *code) {
    switch (code->op) {
    case OP_RMW:
    case OP_CAS:
        return code->a & OPERAND_CONSTANT;
    case OP_FENCE:
        return code->sub == ORDER_SEQ_CST;
    case OP_SYNC:
    case OP_ATOMIC_BEGIN:
    case OP_ATOMIC_END:
    case OP_EXIT:
        return true;
    default:
        return false;
    }
}

/* A search of the instructions of one function. */
struct code_search {
    const struct program *program;
    uint32_t function;
    bool *seen;
    uint32_t *stack;
    uint32_t count;
};

static void code_search_add(void *data, uint32_t target) {
    struct code_search *search = data;
    if (!search->seen[target]) {
        search->seen[target] = true;
        search->stack[search->count++] = target;
    }
}

static void code_search_continue(struct code_search *search, uint32_t from) {
    const struct instruction *code = function_code(search->program, search->function) + from;
    instruction_targets(search->program, code, code_search_add, search);
    if (!instruction_ends_block(code)) {
        code_search_add(search, from + 1);
    }
}

/* Marks the instructions that are reachable from a store while it waits in the buffer.  Returns false if a path leaves
 * the function. */
static bool code_search_run(struct code_search *search, uint32_t store, bool starts) {
    const struct instruction *code = function_code(search->program, search->function);
    memset(search->seen, 0, search->program->functions[search->function].count * sizeof *search->seen);
    search->count = 0;
    code_search_continue(search, store);
    while (search->count > 0) {
        uint32_t at = search->stack[--search->count];
        if (code[at].op == OP_CALL || code[at].op == OP_CALL_INDIRECT || (code[at].op == OP_RET && !starts)) {
            return false;
        }
        if (!waits_for_buffer(&code[at])) {
            code_search_continue(search, at);
        }
    }
    return true;
}

static bool is_store(const struct instruction *code) {
    return code->op == OP_STORE || code->op == OP_FREE || code->op == OP_LEAVE || code->op == OP_STACK_RESTORE;
}

static void set_load(struct attacks *attacks, uint64_t *row, uint32_t load) {
    row[load / 64] |= UINT64_C(1) << load % 64;
    attacks->load_ahead[load / 64] |= UINT64_C(1) << load % 64;
}

/* Finds the loads that one store may be delayed past. */
static void find_loads(struct attacks *attacks, struct code_search *search, const struct shared_access *store,
                       const struct vector *loads, bool starts) {
    const struct function *function = &attacks->program->functions[search->function];
    bool inside = code_search_run(search, store->instruction - function->first, starts);
    bool wanted = disturbed(attacks, store, false);
    uint64_t *row = NULL;
    for (size_t i = 0; i < loads->count; i++) {
        const struct shared_access *load = vector_at(loads, i);
        uint32_t local = load->instruction - function->first;
        bool same_function = load->instruction >= function->first && local < function->count;
        if (!same_function && inside) {
            continue;
        }
        attacks->count++;
        if (!wanted || !load->disturbed || (inside && !search->seen[local]) ||
            (!store->anywhere && !load->anywhere && may_overlap(store, load))) {
            attacks->discarded++;
            continue;
        }
        if (!row) {
            size_t rows = attacks->rows_count++;
            attacks->rows[store->instruction] = (uint32_t)attacks->rows_count;
            if (rows == attacks->rows_capacity) {
                attacks->rows_capacity = rows ? rows * 2 : 8;
                attacks->loads =
                    memory_resize(attacks->loads, attacks->rows_capacity * attacks->row_words * sizeof *attacks->loads);
            }
            row = attacks->loads + rows * attacks->row_words;
            memset(row, 0, attacks->row_words * sizeof *row);
        }
        set_load(attacks, row, load->instruction);
    }
}

/* Computes `load_ahead` backwards from the loads. */
static void find_load_ahead(struct attacks *attacks, struct code_search *search, struct limits *limits) {
    const struct program *program = attacks->program;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t f = 0; f < program->functions_count; f++) {
            const struct function *function = &program->functions[f];
            for (uint32_t i = function->count; i-- > 0 && !limits_reached(limits);) {
                uint32_t at = function->first + i;
                const struct instruction *code = &program->code[at];
                if (attacks_continue(attacks, at) || waits_for_buffer(code)) {
                    continue;
                }
                bool leaves = code->op == OP_CALL || code->op == OP_CALL_INDIRECT || code->op == OP_RET;
                search->function = f;
                search->count = 0;
                memset(search->seen, 0, function->count * sizeof *search->seen);
                code_search_continue(search, i);
                for (uint32_t k = 0; k < search->count && !leaves; k++) {
                    leaves = attacks_continue(attacks, function->first + search->stack[k]);
                }
                if (leaves) {
                    attacks->load_ahead[at / 64] |= UINT64_C(1) << at % 64;
                    changed = true;
                }
            }
        }
    }
}

bool attacks_init(struct attacks *attacks, const struct program *program, struct limits *limits) {
    *attacks = (struct attacks){.program = program, .row_words = program->code_count / 64 + 1};
    attacks->owner = memory_allocate(program->functions_count * sizeof *attacks->owner);
    attacks->rows = memory_allocate((program->code_count + 1) * sizeof *attacks->rows);
    attacks->load_ahead = memory_allocate(attacks->row_words * sizeof *attacks->load_ahead);
    vector_init(&attacks->accesses, sizeof(struct shared_access));
    find_owners(attacks);
    find_accesses(attacks);
    struct vector loads;
    vector_init(&loads, sizeof(struct shared_access));
    for (size_t i = 0; i < attacks->accesses.count && !limits_reached(limits); i++) {
        struct shared_access *access = vector_at(&attacks->accesses, i);
        if (program->code[access->instruction].op == OP_LOAD) {
            access->disturbed = disturbed(attacks, access, true);
            vector_push(&loads, access);
        }
    }
    struct code_search search = {.program = program};
    search.seen = memory_allocate(program->code_count + 1);
    search.stack = memory_allocate((program->code_count + 1) * sizeof *search.stack);
    size_t next = 0;
    for (uint32_t f = 0; f < program->functions_count; f++) {
        bool starts = starts_thread(attacks, f);
        uint32_t end = program->functions[f].first + program->functions[f].count;
        search.function = f;
        for (; next < attacks->accesses.count; next++) {
            const struct shared_access *access = vector_at(&attacks->accesses, next);
            if (access->instruction >= end || limits_reached(limits)) {
                break;
            }
            if (is_store(&program->code[access->instruction])) {
                find_loads(attacks, &search, access, &loads, starts);
            }
        }
    }
    find_load_ahead(attacks, &search, limits);
    free(search.seen);
    free(search.stack);
    vector_delete(&loads);
    return !limits_reached(limits);
}

void attacks_delete(struct attacks *attacks) {
    free(attacks->owner);
    free(attacks->rows);
    free(attacks->loads);
    free(attacks->load_ahead);
    vector_delete(&attacks->accesses);
}
