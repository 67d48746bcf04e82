/* Prints a Program.  An instruction is `results = operation selectors operands`; its position follows. */
#include "ir/print.h"

#include <inttypes.h>

#include "ir/assumption.h"
#include "ir/sync.h"

/* The text of the second selector, or NULL. */
static const char *selector(const struct instruction *instruction) {
    switch (instruction->op) {
    case OP_NOP:
        return yield_names[instruction->sub];
    case OP_ASSUMED:
        return assumption_table[instruction->sub].name;
    case OP_ICMP:
    case OP_WIDE_ICMP:
        return predicate_names[instruction->sub];
    case OP_FCMP:
        return fpredicate_names[instruction->sub];
    case OP_BITS:
        return bits_names[instruction->sub];
    case OP_OVERFLOW:
    case OP_WIDE_OVERFLOW:
        return overflow_names[instruction->sub];
    case OP_WIDE:
        return op_table[instruction->sub].text;
    case OP_FLOAT:
        return float_names[instruction->sub];
    case OP_FMATH:
        return math_names[instruction->sub];
    case OP_LOAD:
    case OP_STORE:
    case OP_CAS:
    case OP_FENCE:
    case OP_RMW:
        return order_names[instruction->sub];
    case OP_NOTE:
        return note_names[instruction->sub];
    case OP_ERROR:
        return error_names[instruction->sub];
    case OP_SYNC:
        return sync_table[instruction->width].name;
    default:
        return NULL;
    }
}

static void print_global_address(const struct program *program, uint64_t address, FILE *out) {
    for (size_t g = 0; g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        if (global->address != 0 && address >= global->address && address - global->address <= global->size) {
            fprintf(out, "&%s", program->strings + global->name);
            if (address != global->address) {
                fprintf(out, "+%" PRIu64, address - global->address);
            }
            return;
        }
    }
    fprintf(out, "0x%" PRIx64, address);
}

static void print_constant(const struct program *program, uint64_t value, FILE *out) {
    int64_t function = function_at(program, value);
    if (function >= 0) {
        fprintf(out, "&%s", function_name(program, (uint32_t)function));
    } else if (value >= GLOBAL_BASE && value < THREAD_BASE) {
        print_global_address(program, value, out);
    } else if (value < 1024) {
        fprintf(out, "%" PRIu64, value);
    } else {
        fprintf(out, "0x%" PRIx64, value);
    }
}

struct operand_printer {
    const struct program *program;
    FILE *out;
    const char *separator;
};

static void print_operand(void *data, uint32_t operand) {
    struct operand_printer *printer = data;
    fputs(printer->separator, printer->out);
    printer->separator = ", ";
    if (operand & OPERAND_CONSTANT) {
        print_constant(printer->program, printer->program->constants[operand & ~OPERAND_CONSTANT], printer->out);
    } else {
        fprintf(printer->out, "r%u", operand);
    }
}

static void print_target(void *data, uint32_t target) {
    struct operand_printer *printer = data;
    fprintf(printer->out, "%s@%u", printer->separator, target);
    printer->separator = ", ";
}

static void print_switch(const struct program *program, const struct instruction *instruction, FILE *out) {
    struct operand_printer printer = {program, out, " "};
    print_operand(&printer, instruction->a);
    for (uint32_t k = 0; k < instruction->c; k++) {
        print_operand(&printer, program->operands[instruction->b + 2 * k]);
        printer.separator = " -> ";
        print_target(&printer, program->operands[instruction->b + 2 * k + 1]);
    }
    printer.separator = ", else -> ";
    print_target(&printer, instruction->dst);
}

void instruction_print(const struct program *program, const struct instruction *instruction, FILE *out) {
    unsigned writes = instruction_writes(program, instruction);
    for (unsigned i = 0; i < writes; i++) {
        fprintf(out, "%sr%u", i ? ", " : "", instruction->dst + i);
    }
    if (writes) {
        fputs(" = ", out);
    }
    fputs(op_table[instruction->op].text, out);
    if (instruction->width && instruction->op != OP_SYNC) {
        fprintf(out, ".%u", instruction->width);
    }
    const char *name = selector(instruction);
    if (name && *name) {
        fprintf(out, " %s", name);
    }
    if (instruction->op == OP_SWITCH) {
        print_switch(program, instruction, out);
        return;
    }
    if (instruction->op == OP_CALL) {
        fprintf(out, " %s", function_name(program, instruction->a));
    } else if (instruction->op == OP_LIB) {
        fprintf(out, " %s", lib_names[instruction->a]);
    } else if (instruction->op == OP_TLS) {
        fprintf(out, " %s", program->strings + program->globals[instruction->a].name);
    } else if (instruction->op == OP_RMW) {
        fprintf(out, " %s", rmw_names[instruction->c]);
    } else if (instruction->op == OP_SEXT || instruction->op == OP_WIDE_SEXT ||
               (instruction->op >= OP_FCONV && instruction->op <= OP_UITOF)) {
        fprintf(out, " to %u", instruction->sub);
    } else if (instruction->op == OP_ALLOCA && (instruction->flags & INSTRUCTION_PRIVATE)) {
        fputs(" private", out);
    }
    struct operand_printer printer = {program, out, " "};
    instruction_reads(program, instruction, print_operand, &printer);
    instruction_targets(program, instruction, print_target, &printer);
    if (instruction->op == OP_ERROR || instruction->op == OP_ASSERT) {
        uint32_t text = instruction->op == OP_ERROR ? instruction->a : instruction->b;
        fprintf(out, "%s\"%s\"", printer.separator, program_string(program, text));
    }
}

static void print_position(const struct program *program, uint32_t pos, FILE *out) {
    const struct position *position = &program->positions[pos];
    if (pos == 0) {
        return;
    }
    fprintf(out, "  ; %s:%u:%u", program_string(program, position->file), position->line, position->column);
    if (*program_string(program, position->variable)) {
        fprintf(out, " %s", program_string(program, position->variable));
    }
}

static void print_global(const struct program *program, const struct global *global, FILE *out) {
    fprintf(out, "global %s: %" PRIu64 " bytes", program_string(program, global->name), global->size);
    if (global->flags & GLOBAL_THREAD_LOCAL) {
        fprintf(out, ", thread-local%s", global->flags & GLOBAL_PRIVATE ? ", private" : "");
    } else {
        fprintf(out, " at 0x%" PRIx64, global->address);
    }
    if (global->flags & GLOBAL_CONSTANT) {
        fputs(", constant", out);
    }
    uint64_t shown = global->initial_size < 16 ? global->initial_size : 16;
    if (shown) {
        fputs(", starts", out);
    }
    for (uint64_t i = 0; i < shown; i++) {
        fprintf(out, " %02x", program->bytes[global->initial + i]);
    }
    fputs(global->initial_size > shown ? " ...\n" : "\n", out);
}

void program_print(const struct program *program, FILE *out) {
    for (size_t g = 0; g < program->globals_count; g++) {
        print_global(program, &program->globals[g], out);
    }
    for (size_t f = 0; f < program->functions_count; f++) {
        const struct function *function = &program->functions[f];
        fprintf(out, "\nfunction %s: %u parameters, %u results, %u registers%s%s\n",
                program_string(program, function->name), function->parameters, function->results, function->registers,
                function->flags & FUNCTION_LIBRARY ? ", library" : "", f == program->entry ? ", entry" : "");
        for (uint32_t i = 0; i < function->count; i++) {
            const struct instruction *instruction = &program->code[function->first + i];
            fprintf(out, "%5u  ", i);
            instruction_print(program, instruction, out);
            print_position(program, instruction->pos, out);
            fputc('\n', out);
        }
    }
}
