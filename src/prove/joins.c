/* Joins of known threads: whose number the operand of a join is, and which classes have certainly been joined where.
 *
 * A thread's number is the result of CHILD just before the thread is created, or of its creation.  Numbers are followed
 * through registers only.  A join ends when the thread has; so a thread that is past the join of a class with one
 * thread is never beside a step of that class. */
#include "prove/joins.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

#define UNKNOWN UINT32_MAX       /* anything */
#define UNSET (UINT32_MAX - 1)   /* nothing has come here yet */
#define PENDING (UINT32_MAX - 2) /* the number of the thread that is created next */
#define FIRST_CHILD 1u           /* the number of main's first thread */

struct numbering {
    struct system *system;
    uint32_t number;
    struct class *class;
    const struct instruction *code;
    uint32_t registers;
    uint32_t *whose; /* by block and register: class, PENDING, UNSET or UNKNOWN */
    uint32_t *now;   /* by register */
};

static uint32_t created_class(const struct numbering *numbering, uint32_t index) {
    for (uint32_t c = 1; c < numbering->system->classes.count; c++) {
        const struct class *class = class_of(numbering->system, c);
        if (class->creator == numbering->number && class->creation == index) {
            return c;
        }
    }
    return UNKNOWN;
}

static void number_instruction(struct numbering *numbering, uint32_t index) {
    const struct instruction *code = &numbering->code[index];
    uint32_t moved = code->op == OP_MOV && !(code->a & OPERAND_CONSTANT) ? numbering->now[code->a] : UNKNOWN;
    uint32_t created = UNKNOWN;
    if (code->op == OP_SYNC && code->width == SYNC_THREAD_CREATE) {
        created = created_class(numbering, index);
        for (uint32_t r = 0; r < numbering->registers; r++) {
            numbering->now[r] = numbering->now[r] == PENDING ? created : numbering->now[r];
        }
    }
    uint32_t count = instruction_writes(&numbering->system->flat, code);
    for (uint32_t i = 0; i < count && code->dst != NO_REGISTER; i++) {
        numbering->now[code->dst + i] = UNKNOWN;
    }
    if (count > 0 && code->dst != NO_REGISTER) {
        numbering->now[code->dst] = code->op == OP_CHILD ? PENDING : created != UNKNOWN ? created : moved;
    }
}

/* Adds the values that reach a block; true if any is new. */
static bool number_join(uint32_t *whose, const uint32_t *more, uint32_t registers) {
    bool changed = false;
    for (uint32_t r = 0; r < registers; r++) {
        uint32_t both = whose[r] == UNSET || whose[r] == more[r] ? more[r] : UNKNOWN;
        changed = changed || both != whose[r];
        whose[r] = both;
    }
    return changed;
}

static bool number_block(struct numbering *numbering, uint32_t b) {
    const struct flow *flow = &numbering->class->flow;
    const struct block *block = &flow->blocks[b];
    bool changed = false;
    memcpy(numbering->now, numbering->whose + (size_t)b * numbering->registers,
           numbering->registers * sizeof *numbering->now);
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct instruction *code = &numbering->code[i];
        if (code->op == OP_SYNC && (code->width == SYNC_THREAD_JOIN || code->width == SYNC_THREAD_TRYJOIN ||
                                    code->width == SYNC_THREAD_DETACH)) {
            uint32_t whose = code->a & OPERAND_CONSTANT ? UNKNOWN : numbering->now[code->a];
            numbering->class->joins[i] = whose < PENDING ? whose : NO_CLASS;
        }
        number_instruction(numbering, i);
    }
    for (uint32_t i = 0; i < block->successors_count; i++) {
        uint32_t to = flow->edges[block->successors + i];
        if (numbering->class->feasible[block->successors + i]) {
            changed = number_join(numbering->whose + (size_t)to * numbering->registers, numbering->now,
                                  numbering->registers) ||
                      changed;
        }
    }
    return changed;
}

/* Fills in whose number each join, try-join and detachment of a class has. */
static void number_class(struct system *system, uint32_t number) {
    struct class *class = class_of(system, number);
    const struct function *function = &system->flat.functions[class->function];
    struct numbering numbering = {.system = system,
                                  .number = number,
                                  .class = class,
                                  .code = class_code(system, class),
                                  .registers = function->registers};
    size_t all = (size_t)class->flow.blocks_count * numbering.registers;
    numbering.whose = memory_allocate((all + 1) * sizeof *numbering.whose);
    numbering.now = memory_allocate(((size_t)numbering.registers + 1) * sizeof *numbering.now);
    for (size_t i = 0; i < all; i++) {
        numbering.whose[i] = i < numbering.registers ? UNKNOWN : UNSET;
    }
    for (uint32_t r = 0; r < numbering.registers && number == 0; r++) {
        uint64_t value;
        if (value_is_number(&class->entry[r], &value) && value == FIRST_CHILD) {
            numbering.whose[r] = PENDING;
        }
    }
    for (uint32_t i = 0; i < function->count; i++) {
        class->joins[i] = NO_CLASS;
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < class->flow.blocks_count; b++) {
            changed = (class->in[b] && number_block(&numbering, b)) || changed;
        }
    }
    free(numbering.whose);
    free(numbering.now);
}

/* --- Where classes have been joined ------------------------------------------------------------------------------- */

static bool is_join(const struct instruction *code) {
    return code->op == OP_SYNC && code->width == SYNC_THREAD_JOIN;
}

/* Is the class joined on every path to the instruction?  A backward search that does not come past such joins finds no
 * beginning. */
static bool is_joined_before(const struct system *system, const struct class *class, uint32_t joined, uint32_t index) {
    const struct flow *flow = &class->flow;
    const struct instruction *code = class_code(system, class);
    bool *seen = memory_allocate((size_t)flow->blocks_count + 1);
    uint32_t *stack = memory_allocate(((size_t)flow->blocks_count + 1) * sizeof *stack);
    uint32_t count = 0;
    uint32_t at = flow->block_of[index];
    uint32_t end = index;
    bool found = true;
    for (;;) {
        bool stopped = false;
        for (uint32_t i = end; i-- > flow->blocks[at].first && !stopped;) {
            stopped = is_join(&code[i]) && class->joins[i] == joined;
        }
        if (!stopped && at == 0) {
            found = false;
            break;
        }
        const struct block *block = &flow->blocks[at];
        for (uint32_t i = 0; i < block->predecessors_count && !stopped; i++) {
            uint32_t from = flow->edges[block->predecessors + i];
            if (class->in[from] && !seen[from]) {
                seen[from] = true;
                stack[count++] = from;
            }
        }
        if (count == 0) {
            break;
        }
        at = stack[--count];
        end = flow->blocks[at].end;
    }
    free(seen);
    free(stack);
    return found;
}

/* Is it the only join or detachment, on no cycle, that may be of this class? */
static bool is_only_one(const struct system *system, uint32_t number, uint32_t index, uint32_t joined) {
    for (uint32_t c = 0; c < system->classes.count; c++) {
        const struct class *class = class_of(system, c);
        const struct instruction *code = class_code(system, class);
        for (uint32_t i = 0; i < system->flat.functions[class->function].count; i++) {
            bool may = code[i].op == OP_SYNC &&
                       (code[i].width == SYNC_THREAD_JOIN || code[i].width == SYNC_THREAD_TRYJOIN ||
                        code[i].width == SYNC_THREAD_DETACH) &&
                       instruction_reached(class, i);
            bool other = c != number || i != index;
            if (may && other && (class->joins[i] == NO_CLASS || class->joins[i] == joined)) {
                return false;
            }
        }
    }
    return !flow_is_cyclic(&class_of(system, number)->flow, index);
}

/* The only THREAD_EXIT of a class; UINT32_MAX: there are others, or its threads end in another way. */
static uint32_t only_exit(const struct system *system, const struct class *class) {
    const struct instruction *code = class_code(system, class);
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < system->flat.functions[class->function].count; i++) {
        if (instruction_reached(class, i) && code[i].op == OP_RET) {
            return UINT32_MAX;
        }
        if (instruction_reached(class, i) && code[i].op == OP_SYNC && code[i].width == SYNC_THREAD_EXIT) {
            if (found != UINT32_MAX) {
                return UINT32_MAX;
            }
            found = i;
        }
    }
    return found;
}

void joins_find(struct system *system) {
    for (uint32_t c = 0; c < system->classes.count; c++) {
        number_class(system, c);
    }
    for (uint32_t c = 0; c < system->classes.count; c++) {
        struct class *class = class_of(system, c);
        const struct instruction *code = class_code(system, class);
        for (uint32_t i = 0; i < system->flat.functions[class->function].count; i++) {
            uint32_t joined = is_join(&code[i]) && instruction_reached(class, i) ? class->joins[i] : NO_CLASS;
            class->succeeds[i] = !class->many && joined != NO_CLASS && !class_of(system, joined)->many &&
                                 is_only_one(system, c, i, joined);
        }
        class->last = only_exit(system, class);
    }
}

bool joins_ended(const struct system *system, uint32_t class, uint32_t index, uint32_t other) {
    const struct class *own = class_of(system, class);
    if (class == other || own->many || class_of(system, other)->many || class_of(system, other)->creator != class) {
        return false;
    }
    for (uint32_t i = 0; i < system->flat.functions[own->function].count; i++) {
        if (own->joins[i] == other && own->succeeds[i]) {
            return is_joined_before(system, own, other, index);
        }
    }
    return false;
}

uint32_t joins_class(const struct class *class, uint32_t index) {
    return class->succeeds[index] ? class->joins[index] : NO_CLASS;
}
