/* The table of library functions without a body, and the instructions for a call of each.
 *
 * Programs declare library functions in many ways (`extern void abort()`, a malloc that takes unsigned): the table is
 * indexed by name and requires only as many arguments as the instruction needs. */
#include "front/library.h"
#include "ir/assumption.h"

#include <stdio.h>
#include <string.h>

enum lowering {
    LOWER_SYNC,     /* SYNC, kind `selector`, `results` registers */
    LOWER_LIB,      /* LIB, kind `selector` */
    LOWER_YIELD,    /* NOP, kind `selector`; the result is 0 */
    LOWER_PLAIN,    /* operation `selector` without operands */
    LOWER_VALUE,    /* operation `selector` that only writes a register */
    LOWER_ARGUMENT, /* operation `selector` of the first argument, without a result */
    LOWER_ASSUMED,  /* assumption `selector` is made */
    LOWER_FENCE,    /* a full fence */
    LOWER_ASSERT,   /* an assertion about the first argument */
    LOWER_FAILED,   /* a failed assertion whose text is the first argument */
    LOWER_ERROR,    /* an error of kind `selector` */
    LOWER_MESSAGE,  /* an error of kind `selector` whose message is the first argument */
    LOWER_NONDET,   /* any value of `width` bits, signed if `selector` */
    LOWER_BETWEEN,  /* any value of `width` bits from the first to the second argument */
    LOWER_MATH,     /* FMATH, kind `selector`, of numbers of `width` bits */
    LOWER_FMA,
    LOWER_MALLOC, /* aligned as malloc does it; `selector`: INSTRUCTION_* flags */
    LOWER_MALLOC_ALIGNED,
    LOWER_HALT,   /* the first argument is a constant: the number of threads that make a goal */
    LOWER_NEGATE, /* an atomic negation of `width` bytes */
    LOWER_LOAD_16,
    LOWER_STORE_16,
    LOWER_NOTE,  /* an annotation begins: the first argument is its kind, the second its value */
    LOWER_NOTED, /* an annotation ends: its beginning, the condition */
};

struct library_function {
    const char *name;
    uint8_t lowering;
    uint8_t selector;
    uint8_t arguments; /* least number of operands */
    uint8_t results;   /* number of registers that the instruction writes */
    uint8_t width;
    uint8_t captures; /* bit i: the function may keep the pointer in argument i, or pass it to another thread */
};

#define MALLOC_ALIGNMENT 16

/* clang-format off */
#define SYNC(name, kind, arguments) {"__picket_" name, LOWER_SYNC, SYNC_##kind, arguments, 1, 0, 7}
#define NONDET_ROW(type, width, is_signed) {"__VERIFIER_nondet_" type, LOWER_NONDET, is_signed, 0, 1, width, 0}
#define ERROR_ROW(name, text) {"__picket_error_" #name, LOWER_MESSAGE, ERROR_##name, 1, 0, 0, 0},
#define ASSUMPTION_ROW(name, text, ...) {"__picket_assumes_" text, LOWER_ASSUMED, ASSUMPTION_##name, 0, 0, 0, 0},
#define MATH(name, function, arguments)                                                                                \
    {#function, LOWER_MATH, MATH_##name, arguments, 1, 64, 0},                                                  \
    {#function "f", LOWER_MATH, MATH_##name, arguments, 1, 32, 0},                                              \
    {#function "l", LOWER_MATH, MATH_##name, 2 * arguments, 2, 80, 0},

static const struct library_function functions[] = {
    /* Intrinsics: threads and synchronisation. */
    SYNC("mutex_lock", MUTEX_LOCK, 1),
    SYNC("mutex_trylock", MUTEX_TRYLOCK, 1),
    SYNC("mutex_timedlock", MUTEX_TIMEDLOCK, 1),
    SYNC("mutex_unlock", MUTEX_UNLOCK, 1),
    SYNC("mutex_retake", MUTEX_RETAKE, 2),
    SYNC("cond_release", COND_RELEASE, 2),
    SYNC("cond_sleep", COND_SLEEP, 1),
    SYNC("cond_timedsleep", COND_TIMEDSLEEP, 1),
    SYNC("cond_signal", COND_SIGNAL, 1),
    SYNC("cond_broadcast", COND_BROADCAST, 1),
    SYNC("read_lock", READ_LOCK, 1),
    SYNC("read_trylock", READ_TRYLOCK, 1),
    SYNC("read_timedlock", READ_TIMEDLOCK, 1),
    SYNC("write_lock", WRITE_LOCK, 1),
    SYNC("write_trylock", WRITE_TRYLOCK, 1),
    SYNC("write_timedlock", WRITE_TIMEDLOCK, 1),
    SYNC("read_unlock", READ_UNLOCK, 1),
    SYNC("write_unlock", WRITE_UNLOCK, 1),
    SYNC("spin_lock", SPIN_LOCK, 1),
    SYNC("spin_trylock", SPIN_TRYLOCK, 1),
    SYNC("sem_wait", SEM_WAIT, 1),
    SYNC("sem_trywait", SEM_TRYWAIT, 1),
    SYNC("sem_timedwait", SEM_TIMEDWAIT, 1),
    SYNC("sem_post", SEM_POST, 1),
    SYNC("barrier_arrive", BARRIER_ARRIVE, 1),
    SYNC("barrier_sleep", BARRIER_SLEEP, 1),
    SYNC("once_begin", ONCE_BEGIN, 1),
    SYNC("once_end", ONCE_END, 1),
    SYNC("thread_create", THREAD_CREATE, 3),
    SYNC("thread_detach", THREAD_DETACH, 1),
    {"__picket_thread_join", LOWER_SYNC, SYNC_THREAD_JOIN, 1, 2, 0, 0},
    {"__picket_thread_tryjoin", LOWER_SYNC, SYNC_THREAD_TRYJOIN, 1, 2, 0, 0},
    {"__picket_thread_exit", LOWER_SYNC, SYNC_THREAD_EXIT, 1, 0, 0, 7},
    {"__picket_self", LOWER_VALUE, OP_SELF, 0, 1, 0, 0},
    {"__picket_thread_child", LOWER_VALUE, OP_CHILD, 0, 1, 0, 0},
    {"__picket_sleep", LOWER_YIELD, YIELD_SLEEP, 0, 0, 0, 0},
    {"__picket_yield", LOWER_YIELD, YIELD_SCHEDULE, 0, 0, 0, 0},
    {"__picket_atomic_begin", LOWER_PLAIN, OP_ATOMIC_BEGIN, 0, 0, 0, 0},
    {"__picket_atomic_end", LOWER_PLAIN, OP_ATOMIC_END, 0, 0, 0, 0},
    /* Intrinsics: memory, output, the end. */
    {"__picket_malloc", LOWER_MALLOC_ALIGNED, 0, 2, 1, 0, 0},
    {"__picket_calloc", LOWER_MALLOC, INSTRUCTION_ZEROED, 1, 1, 0, 0},
    {"__picket_free", LOWER_ARGUMENT, OP_FREE, 1, 0, 0, 0},
    {"__picket_object_size", LOWER_LIB, LIB_OBJECT_SIZE, 1, 1, 0, 0},
    {"__picket_print", LOWER_LIB, LIB_PRINT, 4, 1, 0, 0},
    {"__picket_format", LOWER_LIB, LIB_FORMAT, 5, 1, 0, 0},
    {"__picket_text", LOWER_LIB, LIB_TEXT, 3, 2, 0, 0},
    {"__picket_write", LOWER_LIB, LIB_WRITE, 3, 0, 0, 0},
    {"__picket_strtod", LOWER_LIB, LIB_STRTOD, 1, 2, 0, 0},
    {"__picket_exit", LOWER_ARGUMENT, OP_EXIT, 1, 0, 0, 0},
    {"__picket_assert_failed", LOWER_FAILED, 0, 0, 0, 0, 0},
    {"__picket_checks_misuse", LOWER_YIELD, YIELD_NONE, 0, 0, 0, 0}, /* c_calls.c handles it */
    ASSUMPTIONS(ASSUMPTION_ROW)
    /* What a program printed as C cannot express otherwise. */
    ERROR_KINDS(ERROR_ROW)
    {"__picket_fetch_neg_8", LOWER_NEGATE, 0, 1, 1, 1, 0},
    {"__picket_fetch_neg_16", LOWER_NEGATE, 0, 1, 1, 2, 0},
    {"__picket_fetch_neg_32", LOWER_NEGATE, 0, 1, 1, 4, 0},
    {"__picket_fetch_neg_64", LOWER_NEGATE, 0, 1, 1, 8, 0},
    {"__picket_halt", LOWER_HALT, 0, 1, 0, 0, 0},
    {"__picket_bus_lock", LOWER_SYNC, SYNC_BUS_LOCK, 0, 0, 0, 0},
    {"__picket_bus_unlock", LOWER_SYNC, SYNC_BUS_UNLOCK, 0, 0, 0, 0},
    {"__picket_cut", LOWER_PLAIN, OP_CUT, 0, 0, 0, 0},
    {"__picket_uninit", LOWER_VALUE, OP_UNINIT, 0, 1, 0, 0},
    {"__picket_stack_save", LOWER_VALUE, OP_STACK_SAVE, 0, 1, 0, 0},
    {"__picket_stack_restore", LOWER_ARGUMENT, OP_STACK_RESTORE, 1, 0, 0, 0},
    /* C, POSIX. */
    {"malloc", LOWER_MALLOC, 0, 1, 1, 0, 0},
    {"abort", LOWER_ERROR, ERROR_ABORT, 0, 0, 0, 0},
    {"__assert_fail", LOWER_FAILED, 0, 0, 0, 0, 0},
    {"__assert", LOWER_FAILED, 0, 0, 0, 0, 0},
    {"_exit", LOWER_ARGUMENT, OP_EXIT, 1, 0, 0, 0},
    {"_Exit", LOWER_ARGUMENT, OP_EXIT, 1, 0, 0, 0},
    {"pthread_self", LOWER_VALUE, OP_SELF, 0, 1, 0, 0},
    {"thrd_current", LOWER_VALUE, OP_SELF, 0, 1, 0, 0},
    {"sched_yield", LOWER_YIELD, YIELD_SCHEDULE, 0, 0, 0, 0},
    {"pthread_yield", LOWER_YIELD, YIELD_SCHEDULE, 0, 0, 0, 0},
    {"thrd_yield", LOWER_YIELD, YIELD_SCHEDULE, 0, 0, 0, 0},
    {"__sync_synchronize", LOWER_FENCE, 0, 0, 0, 0, 0},
    {"__atomic_load_16", LOWER_LOAD_16, 0, 1, 2, 0, 0},
    {"__atomic_store_16", LOWER_STORE_16, 0, 3, 0, 0, 0},
    {"fma", LOWER_FMA, 0, 3, 1, 64, 0},
    {"fmaf", LOWER_FMA, 0, 3, 1, 32, 0},
    {"fmal", LOWER_FMA, 0, 6, 2, 80, 0},
    MATH_KINDS(MATH)
    /* SV-COMP. */
    {"reach_error", LOWER_ERROR, ERROR_REACH, 0, 0, 0, 0},
    {"__VERIFIER_error", LOWER_ERROR, ERROR_REACH, 0, 0, 0, 0},
    {"__VERIFIER_assume", LOWER_ARGUMENT, OP_ASSUME, 1, 0, 0, 0},
    {"__VERIFIER_atomic_begin", LOWER_PLAIN, OP_ATOMIC_BEGIN, 0, 0, 0, 0},
    {"__VERIFIER_atomic_end", LOWER_PLAIN, OP_ATOMIC_END, 0, 0, 0, 0},
    NONDET_ROW("int", 32, true),
    NONDET_ROW("uint", 32, false),
    NONDET_ROW("unsigned", 32, false),
    NONDET_ROW("unsigned_int", 32, false),
    NONDET_ROW("bool", 1, false),
    NONDET_ROW("_Bool", 1, false),
    NONDET_ROW("char", 8, true),
    NONDET_ROW("schar", 8, true),
    NONDET_ROW("uchar", 8, false),
    NONDET_ROW("unsigned_char", 8, false),
    NONDET_ROW("short", 16, true),
    NONDET_ROW("ushort", 16, false),
    NONDET_ROW("long", 64, true),
    NONDET_ROW("ulong", 64, false),
    NONDET_ROW("longlong", 64, true),
    NONDET_ROW("ulonglong", 64, false),
    NONDET_ROW("u8", 8, false),
    NONDET_ROW("u16", 16, false),
    NONDET_ROW("u32", 32, false),
    NONDET_ROW("u64", 64, false),
    NONDET_ROW("size_t", 64, false),
    NONDET_ROW("loff_t", 64, true),
    NONDET_ROW("pointer", 64, false),
    NONDET_ROW("charp", 64, false),
    NONDET_ROW("pchar", 64, false),
    NONDET_ROW("float", 32, false),
    NONDET_ROW("double", 64, false),
    /* CBMC. */
    {"__CPROVER_assume", LOWER_ARGUMENT, OP_ASSUME, 1, 0, 0, 0},
    {"__CPROVER_assert", LOWER_ASSERT, 0, 1, 0, 0, 0},
    {"__CPROVER_atomic_begin", LOWER_PLAIN, OP_ATOMIC_BEGIN, 0, 0, 0, 0},
    {"__CPROVER_atomic_end", LOWER_PLAIN, OP_ATOMIC_END, 0, 0, 0, 0},
    /* <picket.h>. */
    {"picket_assume", LOWER_ARGUMENT, OP_ASSUME, 1, 0, 0, 0},
    {"picket_assert", LOWER_ASSERT, 0, 1, 0, 0, 0},
    {"picket_nondet_int", LOWER_BETWEEN, 0, 2, 1, 32, 0},
    {"picket_nondet_long", LOWER_BETWEEN, 0, 2, 1, 64, 0},
    {"picket_nondet_bool", LOWER_NONDET, false, 0, 1, 1, 0},
    {"picket_atomic_begin", LOWER_PLAIN, OP_ATOMIC_BEGIN, 0, 0, 0, 0},
    {"picket_atomic_end", LOWER_PLAIN, OP_ATOMIC_END, 0, 0, 0, 0},
    {"picket_fence", LOWER_FENCE, 0, 0, 0, 0, 0},
    {"__picket_note", LOWER_NOTE, 0, 2, 1, 0, 0},
    {"__picket_noted", LOWER_NOTED, 0, 2, 0, 0, 0},
    {"picket_yield", LOWER_YIELD, YIELD_SCHEDULE, 0, 0, 0, 0},
};
/* clang-format on */

static const struct library_function *library_find(const char *name) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            return &functions[i];
        }
    }
    return NULL;
}

bool library_is_whole(const char *name) {
    return strcmp(name, "__picket_cond_wait") == 0 || strcmp(name, "__picket_cond_timedwait") == 0 ||
           strcmp(name, "__picket_barrier_wait") == 0;
}

bool library_knows(const char *name) {
    return library_find(name) != NULL;
}

bool library_captures(const char *name, unsigned argument) {
    const struct library_function *function = library_find(name);
    return !function || (argument < 8 && (function->captures >> argument & 1) != 0);
}

/* The call being lowered. */
struct lowering_state {
    struct builder *builder;
    uint32_t *next_register;
    const struct library_call *call;
    const struct library_function *function;
    uint32_t dst; /* destination of the instruction: the call's result, or scratch if that has too few registers */
};

static uint32_t emit(const struct lowering_state *state, struct instruction instruction) {
    instruction.pos = state->call->pos;
    return builder_emit(state->builder, instruction);
}

static uint32_t take_registers(const struct lowering_state *state, uint32_t count) {
    uint32_t first = *state->next_register;
    *state->next_register += count;
    return first;
}

static uint32_t constant(const struct lowering_state *state, uint64_t value) {
    return builder_constant(state->builder, value);
}

static uint32_t argument(const struct lowering_state *state, uint32_t index) {
    return index < state->call->arguments_count ? state->call->arguments[index] : constant(state, 0);
}

/* Arguments index and index + 1 as one pair; copies them if they are not adjacent. */
static uint32_t argument_pair(const struct lowering_state *state, uint32_t index) {
    uint32_t low = argument(state, index);
    uint32_t high = argument(state, index + 1);
    if (high == low + 1) {
        return low;
    }
    uint32_t pair = take_registers(state, 2);
    emit(state, (struct instruction){.op = OP_MOV, .width = 64, .dst = pair, .a = low});
    emit(state, (struct instruction){.op = OP_MOV, .width = 64, .dst = pair + 1, .a = high});
    return pair;
}

static uint32_t number_argument(const struct lowering_state *state, uint32_t index) {
    return state->function->width > 64 ? argument_pair(state, 2 * index) : argument(state, index);
}

static void result_is_zero(const struct lowering_state *state) {
    for (uint32_t i = 0; i < state->call->results && state->call->dst != NO_REGISTER; i++) {
        uint32_t zero = constant(state, 0);
        emit(state, (struct instruction){.op = OP_MOV, .width = 64, .dst = state->call->dst + i, .a = zero});
    }
}

static void lower_sync(const struct lowering_state *state) {
    uint32_t operands[3];
    for (uint32_t i = 0; i < 3; i++) {
        operands[i] = i < state->function->arguments ? argument(state, i) : constant(state, 0);
    }
    emit(state, (struct instruction){.op = OP_SYNC,
                                     .width = state->function->selector,
                                     .sub = state->function->results,
                                     .dst = state->dst,
                                     .a = operands[0],
                                     .b = operands[1],
                                     .c = operands[2]});
}

static void lower_lib(const struct lowering_state *state) {
    uint32_t count = state->function->arguments;
    uint32_t start = builder_operands(state->builder, state->call->arguments, count);
    emit(state, (struct instruction){.op = OP_LIB,
                                     .sub = state->function->results,
                                     .dst = state->dst,
                                     .a = state->function->selector,
                                     .b = start,
                                     .c = count});
}

static void lower_failed_assertion(const struct lowering_state *state) {
    char message[400] = "assertion failed";
    const char *text = state->call->arguments_count > 0 && state->call->texts ? state->call->texts[0] : NULL;
    if (text) {
        snprintf(message, sizeof message, "assertion \"%s\" failed", text);
    }
    emit(state,
         (struct instruction){
             .op = OP_ERROR, .sub = ERROR_ASSERT, .dst = NO_REGISTER, .a = builder_string(state->builder, message)});
}

static void lower_error(const struct lowering_state *state) {
    char message[100];
    snprintf(message, sizeof message, "%s was called", state->function->name);
    emit(state, (struct instruction){.op = OP_ERROR,
                                     .sub = state->function->selector,
                                     .dst = NO_REGISTER,
                                     .a = builder_string(state->builder, message)});
}

static void lower_message(const struct lowering_state *state) {
    const char *text = state->call->texts ? state->call->texts[0] : NULL;
    emit(state, (struct instruction){.op = OP_ERROR,
                                     .sub = state->function->selector,
                                     .dst = NO_REGISTER,
                                     .a = builder_string(state->builder, text ? text : "an error")});
}

/* The declared result may be wider or narrower than the name (`int __VERIFIER_nondet_char()`). */
static void lower_nondet(const struct lowering_state *state) {
    bool is_signed = state->function->selector != 0;
    uint32_t width = state->function->width;
    if (state->call->dst != NO_REGISTER && state->call->width > 0 && state->call->width < width) {
        width = state->call->width;
    }
    uint64_t all = UINT64_MAX >> (64 - width);
    uint64_t low = is_signed ? UINT64_C(1) << (width - 1) : 0;
    uint64_t high = is_signed ? low - 1 : all;
    uint8_t flags = is_signed ? INSTRUCTION_SIGNED : 0;
    emit(state, (struct instruction){.op = OP_NONDET,
                                     .width = (uint8_t)(width < 8 ? 8 : width), /* a bool is shown as a byte */
                                     .flags = flags,
                                     .dst = state->dst,
                                     .a = constant(state, low),
                                     .b = constant(state, high)});
    if (is_signed && state->call->width > width && state->call->width <= 64) {
        emit(state, (struct instruction){.op = OP_SEXT,
                                         .width = (uint8_t)width,
                                         .sub = (uint8_t)state->call->width,
                                         .dst = state->dst,
                                         .a = state->dst});
    }
}

static void lower_between(const struct lowering_state *state) {
    emit(state, (struct instruction){.op = OP_NONDET,
                                     .width = state->function->width,
                                     .flags = INSTRUCTION_SIGNED,
                                     .dst = state->dst,
                                     .a = argument(state, 0),
                                     .b = argument(state, 1)});
}

static void lower_math(const struct lowering_state *state) {
    uint32_t halves = state->function->width > 64 ? 2 : 1;
    bool two = state->function->arguments / halves == 2;
    uint32_t a = number_argument(state, 0);
    uint32_t b = two ? number_argument(state, 1) : a;
    emit(state, (struct instruction){.op = OP_FMATH,
                                     .width = state->function->width,
                                     .sub = state->function->selector,
                                     .dst = state->dst,
                                     .a = a,
                                     .b = b});
}

static void lower_fma(const struct lowering_state *state) {
    uint32_t a = number_argument(state, 0);
    uint32_t b = number_argument(state, 1);
    uint32_t c = number_argument(state, 2);
    emit(state, (struct instruction){
                    .op = OP_FMA, .width = state->function->width, .dst = state->dst, .a = a, .b = b, .c = c});
}

static void lower_malloc(const struct lowering_state *state, uint32_t alignment, uint8_t flags) {
    emit(state, (struct instruction){
                    .op = OP_MALLOC, .flags = flags, .dst = state->dst, .a = argument(state, 0), .b = alignment});
}

static void lower_halt(const struct lowering_state *state) {
    uint32_t operand = argument(state, 0);
    uint64_t threads = 0;
    if (operand & OPERAND_CONSTANT) {
        threads = *(uint64_t *)vector_at(&state->builder->constants, operand & ~OPERAND_CONSTANT);
    }
    emit(state, (struct instruction){.op = OP_HALT, .dst = NO_REGISTER, .a = (uint32_t)threads});
}

static void lower_negate(const struct lowering_state *state) {
    emit(state, (struct instruction){.op = OP_RMW,
                                     .width = state->function->width,
                                     .sub = ORDER_SEQ_CST,
                                     .flags = INSTRUCTION_ATOMIC,
                                     .dst = state->dst,
                                     .a = argument(state, 0),
                                     .b = constant(state, 0),
                                     .c = RMW_NEG});
}

/* A memory order that is unknown at compile time is taken as the strongest. */
static uint32_t order_argument(const struct lowering_state *state, uint32_t index) {
    static const uint8_t orders[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_ACQUIRE,
                                     ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST};
    uint32_t operand = index < state->call->arguments_count ? state->call->arguments[index] : 0;
    if ((operand & OPERAND_CONSTANT) == 0) {
        return ORDER_SEQ_CST;
    }
    uint64_t value = *(uint64_t *)vector_at(&state->builder->constants, operand & ~OPERAND_CONSTANT);
    return value < sizeof orders ? orders[value] : ORDER_SEQ_CST;
}

static void lower_load_16(const struct lowering_state *state) {
    emit(state, (struct instruction){.op = OP_LOAD,
                                     .width = 16,
                                     .sub = (uint8_t)order_argument(state, 1),
                                     .flags = INSTRUCTION_ATOMIC,
                                     .dst = state->dst,
                                     .a = argument(state, 0)});
}

/* A seq_cst store is a release store followed by a full fence. */
static void lower_store_16(const struct lowering_state *state) {
    uint32_t order = order_argument(state, 3);
    uint32_t value = argument_pair(state, 1);
    emit(state, (struct instruction){.op = OP_STORE,
                                     .width = 16,
                                     .sub = (uint8_t)(order == ORDER_SEQ_CST ? ORDER_RELEASE : order),
                                     .flags = INSTRUCTION_ATOMIC,
                                     .dst = NO_REGISTER,
                                     .a = argument(state, 0),
                                     .b = value});
    if (order == ORDER_SEQ_CST) {
        emit(state, (struct instruction){.op = OP_FENCE, .sub = ORDER_SEQ_CST, .dst = NO_REGISTER});
    }
}

/* Until its end is found, dst identifies the annotation: the register of the call's result, which is unused. */
static void lower_note(const struct lowering_state *state) {
    uint32_t kind = argument(state, 0);
    uint64_t number = *(uint64_t *)vector_at(&state->builder->constants, kind & ~OPERAND_CONSTANT);
    emit(state, (struct instruction){.op = OP_NOTE,
                                     .sub = (uint8_t)number,
                                     .dst = state->dst,
                                     .a = builder_here(state->builder) + 1,
                                     .c = argument(state, 1)});
}

static void lower_noted(const struct lowering_state *state) {
    uint32_t begin = builder_here(state->builder);
    while (builder_at(state->builder, --begin)->op != OP_NOTE ||
           builder_at(state->builder, begin)->dst != argument(state, 0)) {
    }
    emit(state, (struct instruction){.op = OP_NOTED, .dst = NO_REGISTER, .a = argument(state, 1)});
    struct instruction *note = builder_at(state->builder, begin);
    note->dst = NO_REGISTER;
    note->b = builder_here(state->builder);
}

static void lower(const struct lowering_state *state) {
    uint8_t selector = state->function->selector;
    switch ((enum lowering)state->function->lowering) {
    case LOWER_SYNC:
        lower_sync(state);
        break;
    case LOWER_LIB:
        lower_lib(state);
        break;
    case LOWER_YIELD:
        emit(state, (struct instruction){.op = OP_NOP, .sub = selector, .dst = NO_REGISTER});
        result_is_zero(state);
        break;
    case LOWER_PLAIN:
        emit(state, (struct instruction){.op = selector, .dst = NO_REGISTER});
        result_is_zero(state);
        break;
    case LOWER_VALUE:
        emit(state, (struct instruction){.op = selector, .dst = state->dst});
        break;
    case LOWER_ARGUMENT:
        emit(state, (struct instruction){.op = selector, .dst = NO_REGISTER, .a = argument(state, 0)});
        break;
    case LOWER_ASSUMED:
        emit(state, (struct instruction){.op = OP_ASSUMED,
                                         .sub = selector,
                                         .dst = NO_REGISTER,
                                         .a = argument(state, 0),
                                         .b = argument(state, 1)});
        break;
    case LOWER_FENCE:
        emit(state, (struct instruction){.op = OP_FENCE, .sub = ORDER_SEQ_CST, .dst = NO_REGISTER});
        break;
    case LOWER_ASSERT:
        emit(state, (struct instruction){.op = OP_ASSERT,
                                         .dst = NO_REGISTER,
                                         .a = argument(state, 0),
                                         .b = builder_string(state->builder, "assertion failed")});
        break;
    case LOWER_FAILED:
        lower_failed_assertion(state);
        break;
    case LOWER_ERROR:
        lower_error(state);
        break;
    case LOWER_MESSAGE:
        lower_message(state);
        break;
    case LOWER_NONDET:
        lower_nondet(state);
        break;
    case LOWER_NOTE:
        lower_note(state);
        break;
    case LOWER_NOTED:
        lower_noted(state);
        break;
    case LOWER_BETWEEN:
        lower_between(state);
        break;
    case LOWER_MATH:
        lower_math(state);
        break;
    case LOWER_FMA:
        lower_fma(state);
        break;
    case LOWER_MALLOC:
        lower_malloc(state, constant(state, MALLOC_ALIGNMENT), selector);
        break;
    case LOWER_MALLOC_ALIGNED:
        lower_malloc(state, argument(state, 1), 0);
        break;
    case LOWER_HALT:
        lower_halt(state);
        break;
    case LOWER_NEGATE:
        lower_negate(state);
        break;
    case LOWER_LOAD_16:
        lower_load_16(state);
        break;
    case LOWER_STORE_16:
        lower_store_16(state);
        break;
    }
}

bool library_lower(struct builder *builder, uint32_t *next_register, const struct library_call *call, char *message,
                   size_t size) {
    const struct library_function *function = library_find(call->name);
    if (!function) {
        snprintf(message, size, "no model of function %s", call->name);
        return false;
    }
    if (call->arguments_count < function->arguments) {
        snprintf(message, size, "too few arguments in a call of %s", call->name);
        return false;
    }
    struct lowering_state state = {builder, next_register, call, function, call->dst};
    bool scratch = function->results > 0 && (call->dst == NO_REGISTER || call->results < function->results);
    if (scratch) {
        state.dst = take_registers(&state, function->results);
    }
    if (function->results == 0) {
        state.dst = NO_REGISTER;
    }
    lower(&state);
    if (scratch && call->dst != NO_REGISTER) {
        for (uint32_t i = 0; i < call->results; i++) {
            emit(&state, (struct instruction){.op = OP_MOV, .width = 64, .dst = call->dst + i, .a = state.dst + i});
        }
    }
    return true;
}
