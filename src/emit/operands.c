/* Operands of instructions as C expressions. */
#include <inttypes.h>
#include <stdarg.h>

#include "emit/emitter.h"

uint64_t width_mask(unsigned width) {
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

void out(struct body *body, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(body->emitter->out, format, arguments);
    va_end(arguments);
}

bool operand_is_constant(const struct body *body, uint32_t operand, uint64_t *value) {
    uint32_t index = operand & ~OPERAND_CONSTANT;
    if (!(operand & OPERAND_CONSTANT) || body->emitter->is_address[index]) {
        return false;
    }
    *value = body->emitter->program->constants[index];
    return true;
}

static void number_print(struct body *body, uint64_t value, bool plain) {
    if (plain && value <= INT32_MAX) {
        out(body, "%" PRIu64, value);
    } else if (value < 1024) {
        out(body, "%" PRIu64 "ul", value);
    } else {
        out(body, "0x%" PRIx64 "ul", value);
    }
}

static void value_print(struct body *body, uint32_t operand, bool plain) {
    uint64_t value;
    if (operand_is_constant(body, operand, &value)) {
        number_print(body, value, plain);
    } else if (operand & OPERAND_CONSTANT) {
        out(body, "(");
        address_print(body->emitter, body->emitter->program->constants[operand & ~OPERAND_CONSTANT]);
        out(body, ")");
    } else {
        out(body, "r%u", operand);
    }
}

void operand_print(struct body *body, uint32_t operand) {
    value_print(body, operand, false);
}

void operand_print_plain(struct body *body, uint32_t operand) {
    value_print(body, operand, true);
}

void operand_print_signed(struct body *body, uint32_t operand, unsigned width) {
    uint64_t value;
    if (operand_is_constant(body, operand, &value)) {
        int64_t number = (int64_t)(value << (64 - width)) >> (64 - width);
        if (number == INT64_MIN) {
            out(body, "INT64_MIN");
        } else if (number < INT32_MIN || number > INT32_MAX) {
            out(body, "%" PRId64 "l", number);
        } else if (number == INT32_MIN) {
            out(body, "INT32_MIN");
        } else {
            out(body, "%" PRId64, number);
        }
    } else if (width == 8 || width == 16 || width == 32 || width == 64) {
        out(body, "(int%u_t)", width);
        operand_print(body, operand);
    } else {
        need(body->emitter, HELPER_SIGNED);
        out(body, "picket_signed(");
        operand_print(body, operand);
        out(body, ", %u)", width);
    }
}

void operand_print_wide(struct body *body, uint32_t operand) {
    need(body->emitter, HELPER_WIDE);
    out(body, "picket_join(");
    operand_print(body, operand);
    out(body, ", ");
    operand_print(body, operand + 1);
    out(body, ")");
}

void out_operands(struct body *body, const struct instruction *instruction, const char *format) {
    for (const char *at = format; *at; at++) {
        if (*at != '$') {
            fputc(*at, body->emitter->out);
            continue;
        }
        switch (*++at) {
        case 'a':
            operand_print(body, instruction->a);
            break;
        case 'b':
            operand_print(body, instruction->b);
            break;
        case 'c':
            operand_print(body, instruction->c);
            break;
        case 'A':
            operand_print_wide(body, instruction->a);
            break;
        case 'B':
            operand_print_wide(body, instruction->b);
            break;
        case 'C':
            operand_print_wide(body, instruction->c);
            break;
        default:
            out(body, "r%u", instruction->dst);
            break;
        }
    }
}
