/* Functions: a label where a branch leads, a goto where one leaves.
 *
 * All statements of one source line are on one line, after a #line directive for it.  Locals whose ALLOCA is reached
 * once are declared; others come from alloca. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emitter.h"
#include "util/memory.h"

#define REGISTERS_PER_LINE 12

/* --- Headings ----------------------------------------------------------------------------------------------------- */

static bool is_whole(const struct emitter *emitter, uint32_t function) {
    return whole_call_known(emitter->program, function);
}

static bool is_left_to_c(const struct emitter *emitter, uint32_t function) {
    if (is_whole(emitter, function)) {
        return true;
    }
    return emitter->folded_main != NO_REGISTER && function == emitter->program->entry;
}

static bool is_main(const struct emitter *emitter, uint32_t function) {
    return function == emitter->folded_main ||
           (emitter->folded_main == NO_REGISTER && function == emitter->program->entry);
}

static void result_type_print(struct emitter *emitter, uint32_t results) {
    if (results == 0) {
        fputs("void", emitter->out);
    } else if (results == 1) {
        fputs("uint64_t", emitter->out);
    } else {
        fprintf(emitter->out, "struct picket_results_%u", results);
        if (results > emitter->results) {
            emitter->results = results;
        }
    }
}

static bool is_read(const struct emitter *emitter, uint32_t f, uint32_t reg) {
    const struct instruction *code = function_code(emitter->program, f);
    bool found = false;
    for (uint32_t i = 0; i < emitter->program->functions[f].count && !found; i++) {
        found = instruction_reads_register(emitter->program, &code[i], reg);
    }
    return found;
}

static void heading_print(struct emitter *emitter, uint32_t f, bool with_names) {
    const struct function *function = &emitter->program->functions[f];
    if (is_main(emitter, f)) {
        fputs("int main(void)", emitter->out);
        return;
    }
    fputs("static ", emitter->out);
    result_type_print(emitter, function->results);
    fprintf(emitter->out, " %s(", emitter->function_names[f]);
    for (uint32_t i = 0; i < function->parameters; i++) {
        fprintf(emitter->out, "%suint64_t", i > 0 ? ", " : "");
        if (with_names) {
            fprintf(emitter->out, " r%u%s", i, is_read(emitter, f, i) ? "" : " __attribute__((unused))");
        }
    }
    fputs(function->parameters == 0 ? "void)" : ")", emitter->out);
}

void prototype_print(struct emitter *emitter, uint32_t function) {
    if (is_left_to_c(emitter, function)) {
        return;
    }
    bool library = emitter->program->functions[function].flags & FUNCTION_LIBRARY;
    heading_print(emitter, function, false);
    fputs(library ? " PICKET_LIBRARY;\n" : ";\n", emitter->out);
}

/* --- Control ------------------------------------------------------------------------------------------------------ */

static void arguments_print(struct body *body, uint32_t start, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        out(body, i > 0 ? ", " : "");
        operand_print_plain(body, body->emitter->program->operands[start + i]);
    }
}

/* Takes the results of a call that is printed next. */
static void begin_results(struct body *body, const struct instruction *instruction, uint32_t results) {
    if (instruction->dst == NO_REGISTER || results == 0) {
        return;
    }
    if (results == 1) {
        out(body, "r%u = ", instruction->dst);
    } else {
        out(body, "{ ");
        result_type_print(body->emitter, results);
        out(body, " t_ = ");
    }
}

static void end_results(struct body *body, const struct instruction *instruction, uint32_t results) {
    out(body, ";");
    if (instruction->dst != NO_REGISTER && results > 1) {
        for (uint32_t i = 0; i < results; i++) {
            out(body, " r%u = t_.r[%u];", instruction->dst + i, i);
        }
        if (results > 2) {
            /* It came through memory, where nothing of it is to stay: that would make different states of one. */
            out(body, " t_ = (struct picket_results_%u){{0}};", results);
        }
        out(body, " }");
    }
}

static void signature_cast_print(struct body *body, uint32_t results, uint32_t count) {
    out(body, "((");
    result_type_print(body->emitter, results);
    out(body, " (*)(");
    for (uint32_t i = 0; i < count; i++) {
        out(body, i > 0 ? ", uint64_t" : "uint64_t");
    }
    out(body, count == 0 ? "void))" : "))");
}

static void call_print(struct body *body, const struct instruction *instruction) {
    struct emitter *emitter = body->emitter;
    const struct function *callee = &emitter->program->functions[instruction->a];
    emitter->recursive = emitter->recursive || callee == body->function;
    begin_results(body, instruction, callee->results);
    if (callee->parameters == instruction->c) {
        out(body, "%s(", emitter->function_names[instruction->a]);
    } else {
        /* Called with arguments or results other than those of its definition. */
        signature_cast_print(body, callee->results, instruction->c);
        out(body, "(uint64_t)%s)(", emitter->function_names[instruction->a]);
    }
    arguments_print(body, instruction->b, instruction->c);
    out(body, ")");
    end_results(body, instruction, callee->results);
}

static void indirect_call_print(struct body *body, const struct instruction *instruction) {
    uint32_t results = instruction->dst == NO_REGISTER ? 0 : instruction->sub;
    begin_results(body, instruction, results);
    signature_cast_print(body, results, instruction->c);
    operand_print(body, instruction->a);
    out(body, ")(");
    arguments_print(body, instruction->b, instruction->c);
    out(body, ")");
    end_results(body, instruction, results);
}

static void switch_print(struct body *body, const struct instruction *instruction) {
    const struct program *program = body->emitter->program;
    out_operands(body, instruction, "switch ($a) {");
    for (uint32_t i = 0; i < instruction->c; i++) {
        out(body, " case ");
        operand_print(body, program->operands[instruction->b + 2 * i]);
        out(body, ": goto L%u;", program->operands[instruction->b + 2 * i + 1]);
    }
    out(body, " default: goto L%u; }", instruction->dst);
}

/* A function that returns more values than the instruction has returns zeros for the rest. */
static void return_print(struct body *body, const struct instruction *instruction, uint32_t f) {
    const struct program *program = body->emitter->program;
    uint32_t results = body->function->results;
    if (f == program->entry) {
        /* It ends the thread, while returning from main would end the process. */
        need(body->emitter, HELPER_THREADS);
        out(body, "picket_thread_exit(0);");
        return;
    }
    if (is_main(body->emitter, f)) {
        out(body, "return (int)");
    } else if (results == 0) {
        out(body, "return");
    } else if (results == 1) {
        out(body, instruction->b > 0 ? "return " : "return 0");
    } else {
        out(body, "return (struct picket_results_%u){{", results);
    }
    for (uint32_t i = 0; i < instruction->b && i < results; i++) {
        out(body, i > 0 ? ", " : "");
        operand_print_plain(body, program->operands[instruction->a + i]);
    }
    out(body, "%s;", results > 1 && !is_main(body->emitter, f) ? "}}" : "");
}

static void control_print(struct body *body, const struct instruction *instruction, uint32_t f) {
    switch (instruction->op) {
    case OP_JMP:
        out(body, "goto L%u;", instruction->a);
        break;
    case OP_AGAIN:
        out(body, "goto L%u;", instruction->b);
        break;
    case OP_BR:
        out_operands(body, instruction, "if ($a != 0) ");
        out(body, "goto L%u; else goto L%u;", instruction->b, instruction->c);
        break;
    case OP_SWITCH:
        switch_print(body, instruction);
        break;
    case OP_CALL:
        if (is_whole(body->emitter, instruction->a)) {
            whole_call_print(body, instruction);
        } else {
            call_print(body, instruction);
        }
        break;
    case OP_CALL_INDIRECT:
        indirect_call_print(body, instruction);
        break;
    default:
        return_print(body, instruction, f);
        break;
    }
}

/* --- Bodies ------------------------------------------------------------------------------------------------------- */

static void mark_target(void *data, uint32_t target) {
    ((uint8_t *)data)[target] = 1;
}

static uint8_t *find_targets(const struct body *body) {
    uint8_t *targets = memory_allocate((size_t)body->function->count + 1);
    for (uint32_t i = 0; i < body->function->count; i++) {
        instruction_targets(body->emitter->program, &body->code[i], mark_target, targets);
    }
    return targets;
}

/* Locals before the first branch and the first label exist once in every call: they are declared. */
static void locals_find(struct body *body, const uint8_t *targets) {
    const struct program *program = body->emitter->program;
    for (uint32_t i = 0; i < body->function->count && !targets[i]; i++) {
        const struct instruction *instruction = &body->code[i];
        uint64_t size;
        if (instruction_ends_block(instruction) || instruction->op == OP_BR || instruction->op == OP_STACK_SAVE) {
            break;
        }
        if (instruction->op == OP_ALLOCA && operand_is_constant(body, instruction->a, &size)) {
            const struct position *position = &program->positions[instruction->pos];
            body->locals[i] = name_new(body->emitter, program_string(program, position->variable), i);
        }
    }
}

static void local_declare(struct body *body, uint32_t index) {
    const struct instruction *instruction = &body->code[index];
    uint64_t size = body->emitter->program->constants[instruction->a & ~OPERAND_CONSTANT];
    uint32_t alignment = instruction->b;
    const char *mark = instruction->flags & INSTRUCTION_PRIVATE ? " PICKET_PRIVATE_LOCAL" : "";
    if ((size == 1 || size == 2 || size == 4 || size == 8) && alignment <= size) {
        out(body, "    uint%" PRIu64 "_t %s%s;\n", size * 8, body->locals[index], mark);
    } else {
        out(body, "    uint8_t %s[%" PRIu64 "] __attribute__((aligned(%u)))%s;\n", body->locals[index], size,
            alignment == 0 ? 1 : alignment, mark);
    }
}

static void registers_declare(struct body *body) {
    uint32_t first = body->function->parameters;
    for (uint32_t r = first; r < body->function->registers; r++) {
        bool starts = (r - first) % REGISTERS_PER_LINE == 0;
        bool ends = (r - first) % REGISTERS_PER_LINE == REGISTERS_PER_LINE - 1 || r + 1 == body->function->registers;
        out(body, "%sr%u = 0%s", starts ? "    uint64_t " : "", r, ends ? ";\n" : ", ");
    }
}

void cursor_move(struct body *body, struct cursor *cursor, const struct instruction *instruction, bool label) {
    const struct program *program = body->emitter->program;
    const struct position *position = &program->positions[instruction->pos];
    const char *file = program_string(program, position->file);
    bool known = *file != '\0' && position->line != 0 && !(body->function->flags & FUNCTION_LIBRARY);
    bool same = cursor->file && (!known || (strcmp(file, cursor->file) == 0 && position->line == cursor->line));
    bool plain = !known && !cursor->file;
    if (cursor->open && !label && (same || plain) && !plain) {
        out(body, " ");
        return;
    }
    if (cursor->open) {
        out(body, "\n");
        cursor->open = false;
    }
    if (known) {
        cursor->file = file;
        cursor->line = position->line;
    }
    if (cursor->file) {
        out(body, "#line %u ", cursor->line);
        text_print(cursor->file, strlen(cursor->file), body->emitter->out);
        out(body, "\n");
    }
    if (!label) {
        out(body, "    ");
    }
    cursor->open = true;
}

static bool prints_nothing(const struct instruction *instruction) {
    return instruction->op == OP_LEAVE || instruction->op == OP_AWAIT ||
           (instruction->op == OP_NOP && instruction->sub == YIELD_NONE) ||
           (instruction->op == OP_MOV && instruction->a == instruction->dst);
}

static void statements_print(struct body *body, const uint8_t *targets, uint32_t f) {
    struct cursor cursor = {0};
    for (uint32_t i = 0; i < body->function->count; i++) {
        const struct instruction *instruction = &body->code[i];
        body->index = i;
        if (targets[i]) {
            cursor_move(body, &cursor, instruction, true);
            out(body, "L%u:;", i);
        }
        if (prints_nothing(instruction)) {
            continue;
        }
        if (targets[i]) {
            out(body, " ");
        } else {
            cursor_move(body, &cursor, instruction, false);
        }
        if (!arithmetic_print(body, instruction) && !memory_print(body, instruction) &&
            !effect_print(body, instruction)) {
            control_print(body, instruction, f);
        }
    }
    out(body, "\n");
}

/* Compilers want a return statement, even where control never comes to the end. */
static bool returns(const struct body *body) {
    for (uint32_t i = 0; i < body->function->count; i++) {
        if (body->code[i].op == OP_RET) {
            return true;
        }
    }
    return false;
}

void function_print(struct emitter *emitter, uint32_t f) {
    const struct program *program = emitter->program;
    const struct function *function = &program->functions[f];
    struct body body = {.emitter = emitter, .function = function, .code = function_code(program, f)};
    if (is_left_to_c(emitter, f)) {
        return;
    }
    const struct position *position = &program->positions[function->pos];
    body.locals = memory_allocate(((size_t)function->count + 1) * sizeof(char *));
    uint8_t *targets = find_targets(&body);
    locals_find(&body, targets);
    out(&body, "\n");
    if (position->line != 0 && !(function->flags & FUNCTION_LIBRARY)) {
        const char *file = program_string(program, position->file);
        out(&body, "#line %u ", position->line);
        text_print(file, strlen(file), emitter->out);
        out(&body, "\n");
    } else {
        out(&body, "#line home\n");
    }
    heading_print(emitter, f, true);
    out(&body, " {\n");
    for (uint32_t i = 0; i < function->count; i++) {
        if (body.locals[i]) {
            local_declare(&body, i);
        }
    }
    registers_declare(&body);
    statements_print(&body, targets, f);
    if (!returns(&body) && function->results == 1) {
        out(&body, "    return 0;\n");
    } else if (!returns(&body) && function->results > 1) {
        out(&body, "    return (struct picket_results_%u){{0}};\n", function->results);
    }
    out(&body, "}\n");
    for (uint32_t i = 0; i < function->count; i++) {
        free(body.locals[i]);
    }
    free(body.locals);
    free(targets);
}
