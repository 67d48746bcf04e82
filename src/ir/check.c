/* The rules of a Program:
 *
 *   1. Every operand that is read is a register below the function's `registers` or an existing constant; every
 *      register written exists; wide operands are complete pairs; the values of a SWITCH are constants.  Only a call or
 * an operation may drop its results (NO_REGISTER).
 *   2. Branch targets lie in the function; control cannot run off its end.
 *   3. Widths: arithmetic on single registers has 1 to 64 bits, on pairs 65 to 128; numbers have 32, 64 or 80 bits; an
 *      access has 1, 2, 4, 8 or (atomic ones only) 16 bytes.
 *   4. Selectors are in the range of their lists; functions, globals, types, positions, strings exist.
 *   5. Function code ranges follow each other without gap; globals do not overlap, have their initial bytes, and lie
 *      where the machine would put them: they, and the thread-locals together, fit a half region.
 *   6. The lists of addresses, among constants and in initial bytes, are ascending and refer to what exists.
 *   7. AGAIN leads to an AWAIT.
 *   8. The entry function takes and returns nothing.  A RET returns at most as many values as its function does.  The
 *      library functions of the machine, and those that stand for an operation (FUNCTION_WHOLE), get the values they
 *      take; other calls may hand over fewer, which are then 0, or more.
 *   9. Escaping locals have ended (LEAVE) where a function returns.
 *  10. No type is a part of itself, nor nested deeper than MAX_NESTING. */
#include "ir/check.h"
#include "ir/assumption.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/memory.h"
#include "util/vector.h"

#define MAX_NESTING 1000          /* of types */
#define ALL_FLAGS ((1u << 7) - 1) /* of instructions */

struct checker {
    const struct program *program;
    const struct function *function;
    const struct instruction *instruction;
    char *message;
    size_t size;
    bool good;
};

__attribute__((format(printf, 2, 3))) static void broken(struct checker *checker, const char *format, ...) {
    if (!checker->good) {
        return;
    }
    checker->good = false;
    int used = 0;
    if (checker->function) {
        used = snprintf(checker->message, checker->size,
                        "%s:%ld %s: ", checker->program->strings + checker->function->name,
                        (long)(checker->instruction - checker->program->code) - (long)checker->function->first,
                        checker->instruction->op < OP_COUNT ? op_table[checker->instruction->op].text : "?");
    }
    va_list arguments;
    va_start(arguments, format);
    if (used >= 0 && (size_t)used < checker->size) {
        vsnprintf(checker->message + used, checker->size - (size_t)used, format, arguments);
    }
    va_end(arguments);
}

static void check_string(struct checker *checker, uint32_t offset) {
    if (offset >= checker->program->strings_count) {
        broken(checker, "text %u does not exist", offset);
    }
}

static void check_operand(void *data, uint32_t operand) {
    struct checker *checker = data;
    if (operand & OPERAND_CONSTANT) {
        if ((operand & ~OPERAND_CONSTANT) >= checker->program->constants_count) {
            broken(checker, "constant %u does not exist", operand & ~OPERAND_CONSTANT);
        }
    } else if (operand >= checker->function->registers) {
        broken(checker, "register %u does not exist", operand);
    }
}

static void check_target(void *data, uint32_t target) {
    struct checker *checker = data;
    if (target >= checker->function->count) {
        broken(checker, "branch to %u leaves the function", target);
    }
}

static bool is_float_width(unsigned width) {
    return width == 32 || width == 64 || width == 80;
}

static void check_range(struct checker *checker, const char *what, unsigned value, unsigned end) {
    if (value >= end) {
        broken(checker, "unknown %s %u", what, value);
    }
}

#define MAX_RESULTS 2 /* of operations and library functions */

/* A library function and its arguments. */
static void check_library(struct checker *checker) {
    static const uint8_t arguments[LIB_COUNT] = {
        [LIB_PRINT] = 4, [LIB_FORMAT] = 5, [LIB_TEXT] = 3, [LIB_WRITE] = 3, [LIB_STRTOD] = 1, [LIB_OBJECT_SIZE] = 1};
    const struct instruction *instruction = checker->instruction;
    check_range(checker, "library function", instruction->a, LIB_COUNT);
    check_range(checker, "number of results", instruction->sub, MAX_RESULTS + 1);
    if (checker->good && instruction->c != arguments[instruction->a]) {
        broken(checker, "%s takes %u values", lib_names[instruction->a], arguments[instruction->a]);
    }
}

/* Rule 3, and the selectors of rule 4. */
static void check_selectors(struct checker *checker) {
    const struct instruction *instruction = checker->instruction;
    unsigned width = instruction->width;
    unsigned sub = instruction->sub;
    bool single = width >= 1 && width <= 64;
    bool wide = width > 64 && width <= 128;
    bool good = true;
    switch (instruction->op) {
    case OP_NOP:
        check_range(checker, "yield", sub, YIELD_COUNT);
        break;
    case OP_ASSUMED:
        check_range(checker, "assumption", sub, ASSUMPTION_COUNT);
        break;
    case OP_ICMP:
        check_range(checker, "predicate", sub, PREDICATE_COUNT);
        good = single;
        break;
    case OP_WIDE_ICMP:
        check_range(checker, "predicate", sub, PREDICATE_COUNT);
        good = wide;
        break;
    case OP_SEXT:
        good = single && sub >= width && sub <= 64;
        break;
    case OP_WIDE_SEXT:
        good = wide && sub >= width && sub <= 128;
        break;
    case OP_WIDE:
        good = wide && sub >= OP_ADD && sub <= OP_ASHR;
        break;
    case OP_BITS:
        check_range(checker, "bit operation", sub, BITS_COUNT);
        good = single;
        break;
    case OP_OVERFLOW:
        check_range(checker, "overflow", sub, OVERFLOW_COUNT);
        good = single;
        break;
    case OP_WIDE_OVERFLOW:
        check_range(checker, "overflow", sub, OVERFLOW_COUNT);
        good = wide;
        break;
    case OP_FLOAT:
        check_range(checker, "float operation", sub, FLOAT_COUNT);
        good = is_float_width(width);
        break;
    case OP_FCMP:
        check_range(checker, "float predicate", sub, FPREDICATE_COUNT);
        good = is_float_width(width);
        break;
    case OP_FMATH:
        check_range(checker, "math function", sub, MATH_COUNT);
        good = is_float_width(width);
        break;
    case OP_FMA:
        good = is_float_width(width);
        break;
    case OP_FCONV:
        good = is_float_width(width) && is_float_width(sub);
        break;
    case OP_FTOSI:
    case OP_FTOUI:
        good = is_float_width(width) && sub >= 1 && sub <= 128;
        break;
    case OP_SITOF:
    case OP_UITOF:
        good = width >= 1 && width <= 128 && is_float_width(sub);
        break;
    case OP_LOAD:
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
        check_range(checker, "order", sub, ORDER_COUNT);
        good = width == 1 || width == 2 || width == 4 || width == 8 ||
               (width == 16 && (instruction->flags & INSTRUCTION_ATOMIC));
        if (instruction->op == OP_RMW) {
            check_range(checker, "read-modify-write", instruction->c, RMW_COUNT);
        }
        break;
    case OP_FENCE:
        check_range(checker, "order", sub, ORDER_COUNT);
        break;
    case OP_SYNC:
        check_range(checker, "synchronisation", width, SYNC_COUNT);
        check_range(checker, "number of results", sub, MAX_RESULTS + 1);
        break;
    case OP_WAIT_UNLESS:
    case OP_ADD_TO:
    case OP_RECORD:
    case OP_WAKE:
    case OP_RESULT:
        broken(checker, "%s is outside the code of an operation", op_table[instruction->op].text);
        break;
    case OP_LIB:
        check_library(checker);
        break;
    case OP_CUT:
        check_range(checker, "cut", sub, CUT_COUNT);
        break;
    case OP_NOTE:
        check_range(checker, "annotation", sub, NOTE_COUNT);
        break;
    case OP_ERROR:
        check_range(checker, "error", sub, ERROR_COUNT);
        break;
    case OP_NONDET:
        good = single;
        break;
    default:
        if (instruction->op >= OP_ADD && instruction->op <= OP_FSHR) {
            good = single || instruction->op == OP_SELECT;
        }
        break;
    }
    if (!good) {
        broken(checker, "bad width %u (sub %u)", width, sub);
    }
}

/* Rule 4: a, b, c and dst refer to existing elements; also, pools are long enough. */
static void check_references(struct checker *checker) {
    const struct program *program = checker->program;
    const struct instruction *instruction = checker->instruction;
    const uint32_t fields[] = {instruction->dst, instruction->a, instruction->b, instruction->c};
    const char *shape = op_table[instruction->op].shape;
    for (int i = 0; i < 4; i++) {
        uint64_t length = i < 3 ? fields[i + 1] : 0;
        switch (shape[i]) {
        case 'f':
            check_range(checker, "function", fields[i], (unsigned)program->functions_count);
            break;
        case 'g':
            check_range(checker, "global", fields[i], (unsigned)program->globals_count);
            break;
        case 'y':
            check_range(checker, "type", fields[i], (unsigned)program->types_count);
            break;
        case 's':
            check_string(checker, fields[i]);
            break;
        case 'q':
            length *= 2;
            /* fall through */
        case 'p':
            if (fields[i] + length > program->operands_count) {
                broken(checker, "operands %u .. %lu do not exist", fields[i], (unsigned long)(fields[i] + length));
            }
            break;
        default:
            break;
        }
    }
    if (instruction->pos >= program->positions_count) {
        broken(checker, "position %u does not exist", instruction->pos);
    }
    if (instruction->flags > ALL_FLAGS) {
        broken(checker, "unknown flags %u", instruction->flags);
    }
}

/* The values of a switch, which are not among the operands that an instruction reads. */
static void check_switch(struct checker *checker) {
    const struct instruction *instruction = checker->instruction;
    for (uint32_t k = 0; k < instruction->c; k++) {
        uint32_t value = checker->program->operands[instruction->b + 2 * k];
        if (!(value & OPERAND_CONSTANT)) {
            broken(checker, "value %u is not a constant", k);
        }
        check_operand(checker, value);
    }
}

static bool is_alignment(uint64_t alignment) {
    return alignment > 0 && alignment <= MAX_OBJECT && (alignment & (alignment - 1)) == 0;
}

static void check_instruction(struct checker *checker) {
    const struct program *program = checker->program;
    const struct instruction *instruction = checker->instruction;
    if (instruction->op >= OP_COUNT) {
        broken(checker, "operation %u does not exist", instruction->op);
        return;
    }
    check_references(checker);
    if (!checker->good) {
        return;
    }
    check_selectors(checker);
    instruction_reads(program, instruction, check_operand, checker);
    instruction_targets(program, instruction, check_target, checker);
    if (instruction->op == OP_SWITCH) {
        check_switch(checker);
    }
    bool may_drop = strchr("NF", op_table[instruction->op].shape[0]);
    bool writes_some = strchr("wWXVC", op_table[instruction->op].shape[0]);
    if (writes_some && !may_drop && instruction->dst == NO_REGISTER) {
        broken(checker, "writes no register");
    }
    if (instruction->op == OP_RET && instruction->b > checker->function->results) {
        broken(checker, "returns %u values, not %u", instruction->b, checker->function->results);
    }
    const struct function *callee = instruction->op == OP_CALL ? &program->functions[instruction->a] : NULL;
    if (callee && (callee->flags & FUNCTION_WHOLE) && instruction->c != callee->parameters) {
        broken(checker, "hands over %u values, not %u", instruction->c, callee->parameters);
    }
    if (checker->good && instruction->op == OP_TLS && !(program->globals[instruction->a].flags & GLOBAL_THREAD_LOCAL)) {
        broken(checker, "global %u is not thread-local", instruction->a);
    }
    if (instruction->op == OP_ALLOCA && !is_alignment(instruction->b)) {
        broken(checker, "bad alignment %u", instruction->b);
    }
    uint64_t writes = instruction_writes(program, instruction);
    if (may_drop && instruction->dst != NO_REGISTER && instruction->dst >= checker->function->registers) {
        broken(checker, "register %u does not exist", instruction->dst);
    }
    if (writes > 0 && instruction->dst + writes > checker->function->registers) {
        broken(checker, "register %lu does not exist", (unsigned long)(instruction->dst + writes - 1));
    }
    if (checker->good && instruction->op == OP_AGAIN &&
        program->code[checker->function->first + instruction->a].op != OP_AWAIT) {
        broken(checker, "does not lead to an await");
    }
}

/* --- Rule 9 ------------------------------------------------------------------------------------------------------- */

struct escape_search {
    bool *seen;          /* by instruction of the function: an escaping local may be alive there */
    struct vector stack; /* of uint32_t: instructions to be visited */
};

static void visit_alive(void *data, uint32_t target) {
    struct escape_search *search = data;
    if (!search->seen[target]) {
        search->seen[target] = true;
        vector_push(&search->stack, &target);
    }
}

/* Follows every escaping local to its LEAVE, or to the end of the thread or execution. */
static void check_escaping(struct checker *checker) {
    const struct program *program = checker->program;
    const struct function *function = checker->function;
    struct escape_search search = {.seen = NULL};
    vector_init(&search.stack, sizeof(uint32_t));
    for (uint32_t i = 0; i + 1 < function->count; i++) {
        const struct instruction *instruction = &program->code[function->first + i];
        if (instruction->op == OP_ALLOCA && !(instruction->flags & INSTRUCTION_PRIVATE)) {
            search.seen = search.seen ? search.seen : memory_allocate(function->count * sizeof *search.seen);
            visit_alive(&search, i + 1);
        }
    }
    while (search.stack.count > 0) {
        uint32_t at = *(uint32_t *)vector_at(&search.stack, --search.stack.count);
        checker->instruction = &program->code[function->first + at];
        if (checker->instruction->op == OP_RET) {
            broken(checker, "locals that escape are still alive");
        }
        if (checker->instruction->op == OP_LEAVE) {
            continue;
        }
        instruction_targets(program, checker->instruction, visit_alive, &search);
        if (!instruction_ends_block(checker->instruction)) {
            visit_alive(&search, at + 1);
        }
    }
    vector_delete(&search.stack);
    free(search.seen);
}

static void check_functions(struct checker *checker) {
    const struct program *program = checker->program;
    uint64_t next = 0;
    for (size_t f = 0; f < program->functions_count; f++) {
        const struct function *function = &program->functions[f];
        if (function->first != next || function->count == 0 || next + function->count > program->code_count) {
            broken(checker, "function %zu has no code of its own", f);
            return;
        }
        next += function->count;
        check_string(checker, function->name);
        if (function->parameters > function->registers || function->registers > MAX_REGISTERS ||
            function->results > 255) {
            broken(checker, "function %zu has a bad number of registers", f);
        }
        if (function->pos >= program->positions_count) {
            broken(checker, "the position of function %zu does not exist", f);
        }
    }
    if (next != program->code_count) {
        broken(checker, "code that belongs to no function");
    }
    if (program->entry >= program->functions_count || program->functions[program->entry].parameters != 0 ||
        program->functions[program->entry].results != 0) {
        broken(checker, "bad entry function");
    }
    for (size_t f = 0; checker->good && f < program->functions_count; f++) {
        checker->function = &program->functions[f];
        for (uint32_t i = 0; checker->good && i < checker->function->count; i++) {
            checker->instruction = &program->code[checker->function->first + i];
            check_instruction(checker);
        }
        if (checker->good && !instruction_ends_block(checker->instruction)) {
            broken(checker, "control runs off the end");
        }
        if (checker->good) {
            check_escaping(checker);
        }
        checker->function = NULL;
    }
}

static void check_globals(struct checker *checker) {
    const struct program *program = checker->program;
    uint64_t next = GLOBAL_BASE + PAGE_SIZE;
    uint64_t next_thread_local = PAGE_SIZE;
    for (size_t g = 0; checker->good && g < program->globals_count; g++) {
        const struct global *global = &program->globals[g];
        if (global->initial_size > global->size || global->initial > program->bytes_count ||
            global->initial_size > program->bytes_count - global->initial || global->type >= program->types_count ||
            global->pos >= program->positions_count || !is_alignment(global->alignment) ||
            global->flags > (GLOBAL_CONSTANT | GLOBAL_THREAD_LOCAL | GLOBAL_PRIVATE)) {
            broken(checker, "global %zu is damaged", g);
        }
        check_string(checker, global->name);
        if (global->flags & GLOBAL_THREAD_LOCAL) {
            uint64_t at = object_address_from(next_thread_local, global->alignment);
            if (!object_fits(at, global->size)) {
                broken(checker, "thread-local %zu does not fit the memory of a thread", g);
            }
            next_thread_local = object_end(at, global->size);
        } else {
            if (global->address < next || object_address_from(global->address, global->alignment) != global->address ||
                !object_fits(global->address - GLOBAL_BASE, global->size)) {
                broken(checker, "global %zu lies badly", g);
            }
            next = object_end(global->address, global->size);
        }
    }
}

/* --- Rule 10 ------------------------------------------------------------------------------------------------------ */

/* The nesting depth of a type: 1 for a scalar; MAX_NESTING + 1 if the depth is too great, or the type contains itself.
 * The depth of each type is computed once. */
static uint32_t type_depth(const struct program *program, uint32_t index, uint32_t *depths, uint32_t around) {
    const struct type *type = &program->types[index];
    uint32_t deepest = 0;
    if (depths[index] != 0) {
        return depths[index];
    }
    if (around > MAX_NESTING) {
        return MAX_NESTING + 1;
    }
    depths[index] = MAX_NESTING + 1; /* while it is computed: a type that leads back here contains itself */
    uint32_t parts = type->kind == TYPE_STRUCT ? type->count : type->kind == TYPE_ARRAY;
    for (uint32_t i = 0; i < parts && deepest <= MAX_NESTING; i++) {
        uint32_t part = type->kind == TYPE_STRUCT ? program->fields[type->first + i].type : type->first;
        uint32_t depth = type_depth(program, part, depths, around + 1);
        deepest = depth > deepest ? depth : deepest;
    }
    depths[index] = deepest <= MAX_NESTING ? deepest + 1 : deepest;
    return depths[index];
}

static void check_types(struct checker *checker) {
    const struct program *program = checker->program;
    for (size_t f = 0; f < program->fields_count; f++) {
        if (program->fields[f].type >= program->types_count) {
            broken(checker, "field %zu is damaged", f);
        }
        check_string(checker, program->fields[f].name);
    }
    for (size_t t = 0; t < program->types_count; t++) {
        const struct type *type = &program->types[t];
        bool fields = type->kind == TYPE_STRUCT && (uint64_t)type->first + type->count > program->fields_count;
        bool element = (type->kind == TYPE_ARRAY || type->kind == TYPE_POINTER) && type->first >= program->types_count;
        if (type->kind > TYPE_STRUCT || fields || element) {
            broken(checker, "type %zu is damaged", t);
        }
        check_string(checker, type->name);
    }
    uint32_t *depths = checker->good ? memory_allocate(program->types_count * sizeof *depths) : NULL;
    for (uint32_t t = 0; checker->good && t < program->types_count; t++) {
        if (type_depth(program, t, depths, 0) > MAX_NESTING) {
            broken(checker, "type %u is part of itself, or nested too deep", t);
        }
    }
    free(depths);
}

static void check_data(struct checker *checker) {
    const struct program *program = checker->program;
    check_globals(checker);
    for (size_t i = 0; i < program->addresses_count; i++) {
        if (program->addresses[i] >= program->constants_count ||
            (i > 0 && program->addresses[i] <= program->addresses[i - 1])) {
            broken(checker, "address %zu is no constant", i);
        }
    }
    for (size_t i = 0; i < program->relocations_count; i++) {
        if (program->relocations[i] >= program->bytes_count ||
            (i > 0 && program->relocations[i] <= program->relocations[i - 1])) {
            broken(checker, "address %zu lies in no initial bytes, or out of order", i);
        }
    }
    check_types(checker);
    for (size_t p = 0; p < program->positions_count; p++) {
        check_string(checker, program->positions[p].file);
        check_string(checker, program->positions[p].function);
        check_string(checker, program->positions[p].variable);
        check_string(checker, program->positions[p].object);
        if (program->positions[p].caller != 0 && program->positions[p].caller >= p) {
            broken(checker, "position %zu was inlined at a later one", p);
        }
    }
    for (size_t f = 0; f < program->files_count; f++) {
        check_string(checker, program->files[f]);
    }
}

bool program_check(const struct program *program, char *message, size_t size) {
    struct checker checker = {.program = program, .message = message, .size = size, .good = true};
    if (program->strings_count == 0 || program->strings[program->strings_count - 1] != '\0' ||
        program->types_count == 0 || program->positions_count == 0) {
        broken(&checker, "a section is empty that never is");
    }
    if (checker.good) {
        check_functions(&checker);
    }
    if (checker.good) {
        check_data(&checker);
    }
    return checker.good;
}
