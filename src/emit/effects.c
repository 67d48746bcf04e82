/* What C has no operators for: threads and locks, atomic sections, any value, assumptions, errors, output, the end. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emitter.h"
#include "ir/assumption.h"
#include "ir/sync.h"

/* --- Threads and synchronisation ---------------------------------------------------------------------------------- */

#define HELPER_NONE HELPER_COUNT

/* The name of the intrinsic of Picket's library, and the helper that the operation needs.  With pthreads it is written
 * as sync_table has it, or with the helper of the same name as the intrinsic. */
static const struct sync_row {
    const char *intrinsic;
    enum helper helper;
} sync_rows[SYNC_COUNT] = {
    [SYNC_MUTEX_LOCK] = {"mutex_lock", HELPER_NONE},
    [SYNC_MUTEX_TRYLOCK] = {"mutex_trylock", HELPER_NONE},
    [SYNC_MUTEX_TIMEDLOCK] = {"mutex_timedlock", HELPER_DEADLINE},
    [SYNC_MUTEX_UNLOCK] = {"mutex_unlock", HELPER_NONE},
    [SYNC_COND_SIGNAL] = {"cond_signal", HELPER_NONE},
    [SYNC_COND_BROADCAST] = {"cond_broadcast", HELPER_NONE},
    [SYNC_READ_LOCK] = {"read_lock", HELPER_NONE},
    [SYNC_READ_TRYLOCK] = {"read_trylock", HELPER_NONE},
    [SYNC_READ_TIMEDLOCK] = {"read_timedlock", HELPER_DEADLINE},
    [SYNC_WRITE_LOCK] = {"write_lock", HELPER_NONE},
    [SYNC_WRITE_TRYLOCK] = {"write_trylock", HELPER_NONE},
    [SYNC_WRITE_TIMEDLOCK] = {"write_timedlock", HELPER_DEADLINE},
    [SYNC_READ_UNLOCK] = {"read_unlock", HELPER_NONE},
    [SYNC_WRITE_UNLOCK] = {"write_unlock", HELPER_NONE},
    [SYNC_SPIN_LOCK] = {"spin_lock", HELPER_SPIN},
    [SYNC_SPIN_TRYLOCK] = {"spin_trylock", HELPER_SPIN},
    [SYNC_SEM_WAIT] = {"sem_wait", HELPER_SEMAPHORE},
    [SYNC_SEM_TRYWAIT] = {"sem_trywait", HELPER_SEMAPHORE},
    [SYNC_SEM_TIMEDWAIT] = {"sem_timedwait", HELPER_SEMAPHORE},
    [SYNC_SEM_POST] = {"sem_post", HELPER_SEMAPHORE},
    [SYNC_ONCE_BEGIN] = {"once_begin", HELPER_ONCE},
    [SYNC_ONCE_END] = {"once_end", HELPER_ONCE},
    [SYNC_THREAD_CREATE] = {"thread_create", HELPER_THREADS},
    [SYNC_THREAD_JOIN] = {"thread_join", HELPER_THREADS},
    [SYNC_THREAD_TRYJOIN] = {"thread_tryjoin", HELPER_THREADS},
    [SYNC_THREAD_DETACH] = {"thread_detach", HELPER_THREADS},
    [SYNC_THREAD_EXIT] = {"thread_exit", HELPER_THREADS},
    [SYNC_BUS_LOCK] = {"bus_lock", HELPER_BUS},
    [SYNC_BUS_UNLOCK] = {"bus_unlock", HELPER_BUS},
};

static void thread_operation_print(struct body *body, const struct instruction *instruction) {
    switch (instruction->width) {
    case SYNC_THREAD_CREATE:
        out_operands(body, instruction, "picket_thread_create($a, $b, $c);");
        break;
    case SYNC_THREAD_JOIN:
    case SYNC_THREAD_TRYJOIN:
        out(body, "{ struct picket_joined t_ = picket_%s(", sync_rows[instruction->width].intrinsic);
        out_operands(body, instruction, "$a);");
        for (unsigned i = 0; i < instruction->sub && i < 2 && instruction->dst != NO_REGISTER; i++) {
            out(body, " r%u = t_.%s;", instruction->dst + i, i == 0 ? "code" : "value");
        }
        out(body, " }");
        break;
    default:
        out(body, "picket_%s(", sync_rows[instruction->width].intrinsic);
        out_operands(body, instruction, "$a);");
        break;
    }
}

static bool joins(unsigned kind) {
    return kind == SYNC_THREAD_JOIN || kind == SYNC_THREAD_TRYJOIN;
}

static void sync_print(struct body *body, const struct instruction *instruction) {
    const struct sync_row *row = &sync_rows[instruction->width];
    if (row->helper != HELPER_NONE) {
        need(body->emitter, row->helper);
    }
    if (instruction->dst != NO_REGISTER && instruction->sub > 0 && !joins(instruction->width) &&
        row->helper != HELPER_BUS) {
        out(body, "r%u = %s", instruction->dst, row->helper == HELPER_THREADS ? "" : "(uint32_t)");
    }
    if (row->helper == HELPER_THREADS) {
        thread_operation_print(body, instruction);
    } else if (row->helper == HELPER_BUS) {
        need(body->emitter, HELPER_ATOMIC);
        out(body, "picket_%s();", row->intrinsic);
    } else if (sync_table[instruction->width].spelling && body->emitter->dialect != DIALECT_PICKET) {
        need(body->emitter, HELPER_PTHREAD);
        if (instruction->width == SYNC_SEM_TIMEDWAIT) {
            need(body->emitter, HELPER_DEADLINE);
        }
        out_operands(body, instruction, sync_table[instruction->width].spelling);
        out(body, ";");
    } else {
        bool helper = row->helper == HELPER_ONCE;
        if (!helper) {
            need(body->emitter, HELPER_SYNC);
        }
        out(body, "%s%s(", helper ? "picket_" : "__picket_", row->intrinsic);
        out_operands(body, instruction, helper ? "$a);" : "(void *)$a);");
    }
}

/* Operations in several steps are printed as calls, as they are written with pthreads, or with Picket's own library. */
static const struct whole_row {
    const char *name;
    const char *pthreads;
    const char *own;
    enum helper helper;
    uint32_t parameters;
} whole_rows[] = {
    {"__picket_cond_wait", "pthread_cond_wait((pthread_cond_t *)$a, (pthread_mutex_t *)$b)",
     "__picket_cond_wait((void *)$a, (void *)$b)", HELPER_NONE, 2},
    {"__picket_cond_timedwait", "pthread_cond_timedwait((pthread_cond_t *)$a, (pthread_mutex_t *)$b, &picket_deadline)",
     "__picket_cond_timedwait((void *)$a, (void *)$b)", HELPER_DEADLINE, 2},
    {"__picket_barrier_wait", "picket_barrier_wait($a)", "__picket_barrier_wait((void *)$a)", HELPER_BARRIER, 1},
};

static const struct whole_row *whole_row_of(const struct program *program, uint32_t index) {
    const struct function *function = &program->functions[index];
    for (size_t i = 0; (function->flags & FUNCTION_WHOLE) && i < sizeof whole_rows / sizeof *whole_rows; i++) {
        if (strcmp(whole_rows[i].name, function_name(program, index)) == 0 &&
            whole_rows[i].parameters == function->parameters && function->results == 1) {
            return &whole_rows[i];
        }
    }
    return NULL;
}

bool whole_call_known(const struct program *program, uint32_t function) {
    return whole_row_of(program, function) != NULL;
}

void whole_call_print(struct body *body, const struct instruction *call) {
    const struct program *program = body->emitter->program;
    const struct whole_row *row = whole_row_of(program, call->a);
    struct instruction operands = {.a = program->operands[call->b], .b = program->operands[call->b + (call->c > 1)]};
    bool own = body->emitter->dialect == DIALECT_PICKET;
    need(body->emitter, own ? HELPER_SYNC : HELPER_PTHREAD);
    if (row->helper != HELPER_NONE) {
        need(body->emitter, row->helper);
    }
    if (call->dst != NO_REGISTER) {
        out(body, "r%u = (uint32_t)", call->dst);
    }
    out_operands(body, &operands, own ? row->own : row->pthreads);
    out(body, ";");
}

/* --- Any value, assumptions --------------------------------------------------------------------------------------- */

/* A value from a to b, by a function that knows both bounds. */
static void between_print(struct body *body, const struct instruction *instruction) {
    unsigned width = instruction->width;
    bool is_signed = instruction->flags & INSTRUCTION_SIGNED;
    need(body->emitter, HELPER_BETWEEN);
    out(body, "r%u = picket_between_%s(", instruction->dst, is_signed ? "signed" : "unsigned");
    if (is_signed) {
        operand_print_signed(body, instruction->a, width);
        out(body, ", ");
        operand_print_signed(body, instruction->b, width);
    } else {
        out_operands(body, instruction, "$a, $b");
    }
    out(body, ")");
    if (width < 64) {
        out(body, " & 0x%" PRIx64 "ul", width_mask(width));
    }
    out(body, ";");
}

/* A domain that is not all values of a type: the function returns any value of a type as wide as the computation in C,
 * and an assumption excludes the others. */
static void range_print(struct body *body, const struct instruction *instruction, bool from_zero) {
    unsigned width = instruction->width;
    unsigned type = width <= 32 ? 32 : 64;
    bool is_signed = instruction->flags & INSTRUCTION_SIGNED;
    bool cbmc = body->emitter->dialect == DIALECT_CBMC;
    need(body->emitter, HELPER_ASSUME);
    out(body, "r%u = (uint%u_t)__VERIFIER_nondet_%s%s(); %s(", instruction->dst, type, is_signed ? "" : "u",
        type == 32 ? "int" : "long", cbmc ? "__CPROVER_assume" : "__VERIFIER_assume");
    for (int side = from_zero; side < 2; side++) {
        uint32_t operand = side == 0 ? instruction->a : instruction->b;
        out(body, "%s(%sint%u_t)r%u %s ", from_zero ? "" : "(", is_signed ? "" : "u", type, instruction->dst,
            side == 0 ? ">=" : "<=");
        if (is_signed) {
            operand_print_signed(body, operand, width);
        } else {
            operand_print_plain(body, operand);
        }
        out(body, from_zero ? "" : side == 0 ? ") & " : ")");
    }
    out(body, ");");
    if (width < type) {
        out(body, " r%u &= 0x%" PRIx64 "ul;", instruction->dst, width_mask(width));
    }
}

static void nondet_print(struct body *body, const struct instruction *instruction) {
    static const char *const words[2][4] = {{"uchar", "ushort", "uint", "ulong"}, {"char", "short", "int", "long"}};
    unsigned width = instruction->width;
    bool is_signed = instruction->flags & INSTRUCTION_SIGNED;
    uint64_t low = 0;
    uint64_t high = 0;
    bool known = operand_is_constant(body, instruction->a, &low) && operand_is_constant(body, instruction->b, &high);
    if (body->emitter->dialect == DIALECT_PICKET || !known) {
        between_print(body, instruction);
        return;
    }
    need(body->emitter, HELPER_NONDET);
    uint64_t least = is_signed ? UINT64_C(1) << (width - 1) : 0;
    uint64_t most = is_signed ? least - 1 : width_mask(width);
    int size = width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : width == 64 ? 3 : -1;
    if (low == 0 && high == 1 && width == 8) {
        out(body, "r%u = __VERIFIER_nondet_bool();", instruction->dst);
    } else if (size >= 0 && low == least && high == most) {
        out(body, "r%u = (uint%u_t)__VERIFIER_nondet_%s();", instruction->dst, width, words[is_signed][size]);
    } else {
        range_print(body, instruction, !is_signed && low == 0);
    }
}

static void assume_print(struct body *body, const struct instruction *instruction) {
    static const char *const names[DIALECT_COUNT] = {"__VERIFIER_assume", "__CPROVER_assume", "picket_assume"};
    need(body->emitter, HELPER_ASSUME);
    out(body, "%s(", names[body->emitter->dialect]);
    out_operands(body, instruction, "$a != 0);");
}

static void atomic_print(struct body *body, const char *which) {
    static const char *const starts[DIALECT_COUNT] = {"__VERIFIER", "__CPROVER", "picket"};
    need(body->emitter, HELPER_ATOMIC);
    out(body, "%s_atomic_%s();", starts[body->emitter->dialect], which);
}

/* --- Errors ------------------------------------------------------------------------------------------------------- */

#define X(name, text) #name,
static const char *const error_words[ERROR_COUNT] = {ERROR_KINDS(X)};
#undef X

static void error_print(struct body *body, const struct instruction *instruction, unsigned kind, const char *message) {
    static const char start[] = "assertion \"";
    static const char end[] = "\" failed";
    struct emitter *emitter = body->emitter;
    const struct program *program = emitter->program;
    size_t length = strlen(message);
    bool quoted = length > sizeof start + sizeof end - 2 && strncmp(message, start, sizeof start - 1) == 0 &&
                  strcmp(message + length - (sizeof end - 1), end) == 0;
    if (emitter->dialect != DIALECT_PICKET && kind == ERROR_ASSERT && quoted) {
        const struct position *position = &program->positions[instruction->pos];
        const char *file = program_string(program, position->file);
        const char *function = program_string(program, position->function);
        need(emitter, HELPER_ASSERT);
        out(body, "__assert_fail(");
        text_print(message + sizeof start - 1, length - (sizeof start - 1) - (sizeof end - 1), emitter->out);
        out(body, ", ");
        text_print(file, strlen(file), emitter->out);
        out(body, ", %u, ", position->line);
        text_print(function, strlen(function), emitter->out);
        out(body, ");");
    } else if (emitter->dialect == DIALECT_SVCOMP && kind == ERROR_ABORT && strcmp(message, "abort was called") == 0) {
        need(emitter, HELPER_ABORT);
        out(body, "abort();");
    } else if (emitter->dialect == DIALECT_SVCOMP && kind == ERROR_REACH &&
               strcmp(message, "reach_error was called") == 0) {
        need(emitter, HELPER_REACH);
        out(body, "reach_error();");
    } else {
        need(emitter, HELPER_ERRORS);
        need(emitter, HELPER_REACH);
        out(body, "picket_error(%s, ", error_words[kind]);
        text_print(message, length, emitter->out);
        out(body, ");");
    }
}

/* --- Output and the machine's own library functions --------------------------------------------------------------- */

static void library_print(struct body *body, const struct instruction *instruction) {
    static const struct {
        const char *name;
        enum helper helper;
    } rows[LIB_COUNT] = {
        [LIB_PRINT] = {"print", HELPER_PRINT},    [LIB_FORMAT] = {"format", HELPER_FORMAT},
        [LIB_TEXT] = {"text", HELPER_TEXT},       [LIB_WRITE] = {"write", HELPER_WRITE},
        [LIB_STRTOD] = {"strtod", HELPER_STRTOD}, [LIB_OBJECT_SIZE] = {"object_size", HELPER_OBJECT_SIZE}};
    bool two = instruction->a == LIB_STRTOD || instruction->a == LIB_TEXT;
    need(body->emitter, rows[instruction->a].helper);
    if (two) {
        out(body, "{ struct picket_%s t_ = ", instruction->a == LIB_TEXT ? "found" : "parsed");
    } else if (instruction->dst != NO_REGISTER && instruction->sub > 0) {
        out(body, "r%u = ", instruction->dst);
    }
    out(body, "picket_%s(", rows[instruction->a].name);
    for (uint32_t i = 0; i < instruction->c; i++) {
        out(body, i > 0 ? ", " : "");
        operand_print(body, body->emitter->program->operands[instruction->b + i]);
    }
    out(body, ");");
    if (two) {
        for (unsigned i = 0; i < instruction->sub && i < 2 && instruction->dst != NO_REGISTER; i++) {
            out(body, " r%u = t_.%s;", instruction->dst + i, i == 0 ? "bits" : "length");
        }
        out(body, " }");
    }
}

static void yield_print(struct body *body, unsigned kind) {
    if (kind == YIELD_PAUSE) {
        out(body, "__builtin_ia32_pause();");
    } else if (kind == YIELD_SLEEP) {
        need(body->emitter, HELPER_SLEEP);
        out(body, "picket_sleep();");
    } else if (kind == YIELD_SCHEDULE) {
        need(body->emitter, HELPER_YIELD);
        out(body, "sched_yield();");
    }
}

bool effect_print(struct body *body, const struct instruction *instruction) {
    const struct program *program = body->emitter->program;
    switch (instruction->op) {
    case OP_NOP:
        yield_print(body, instruction->sub);
        return true;
    case OP_ASSUMED:
        need(body->emitter, HELPER_NOTES);
        out(body, "PICKET_ASSUMES(%s, ", assumption_table[instruction->sub].name);
        out_operands(body, instruction, "$a, $b);");
        return true;
    case OP_SELF:
    case OP_CHILD:
        need(body->emitter, HELPER_THREADS);
        out(body, "r%u = picket_%s();", instruction->dst, instruction->op == OP_SELF ? "self" : "thread_child");
        return true;
    case OP_LIB:
        library_print(body, instruction);
        return true;
    case OP_SYNC:
        sync_print(body, instruction);
        return true;
    case OP_ATOMIC_BEGIN:
        atomic_print(body, "begin");
        return true;
    case OP_ATOMIC_END:
        atomic_print(body, "end");
        return true;
    case OP_NONDET:
        nondet_print(body, instruction);
        return true;
    case OP_ASSUME:
        assume_print(body, instruction);
        return true;
    case OP_ASSERT:
        out_operands(body, instruction, "if ($a == 0) { ");
        error_print(body, instruction, ERROR_ASSERT, program_string(program, instruction->b));
        out(body, " }");
        return true;
    case OP_ERROR:
        error_print(body, instruction, instruction->sub, program_string(program, instruction->a));
        return true;
    case OP_AWAIT:
        return true; /* the loop shows itself */
    case OP_CUT:
        need(body->emitter, HELPER_CUT);
        out(body, "picket_cut();");
        return true;
    case OP_HALT:
        need(body->emitter, HELPER_HALT);
        need(body->emitter, HELPER_ERRORS);
        need(body->emitter, HELPER_REACH);
        need(body->emitter, HELPER_ATOMIC);
        need(body->emitter, HELPER_PTHREAD);
        out(body, "picket_halt(%u);", instruction->a);
        return true;
    case OP_EXIT:
        need(body->emitter, HELPER_EXIT);
        out_operands(body, instruction, "picket_exit((int)$a);");
        return true;
    default:
        return false;
    }
}
