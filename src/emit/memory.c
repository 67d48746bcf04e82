/* Memory: accesses, locals, the heap, fences.
 *
 * An access to a part of a global that is declared so is written by its name, every other one through a pointer. */
#include <inttypes.h>

#include "emit/emitter.h"

static const char *const order_words[ORDER_COUNT] = {"__ATOMIC_RELAXED", "__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE",
                                                     "__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"};

/* An order as C allows it for a load (or for a compare-and-swap that fails), or for a store. */
static const char *load_order(unsigned order) {
    return order == ORDER_RELEASE   ? "__ATOMIC_RELAXED"
           : order == ORDER_ACQ_REL ? "__ATOMIC_ACQUIRE"
                                    : order_words[order];
}

/* A STORE of whatever order is no fence; in C, a seq_cst one is. */
static const char *store_order(unsigned order) {
    return order >= ORDER_RELEASE ? "__ATOMIC_RELEASE" : "__ATOMIC_RELAXED";
}

static bool is_atomic(const struct instruction *instruction) {
    return (instruction->flags & INSTRUCTION_ATOMIC) || instruction->sub != ORDER_PLAIN;
}

/* The global that has a declared part of the access's size at a constant address, or NO_REGISTER. */
static uint32_t named_global(const struct emitter *emitter, const struct instruction *instruction, uint64_t *offset) {
    if (!(instruction->a & OPERAND_CONSTANT) || (instruction->flags & INSTRUCTION_VOLATILE) || instruction->width > 8) {
        return NO_REGISTER;
    }
    uint64_t address = emitter->program->constants[instruction->a & ~OPERAND_CONSTANT];
    uint32_t g = address >= GLOBAL_BASE && address < THREAD_BASE ? global_near(emitter, address) : NO_REGISTER;
    if (g == NO_REGISTER) {
        return NO_REGISTER;
    }
    const struct global *global = &emitter->program->globals[g];
    *offset = address - global->address;
    bool whole = emitter->shapes[g].element == instruction->width && *offset < global->size &&
                 *offset % instruction->width == 0 && !(global->flags & GLOBAL_CONSTANT);
    return whole ? g : NO_REGISTER;
}

/* The operand of an access is an address, even if no list says so. */
static void pointer_print(struct body *body, uint32_t operand) {
    uint64_t value;
    if (operand_is_constant(body, operand, &value) && value == 0) {
        /* Compilers warn of what they can see. */
        need(body->emitter, HELPER_ZERO);
        out(body, "picket_zero()");
    } else if (operand_is_constant(body, operand, &value) && value >= GLOBAL_BASE && value < THREAD_BASE) {
        out(body, "(");
        address_print(body->emitter, value);
        out(body, ")");
    } else {
        operand_print(body, operand);
    }
}

static void place_print(struct body *body, const struct instruction *instruction, bool pointer) {
    const struct emitter *emitter = body->emitter;
    uint64_t offset;
    uint32_t g = named_global(emitter, instruction, &offset);
    if (g == NO_REGISTER) {
        bool is_volatile = instruction->flags & INSTRUCTION_VOLATILE;
        out(body, "%s(%sword%u *)", pointer ? "" : "*", is_volatile ? "volatile " : "", instruction->width);
        pointer_print(body, instruction->a);
        return;
    }
    out(body, "%s%s", pointer ? "&" : "", emitter->global_names[g]);
    if (emitter->shapes[g].count != 0) {
        out(body, "[%" PRIu64 "]", offset / instruction->width);
    }
}

/* Compilers warn of a constant that a narrow signed type does not have, but not of one cast to the unsigned type. */
static void value_print(struct body *body, const struct instruction *instruction, uint32_t operand) {
    uint64_t value;
    unsigned width = instruction->width < 4 ? instruction->width : 4;
    if (operand_is_constant(body, operand, &value) && value < UINT64_C(1) << (8 * width - 1)) {
        operand_print_plain(body, operand);
    } else {
        if (instruction->width < 8) {
            out(body, "(uint%u_t)", instruction->width * 8);
        }
        operand_print(body, operand);
    }
}

static void wide_out(struct body *body, uint32_t dst) {
    out(body, "; r%u = (uint64_t)t_; r%u = (uint64_t)(t_ >> 64); }", dst, dst + 1);
}

/* 16 bytes: through the functions that compilers call for them, because they warn of their own builtins. */
static void wide_access_print(struct body *body, const struct instruction *instruction) {
    static const char *const exchanges[RMW_COUNT] = {
        [RMW_XCHG] = "__sync_lock_test_and_set", [RMW_ADD] = "__sync_fetch_and_add",
        [RMW_SUB] = "__sync_fetch_and_sub",      [RMW_AND] = "__sync_fetch_and_and",
        [RMW_NAND] = "__sync_fetch_and_nand",    [RMW_OR] = "__sync_fetch_and_or",
        [RMW_XOR] = "__sync_fetch_and_xor"};
    need(body->emitter, HELPER_WIDE);
    need(body->emitter, HELPER_WIDE_ACCESS);
    switch (instruction->op) {
    case OP_LOAD:
        out(body, "{ wide t_ = __atomic_load_16((void *)");
        pointer_print(body, instruction->a);
        out(body, ", %s)", load_order(instruction->sub));
        wide_out(body, instruction->dst);
        break;
    case OP_STORE:
        out(body, "__atomic_store_16((void *)");
        pointer_print(body, instruction->a);
        out(body, ", ");
        operand_print_wide(body, instruction->b);
        out(body, ", %s);", store_order(instruction->sub));
        break;
    case OP_RMW:
        out(body, "{ wide t_ = %s((wide *)",
            exchanges[instruction->c] ? exchanges[instruction->c] : "__sync_lock_test_and_set");
        pointer_print(body, instruction->a);
        out(body, ", ");
        operand_print_wide(body, instruction->b);
        out(body, ")");
        wide_out(body, instruction->dst);
        break;
    default:
        out(body, "{ wide e_ = ");
        operand_print_wide(body, instruction->b);
        out(body, ", t_ = __sync_val_compare_and_swap((wide *)");
        pointer_print(body, instruction->a);
        out(body, ", e_, ");
        operand_print_wide(body, instruction->c);
        out(body, "); r%u = t_ == e_", instruction->dst + 2);
        wide_out(body, instruction->dst);
        break;
    }
}

static void load_print(struct body *body, const struct instruction *instruction) {
    unsigned bits = instruction->width * 8;
    out(body, "r%u = ", instruction->dst);
    if (is_atomic(instruction)) {
        out(body, "(uint%u_t)__atomic_load_n(", bits);
        place_print(body, instruction, true);
        out(body, ", %s);", load_order(instruction->sub));
    } else {
        if (instruction->width < 8) {
            out(body, "(uint%u_t)", bits);
        }
        place_print(body, instruction, false);
        out(body, ";");
    }
}

static void store_print(struct body *body, const struct instruction *instruction) {
    if (is_atomic(instruction)) {
        out(body, "__atomic_store_n(");
        place_print(body, instruction, true);
        out(body, ", ");
        value_print(body, instruction, instruction->b);
        out(body, ", %s);", store_order(instruction->sub));
    } else {
        place_print(body, instruction, false);
        out(body, " = ");
        value_print(body, instruction, instruction->b);
        out(body, ";");
    }
}

static void exchange_print(struct body *body, const struct instruction *instruction) {
    static const char *const builtins[RMW_COUNT] = {
        [RMW_XCHG] = "__atomic_exchange_n", [RMW_ADD] = "__atomic_fetch_add",   [RMW_SUB] = "__atomic_fetch_sub",
        [RMW_AND] = "__atomic_fetch_and",   [RMW_NAND] = "__atomic_fetch_nand", [RMW_OR] = "__atomic_fetch_or",
        [RMW_XOR] = "__atomic_fetch_xor"};
    const char *builtin = builtins[instruction->c];
    unsigned bits = instruction->width * 8;
    if (instruction->dst != NO_REGISTER) {
        out(body, "r%u = (uint%u_t)", instruction->dst, bits);
    }
    if (builtin) {
        out(body, "%s(", builtin);
        place_print(body, instruction, true);
        out(body, ", ");
        value_print(body, instruction, instruction->b);
        out(body, ", %s);", order_words[instruction->sub]);
        return;
    }
    bool number = instruction->c >= RMW_FADD;
    need(body->emitter, number ? HELPER_NUMBER_RMW : instruction->c == RMW_NEG ? HELPER_NEGATE : HELPER_EXTREMES);
    if (number) {
        need(body->emitter, HELPER_NUMBERS);
    }
    out(body, "picket_fetch_%s_%u(", rmw_names[instruction->c], bits);
    pointer_print(body, instruction->a);
    out(body, ", ");
    operand_print(body, instruction->b);
    out(body, ");");
}

static void compare_and_swap_print(struct body *body, const struct instruction *instruction) {
    unsigned bits = instruction->width * 8;
    out(body, "{ uint%u_t e_ = (uint%u_t)", bits, bits);
    operand_print(body, instruction->b);
    out(body, "; uint64_t o_ = __atomic_compare_exchange_n((word%u *)", instruction->width);
    pointer_print(body, instruction->a);
    out(body, ", &e_, ");
    value_print(body, instruction, instruction->c);
    const char *order = order_words[instruction->sub];
    out(body, ", 0, %s, %s); r%u = e_; r%u = o_; }", order, load_order(instruction->sub), instruction->dst,
        instruction->dst + 1);
}

static void local_print(struct body *body, const struct instruction *instruction) {
    const char *name = body->locals[body->index];
    uint64_t size;
    if (name) {
        out(body, "r%u = (uint64_t)&%s;", instruction->dst, name);
        return;
    }
    out(body, "r%u = (uint64_t)__builtin_alloca_with_align(", instruction->dst);
    if (operand_is_constant(body, instruction->a, &size) && size == 0) {
        out(body, "0");
    } else {
        operand_print(body, instruction->a);
    }
    out(body, ", %u);", instruction->b * 8 < 8 ? 8 : instruction->b * 8);
}

static void heap_print(struct body *body, const struct instruction *instruction) {
    uint64_t alignment;
    bool usual = operand_is_constant(body, instruction->b, &alignment) && alignment == 16;
    if (instruction->flags & INSTRUCTION_ZEROED) {
        need(body->emitter, HELPER_CALLOC);
        out_operands(body, instruction, "$d = picket_calloc($a);");
    } else if (usual) {
        need(body->emitter, HELPER_MALLOC);
        out_operands(body, instruction, "$d = (uint64_t)malloc($a);");
    } else {
        need(body->emitter, HELPER_ALIGNED);
        out_operands(body, instruction, "$d = picket_aligned($a, $b);");
    }
}

bool memory_print(struct body *body, const struct instruction *instruction) {
    if (instruction->op >= OP_LOAD && instruction->op <= OP_CAS && instruction->width == 16) {
        wide_access_print(body, instruction);
        return true;
    }
    switch (instruction->op) {
    case OP_LOAD:
        load_print(body, instruction);
        return true;
    case OP_STORE:
        store_print(body, instruction);
        return true;
    case OP_RMW:
        exchange_print(body, instruction);
        return true;
    case OP_CAS:
        compare_and_swap_print(body, instruction);
        return true;
    case OP_FENCE:
        out(body, "__atomic_thread_fence(%s);", order_words[instruction->sub]);
        return true;
    case OP_STORE_BARRIER:
        out(body, "__asm__ volatile(\"sfence\" ::: \"memory\");");
        return true;
    case OP_UNINIT:
        need(body->emitter, HELPER_UNINIT);
        out(body, "r%u = picket_uninit();", instruction->dst);
        return true;
    case OP_TLS:
        out(body, "r%u = (uint64_t)&%s;", instruction->dst, body->emitter->global_names[instruction->a]);
        return true;
    case OP_ALLOCA:
        local_print(body, instruction);
        return true;
    case OP_STACK_SAVE:
        need(body->emitter, HELPER_STACK);
        out(body, "r%u = picket_stack_save();", instruction->dst);
        return true;
    case OP_STACK_RESTORE:
        need(body->emitter, HELPER_STACK);
        out_operands(body, instruction, "picket_stack_restore($a);");
        return true;
    case OP_LEAVE:
        return true; /* C ends a function's locals itself */
    case OP_MALLOC:
        heap_print(body, instruction);
        return true;
    case OP_FREE:
        need(body->emitter, HELPER_FREE);
        if (instruction->a & OPERAND_CONSTANT) {
            need(body->emitter, HELPER_ZERO);
            out_operands(body, instruction, "free((void *)($a + picket_zero()));");
        } else {
            out_operands(body, instruction, "free((void *)$a);");
        }
        return true;
    default:
        return false;
    }
}
