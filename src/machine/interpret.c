/* Local instructions: the machine's hot loop.
 *
 * A thread runs until its next instruction is one that other threads may notice.  Accesses to private and constant
 * objects are no such instructions: they run here.
 *
 * There are three modes:
 *   - LOOKAHEAD_NONE: for good;
 *   - LOOKAHEAD_LOCAL: to find out whether the iteration of an await would fail, from the thread's next read on;
 *     reaching AGAIN ends the run;
 *   - LOOKAHEAD_ITERATION: the same for a whole iteration, in which reads of shared memory run as if they were local.
 * The caller undoes both look-aheads.
 *
 * When uninitialised values are followed or instructions are recorded, every instruction passes `do_follow` first:
 * dispatch uses another table that leads there, so that other runs pay nothing. */
#include <assert.h>
#include <string.h>

#include "machine/arithmetic.h"
#include "machine/memory_model.h"
#include "machine/state.h"

#define STOP_CHECK_INTERVAL 65536

void thread_touch(struct machine *machine, struct thread *thread) {
    if (!machine->logging) {
        return;
    }
    if (thread->epoch != machine->epoch) {
        thread->epoch = machine->epoch;
        thread->touched = thread->now.depth;
        undo_log_save(&machine->log, &thread->now, sizeof thread->now);
    }
    if (thread->now.depth > 0) {
        frame_touch(machine, thread);
    }
}

void frame_touch(struct machine *machine, struct thread *thread) {
    if (!machine->logging || thread->touched < thread->now.depth) {
        return;
    }
    struct frame *frame = thread_frame(thread);
    thread->touched = thread->now.depth - 1;
    undo_log_save(&machine->log, frame, sizeof *frame);
    uint32_t registers = frame->function->registers;
    if (registers > 0) {
        undo_log_save(&machine->log, frame->registers, registers * sizeof *frame->registers);
        if (thread->taint) {
            undo_log_save(&machine->log, thread->taint + (frame->registers - thread->registers), registers);
        }
    }
}

/* --- Uninitialised values ----------------------------------------------------------------------------------------- */

struct taint_query {
    const uint8_t *taint; /* of the frame's registers */
    bool found;
};

static void find_taint(void *data, uint32_t operand) {
    struct taint_query *query = data;
    if (!(operand & OPERAND_CONSTANT) && query->taint[operand]) {
        query->found = true;
    }
}

static bool operand_tainted(const uint8_t *taint, uint32_t operand) {
    return !(operand & OPERAND_CONSTANT) && taint[operand];
}

/* Is each byte that the load reads one that no thread has written? */
static bool reads_uninitialised(const struct machine *machine, const struct thread *thread, uint64_t address,
                                unsigned size) {
    const struct object *object = object_at(machine, address);
    uint64_t value[2];
    uint64_t serial;
    if (!object || !object->uninitialised || address - object->base >= object->size ||
        size > object->size - (address - object->base)) {
        return false;
    }
    if (!object->private && thread->now.buffer_count > 0 &&
        store_buffer_forward(thread, address, size, value, &serial) != FORWARD_NONE) {
        return false;
    }
    return object_is_new(object, address, size);
}

/* Marks the results if the operands are marked, and reports a use that matters.  Returns false after a report. */
static bool follow(struct machine *machine, struct thread *thread, struct frame *frame, const struct instruction *pc) {
    uint8_t *taint = thread->taint + (frame->registers - thread->registers);
    struct taint_query query = {.taint = taint};
    const char *use = NULL;
    switch (pc->op) {
    case OP_BR:
    case OP_SWITCH:
    case OP_ASSUME:
    case OP_ASSERT:
        use = operand_tainted(taint, pc->a) ? "decides a branch" : NULL;
        break;
    case OP_LOAD:
    case OP_FREE:
        use = operand_tainted(taint, pc->a) ? "is used as an address" : NULL;
        break;
    case OP_STORE:
    case OP_RMW:
    case OP_CAS: {
        const struct object *object = object_at(machine, operand_value(machine, frame, pc->a));
        bool shared = !object || !object->private;
        use = operand_tainted(taint, pc->a)             ? "is used as an address"
              : shared && operand_tainted(taint, pc->b) ? "is stored where other threads can see it"
                                                        : NULL;
        break;
    }
    case OP_CALL:
    case OP_CALL_INDIRECT:
    case OP_LIB:
    case OP_SYNC:
        instruction_reads(machine->program, pc, find_taint, &query);
        use = query.found ? "is passed to a call" : NULL;
        break;
    default:
        break;
    }
    if (use) {
        frame->pc = pc;
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_UNINITIALISED,
                     "a value that was never initialised %s", use);
        return false;
    }
    unsigned writes = instruction_writes(machine->program, pc);
    if (writes == 0) {
        return true;
    }
    bool mark = false;
    if (pc->op == OP_UNINIT) {
        mark = true;
    } else if (pc->op == OP_SELECT) {
        bool first = operand_value(machine, frame, pc->a) != 0;
        mark = operand_tainted(taint, pc->a) || operand_tainted(taint, first ? pc->b : pc->c);
    } else if (pc->op == OP_LOAD) {
        mark = reads_uninitialised(machine, thread, operand_value(machine, frame, pc->a), pc->width);
    } else if (op_table[pc->op].class == OP_LOCAL && pc->op != OP_CALL && pc->op != OP_CALL_INDIRECT) {
        instruction_reads(machine->program, pc, find_taint, &query);
        mark = query.found;
    }
    memset(taint + pc->dst, mark, writes);
    return true;
}

/* --- The rarer instructions --------------------------------------------------------------------------------------- */

static bool run_arithmetic(struct machine *machine, struct thread *thread, struct frame *frame,
                           const struct instruction *pc) {
    uint64_t operands[3][2] = {{0}};
    const uint32_t fields[] = {pc->a, pc->b, pc->c};
    const char *shape = op_table[pc->op].shape + 1;
    for (int i = 0; i < 3; i++) {
        if (shape[i] == 'r' || shape[i] == 'v' || shape[i] == 'R') {
            operands[i][0] = operand_value(machine, frame, fields[i]);
            if (shape[i] == 'R' || (shape[i] == 'v' && pc->width > 64)) {
                operands[i][1] = operand_value(machine, frame, fields[i] + 1);
            }
        }
    }
    uint64_t out[3] = {0};
    if (!arithmetic_run(pc, operands[0], operands[1], operands[2], out)) {
        frame->pc = pc;
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_DIVISION,
                     "division by zero, or of the smallest number by -1");
        return false;
    }
    unsigned writes = instruction_writes(machine->program, pc);
    memcpy(frame->registers + pc->dst, out, writes * sizeof *out);
    return true;
}

static bool run_division(struct machine *machine, struct thread *thread, struct frame *frame,
                         const struct instruction *pc, uint64_t a, uint64_t b) {
    b = truncated(b, pc->width); /* it may be wider in a hand-written program */
    int64_t sa = sign_extended(a, pc->width);
    int64_t sb = sign_extended(b, pc->width);
    bool is_signed = pc->op == OP_SDIV || pc->op == OP_SREM;
    frame->pc = pc;
    if (b == 0) {
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_DIVISION, "division by zero");
        return false;
    }
    if (is_signed && sb == -1 && a == UINT64_C(1) << (pc->width - 1)) {
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_DIVISION,
                     "division of the smallest number by -1 overflows");
        return false;
    }
    uint64_t result = pc->op == OP_UDIV   ? a / b
                      : pc->op == OP_UREM ? a % b
                      : pc->op == OP_SDIV ? (uint64_t)(sa / sb)
                                          : (uint64_t)(sa % sb);
    frame->registers[pc->dst] = truncated(result, pc->width);
    return true;
}

static bool run_alloca(struct machine *machine, struct thread *thread, struct frame *frame,
                       const struct instruction *pc) {
    uint64_t size = operand_value(machine, frame, pc->a);
    bool private = pc->flags & INSTRUCTION_PRIVATE;
    frame->pc = pc;
    struct object *object = NULL;
    if (size <= STACK_LIMIT && thread->now.stack_bytes + size <= STACK_LIMIT &&
        (private || thread->now.escaping < MAX_ESCAPING)) {
        object = object_new(machine, private ? thread->stack : thread->heap, size, pc->b);
    }
    if (!object) {
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_STACK,
                     "the stack overflows: a local of %llu bytes, and the limit is %llu", (unsigned long long)size,
                     (unsigned long long)STACK_LIMIT);
        return false;
    }
    object->kind = OBJECT_LOCAL;
    object->private = private;
    object->type = pc->c;
    object->pos = pc->pos;
    object->name = machine->program->positions[pc->pos].variable;
    object->thread = thread->slot;
    if (object->uninitialised) {
        memset(object->uninitialised, 1, size);
    }
    thread->now.dirty |= !private || thread->now.depth == thread->now.await_frame;
    thread->now.stack_bytes += size;
    if (!private) {
        save(machine, &thread->escaping[thread->now.escaping], sizeof(struct object *));
        thread->escaping[thread->now.escaping++] = object;
    }
    frame->registers[pc->dst] = object->base;
    return true;
}

static bool run_call(struct machine *machine, struct thread *thread, struct frame *frame, const struct instruction *pc,
                     uint32_t function, uint32_t results) {
    const struct function *callee = &machine->program->functions[function];
    uint64_t *to = frame->registers + frame->function->registers;
    frame->pc = pc + 1;
    if (!frame_push(machine, thread, callee, pc->dst, results)) {
        frame->pc = pc;
        return false;
    }
    const uint32_t *arguments = machine->program->operands + pc->b;
    uint32_t count = pc->c < callee->parameters ? pc->c : callee->parameters;
    for (uint32_t i = 0; i < count; i++) {
        to[i] = operand_value(machine, frame, arguments[i]);
    }
    for (uint32_t i = count; i < callee->parameters; i++) {
        to[i] = 0;
    }
    if (thread->taint) {
        memset(thread->taint + (to - thread->registers), 0, callee->registers);
    }
    return true;
}

static bool run_call_indirect(struct machine *machine, struct thread *thread, struct frame *frame,
                              const struct instruction *pc) {
    uint64_t address = operand_value(machine, frame, pc->a);
    int64_t function = function_at(machine->program, address);
    frame->pc = pc;
    if (function < 0) {
        machine_fail(
            machine, thread, thread_user_pos(machine, thread), address < PAGE_SIZE ? ERROR_NULL_POINTER : ERROR_MISUSE,
            address < PAGE_SIZE ? "call through a null pointer" : "call of an address that is not a function (0x%llx)",
            (unsigned long long)address);
        return false;
    }
    return run_call(machine, thread, frame, pc, (uint32_t)function, pc->sub);
}

static void run_return(struct machine *machine, struct thread *thread, struct frame *frame,
                       const struct instruction *pc) {
    const uint32_t *values = machine->program->operands + pc->a;
    struct frame *caller = frame - 1;
    assert(thread->now.escaping == frame->escaping && "escaping locals end before the function returns");
    thread->now.depth--;
    frame_touch(machine, thread);
    for (uint32_t i = 0; i < frame->results && frame->dst != NO_REGISTER; i++) {
        caller->registers[frame->dst + i] = i < pc->b ? operand_value(machine, frame, values[i]) : 0;
    }
    if (thread->taint && frame->dst != NO_REGISTER) {
        uint8_t *to = thread->taint + (caller->registers - thread->registers) + frame->dst;
        const uint8_t *from = thread->taint + (frame->registers - thread->registers);
        for (uint32_t i = 0; i < frame->results; i++) {
            to[i] = i < pc->b && operand_tainted(from, values[i]);
        }
    }
    region_cut(machine, thread->stack, frame->locals);
    thread->now.stack_bytes = frame->stack_bytes;
}

/* In a look-ahead over a whole iteration, an operation that only reads runs as if it were local.  Returns false if it
 * is a step of its own. */
static bool run_looking(struct machine *machine, struct thread *thread, struct frame *frame,
                        const struct instruction *pc) {
    if (machine->lookahead != LOOKAHEAD_ITERATION || pc->dst == NO_REGISTER) {
        return false;
    }
    struct effect outcome;
    frame->pc = pc;
    sync_outcome(machine, thread, pc, 0, &outcome);
    bool only_reads = outcome.enabled && outcome.choices == 1 && !outcome.changes;
    if (only_reads) {
        memcpy(frame->registers + pc->dst, outcome.results, (pc->sub < 2 ? pc->sub : 2) * sizeof *outcome.results);
    }
    return only_reads;
}

/* Executes an access to private or constant memory; in a look-ahead over a whole iteration, to any memory.  Returns
 * false if the access is a step of its own. */
static bool run_access(struct machine *machine, struct thread *thread, struct frame *frame,
                       const struct instruction *pc, uint64_t address, struct object *object) {
    bool whole_iteration = machine->lookahead == LOOKAHEAD_ITERATION && pc->op != OP_STORE;
    frame->pc = pc;
    if (!object->private && !(object->constant && pc->op == OP_LOAD) && !whole_iteration) {
        return false;
    }
    if (!object_serves(machine, thread, object, address, pc->width) || (object->constant && pc->op != OP_LOAD)) {
        memory_check(machine, thread, address, pc->width, pc->op != OP_LOAD);
        return false;
    }
    uint64_t *dst = frame->registers + pc->dst;
    uint64_t old[2];
    uint64_t value[2];
    uint64_t serial;
    if (!memory_load(thread, object, address, pc->width, old, &serial)) {
        return false;
    }
    bool wide = pc->width > 8;
    if (pc->op != OP_LOAD && pc->op != OP_CAS && object->private && address < thread->now.await_locals) {
        thread->now.dirty = true;
    }
    if (object->uninitialised && pc->op != OP_STORE && !(pc->flags & INSTRUCTION_UNASSUMED)) {
        memory_note_new(machine, thread, object, address, pc->width);
    }
    switch (pc->op) {
    case OP_LOAD:
        register_set(dst, old, wide);
        return true;
    case OP_STORE:
        operand_pair(machine, frame, pc->b, pc->width, value);
        object_write(machine, object, address, pc->width, value);
        if (thread->taint && object->uninitialised &&
            operand_tainted(thread->taint + (frame->registers - thread->registers), pc->b)) {
            memset(object->uninitialised + (address - object->base), 1, pc->width);
        }
        return true;
    case OP_RMW: {
        uint64_t result[2];
        operand_pair(machine, frame, pc->b, pc->width, value);
        rmw_apply(pc->c, pc->width, old, value, result);
        if (whole_iteration && !object->private && (result[0] != old[0] || result[1] != old[1])) {
            return false; /* the iteration would change something */
        }
        object_write(machine, object, address, pc->width, result);
        register_set(dst, old, wide);
        return true;
    }
    default: {
        uint64_t expected[2];
        operand_pair(machine, frame, pc->b, pc->width, expected);
        bool success = expected[0] == old[0] && expected[1] == old[1];
        if (success && whole_iteration && !object->private) {
            return false; /* the iteration would succeed */
        }
        thread->now.dirty = thread->now.dirty || (success && address < thread->now.await_locals);
        if (success) {
            operand_pair(machine, frame, pc->c, pc->width, value);
            object_write(machine, object, address, pc->width, value);
        }
        register_set(dst, old, wide);
        dst[wide ? 2 : 1] = success;
        return true;
    }
    }
}

/* Ends the locals made since STACK_SAVE, but none of the callers'.  The saved number has private locals in its lower 32
 * bits, escaping ones in its upper 32. */
static bool run_stack_restore(struct machine *machine, struct thread *thread, struct frame *frame,
                              const struct instruction *pc) {
    uint64_t saved = operand_value(machine, frame, pc->a);
    uint64_t escaping = saved >> 32 > frame->escaping ? saved >> 32 : frame->escaping;
    uint64_t locals = (saved & UINT32_MAX) > frame->locals ? saved & UINT32_MAX : frame->locals;
    frame->pc = pc;
    if (thread->now.escaping > escaping) {
        return false;
    }
    for (uint64_t i = locals; i < thread->stack->extent.count; i++) {
        thread->now.stack_bytes -= thread->stack->objects[i]->size;
    }
    region_cut(machine, thread->stack, locals);
    return true;
}

static const struct instruction *run_switch(struct machine *machine, struct frame *frame,
                                            const struct instruction *pc) {
    uint64_t value = operand_value(machine, frame, pc->a);
    const uint32_t *pairs = machine->program->operands + pc->b;
    uint32_t target = pc->dst;
    for (uint32_t i = 0; i < pc->c; i++) {
        if (operand_value(machine, frame, pairs[2 * i]) == value) {
            target = pairs[2 * i + 1];
            break;
        }
    }
    return machine->program->code + frame->function->first + target;
}

static void begin_iteration(struct machine *machine, struct thread *thread, const struct instruction *pc) {
    thread->now.await = pc;
    thread->now.await_frame = thread->now.depth;
    thread->now.await_locals = thread->stack->extent.next;
    thread->now.in_await = true;
    thread->now.dirty = false;
    thread->now.failed_iterations =
        thread->now.failed
            ? (uint8_t)(thread->now.failed_iterations + (thread->now.failed_iterations < FREE_ITERATIONS))
            : 0;
    thread->now.failed = false;
    thread->now.version = machine->now.version;
}

/* Ends an iteration that failed.  Returns false if the thread must wait at the AWAIT, because an iteration does not
 * even read. */
static bool fail_iteration(struct machine *machine, struct thread *thread) {
    bool unchanged = machine->now.version == thread->now.version;
    bool reads_nothing = thread->now.waiting;
    thread->now.waiting = unchanged;
    thread->now.failed = true;
    return !(unchanged && reads_nothing);
}

/* --- The loop ------------------------------------------------------------------------------------------------------
 */

#define R(x) (base[(x) >> 31][(x) & ~OPERAND_CONSTANT])
#define DISPATCH() goto *table[pc->op]
#define NEXT()                                                                                                         \
    do {                                                                                                               \
        pc++;                                                                                                          \
        DISPATCH();                                                                                                    \
    } while (0)
#define JUMP(target)                                                                                                   \
    do {                                                                                                               \
        count += (uint64_t)(pc - start) + 1;                                                                           \
        pc = start = (target);                                                                                         \
        if (count >= check) {                                                                                          \
            goto check_limits;                                                                                         \
        }                                                                                                              \
        DISPATCH();                                                                                                    \
    } while (0)
#define ENTER_FRAME()                                                                                                  \
    do {                                                                                                               \
        frame = thread_frame(thread);                                                                                  \
        base[0] = frame->registers;                                                                                    \
        code = program->code + frame->function->first;                                                                 \
    } while (0)
#define BINARY(name, expression)                                                                                       \
    do_##name : {                                                                                                      \
        uint64_t a = R(pc->a);                                                                                         \
        uint64_t b = R(pc->b);                                                                                         \
        base[0][pc->dst] = truncated(expression, pc->width);                                                           \
        NEXT();                                                                                                        \
    }
#define CALL_OUT(function)                                                                                             \
    if (!function(machine, thread, frame, pc)) {                                                                       \
        goto stop;                                                                                                     \
    }                                                                                                                  \
    NEXT();

void interpret(struct machine *machine, struct thread *thread) {
    static void *const plain[OP_COUNT] = {
        [OP_NOP] = &&do_nop,
        [OP_MOV] = &&do_mov,
        [OP_ADD] = &&do_add,
        [OP_SUB] = &&do_sub,
        [OP_MUL] = &&do_mul,
        [OP_UDIV] = &&do_divide,
        [OP_SDIV] = &&do_divide,
        [OP_UREM] = &&do_divide,
        [OP_SREM] = &&do_divide,
        [OP_AND] = &&do_and,
        [OP_OR] = &&do_or,
        [OP_XOR] = &&do_xor,
        [OP_SHL] = &&do_shl,
        [OP_LSHR] = &&do_lshr,
        [OP_ASHR] = &&do_ashr,
        [OP_ICMP] = &&do_icmp,
        [OP_SEXT] = &&do_sext,
        [OP_TRUNC] = &&do_trunc,
        [OP_SELECT] = &&do_select,
        [OP_BITS... OP_BITS] = &&do_arithmetic,
        [OP_FSHL... OP_UITOF] = &&do_arithmetic,
        [OP_UNINIT] = &&do_uninit,
        [OP_TLS] = &&do_tls,
        [OP_SELF] = &&do_self,
        [OP_CHILD] = &&do_child,
        [OP_ALLOCA] = &&do_alloca,
        [OP_STACK_SAVE] = &&do_stack_save,
        [OP_STACK_RESTORE] = &&do_stack_restore,
        [OP_LEAVE] = &&do_leave,
        [OP_MALLOC] = &&do_malloc,
        [OP_ASSUMED] = &&do_assumed,
        [OP_FREE] = &&do_visible,
        [OP_LIB] = &&do_lib,
        [OP_JMP] = &&do_jmp,
        [OP_BR] = &&do_br,
        [OP_SWITCH] = &&do_switch,
        [OP_CALL] = &&do_call,
        [OP_CALL_INDIRECT] = &&do_call_indirect,
        [OP_RET] = &&do_ret,
        [OP_LOAD] = &&do_access,
        [OP_STORE] = &&do_access,
        [OP_RMW] = &&do_access,
        [OP_CAS] = &&do_access,
        [OP_FENCE] = &&do_fence,
        [OP_STORE_BARRIER] = &&do_store_barrier,
        [OP_SYNC] = &&do_sync,
        [OP_ATOMIC_BEGIN] = &&do_visible,
        [OP_ATOMIC_END] = &&do_visible,
        [OP_NONDET] = &&do_visible,
        [OP_ASSUME] = &&do_assume,
        [OP_ASSERT] = &&do_assert,
        [OP_ERROR] = &&do_error,
        [OP_AWAIT] = &&do_await,
        [OP_AGAIN] = &&do_again,
        [OP_CUT] = &&do_cut,
        [OP_HALT] = &&do_halt,
        [OP_EXIT] = &&do_visible,
    };
    static void *const following[OP_COUNT] = {[0 ... OP_COUNT - 1] = &&do_follow};
    bool recording = machine->record && machine->lookahead == LOOKAHEAD_NONE;
    void *const *table = thread->taint || recording ? following : plain;

    const struct program *program = machine->program;
    struct frame *frame;
    const struct instruction *code;
    uint64_t *base[2] = {NULL, (uint64_t *)program->constants};
    ENTER_FRAME();
    const struct instruction *pc = frame->pc;
    const struct instruction *start = pc;
    uint64_t count = 0;
    uint64_t check = STOP_CHECK_INTERVAL;
    DISPATCH();

do_follow:
    if (recording) {
        struct passed passed = {.thread = thread->slot, .instruction = (uint32_t)(pc - program->code)};
        vector_push(machine->record, &passed);
    }
    if (thread->taint && !follow(machine, thread, frame, pc)) {
        goto stop;
    }
    goto *plain[pc->op];

do_nop:
    NEXT();
do_mov:
    base[0][pc->dst] = R(pc->a);
    NEXT();
    BINARY(add, a + b)
    BINARY(sub, a - b)
    BINARY(mul, a * b)
    BINARY(and, a & b)
    BINARY(or, a | b)
    BINARY(xor, a ^ b)
    BINARY(shl, a << shift_count(b, pc->width))
    BINARY(lshr, a >> shift_count(b, pc->width))
    BINARY(ashr, (uint64_t)(sign_extended(a, pc->width) >> shift_count(b, pc->width)))
do_divide:
    if (!run_division(machine, thread, frame, pc, R(pc->a), R(pc->b))) {
        goto stop;
    }
    NEXT();
do_icmp: {
    uint64_t a = R(pc->a);
    uint64_t b = R(pc->b);
    bool holds;
    if (pc->width == 64 && a >= THREAD_BASE && b >= THREAD_BASE && pc->sub <= PREDICATE_NE) {
        frame->pc = pc;
        memory_note_stale(machine, thread, a);
        memory_note_stale(machine, thread, b);
        if (machine->now.outcome != OUTCOME_RUNNING || thread->now.stopped) {
            goto stop;
        }
    }
    if (pc->sub == PREDICATE_EQ) {
        holds = a == b;
    } else if (pc->sub == PREDICATE_NE) {
        holds = a != b;
    } else if (pc->sub >= PREDICATE_SLT) {
        unsigned shift = 64 - pc->width;
        int64_t sa = (int64_t)(a << shift);
        int64_t sb = (int64_t)(b << shift);
        holds = pc->sub == PREDICATE_SLT   ? sa < sb
                : pc->sub == PREDICATE_SLE ? sa <= sb
                : pc->sub == PREDICATE_SGT ? sa > sb
                                           : sa >= sb;
    } else {
        holds = compare(pc->sub, a, b, pc->width);
    }
    base[0][pc->dst] = holds;
    NEXT();
}
do_sext:
    base[0][pc->dst] = truncated((uint64_t)sign_extended(R(pc->a), pc->width), pc->sub);
    NEXT();
do_trunc:
    base[0][pc->dst] = truncated(R(pc->a), pc->width);
    NEXT();
do_select:
    base[0][pc->dst] = R(pc->a) ? R(pc->b) : R(pc->c);
    NEXT();
do_arithmetic:
    CALL_OUT(run_arithmetic)
do_uninit:
    base[0][pc->dst] = 0;
    NEXT();
do_tls:
    base[0][pc->dst] = thread->thread_local_addresses[pc->a];
    NEXT();
do_self:
    base[0][pc->dst] = thread->number;
    NEXT();
do_child:
    base[0][pc->dst] = thread_child_number(thread);
    NEXT();
do_alloca:
    CALL_OUT(run_alloca)
do_stack_save:
    base[0][pc->dst] = thread->stack->extent.count | (uint64_t)thread->now.escaping << 32;
    NEXT();
do_stack_restore:
    CALL_OUT(run_stack_restore)
do_leave:
    if (thread->now.escaping > frame->escaping) {
        goto stop;
    }
    NEXT();
do_assumed:
    frame->pc = pc;
    machine_meet_assumption(machine, thread);
    NEXT();
do_malloc:
    if (machine->options.malloc_fail) {
        goto stop;
    }
    frame->pc = pc;
    if (!(pc->flags & INSTRUCTION_UNASSUMED)) {
        machine_assume(machine, thread, ASSUMPTION_MALLOC);
    }
    heap_allocate(machine, thread);
    thread->now.dirty = true;
    NEXT();
do_lib:
    frame->pc = pc;
    thread->now.dirty |= pc->a == LIB_PRINT || pc->a == LIB_WRITE;
    library_run(machine, thread, frame, pc);
    if (machine->now.outcome != OUTCOME_RUNNING || thread->now.stopped) {
        goto stop;
    }
    NEXT();
do_jmp:
    JUMP(code + pc->a);
do_br:
    JUMP(code + (R(pc->a) ? pc->b : pc->c));
do_switch:
    JUMP(run_switch(machine, frame, pc));
do_call:
    if (!run_call(machine, thread, frame, pc, pc->a, program->functions[pc->a].results)) {
        goto stop;
    }
    ENTER_FRAME();
    JUMP(frame->pc);
do_call_indirect:
    if (!run_call_indirect(machine, thread, frame, pc)) {
        goto stop;
    }
    ENTER_FRAME();
    JUMP(frame->pc);
do_ret:
    if (thread->now.depth == 1) {
        goto stop;
    }
    run_return(machine, thread, frame, pc);
    ENTER_FRAME();
    JUMP(frame->pc);
do_access: {
    uint64_t address = R(pc->a);
    struct object *object = object_at(machine, address);
    if (!object || !run_access(machine, thread, frame, pc, address, object)) {
        thread->now.object = object;
        goto stop;
    }
    NEXT();
}
do_fence:
    if (machine->model->fence_waits(pc->sub)) {
        if (machine->lookahead == LOOKAHEAD_LOCAL) {
            NEXT(); /* whether the iteration fails does not depend on the object it waits for */
        }
        goto stop;
    }
    machine->model->barrier(machine, thread, pc->sub);
    NEXT();
do_store_barrier:
    machine->model->barrier(machine, thread, ORDER_RELEASE);
    NEXT();
do_assume:
    if (R(pc->a) == 0) {
        if (machine->now.atomic_owner == thread->slot) {
            thread_halt(machine, thread, STOP_ASSUME);
        }
        goto stop;
    }
    NEXT();
do_assert:
    if (R(pc->a) == 0) {
        frame->pc = pc;
        machine_fail(machine, thread, thread_user_pos(machine, thread), ERROR_ASSERT, "%s",
                     program_string(program, pc->b));
        goto stop;
    }
    NEXT();
do_error:
    frame->pc = pc;
    machine_fail(machine, thread, thread_user_pos(machine, thread), pc->sub, "%s", program_string(program, pc->a));
    goto stop;
do_await:
    begin_iteration(machine, thread, pc);
    NEXT();
do_again:
    if (thread->now.dirty || thread->now.await != code + pc->a || thread->now.await_frame != thread->now.depth) {
        JUMP(code + pc->b);
    }
    if (machine->lookahead != LOOKAHEAD_NONE) {
        machine->iteration_failed = true;
        goto stop;
    }
    if (!fail_iteration(machine, thread)) {
        pc = code + pc->a;
        goto stop;
    }
    JUMP(code + pc->a);
do_cut:
    if (machine->now.atomic_owner == thread->slot) {
        thread_halt(machine, thread, STOP_CUT);
    }
    goto stop;

do_halt:
    frame->pc = pc;
    thread_stay(machine, thread, pc->a);
    goto stop;

check_limits:
    check = count + STOP_CHECK_INTERVAL;
    if (count > machine->options.local_limit || (machine->options.stop && atomic_load(machine->options.stop))) {
        machine_stop(machine, OUTCOME_RUNAWAY);
        goto stop;
    }
    DISPATCH();

do_sync:
    if (run_looking(machine, thread, frame, pc)) {
        NEXT();
    }
do_visible:
stop:
    count += (uint64_t)(pc - start);
    machine->counts.local += count;
    frame->pc = pc;
}

/* --- Looking ahead in awaits -------------------------------------------------------------------------------------- */

/* What a look-ahead restores at its end. */
struct before {
    machine_mark mark;
    bool logging;
    uint32_t touched;
};

static struct before look_ahead_begin(struct machine *machine, struct thread *thread) {
    struct before before = {.mark = machine->log.count, .logging = machine->logging, .touched = thread->touched};
    machine->logging = true;
    machine->epoch++;
    undo_log_save(&machine->log, &machine->now, sizeof machine->now);
    thread_touch(machine, thread);
    return before;
}

/* Runs the thread in a look-ahead and undoes everything.  Returns whether the iteration failed. */
static bool look_ahead(struct machine *machine, struct thread *thread, enum lookahead mode, struct before before) {
    machine->lookahead = mode;
    machine->iteration_failed = false;
    interpret(machine, thread);
    machine->lookahead = LOOKAHEAD_NONE;
    undo_log_restore(&machine->log, before.mark);
    machine->logging = before.logging;
    thread->touched = before.touched;
    machine->epoch++;
    return machine->iteration_failed;
}

bool interpret_fails_iteration(struct machine *machine, struct thread *thread, const uint64_t value[2]) {
    struct before before = look_ahead_begin(machine, thread);
    struct frame *frame = thread_frame(thread);
    const struct instruction *pc = frame->pc++;
    bool wide = pc->op != OP_SYNC && pc->width > 8;
    if (instruction_writes(machine->program, pc) > 0) {
        register_set(frame->registers + pc->dst, value, wide);
    }
    if (pc->op == OP_CAS) {
        frame->registers[pc->dst + (wide ? 2 : 1)] = 0;
    }
    return look_ahead(machine, thread, LOOKAHEAD_LOCAL, before);
}

/* Does the frame of the last iteration still execute the function of that await? */
static bool await_is_there(const struct machine *machine, const struct thread *thread) {
    const struct thread_state *now = &thread->now;
    if (!now->await || now->await_frame > now->depth) {
        return false;
    }
    const struct function *function = thread->frames[now->await_frame - 1].function;
    size_t index = (size_t)(now->await - machine->program->code);
    return index >= function->first && index - function->first < function->count;
}

bool interpret_fails_again(struct machine *machine, struct thread *thread) {
    if (!await_is_there(machine, thread)) {
        return false;
    }
    struct before before = look_ahead_begin(machine, thread);
    while (thread->now.depth > thread->now.await_frame) {
        thread->now.depth--;
        frame_touch(machine, thread);
    }
    thread_frame(thread)->pc = thread->now.await;
    return look_ahead(machine, thread, LOOKAHEAD_ITERATION, before);
}
