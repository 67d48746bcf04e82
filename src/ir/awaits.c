/* Waiting loops into awaits.
 *
 * A round of a loop that reads shared memory, changes nothing and goes back to the start would do the same again, for
 * as long as memory stays as it is; engines need not walk it more than once.  So the start of a loop gets an AWAIT and
 * its ways back an AGAIN.  Whether a round has changed memory is seen when it runs.  What must hold before is that no
 * register carries anything from one round to the next: a register that is live at the start must not be written in the
 * loop, unless it does not matter.
 *
 * A register does not matter, at some instruction, if what it holds there is not read after the loop and decides
 * neither an access, nor a call, nor a branch that matters: a counter of rounds, the length of a delay.  A branch does
 * not matter if both arms meet again before anything but computation has happened, and what they compute does not
 * matter.
 *
 * A loop may test first what the round before has read: `while (seen != wanted) seen = x;`.  There rounds are taken to
 * begin behind the test, where nothing is carried; the test before the first round stays what it is, and the rounds get
 * a copy of it.
 *
 * A store in the loop counts as nothing done if it goes to memory that no other thread can reach: to an object from
 * this function's malloc whose address has gone nowhere but into compare-and-swaps of this loop (a node about to be
 * pushed). */
#include <stdlib.h>
#include <string.h>

#include "ir/flow.h"
#include "ir/liveness.h"
#include "ir/passes.h"
#include "ir/rewrite.h"
#include "ir/sync.h"
#include "util/memory.h"

#define NO_COPY UINT32_MAX

struct search {
    const struct program *program;
    const struct liveness *liveness;
    const struct flow *flow;
    const struct loop *loop;
    uint32_t function;
    size_t words;
    uint64_t *relevant; /* by block of the loop: registers that matter at its start */
    struct rewrite *rewrite;
};

static bool has(const uint64_t *set, uint32_t reg) {
    return set[reg / 64] >> reg % 64 & 1;
}

static void put(uint64_t *set, uint32_t reg) {
    set[reg / 64] |= UINT64_C(1) << reg % 64;
}

static void take(uint64_t *set, uint32_t reg) {
    set[reg / 64] &= ~(UINT64_C(1) << reg % 64);
}

static bool is_idle(const struct instruction *instruction) {
    return instruction_is_pure(instruction) || instruction->op == OP_NOP || instruction->op == OP_JMP;
}

/* --- Branches that do not matter ---------------------------------------------------------------------------------- */

static bool block_is_idle(const struct search *search, uint32_t block, bool with_end) {
    const struct block *at = &search->flow->blocks[block];
    for (uint32_t i = at->first; i < at->end - !with_end; i++) {
        if (!is_idle(&search->flow->code[i])) {
            return false;
        }
    }
    return true;
}

/* The loop inside that the block is in and that only computes, a delay; NULL if there is none. */
static const struct loop *idle_loop(const struct search *search, uint32_t block) {
    const struct flow *flow = search->flow;
    for (uint32_t l = 0; l < flow->loops_count; l++) {
        const struct loop *inner = &flow->loops[l];
        if (inner == search->loop || !loop_has(inner, block) || !loop_has(search->loop, inner->header) ||
            inner->header == search->loop->header) {
            continue;
        }
        bool idle = true;
        for (uint32_t b = 0; b < flow->blocks_count && idle; b++) {
            const struct instruction *last = &flow->code[flow->blocks[b].end - 1];
            idle = !loop_has(inner, b) || (block_is_idle(search, b, false) && (is_idle(last) || last->op == OP_BR));
        }
        if (idle) {
            return inner;
        }
    }
    return NULL;
}

/* Where an arm of a branch ends up: the block itself, or the one it jumps to if it only computes. */
static uint32_t arm_end(const struct search *search, uint32_t arm, uint32_t other) {
    const struct block *block = &search->flow->blocks[arm];
    bool passes = arm != other && block->predecessors_count == 1 && block->successors_count == 1 &&
                  block_is_idle(search, arm, true);
    return passes ? search->flow->edges[block->successors] : arm;
}

/* Does a branch decide more than what is computed: which accesses come, or whether the loop is left? */
static bool branch_acts(const struct search *search, uint32_t block) {
    const struct flow *flow = search->flow;
    const struct block *at = &flow->blocks[block];
    if (idle_loop(search, block)) {
        return false;
    }
    if (at->successors_count > 2) {
        return true;
    }
    uint32_t one = flow->edges[at->successors];
    uint32_t other = flow->edges[at->successors + 1];
    uint32_t one_end = arm_end(search, one, other);
    uint32_t other_end = arm_end(search, other, one);
    bool meet = one_end == other_end || one_end == other || other_end == one;
    return !meet || !loop_has(search->loop, one) || !loop_has(search->loop, other);
}

/* --- Registers that matter ---------------------------------------------------------------------------------------- */

/* The registers that matter before the first instruction of a block of the loop. */
static uint64_t *matters_before(const struct search *search, uint32_t block) {
    return search->relevant + (size_t)block * search->words;
}

static void add_all(const struct search *search, uint64_t *set, const uint64_t *more) {
    for (size_t w = 0; w < search->words; w++) {
        set[w] |= more[w];
    }
}

/* Adds those that matter where control goes to a block: after the loop, all that are live. */
static void add_target(const struct search *search, uint32_t to, uint64_t *set) {
    add_all(search, set,
            loop_has(search->loop, to)
                ? matters_before(search, to)
                : liveness_before(search->liveness, search->function, search->flow->blocks[to].first));
}

static bool writes_one_of(const struct search *search, const struct instruction *instruction, const uint64_t *set) {
    unsigned writes = instruction_writes(search->program, instruction);
    for (unsigned k = 0; k < writes; k++) {
        if (has(set, instruction->dst + k)) {
            return true;
        }
    }
    return false;
}

static bool block_writes_one_of(const struct search *search, uint32_t block, const uint64_t *set) {
    const struct block *at = &search->flow->blocks[block];
    for (uint32_t i = at->first; i < at->end; i++) {
        if (writes_one_of(search, &search->flow->code[i], set)) {
            return true;
        }
    }
    return false;
}

/* A branch that decides only what is computed matters if something that matters is computed: in a delay, something that
 * matters after it; otherwise in one of the arms.  `set` has room for registers. */
static bool branch_matters(const struct search *search, uint32_t block, uint64_t *set) {
    const struct flow *flow = search->flow;
    const struct block *at = &flow->blocks[block];
    if (at->successors_count < 2) {
        return false;
    }
    if (branch_acts(search, block)) {
        return true;
    }
    memset(set, 0, search->words * sizeof *set);
    const struct loop *delay = idle_loop(search, block);
    if (delay) {
        for (uint32_t b = 0; b < flow->blocks_count; b++) {
            for (uint32_t k = 0; loop_has(delay, b) && k < flow->blocks[b].successors_count; k++) {
                uint32_t to = flow->edges[flow->blocks[b].successors + k];
                if (!loop_has(delay, to)) {
                    add_target(search, to, set);
                }
            }
        }
        for (uint32_t b = 0; b < flow->blocks_count; b++) {
            if (loop_has(delay, b) && block_writes_one_of(search, b, set)) {
                return true;
            }
        }
        return false;
    }
    uint32_t arms[] = {flow->edges[at->successors], flow->edges[at->successors + 1]};
    for (int i = 0; i < 2; i++) {
        uint32_t end = arm_end(search, arms[i], arms[!i]);
        memset(set, 0, search->words * sizeof *set);
        add_target(search, end, set);
        if (end != arms[i] && block_writes_one_of(search, arms[i], set)) {
            return true;
        }
    }
    return false;
}

static void add_read(void *data, uint32_t operand) {
    if (!(operand & OPERAND_CONSTANT)) {
        put(data, operand);
    }
}

/* Makes `set`, the registers that matter after the instruction, those that matter before it. */
static void go_before(const struct search *search, const struct instruction *instruction, uint64_t *set) {
    if (is_idle(instruction) && !writes_one_of(search, instruction, set)) {
        return;
    }
    unsigned writes = instruction_writes(search->program, instruction);
    for (unsigned k = 0; k < writes; k++) {
        take(set, instruction->dst + k);
    }
    instruction_reads(search->program, instruction, add_read, set);
}

/* Finds the registers that matter at each block of the loop, backwards from its ends until nothing is added. */
static void find_relevant(struct search *search) {
    const struct flow *flow = search->flow;
    memset(search->relevant, 0, flow->blocks_count * search->words * sizeof *search->relevant);
    uint64_t *set = memory_allocate(2 * (search->words + 1) * sizeof *set);
    uint64_t *room = set + search->words + 1;
    bool changed;
    do {
        changed = false;
        for (uint32_t b = flow->blocks_count; b-- > 0;) {
            if (!loop_has(search->loop, b)) {
                continue;
            }
            const struct block *block = &flow->blocks[b];
            memset(set, 0, search->words * sizeof *set);
            for (uint32_t k = 0; k < block->successors_count; k++) {
                add_target(search, flow->edges[block->successors + k], set);
            }
            for (uint32_t i = block->end; i-- > block->first;) {
                const struct instruction *instruction = &flow->code[i];
                bool branch = instruction->op == OP_BR || instruction->op == OP_SWITCH;
                if (!branch || branch_matters(search, b, room)) {
                    go_before(search, instruction, set);
                }
            }
            uint64_t *before = matters_before(search, b);
            for (size_t w = 0; w < search->words; w++) {
                changed = changed || (set[w] & ~before[w]);
            }
            add_all(search, before, set);
        }
    } while (changed);
    free(set);
}

/* Is some register that matters carried from one round to the next, if they begin with this block? */
static bool carries(const struct search *search, uint32_t start) {
    for (uint32_t b = 0; b < search->flow->blocks_count; b++) {
        if (loop_has(search->loop, b) && block_writes_one_of(search, b, matters_before(search, start))) {
            return true;
        }
    }
    return false;
}

/* --- Stores to memory that nobody else knows ---------------------------------------------------------------------- */

struct use {
    uint32_t reg;
    bool found;
};

static void find_use(void *data, uint32_t operand) {
    struct use *use = data;
    use->found = use->found || operand == use->reg;
}

/* The only definition of a register in the function, or NULL if there are several. */
static const struct instruction *only_definition(const struct search *search, uint32_t reg) {
    const struct instruction *found = NULL;
    for (uint32_t i = 0; i < search->flow->function->count; i++) {
        const struct instruction *instruction = &search->flow->code[i];
        unsigned writes = instruction_writes(search->program, instruction);
        if (writes > 0 && reg >= instruction->dst && reg - instruction->dst < writes) {
            if (found) {
                return NULL;
            }
            found = instruction;
        }
    }
    return found;
}

/* Does the address in this register go nowhere but into accesses, sums with constants, comparisons and
 * compare-and-swaps of the loop? */
static bool stays_private(const struct search *search, uint32_t reg, int nesting) {
    const struct flow *flow = search->flow;
    for (uint32_t i = 0; i < flow->function->count; i++) {
        const struct instruction *instruction = &flow->code[i];
        struct use use = {.reg = reg};
        instruction_reads(search->program, instruction, find_use, &use);
        if (!use.found) {
            continue;
        }
        bool inside = loop_has(search->loop, flow->block_of[i]);
        bool good;
        switch (instruction->op) {
        case OP_LOAD:
        case OP_ICMP:
            good = true;
            break;
        case OP_STORE:
            good = instruction->b != reg;
            break;
        case OP_CAS:
            good = inside && instruction->a != reg && instruction->b != reg;
            break;
        case OP_ADD:
        case OP_MOV:
            good = nesting < 4 && only_definition(search, instruction->dst) == instruction &&
                   stays_private(search, instruction->dst, nesting + 1);
            break;
        default:
            good = false;
            break;
        }
        if (!good) {
            return false;
        }
    }
    return true;
}

static bool store_is_private(const struct search *search, const struct instruction *store) {
    uint32_t address = store->a;
    for (int nesting = 0; nesting < 4 && !(address & OPERAND_CONSTANT); nesting++) {
        const struct instruction *definition = only_definition(search, address);
        if (!definition) {
            return false;
        }
        if (definition->op == OP_MALLOC) {
            return stays_private(search, address, 0);
        }
        if (definition->op != OP_MOV && (definition->op != OP_ADD || !(definition->b & OPERAND_CONSTANT))) {
            return false;
        }
        address = definition->a;
    }
    return false;
}

/* --- The change --------------------------------------------------------------------------------------------------- */

static void mark_access(struct search *search, uint32_t index) {
    struct instruction *instruction = &search->rewrite->code[index];
    bool waits = instruction->op == OP_LOAD || instruction->op == OP_RMW || instruction->op == OP_CAS ||
                 instruction->op == OP_ATOMIC_END || instruction->op == OP_ATOMIC_BEGIN ||
                 (instruction->op == OP_SYNC && sync_tries(instruction->width));
    if (waits || (instruction->op == OP_STORE && store_is_private(search, &search->flow->code[index]))) {
        instruction->flags |= INSTRUCTION_AWAIT;
    }
}

/* Puts an AWAIT before a block.  Returns its number. */
static uint32_t insert_await(struct search *search, uint32_t block) {
    uint32_t first = search->flow->blocks[block].first;
    return rewrite_insert(
        search->rewrite, first,
        (struct instruction){.op = OP_AWAIT, .dst = NO_REGISTER, .pos = search->flow->code[first].pos});
}

/* The way back to an AWAIT.  Returns its number. */
static uint32_t insert_again(struct search *search, uint32_t await, uint32_t pos) {
    return rewrite_insert(search->rewrite, search->flow->function->count,
                          (struct instruction){.op = OP_AGAIN,
                                               .dst = NO_REGISTER,
                                               .a = REWRITE_INSERTED | await,
                                               .b = REWRITE_INSERTED | await,
                                               .pos = pos});
}

/* Marks what the loop does, and makes its ways back lead to `copy`, a number of an inserted instruction, or each to an
 * AGAIN of its own if that is NO_COPY. */
static void turn_back(struct search *search, uint32_t await, uint32_t copy) {
    const struct flow *flow = search->flow;
    for (uint32_t b = 0; b < flow->blocks_count; b++) {
        const struct block *block = &flow->blocks[b];
        if (!loop_has(search->loop, b)) {
            continue;
        }
        for (uint32_t i = block->first; i < block->end; i++) {
            mark_access(search, i);
        }
        for (uint32_t k = 0; k < block->successors_count; k++) {
            if (flow->edges[block->successors + k] == search->loop->header) {
                uint32_t to = copy == NO_COPY ? insert_again(search, await, flow->code[block->end - 1].pos) : copy;
                rewrite_retarget(search->rewrite, block->end - 1, flow->blocks[search->loop->header].first,
                                 REWRITE_INSERTED | to);
            }
        }
    }
}

/* Where rounds begin if the header is only a test of what the round before has read; NO_BLOCK if it is more. */
static uint32_t find_body(const struct search *search) {
    const struct flow *flow = search->flow;
    const struct block *header = &flow->blocks[search->loop->header];
    const struct instruction *last = &flow->code[header->end - 1];
    if (last->op != OP_BR || header->successors_count != 2 || !block_is_idle(search, search->loop->header, false)) {
        return NO_BLOCK;
    }
    uint32_t one = flow->edges[header->successors];
    uint32_t other = flow->edges[header->successors + 1];
    uint32_t body = loop_has(search->loop, one) ? one : other;
    bool leaves = !loop_has(search->loop, one) || !loop_has(search->loop, other);
    return leaves && body != search->loop->header && flow->blocks[body].predecessors_count == 1 ? body : NO_BLOCK;
}

/* Rounds begin with `body`: ways back lead through a copy of the test. */
static void make_await_behind_test(struct search *search, uint32_t body) {
    const struct flow *flow = search->flow;
    const struct block *header = &flow->blocks[search->loop->header];
    uint32_t await = insert_await(search, body);
    uint32_t again = insert_again(search, await, flow->code[header->end - 1].pos);
    uint32_t copy = again + 1;
    for (uint32_t i = header->first; i < header->end; i++) {
        struct instruction instruction = flow->code[i];
        if (instruction.op == OP_BR) {
            bool first = instruction.b == flow->blocks[body].first;
            *(first ? &instruction.b : &instruction.c) = REWRITE_INSERTED | again;
        }
        rewrite_insert(search->rewrite, flow->function->count, instruction);
    }
    turn_back(search, await, copy);
}

static bool has_await(const struct flow *flow, const struct loop *loop) {
    return flow->code[flow->blocks[loop->header].first].op == OP_AWAIT;
}

static void find_awaits(struct rewrite *rewrite, void *data) {
    struct flow flow;
    flow_init(&flow, rewrite->program, rewrite->function);
    struct search search = {
        .program = rewrite->program,
        .liveness = data,
        .flow = &flow,
        .function = rewrite->function,
        .words = liveness_words(rewrite->program, rewrite->function),
        .rewrite = rewrite,
    };
    search.relevant = memory_allocate(((size_t)flow.blocks_count * search.words + 1) * sizeof *search.relevant);
    for (uint32_t l = 0; l < flow.loops_count; l++) {
        search.loop = &flow.loops[l];
        if (has_await(&flow, search.loop)) {
            continue;
        }
        find_relevant(&search);
        uint32_t body = NO_BLOCK;
        if (!carries(&search, search.loop->header)) {
            turn_back(&search, insert_await(&search, search.loop->header), NO_COPY);
        } else if ((body = find_body(&search)) != NO_BLOCK && !carries(&search, body)) {
            make_await_behind_test(&search, body);
        }
    }
    free(search.relevant);
    flow_delete(&flow);
}

void pass_awaits(struct program *program) {
    struct liveness liveness;
    liveness_init(&liveness, program);
    program_rewrite(program, find_awaits, &liveness);
    liveness_delete(&liveness);
}
