/* Operations on synchronisation objects and threads: their codes (ir/sync.h) as C.
 *
 * A code runs between memory_lock and memory_unlock.  Where it would have to wait, the execution is dropped: in the
 * executions that count, the thread is switched from before the step and resumed when the operation is enabled. */
#include "seq/print/codes.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "seq/print/printer.h"

static const char *const record_words[] = {
    [RECORD_CREATED] = "created",   [RECORD_ENDED] = "ended",   [RECORD_JOINED] = "joined",
    [RECORD_DETACHED] = "detached", [RECORD_RESULT] = "result", [RECORD_WAITS] = "waits",
};

void records_print(struct printer *printer) {
    FILE *out = printer->emitter.out;
    fputs("/* Records of threads, which others can read; the last one belongs to no thread. */\n"
          "MEMORY_PART uint8_t record_created[MEMORY_THREADS + 1];\n"
          "MEMORY_PART uint8_t record_ended[MEMORY_THREADS + 1];\n"
          "MEMORY_PART uint8_t record_joined[MEMORY_THREADS + 1];\n"
          "MEMORY_PART uint8_t record_detached[MEMORY_THREADS + 1];\n"
          "MEMORY_PART uint64_t record_result[MEMORY_THREADS + 1];\n"
          "MEMORY_PART uint64_t record_waits[MEMORY_THREADS + 1];\n"
          "\n"
          "MEMORY_PART unsigned record_of(uint64_t number) {\n"
          "    return number < MEMORY_THREADS ? (unsigned)number : MEMORY_THREADS;\n"
          "}\n"
          "\n"
          "/* Wakes one thread, which is guessed, or all threads that wait at an object. */\n"
          "MEMORY_PART void record_wake(uint64_t object, unsigned all) {\n"
          "    unsigned waiting = 0;\n"
          "    for (unsigned i = 0; i < MEMORY_THREADS; i++) {\n"
          "        waiting |= record_waits[i] == object;\n"
          "    }\n"
          "    unsigned woken = 0;\n"
          "    if (waiting && !all) {\n"
          "        woken = memory_guess(MEMORY_THREADS);\n"
          "        memory_assume(record_waits[woken] == object);\n"
          "    }\n"
          "    for (unsigned i = 0; i < MEMORY_THREADS; i++) {\n"
          "        if (record_waits[i] == object && (all || i == woken)) {\n"
          "            record_waits[i] = 0;\n"
          "        }\n"
          "    }\n"
          "}\n",
          out);
}

/* --- Codes -------------------------------------------------------------------------------------------------------- */

void code_values(const struct sync_code *code, struct code_value values[SYNC_MAX_REGISTERS]) {
    memset(values, 0, SYNC_MAX_REGISTERS * sizeof *values);
    values[SYNC_A].base = VALUE_IN_A;
    values[SYNC_B].base = VALUE_IN_B;
    values[SYNC_OWN] = (struct code_value){.base = VALUE_IN_RECORD, .record = SYNC_OWN};
    for (uint32_t i = 0; i < code->count; i++) {
        const struct instruction *at = &code->instructions[i];
        bool constant = at->b & OPERAND_CONSTANT;
        if (at->op == OP_RECORD) {
            values[at->dst] = (struct code_value){.base = VALUE_IN_RECORD, .record = at->dst};
        } else if (at->op == OP_ADD && !(at->a & OPERAND_CONSTANT) && constant) {
            values[at->dst] = values[at->a];
            values[at->dst].offset += (uint32_t)sync_constants[at->b & ~OPERAND_CONSTANT];
        }
    }
}

struct coding {
    struct printer *printer;
    const struct instruction *sync;
    const struct sync_code *code;
    struct code_value values[SYNC_MAX_REGISTERS];
};

/* An operand as a number; a record is its thread's number. */
static void code_operand_print(const struct coding *coding, uint32_t operand) {
    struct printer *printer = coding->printer;
    struct body *body = &printer->body;
    if (operand & OPERAND_CONSTANT) {
        out(body, "%" PRIu64 "u", sync_constants[operand & ~OPERAND_CONSTANT]);
    } else if (operand == SYNC_A || operand == SYNC_B || operand == SYNC_C) {
        const uint32_t operands[] = {coding->sync->a, coding->sync->b, coding->sync->c};
        operand_print(body, operands[operand]);
    } else if (operand == SYNC_SELF) {
        out(body, "%uu", printer->thread + 1);
    } else if (operand == SYNC_OWN) {
        out(body, "%uu", printer->thread);
    } else if (operand == SYNC_SPURIOUS) {
        out(body, "0u");
    } else {
        out(body, "c%u", operand);
    }
}

static struct access code_access(const struct coding *coding, const struct instruction *at) {
    const struct printer *printer = coding->printer;
    const struct code_value *value = &coding->values[at->a];
    size_t index = code_index(printer, coding->sync);
    bool first = value->base == VALUE_IN_A;
    return (struct access){first ? &printer->points.a[index] : &printer->points.b[index],
                           first ? coding->sync->a : coding->sync->b, value->offset, at->width, true};
}

static void record_word_print(const struct coding *coding, const struct code_value *value) {
    out(&coding->printer->body, "record_%s[", record_words[value->offset]);
    code_operand_print(coding, value->record);
    out(&coding->printer->body, "]");
}

static void code_load_print(const struct coding *coding, const struct instruction *at) {
    struct body *body = &coding->printer->body;
    const struct code_value *value = &coding->values[at->a];
    out(body, "c%u = ", at->dst);
    if (value->base == VALUE_IN_RECORD) {
        record_word_print(coding, value);
    } else {
        struct access access = code_access(coding, at);
        access_read_print(coding->printer, &access);
    }
    out(body, "; ");
}

static void code_store_print(const struct coding *coding, const struct instruction *at) {
    struct body *body = &coding->printer->body;
    const struct code_value *value = &coding->values[at->a];
    if (value->base == VALUE_IN_RECORD) {
        bool flag = value->offset < RECORD_RESULT;
        record_word_print(coding, value);
        out(body, flag ? " = (uint8_t)" : " = ");
        code_operand_print(coding, at->b);
        out(body, "; ");
        return;
    }
    struct access access = code_access(coding, at);
    access_write_begin(coding->printer, &access);
    out(body, "(uint32_t)(");
    if (at->op == OP_ADD_TO) {
        access_read_print(coding->printer, &access);
        out(body, " + ");
    }
    code_operand_print(coding, at->b);
    out(body, ")");
    access_write_end(coding->printer, &access);
    out(body, " ");
}

/* Is the register of a code a variable?  An address in an object or record is not: accesses have their own expressions
 * for it. */
static bool is_printed(const struct coding *coding, uint32_t reg) {
    const struct code_value *value = &coding->values[reg];
    return value->base == VALUE_NUMBER || (value->base == VALUE_IN_RECORD && value->record == reg);
}

static void code_compute_print(const struct coding *coding, const struct instruction *at) {
    struct body *body = &coding->printer->body;
    const char *sign = at->op == OP_ADD          ? "+"
                       : at->op == OP_SUB        ? "-"
                       : at->op == OP_OR         ? "|"
                       : at->sub == PREDICATE_EQ ? "=="
                       : at->sub == PREDICATE_NE ? "!="
                                                 : "<";
    if (!is_printed(coding, at->dst)) {
        return;
    }
    out(body, "c%u = %s(", at->dst, at->op != OP_ICMP && at->width == 32 ? "(uint32_t)" : "");
    code_operand_print(coding, at->a);
    out(body, " %s ", sign);
    code_operand_print(coding, at->b);
    out(body, "); ");
}

/* In an atomic section no thread could end the wait. */
static void code_wait_print(const struct coding *coding, const struct instruction *at) {
    struct body *body = &coding->printer->body;
    if (in_section(coding->printer)) {
        need(body->emitter, HELPER_ERRORS);
        need(body->emitter, HELPER_REACH);
        out(body, "if (");
        code_operand_print(coding, at->a);
        out(body, " == 0) { picket_error(ATOMIC_BLOCKED, \"a thread waits in an atomic section\"); } ");
        return;
    }
    out(body, "memory_assume(");
    code_operand_print(coding, at->a);
    out(body, " != 0); ");
}

static void code_error_print(const struct coding *coding, const struct instruction *at) {
    struct body *body = &coding->printer->body;
    const char *text = sync_texts[at->a];
    const char *name = strstr(text, "%s ");
    need(body->emitter, HELPER_ERRORS);
    need(body->emitter, HELPER_REACH);
    out(body, "picket_error(NOT_OWNER, \"%.*s%s\"); ", name ? (int)(name - text) : 0, text,
        name ? name + strlen("%s ") : text);
}

static void code_instruction_print(const struct coding *coding, uint32_t index) {
    const struct instruction *at = &coding->code->instructions[index];
    const struct instruction *sync = coding->sync;
    struct body *body = &coding->printer->body;
    const uint32_t results[] = {at->a, at->b};
    switch (at->op) {
    case OP_BR:
        assert(at->b == index + 1 && "a code continues where its condition holds");
        out(body, "if (");
        code_operand_print(coding, at->a);
        out(body, " == 0) goto C%u_%u; ", body->index, at->c);
        break;
    case OP_LOAD:
        code_load_print(coding, at);
        break;
    case OP_STORE:
    case OP_ADD_TO:
        code_store_print(coding, at);
        break;
    case OP_RECORD:
        out(body, "c%u = record_of(", at->dst);
        code_operand_print(coding, at->a);
        out(body, "); ");
        break;
    case OP_NONDET:
        out(body, "c%u = memory_guess(2); ", at->dst);
        break;
    case OP_WAKE:
        out(body, "record_wake(");
        code_operand_print(coding, at->a);
        out(body, ", ");
        code_operand_print(coding, at->b);
        out(body, "); ");
        break;
    case OP_WAIT_UNLESS:
        code_wait_print(coding, at);
        break;
    case OP_ERROR:
        code_error_print(coding, at);
        break;
    case OP_RESULT:
        for (unsigned i = 0; i < 2 && i < sync->sub && sync->dst != NO_REGISTER; i++) {
            out(body, "r%u = ", sync->dst + i);
            code_operand_print(coding, results[i]);
            out(body, "; ");
        }
        if (index + 1 < coding->code->count) {
            out(body, "goto C%u_end; ", body->index);
        }
        break;
    default:
        code_compute_print(coding, at);
        break;
    }
}

static bool is_target(const struct sync_code *code, uint32_t index) {
    for (uint32_t i = 0; i < code->count; i++) {
        if (code->instructions[i].op == OP_BR && code->instructions[i].c == index) {
            return true;
        }
    }
    return false;
}

static void code_print(struct printer *printer, const struct instruction *sync) {
    struct body *body = &printer->body;
    struct coding coding = {.printer = printer, .sync = sync, .code = &sync_codes()[sync->width]};
    code_values(coding.code, coding.values);
    out(body, "{ ");
    bool declared = false;
    for (uint32_t r = SYNC_INPUTS; r < coding.code->registers; r++) {
        if (is_printed(&coding, r)) {
            out(body, "%sc%u = 0", declared ? ", " : "uint64_t ", r);
            declared = true;
        }
    }
    out(body, declared ? "; " : "");
    if (!in_section(printer)) {
        out(body, "memory_lock(%u); ", printer->thread);
    }
    bool returns = false;
    for (uint32_t i = 0; i < coding.code->count; i++) {
        if (is_target(coding.code, i)) {
            out(body, "C%u_%u:; ", body->index, i);
        }
        code_instruction_print(&coding, i);
        returns |= coding.code->instructions[i].op == OP_RESULT && i + 1 < coding.code->count;
    }
    if (returns) {
        out(body, "C%u_end:; ", body->index);
    }
    if (!in_section(printer)) {
        out(body, "memory_unlock(%u); ", printer->thread);
    }
    out(body, "}");
}

/* --- Threads ------------------------------------------------------------------------------------------------------ */

static uint32_t thread_of(const struct printer *printer, const struct instruction *creation) {
    uint64_t start = printer->program->constants[creation->a & ~OPERAND_CONSTANT];
    uint32_t function = (uint32_t)function_at(printer->program, start);
    uint32_t number = 0;
    while (((struct thread_plan *)vector_at(&printer->unrolled->threads, number))->function != function) {
        number++;
    }
    return number;
}

static void creation_print(struct printer *printer, const struct instruction *code) {
    struct body *body = &printer->body;
    uint32_t number = thread_of(printer, code);
    const struct thread_plan *plan = vector_at(&printer->unrolled->threads, number);
    uint32_t parameters = printer->program->functions[plan->function].parameters;
    const uint32_t arguments[] = {code->b, code->c};
    if (!in_section(printer)) {
        out(body, "memory_fence(%u); ", printer->thread);
    }
    out(body, "record_created[%u] = 1;", number);
    for (uint32_t i = 0; i < parameters && i < 2; i++) {
        out(body, " argument_%u[%u] = ", number, i);
        operand_print(body, arguments[i]);
        out(body, ";");
    }
    if (code->dst != NO_REGISTER && code->sub > 0) {
        out(body, " r%u = %u;", code->dst, number);
    }
}

void thread_end_print(struct printer *printer, uint32_t value) {
    struct body *body = &printer->body;
    out(body, "memory_fence(%u); record_ended[%u] = 1; ", printer->thread, printer->thread);
    if (value != NO_REGISTER) {
        out(body, "record_result[%u] = ", printer->thread);
        operand_print(body, value);
        out(body, "; ");
    }
    out(body, "goto end;");
}

void sync_print(struct printer *printer, const struct instruction *code) {
    if (code->width == SYNC_THREAD_CREATE) {
        creation_print(printer, code);
    } else if (code->width == SYNC_THREAD_EXIT) {
        thread_end_print(printer, code->a);
    } else {
        code_print(printer, code);
    }
}
