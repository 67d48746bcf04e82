/* Makes waiting loops awaits.
 *
 * An iteration of a loop that reads shared memory, changes nothing and goes back to the start would be the same again
 * as long as memory stays the same; engines need not execute it more than once.  So this pass puts an AWAIT at the
 * start of such a loop and an AGAIN at each back edge.  Whether an iteration has changed memory is found when it runs.
 * The pass only ensures that no register carries a value from one iteration to the next: the loop must not write a
 * register that is live at its start, unless the register does not matter.
 *
 * A register does not matter, at some instruction, if its value is not read after the loop and decides neither an
 * access, nor a call, nor a branch that matters: a counter of iterations, the length of a delay.  A branch does not
 * matter if both arms meet again before anything but computation has happened, and the results of that computation do
 * not matter.
 *
 * A loop may begin with a test of what the previous iteration has read: `while (seen != wanted) seen = x;`.  Its
 * iterations are taken to begin after the test, where no value is carried; the first test is unchanged, and the
 * iterations get a copy of it.
 *
 * A store in the loop counts as nothing done if it is to memory that no other thread can access: to an object from this
 * function's malloc whose address is used in nothing but compare-and-swaps of this loop (a node about to be pushed). */
#include <stdlib.h>
#include <string.h>

#include "ir/flow.h"
#include "ir/liveness.h"
#include "ir/passes.h"
#include "ir/rewrite.h"
#include "ir/sync.h"
#include "util/memory.h"

#define NO_COPY UINT32_MAX
#define MOST_WORDS ((size_t)1 << 22) /* of the sets of one loop: a larger one is no waiting loop */

/* A register that the loop does not write carries no value, so sets are of registers that it writes, by their numbers
 * among these. */
struct search {
    const struct program *program;
    const struct block_liveness *live;
    const struct flow *flow;
    const struct loop *loop;
    uint32_t *written;  /* by register: its number, plus 1; 0: the loop does not write it */
    uint32_t *index;    /* by block of the loop: its index in the loop */
    int8_t *idle;       /* by loop: does it only compute?  -1: unknown */
    size_t words;       /* of a set */
    uint64_t *relevant; /* by block of the loop: registers that matter at its start */
    struct rewrite *rewrite;
};

static bool has(const struct search *search, const uint64_t *set, uint32_t reg) {
    uint32_t number = search->written[reg];
    return number > 0 && (set[(number - 1) / 64] >> (number - 1) % 64 & 1);
}

static void put(const struct search *search, uint64_t *set, uint32_t reg) {
    uint32_t number = search->written[reg];
    if (number > 0) {
        set[(number - 1) / 64] |= UINT64_C(1) << (number - 1) % 64;
    }
}

static void take(const struct search *search, uint64_t *set, uint32_t reg) {
    uint32_t number = search->written[reg] - 1;
    set[number / 64] &= ~(UINT64_C(1) << number % 64);
}

static bool is_idle(const struct instruction *instruction) {
    return instruction_is_pure(instruction) || instruction->op == OP_NOP || instruction->op == OP_ASSUMED ||
           instruction->op == OP_JMP;
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

static bool loop_is_idle(const struct search *search, uint32_t index) {
    const struct flow *flow = search->flow;
    const struct loop *loop = &flow->loops[index];
    for (uint32_t i = 0; i < loop->blocks_count && search->idle[index] < 0; i++) {
        uint32_t b = loop->blocks[i];
        const struct instruction *last = &flow->code[flow->blocks[b].end - 1];
        if (!block_is_idle(search, b, false) || (!is_idle(last) && last->op != OP_BR)) {
            search->idle[index] = 0;
        }
    }
    if (search->idle[index] < 0) {
        search->idle[index] = 1;
    }
    return search->idle[index];
}

/* The inner loop of the block, if that only computes, as a delay does; NULL if there is none. */
static const struct loop *idle_loop(const struct search *search, uint32_t block) {
    const struct flow *flow = search->flow;
    uint32_t found = NO_BLOCK;
    for (uint32_t l = flow->loop_of[block]; l != NO_BLOCK && &flow->loops[l] != search->loop;
         l = flow->loops[l].parent) {
        if (loop_has(search->loop, flow->loops[l].header) && loop_is_idle(search, l)) {
            found = l < found ? l : found;
        }
    }
    return found == NO_BLOCK ? NULL : &flow->loops[found];
}

/* The end of an arm of a branch: the block itself, or the one to which it jumps if it only computes. */
static uint32_t arm_end(const struct search *search, uint32_t arm, uint32_t other) {
    const struct block *block = &search->flow->blocks[arm];
    bool passes = arm != other && block->predecessors_count == 1 && block->successors_count == 1 &&
                  block_is_idle(search, arm, true);
    return passes ? search->flow->edges[block->successors] : arm;
}

/* Does a branch decide more than results of computation: the next accesses, or whether the loop ends? */
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
    return search->relevant + search->index[block] * search->words;
}

static void add_all(const struct search *search, uint64_t *set, const uint64_t *more) {
    for (size_t w = 0; w < search->words; w++) {
        set[w] |= more[w];
    }
}

/* Adds the registers that matter at a block to which control goes: after the loop, all live ones. */
static void add_target(const struct search *search, uint32_t to, uint64_t *set) {
    if (loop_has(search->loop, to)) {
        add_all(search, set, matters_before(search, to));
        return;
    }
    for (size_t i = search->live->first[to]; i < search->live->first[to + 1]; i++) {
        put(search, set, search->live->registers[i]);
    }
}

static bool writes_one_of(const struct search *search, const struct instruction *instruction, const uint64_t *set) {
    unsigned writes = instruction_writes(search->program, instruction);
    for (unsigned k = 0; k < writes; k++) {
        if (has(search, set, instruction->dst + k)) {
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

static bool loop_writes_one_of(const struct search *search, const struct loop *loop, const uint64_t *set) {
    for (uint32_t i = 0; i < loop->blocks_count; i++) {
        if (block_writes_one_of(search, loop->blocks[i], set)) {
            return true;
        }
    }
    return false;
}

/* A branch that decides only results of computation matters if one of these matters: in a delay, if it matters after
 * it; otherwise in one of the arms.  `set` has room for registers. */
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
        for (uint32_t i = 0; i < delay->blocks_count; i++) {
            const struct block *inside = &flow->blocks[delay->blocks[i]];
            for (uint32_t k = 0; k < inside->successors_count; k++) {
                uint32_t to = flow->edges[inside->successors + k];
                if (!loop_has(delay, to)) {
                    add_target(search, to, set);
                }
            }
        }
        return loop_writes_one_of(search, delay, set);
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

struct reading {
    const struct search *search;
    uint64_t *set;
};

static void add_read(void *data, uint32_t operand) {
    const struct reading *reading = data;
    if (!(operand & OPERAND_CONSTANT)) {
        put(reading->search, reading->set, operand);
    }
}

/* Replaces the registers that matter after the instruction in `set` by those that matter before it. */
static void step_back(const struct search *search, const struct instruction *instruction, uint64_t *set) {
    if (is_idle(instruction) && !writes_one_of(search, instruction, set)) {
        return;
    }
    unsigned writes = instruction_writes(search->program, instruction);
    for (unsigned k = 0; k < writes; k++) {
        take(search, set, instruction->dst + k);
    }
    instruction_reads(search->program, instruction, add_read, &(struct reading){search, set});
}

/* Finds the registers that matter at each block of the loop, backwards from its ends to a fixpoint. */
static void find_relevant(struct search *search) {
    const struct flow *flow = search->flow;
    uint64_t *set = memory_allocate(2 * (search->words + 1) * sizeof *set);
    uint64_t *room = set + search->words + 1;
    bool changed;
    do {
        changed = false;
        for (uint32_t at = search->loop->blocks_count; at-- > 0;) {
            uint32_t b = search->loop->blocks[at];
            const struct block *block = &flow->blocks[b];
            memset(set, 0, search->words * sizeof *set);
            for (uint32_t k = 0; k < block->successors_count; k++) {
                add_target(search, flow->edges[block->successors + k], set);
            }
            for (uint32_t i = block->end; i-- > block->first;) {
                const struct instruction *instruction = &flow->code[i];
                bool branch = instruction->op == OP_BR || instruction->op == OP_SWITCH;
                if (!branch || branch_matters(search, b, room)) {
                    step_back(search, instruction, set);
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

/* If iterations begin at this block, is a register that matters carried from one iteration to the next? */
static bool carries(const struct search *search, uint32_t start) {
    return loop_writes_one_of(search, search->loop, matters_before(search, start));
}

/* --- Stores to memory of one thread ------------------------------------------------------------------------------- */

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

/* Is the address in this register used only in accesses, sums with constants, comparisons and compare-and-swaps of the
 * loop? */
static bool stays_private(const struct search *search, uint32_t reg, int nesting) {
    const struct flow *flow = search->flow;
    for (uint32_t i = 0; i < flow->function->count; i++) {
        const struct instruction *instruction = &flow->code[i];
        if (!instruction_reads_register(search->program, instruction, reg)) {
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

/* Puts an AGAIN before the AWAIT.  Returns its number. */
static uint32_t insert_again(struct search *search, uint32_t await, uint32_t pos) {
    return rewrite_insert(search->rewrite, search->flow->function->count,
                          (struct instruction){.op = OP_AGAIN,
                                               .dst = NO_REGISTER,
                                               .a = REWRITE_INSERTED | await,
                                               .b = REWRITE_INSERTED | await,
                                               .pos = pos});
}

/* Marks the instructions of the loop, and redirects its back edges to `copy`, the number of an inserted instruction, or
 * each to an AGAIN of its own if `copy` is NO_COPY. */
static void redirect_back_edges(struct search *search, uint32_t await, uint32_t copy) {
    const struct flow *flow = search->flow;
    for (uint32_t at = 0; at < search->loop->blocks_count; at++) {
        const struct block *block = &flow->blocks[search->loop->blocks[at]];
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

/* The block at which iterations begin if the header is only a test of what the previous iteration has read; else
 * NO_BLOCK. */
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

/* Makes iterations begin at `body`: back edges lead to a copy of the test. */
static void make_await_after_test(struct search *search, uint32_t body) {
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
    redirect_back_edges(search, await, copy);
}

static bool has_await(const struct flow *flow, const struct loop *loop) {
    return flow->code[flow->blocks[loop->header].first].op == OP_AWAIT;
}

/* Numbers the registers that the loop writes; returns how many there are. */
static uint32_t number_written(struct search *search) {
    uint32_t count = 0;
    for (uint32_t at = 0; at < search->loop->blocks_count; at++) {
        const struct block *block = &search->flow->blocks[search->loop->blocks[at]];
        search->index[search->loop->blocks[at]] = at;
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct instruction *instruction = &search->flow->code[i];
            unsigned writes = instruction_writes(search->program, instruction);
            for (unsigned k = 0; k < writes; k++) {
                uint32_t *number = &search->written[instruction->dst + k];
                *number = *number > 0 ? *number : ++count;
            }
        }
    }
    return count;
}

static void forget_written(struct search *search) {
    for (uint32_t at = 0; at < search->loop->blocks_count; at++) {
        const struct block *block = &search->flow->blocks[search->loop->blocks[at]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct instruction *instruction = &search->flow->code[i];
            unsigned writes = instruction_writes(search->program, instruction);
            for (unsigned k = 0; k < writes; k++) {
                search->written[instruction->dst + k] = 0;
            }
        }
    }
}

static void find_await(struct search *search) {
    search->words = (number_written(search) + 63) / 64;
    size_t words = search->loop->blocks_count * search->words;
    if (words <= MOST_WORDS) {
        search->relevant = memory_allocate((words + 1) * sizeof *search->relevant);
        find_relevant(search);
        uint32_t body = NO_BLOCK;
        if (!carries(search, search->loop->header)) {
            redirect_back_edges(search, insert_await(search, search->loop->header), NO_COPY);
        } else if ((body = find_body(search)) != NO_BLOCK && !carries(search, body)) {
            make_await_after_test(search, body);
        }
        free(search->relevant);
    }
    forget_written(search);
}

static void find_awaits(struct rewrite *rewrite, void *data) {
    (void)data;
    if (rewrite->program->functions[rewrite->function].count == 0) {
        return;
    }
    struct flow flow;
    flow_init(&flow, rewrite->program, rewrite->function);
    if (flow.loops_count > 0) {
        struct block_liveness live;
        block_liveness_init(&live, &flow);
        struct search search = {
            .program = rewrite->program,
            .live = &live,
            .flow = &flow,
            .written = memory_allocate(((size_t)flow.function->registers + 1) * sizeof *search.written),
            .index = memory_allocate(flow.blocks_count * sizeof *search.index),
            .idle = memory_allocate(flow.loops_count),
            .rewrite = rewrite,
        };
        memset(search.idle, -1, flow.loops_count);
        for (uint32_t l = 0; l < flow.loops_count; l++) {
            search.loop = &flow.loops[l];
            if (!has_await(&flow, search.loop)) {
                find_await(&search);
            }
        }
        free(search.written);
        free(search.index);
        free(search.idle);
        block_liveness_delete(&live);
    }
    flow_delete(&flow);
}

void pass_awaits(struct program *program) {
    program_rewrite(program, find_awaits, NULL);
}
