/* Unrolling: the instructions of a thread, with what is known of registers. */
#include "seq/print/unroll.h"

#include <stdlib.h>
#include <string.h>

#include "ir/sync.h"
#include "seq/print/copies.h"
#include "seq/print/dead.h"
#include "util/memory.h"

#define MOST_INSTRUCTIONS 200000u /* of a thread */
#define MOST_OBJECT (UINT64_C(1) << 20)

/* --- Instructions ------------------------------------------------------------------------------------------------- */

static uint32_t emit(struct unroller *unroller, struct instruction instruction) {
    if (builder_here(&unroller->builder) >= MOST_INSTRUCTIONS) {
        unroller_refuse(unroller, instruction.pos, "a thread is too large when its loops are unrolled");
        return 0;
    }
    instruction.pos = position_of(unroller, instruction.pos);
    return builder_emit(&unroller->builder, instruction);
}

static struct value value_of(const struct unroller *unroller, const struct copy *copy, uint32_t operand) {
    if (operand & OPERAND_CONSTANT) {
        return value_known(unroller->flat->constants[operand & ~OPERAND_CONSTANT]);
    }
    return operand == NO_REGISTER ? (struct value){0} : copy->values[operand];
}

/* The value of a field of an instruction, if it is an operand at all: 1 a, 2 b, 3 c. */
static struct value value_at(const struct unroller *unroller, const struct copy *copy, const struct instruction *code,
                             int field) {
    const uint32_t fields[] = {code->dst, code->a, code->b, code->c};
    return op_table[code->op].shape[field] == 'r' ? value_of(unroller, copy, fields[field]) : (struct value){0};
}

static uint32_t known_operand(struct unroller *unroller, uint64_t number) {
    bool is_address = (number >= GLOBAL_BASE && number < RECORD_BASE) || function_at(unroller->flat, number) >= 0;
    return is_address ? builder_address(&unroller->builder, number) : builder_constant(&unroller->builder, number);
}

/* An address in a block of the heap stays in its register: the program learns it by allocating the block. */
static bool is_in_heap(const struct unroller *unroller, uint64_t number) {
    const struct vector *heap = &unroller->unrolled->heap;
    for (size_t i = 0; i < heap->count; i++) {
        const struct global *global = vector_at(&unroller->builder.globals, *(uint32_t *)vector_at(heap, i));
        if (number - global->address <= global->size) {
            return true;
        }
    }
    return false;
}

static uint32_t operand_of(struct unroller *unroller, const struct copy *copy, uint32_t operand) {
    struct value value = value_of(unroller, copy, operand);
    bool constant = operand & OPERAND_CONSTANT;
    return value.known && !constant && !is_in_heap(unroller, value.number) ? known_operand(unroller, value.number)
                                                                           : operand;
}

static void set(struct copy *copy, uint32_t reg, struct value value) {
    if (reg != NO_REGISTER) {
        copy->values[reg] = value;
    }
}

static void emit_known(struct unroller *unroller, struct copy *copy, const struct instruction *from, uint64_t number) {
    if (from->dst == NO_REGISTER) {
        return;
    }
    emit(unroller,
         (struct instruction){
             .op = OP_MOV, .width = 64, .dst = from->dst, .a = known_operand(unroller, number), .pos = from->pos});
    set(copy, from->dst, value_known(number));
}

static bool is_pair(const struct instruction *instruction) {
    bool access = instruction->op >= OP_LOAD && instruction->op <= OP_CAS;
    return instruction->width > (access ? 8 : 64);
}

/* Emits the instruction with known numbers instead of registers. */
static void emit_copy(struct unroller *unroller, struct copy *copy, struct instruction instruction) {
    const char *shape = op_table[instruction.op].shape;
    uint32_t *fields[] = {&instruction.dst, &instruction.a, &instruction.b, &instruction.c};
    for (int i = 1; i < 4; i++) {
        if (shape[i] == 'r' || (shape[i] == 'v' && !is_pair(&instruction))) {
            *fields[i] = operand_of(unroller, copy, *fields[i]);
        } else if (shape[i] == 'p') {
            uint32_t count = *fields[i + 1];
            uint32_t *pool = memory_allocate(((size_t)count + 1) * sizeof *pool);
            for (uint32_t k = 0; k < count; k++) {
                pool[k] = operand_of(unroller, copy, unroller->flat->operands[*fields[i] + k]);
            }
            *fields[i] = builder_operands(&unroller->builder, pool, count);
            free(pool);
        }
    }
    instruction.flags &= (uint8_t)~INSTRUCTION_AWAIT;
    emit(unroller, instruction);
    unsigned writes = instruction_writes(unroller->flat, &instruction);
    for (unsigned r = 0; r < writes; r++) {
        set(copy, instruction.dst + r, (struct value){0});
    }
}

/* A new global for a local, a block of the heap or a thread-local variable. */
static uint32_t new_object(struct unroller *unroller, uint32_t pos, const char *name, uint64_t size,
                           uint64_t alignment) {
    if (size > MOST_OBJECT) {
        unroller_refuse(unroller, pos, "an object is too large");
        size = 1;
    }
    uint32_t aligned = 16;
    while (aligned < alignment && aligned < PAGE_SIZE) {
        aligned *= 2;
    }
    return builder_global(&unroller->builder, name, size == 0 ? 1 : size, aligned, 0);
}

static void put_allocation(struct unroller *unroller, struct copy *copy, const struct instruction *code) {
    struct value size = value_of(unroller, copy, code->a);
    bool heap = code->op == OP_MALLOC;
    const char *variable = program_string(unroller->flat, unroller->flat->positions[code->pos].variable);
    if (!size.known) {
        unroller_refuse(unroller, code->pos, "an object of a size that is not known before");
        return;
    }
    struct value alignment = heap ? value_of(unroller, copy, code->b) : value_known(code->b);
    uint32_t global = new_object(unroller, code->pos,
                                 *variable ? variable
                                 : heap    ? "block"
                                           : "local",
                                 size.number, alignment.known ? alignment.number : 16);
    uint64_t address = builder_global_at(&unroller->builder, global)->address;
    if (heap) {
        vector_push(&unroller->unrolled->heap, &global);
        emit(unroller, (struct instruction){.op = OP_MALLOC,
                                            .dst = code->dst,
                                            .a = builder_address(&unroller->builder, address),
                                            .b = builder_constant(&unroller->builder, 16),
                                            .pos = code->pos});
        set(copy, code->dst, value_known(address));
    } else {
        emit_known(unroller, copy, code, address);
    }
}

static uint64_t thread_local_address(struct unroller *unroller, uint32_t global) {
    for (size_t i = 0; i < unroller->unrolled->copies.count; i++) {
        const struct thread_local_copy *local = vector_at(&unroller->unrolled->copies, i);
        if (local->thread == unroller->thread && local->global == global) {
            return builder_global_at(&unroller->builder, local->copy)->address;
        }
    }
    const struct global *original = &unroller->flat->globals[global];
    struct thread_local_copy local = {unroller->thread, global,
                                      new_object(unroller, original->pos,
                                                 program_string(unroller->flat, original->name), original->size,
                                                 original->alignment)};
    builder_global_bytes(&unroller->builder, local.copy, unroller->flat->bytes + original->initial,
                         original->initial_size);
    vector_push(&unroller->unrolled->copies, &local);
    return builder_global_at(&unroller->builder, local.copy)->address;
}

/* The global of the flat program that contains the bytes of an access, if they are known; thread-local variables
 * included. */
static const struct global *global_around(const struct unroller *unroller, uint64_t address, unsigned size,
                                          uint32_t *index, uint64_t *offset) {
    const struct program *flat = unroller->flat;
    for (uint32_t g = 0; g < flat->globals_count; g++) {
        uint64_t start = flat->globals[g].address;
        for (size_t i = 0; i < unroller->unrolled->copies.count && (flat->globals[g].flags & GLOBAL_THREAD_LOCAL);
             i++) {
            const struct thread_local_copy *local = vector_at(&unroller->unrolled->copies, i);
            const struct global *copy = vector_at(&unroller->builder.globals, local->copy);
            if (local->global == g && address - copy->address < copy->size) {
                start = copy->address;
            }
        }
        if (start != 0 && address - start < flat->globals[g].size &&
            size <= flat->globals[g].size - (address - start)) {
            *index = g;
            *offset = address - start;
            return &flat->globals[g];
        }
    }
    return NULL;
}

/* The value of a load of memory that is never written. */
static struct value loaded(const struct unroller *unroller, const struct copy *copy, const struct instruction *load) {
    struct value address = value_of(unroller, copy, load->a);
    uint32_t index;
    uint64_t offset;
    const struct global *global = address.known && load->width <= 8
                                      ? global_around(unroller, address.number, load->width, &index, &offset)
                                      : NULL;
    bool constant = global && ((global->flags & GLOBAL_CONSTANT) || (unroller->constant && unroller->constant[index]));
    if (!constant) {
        return (struct value){0};
    }
    uint64_t number = 0;
    for (unsigned i = 0; i < load->width; i++) {
        if (offset + i < global->initial_size) {
            number |= (uint64_t)unroller->flat->bytes[global->initial + offset + i] << 8 * i;
        }
    }
    return value_known(number);
}

static uint32_t new_thread(struct unroller *unroller, uint32_t pos) {
    struct thread_plan plan = {.pos = pos, .function = NO_REGISTER};
    static const struct value unknown[2] = {{0}};
    if (unroller->unrolled->threads.count >= MOST_THREADS) {
        unroller_refuse(unroller, pos, "more threads than can be printed");
        return 0;
    }
    vector_push(&unroller->unrolled->threads, &plan);
    vector_push(&unroller->arguments, unknown);
    return (uint32_t)unroller->unrolled->threads.count - 1;
}

static void put_creation(struct unroller *unroller, struct copy *copy, const struct instruction *code) {
    struct value start = value_of(unroller, copy, code->a);
    int64_t function = start.known ? function_at(unroller->flat, start.number) : -1;
    if (function < 0) {
        unroller_refuse(unroller, code->pos, "a thread is created whose function is not known before");
        return;
    }
    uint32_t number = copy->announced > 0 ? copy->announced - 1 : new_thread(unroller, code->pos);
    if (unroller->failed) {
        return;
    }
    struct thread_plan *plan = vector_at(&unroller->unrolled->threads, number);
    const struct function *of = &unroller->flat->functions[function];
    if (plan->created) {
        unroller_refuse(unroller, code->pos, "a thread's number is announced for two creations");
        return;
    }
    plan->created = true;
    plan->start = (uint32_t)function;
    plan->pos = code->pos;
    plan->function =
        builder_function(&unroller->builder, program_string(unroller->flat, of->name), of->parameters, of->results, 0);
    builder_function_at(&unroller->builder, plan->function)->pos = of->pos;
    struct value *arguments = vector_at(&unroller->arguments, number);
    arguments[0] = value_of(unroller, copy, code->b);
    arguments[1] = value_of(unroller, copy, code->c);
    struct instruction creation = *code;
    creation.a = builder_address(&unroller->builder, function_address(plan->function));
    creation.b = operand_of(unroller, copy, code->b);
    creation.c = operand_of(unroller, copy, code->c);
    copy->announced = 0;
    emit(unroller, creation);
    set(copy, code->dst, value_known(number));
}

static void put_library(struct unroller *unroller, struct copy *copy, const struct instruction *code) {
    struct value address = {0};
    if (code->a == LIB_PRINT || code->a == LIB_WRITE || code->a == LIB_TEXT) {
        if (code->sub > 0) {
            emit_known(unroller, copy, code, 0); /* nothing is printed, so nothing is read */
        }
        return;
    }
    if (code->a == LIB_OBJECT_SIZE) {
        address = value_of(unroller, copy, unroller->flat->operands[code->b]);
    }
    for (size_t g = 0; address.known && g < unroller->builder.globals.count; g++) {
        const struct global *global = vector_at(&unroller->builder.globals, g);
        if (global->address != 0 && address.number - global->address < global->size) {
            emit_known(unroller, copy, code, global->size - (address.number - global->address));
            return;
        }
    }
    unroller_refuse(unroller, code->pos,
                    "text that is formatted or read, or the size of an object that is not known before");
}

static void put_sync(struct unroller *unroller, struct copy *copy, const struct instruction *code) {
    copy->changed = true;
    if (code->width == SYNC_THREAD_CREATE) {
        put_creation(unroller, copy, code);
    } else if (!sync_codes()[code->width].instructions && code->width != SYNC_THREAD_EXIT) {
        unroller_refuse(unroller, code->pos, "the bus lock");
    } else {
        emit_copy(unroller, copy, *code);
    }
}

/* An instruction that does not end a block. */
static void put(struct unroller *unroller, struct copy *copy, const struct instruction *code) {
    struct value value = {0};
    switch (code->op) {
    case OP_NOP:
    case OP_ASSUMED:
    case OP_STACK_RESTORE:
    case OP_LEAVE:
    case OP_FREE:
        return; /* objects live for ever */
    case OP_AWAIT:
        copy->await = (uint32_t)(code - unroller->flow.code);
        copy->changed = false;
        return;
    case OP_STACK_SAVE:
        emit_known(unroller, copy, code, 0);
        return;
    case OP_SELF:
        emit_known(unroller, copy, code, unroller->thread);
        return;
    case OP_CHILD:
        if (copy->announced == 0) {
            copy->announced = new_thread(unroller, code->pos) + 1;
        }
        emit_known(unroller, copy, code, copy->announced - 1);
        return;
    case OP_TLS:
        emit_known(unroller, copy, code, thread_local_address(unroller, code->a));
        return;
    case OP_ALLOCA:
    case OP_MALLOC:
        put_allocation(unroller, copy, code);
        return;
    case OP_LIB:
        put_library(unroller, copy, code);
        return;
    case OP_SYNC:
        put_sync(unroller, copy, code);
        return;
    case OP_LOAD:
        value = loaded(unroller, copy, code);
        break;
    default:
        copy->changed |=
            code->op == OP_RMW || code->op == OP_CAS || (code->op == OP_STORE && !(code->flags & INSTRUCTION_AWAIT));
        if (code->op <= OP_SELECT || code->op == OP_UNINIT) {
            value = value_compute(code, value_at(unroller, copy, code, 1), value_at(unroller, copy, code, 2),
                                  value_at(unroller, copy, code, 3));
        }
        break;
    }
    if (value.known && !is_in_heap(unroller, value.number)) {
        emit_known(unroller, copy, code, value.number);
    } else {
        emit_copy(unroller, copy, *code);
        if (value.known) {
            set(copy, code->dst, value);
        }
    }
}

/* --- Ends of blocks ----------------------------------------------------------------------------------------------- */

static void put_jump(struct unroller *unroller, const struct copy *copy, uint32_t target, uint32_t pos) {
    uint32_t at = emit(unroller, (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .pos = pos});
    copies_edge(unroller, copy, target, (struct fixup){.index = at, .field = 1});
}

static void put_switch(struct unroller *unroller, struct copy *copy, const struct instruction *code) {
    const uint32_t *pairs = unroller->flat->operands + code->b;
    struct value value = value_of(unroller, copy, code->a);
    if (value.known) {
        uint32_t target = code->dst;
        for (uint32_t i = 0; i < code->c; i++) {
            if (value_of(unroller, copy, pairs[2 * i]).number == value.number) {
                target = pairs[2 * i + 1];
                break;
            }
        }
        put_jump(unroller, copy, target, code->pos);
        return;
    }
    struct instruction instruction = *code;
    instruction.b = builder_operands(&unroller->builder, pairs, 2 * (size_t)code->c);
    uint32_t at = emit(unroller, instruction);
    for (uint32_t i = 0; i < code->c; i++) {
        copies_edge(unroller, copy, pairs[2 * i + 1],
                    (struct fixup){.in_pool = true, .index = instruction.b + 2 * i + 1});
    }
    copies_edge(unroller, copy, code->dst, (struct fixup){.index = at, .field = 0});
}

static void put_branch(struct unroller *unroller, struct copy *copy, const struct instruction *code) {
    struct value value = value_of(unroller, copy, code->a);
    if (value.known || code->b == code->c) {
        put_jump(unroller, copy, value.number ? code->b : code->c, code->pos);
        return;
    }
    /* Where the branch leads, its condition is known. */
    uint32_t at = emit(unroller, *code);
    struct value before = copy->values[code->a];
    copy->values[code->a] = code->width == 1 ? value_known(1) : before;
    copies_edge(unroller, copy, code->b, (struct fixup){.index = at, .field = 2});
    copy->values[code->a] = value_known(0);
    copies_edge(unroller, copy, code->c, (struct fixup){.index = at, .field = 3});
    copy->values[code->a] = before;
}

static void put_again(struct unroller *unroller, struct copy *copy, const struct instruction *code) {
    if (copy->await == code->a && !copy->changed) {
        uint32_t at = emit(unroller, (struct instruction){.op = OP_JMP, .dst = NO_REGISTER, .pos = code->pos});
        vector_push(&unroller->failed_waits, &(struct fixup){.index = at, .field = 1});
    } else {
        put_jump(unroller, copy, code->b, code->pos);
    }
}

static void put_block(struct unroller *unroller, struct copy *copy) {
    const struct block *block = &unroller->flow.blocks[copy->block];
    uint32_t start = builder_here(&unroller->builder);
    for (size_t i = 0; i < copy->edges.count; i++) {
        fixup_set(unroller, vector_at(&copy->edges, i), start);
    }
    for (uint32_t i = block->first; i < block->end && !unroller->failed; i++) {
        const struct instruction *code = &unroller->flow.code[i];
        if ((code->op == OP_BR || code->op == OP_SWITCH) && value_of(unroller, copy, code->a).known) {
            copies_decide(unroller, copy, code);
        }
        switch (code->op) {
        case OP_JMP:
            put_jump(unroller, copy, code->a, code->pos);
            break;
        case OP_BR:
            put_branch(unroller, copy, code);
            break;
        case OP_SWITCH:
            put_switch(unroller, copy, code);
            break;
        case OP_AGAIN:
            put_again(unroller, copy, code);
            break;
        case OP_CALL_INDIRECT: /* the functions that it may be have been tried */
            emit(unroller,
                 (struct instruction){.op = OP_ERROR,
                                      .sub = ERROR_MISUSE,
                                      .dst = NO_REGISTER,
                                      .a = builder_string(&unroller->builder, "a call of what is no function"),
                                      .pos = code->pos});
            return;
        default:
            put(unroller, copy, code);
            if (i + 1 == block->end && !instruction_ends_block(code)) {
                put_jump(unroller, copy, i + 1, code->pos);
            }
            break;
        }
    }
}

/* --- Threads ------------------------------------------------------------------------------------------------------ */

static void put_cut(struct unroller *unroller, const struct vector *edges, enum cut_reason reason) {
    if (edges->count > 0) {
        uint32_t at = emit(unroller, (struct instruction){.op = OP_CUT, .sub = (uint8_t)reason, .dst = NO_REGISTER});
        for (size_t i = 0; i < edges->count; i++) {
            fixup_set(unroller, vector_at(edges, i), at);
        }
    }
}

static void unroll_thread(struct unroller *unroller, uint32_t number) {
    struct thread_plan plan = *(struct thread_plan *)vector_at(&unroller->unrolled->threads, number);
    unroller->thread = number;
    flow_init(&unroller->flow, unroller->flat, plan.start);
    vector_init(&unroller->pending, sizeof(struct copy));
    vector_init(&unroller->cuts, sizeof(struct fixup));
    vector_init(&unroller->failed_waits, sizeof(struct fixup));
    unroller->left = hash_table_new();
    builder_begin(&unroller->builder, plan.function);
    if (copies_prepare(unroller, unroller->flow.code[0].pos)) {
        struct copy start = {.block = unroller->flow.block_of[0], .await = NO_AWAIT};
        start.values = values_copy(unroller, NULL);
        for (uint32_t i = 0; i < unroller->flow.function->parameters && i < 2; i++) {
            start.values[i] = ((struct value *)vector_at(&unroller->arguments, number))[i];
        }
        vector_init(&start.edges, sizeof(struct fixup));
        vector_push(&unroller->pending, &start);
    }
    while (unroller->pending.count > 0) {
        struct copy copy;
        if (copies_take(unroller, &copy) && !unroller->failed) {
            put_block(unroller, &copy);
        } else {
            for (size_t i = 0; i < copy.edges.count; i++) {
                vector_push(&unroller->cuts, vector_at(&copy.edges, i));
            }
        }
        copy_delete(&copy);
    }
    put_cut(unroller, &unroller->cuts, CUT_LOOP);
    put_cut(unroller, &unroller->failed_waits, CUT_WAIT);
    if (!unroller->failed) {
        dead_remove(&unroller->builder, unroller->flow.function->registers);
    }
    builder_end(&unroller->builder, unroller->flow.function->registers);
    vector_delete(&unroller->pending);
    vector_delete(&unroller->cuts);
    vector_delete(&unroller->failed_waits);
    hash_table_free(unroller->left);
    flow_delete(&unroller->flow);
}

/* The functions of the flat program keep their numbers, which are addresses, but are never executed. */
static void put_stubs(struct unroller *unroller) {
    for (uint32_t f = 0; f < unroller->flat->functions_count; f++) {
        builder_begin(&unroller->builder, f);
        builder_emit(&unroller->builder, (struct instruction){.op = OP_CUT, .dst = NO_REGISTER});
        builder_end(&unroller->builder, unroller->flat->functions[f].parameters);
    }
}

bool unroll(const struct program *flat, uint32_t bound, const bool *constant, struct unrolled *unrolled,
            struct diagnostics *diagnostics) {
    struct unroller unroller = {
        .flat = flat, .bound = bound, .constant = constant, .diagnostics = diagnostics, .unrolled = unrolled};
    builder_init_from(&unroller.builder, flat);
    vector_init(&unrolled->threads, sizeof(struct thread_plan));
    vector_init(&unrolled->heap, sizeof(uint32_t));
    vector_init(&unrolled->copies, sizeof(struct thread_local_copy));
    vector_init(&unroller.arguments, 2 * sizeof(struct value));
    put_stubs(&unroller);
    new_thread(&unroller, 0);
    struct thread_plan *main_thread = vector_at(&unrolled->threads, 0);
    const struct function *entry = &flat->functions[flat->entry];
    main_thread->created = true;
    main_thread->start = flat->entry;
    main_thread->function = builder_function(&unroller.builder, program_string(flat, entry->name), 0, 0, 0);
    builder_function_at(&unroller.builder, main_thread->function)->pos = entry->pos;
    unroller.builder.entry = main_thread->function;
    for (uint32_t t = 0; t < unrolled->threads.count && !unroller.failed; t++) {
        if (((struct thread_plan *)vector_at(&unrolled->threads, t))->created) {
            unroll_thread(&unroller, t);
        }
    }
    vector_delete(&unroller.arguments);
    if (unroller.failed) {
        builder_delete(&unroller.builder);
        vector_delete(&unrolled->threads);
        vector_delete(&unrolled->heap);
        vector_delete(&unrolled->copies);
        return false;
    }
    builder_finish(&unroller.builder, &unrolled->program);
    return true;
}

void unrolled_delete(struct unrolled *unrolled) {
    program_delete(&unrolled->program);
    vector_delete(&unrolled->threads);
    vector_delete(&unrolled->heap);
    vector_delete(&unrolled->copies);
}
