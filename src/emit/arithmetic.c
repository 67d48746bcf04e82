/* Computation.  Registers above the width of what they hold are clear, so what cannot carry needs no mask. */
#include <inttypes.h>
#include <string.h>

#include "emit/emitter.h"

static bool is_register(uint32_t operand) {
    return !(operand & OPERAND_CONSTANT);
}

/* Begins an assignment of one register and cuts the value to the width; `end_cut` closes it. */
static void begin_cut(struct body *body, const struct instruction *instruction, unsigned width) {
    out(body, "r%u = ", instruction->dst);
    if (width == 8 || width == 16 || width == 32) {
        out(body, "(uint%u_t)(", width);
    } else if (width < 64) {
        out(body, "(");
    }
}

static void end_cut(struct body *body, unsigned width) {
    if (width == 8 || width == 16 || width == 32) {
        out(body, ")");
    } else if (width < 64) {
        out(body, ") & 0x%" PRIx64, width_mask(width));
    }
    out(body, ";");
}

static void operands_print(struct body *body, const struct instruction *instruction, const char *sign) {
    /* Two constants must not be computed as ints. */
    void (*print)(struct body *, uint32_t) =
        is_register(instruction->a) || is_register(instruction->b) ? operand_print_plain : operand_print;
    print(body, instruction->a);
    out(body, " %s ", sign);
    print(body, instruction->b);
}

static void binary_print(struct body *body, const struct instruction *instruction, const char *sign, bool carries) {
    unsigned width = carries ? instruction->width : 64;
    begin_cut(body, instruction, width);
    operands_print(body, instruction, sign);
    end_cut(body, width);
}

/* A shift counts modulo the next power of two. */
static void count_print(struct body *body, uint32_t operand, unsigned width) {
    unsigned limit = 1;
    while (limit < width) {
        limit *= 2;
    }
    uint64_t value;
    if (operand_is_constant(body, operand, &value)) {
        out(body, "%" PRIu64, value & (limit - 1));
    } else {
        out(body, "(");
        operand_print(body, operand);
        out(body, " & %u)", limit - 1);
    }
}

static void shift_print(struct body *body, const struct instruction *instruction) {
    unsigned width = instruction->op == OP_LSHR ? 64 : instruction->width;
    begin_cut(body, instruction, width);
    if (instruction->op == OP_ASHR) {
        need(body->emitter, HELPER_SIGNED);
        out_operands(body, instruction, "(uint64_t)(picket_signed($a, ");
        out(body, "%u) >> ", instruction->width);
        count_print(body, instruction->b, instruction->width);
        out(body, ")");
    } else {
        operand_print(body, instruction->a);
        out(body, instruction->op == OP_SHL ? " << " : " >> ");
        count_print(body, instruction->b, instruction->width);
    }
    end_cut(body, width);
}

/* A division of constants is hidden from compilers, which warn of what they can see. */
static void divisor_print(struct body *body, const struct instruction *instruction, bool is_signed) {
    uint64_t value;
    if (operand_is_constant(body, instruction->b, &value) && (value == 0 || !is_register(instruction->a))) {
        need(body->emitter, HELPER_ZERO);
        bool castable = instruction->width == 32 || instruction->width == 64;
        if (is_signed && castable) {
            out(body, "(int%u_t)", instruction->width);
        } else if (is_signed) {
            need(body->emitter, HELPER_SIGNED);
            out(body, "picket_signed");
        }
        out_operands(body, instruction, "(picket_zero() + $b");
        if (is_signed && !castable) {
            out(body, ", %u", instruction->width);
        }
        out(body, ")");
    } else if (is_signed) {
        operand_print_signed(body, instruction->b, instruction->width);
    } else {
        operand_print(body, instruction->b);
    }
}

static void division_print(struct body *body, const struct instruction *instruction) {
    bool is_signed = instruction->op == OP_SDIV || instruction->op == OP_SREM;
    const char *sign = instruction->op == OP_UDIV || instruction->op == OP_SDIV ? " / " : " % ";
    unsigned width = is_signed ? instruction->width : 64;
    begin_cut(body, instruction, width);
    out(body, is_signed ? "(uint64_t)(" : "");
    if (is_signed) {
        operand_print_signed(body, instruction->a, width);
    } else {
        operand_print(body, instruction->a);
    }
    out(body, "%s", sign);
    divisor_print(body, instruction, is_signed);
    out(body, is_signed ? ")" : "");
    end_cut(body, width);
}

static const char *const predicate_signs[PREDICATE_COUNT] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};

static void comparison_print(struct body *body, const struct instruction *instruction) {
    unsigned predicate = instruction->sub;
    const char *sign = predicate_signs[predicate];
    uint64_t value;
    bool against_zero = operand_is_constant(body, instruction->b, &value) && value == 0;
    bool zero_against = operand_is_constant(body, instruction->a, &value) && value == 0;
    bool with_equal = strchr(sign, '=') != NULL && predicate != PREDICATE_NE;
    out(body, "r%u = ", instruction->dst);
    if (instruction->a == instruction->b) {
        out(body, "%d", with_equal);
    } else if ((predicate == PREDICATE_ULT && against_zero) || (predicate == PREDICATE_UGT && zero_against)) {
        out(body, "0"); /* compilers warn of comparisons that never change */
    } else if ((predicate == PREDICATE_UGE && against_zero) || (predicate == PREDICATE_ULE && zero_against)) {
        out(body, "1");
    } else if (predicate >= PREDICATE_SLT) {
        operand_print_signed(body, instruction->a, instruction->width);
        out(body, " %s ", sign);
        operand_print_signed(body, instruction->b, instruction->width);
    } else {
        operands_print(body, instruction, sign);
    }
    out(body, ";");
}

static void extension_print(struct body *body, const struct instruction *instruction) {
    begin_cut(body, instruction, instruction->sub);
    if (instruction->width == 1) {
        out_operands(body, instruction, "-$a");
    } else {
        out(body, "(uint64_t)");
        out(body, "(int64_t)");
        operand_print_signed(body, instruction->a, instruction->width);
    }
    end_cut(body, instruction->sub);
}

static void bits_print(struct body *body, const struct instruction *instruction) {
    static const char *const names[BITS_COUNT] = {"population", "leading_zeros", "trailing_zeros",
                                                  "byte_swap",  "reverse",       "absolute"};
    need(body->emitter, HELPER_BITS);
    need(body->emitter, HELPER_SIGNED);
    out(body, "r%u = picket_%s(", instruction->dst, names[instruction->sub]);
    out_operands(body, instruction, "$a, ");
    out(body, "%u);", instruction->width);
}

/* --- Overflow and wide integers ----------------------------------------------------------------------------------- */

static bool overflow_is_signed(unsigned kind) {
    return kind == OVERFLOW_SADD || kind == OVERFLOW_SSUB || kind == OVERFLOW_SMUL;
}

static const char *overflow_name(unsigned kind) {
    return kind == OVERFLOW_SADD || kind == OVERFLOW_UADD   ? "add"
           : kind == OVERFLOW_SSUB || kind == OVERFLOW_USUB ? "sub"
                                                            : "mul";
}

static void overflow_print(struct body *body, const struct instruction *instruction) {
    unsigned width = instruction->width;
    bool is_signed = overflow_is_signed(instruction->sub);
    const char *name = overflow_name(instruction->sub);
    if (width == 8 || width == 16 || width == 32 || width == 64) {
        out(body, "{ %sint%u_t t_; uint64_t o_ = __builtin_%s_overflow((%sint%u_t)", is_signed ? "" : "u", width, name,
            is_signed ? "" : "u", width);
        operand_print(body, instruction->a);
        out(body, ", (%sint%u_t)", is_signed ? "" : "u", width);
        operand_print(body, instruction->b);
        out(body, ", &t_); r%u = (uint%u_t)t_; r%u = o_; }", instruction->dst, width, instruction->dst + 1);
        return;
    }
    need(body->emitter, HELPER_WIDE);
    need(body->emitter, HELPER_SIGNED);
    need(body->emitter, HELPER_OVERFLOW);
    out(body, "{ uint64_t o_ = picket_%s_overflows(", name);
    out_operands(body, instruction, "$a, $b, ");
    out(body, "%u, %d); r%u = picket_%s(", width, is_signed, instruction->dst, name);
    out_operands(body, instruction, "$a, $b");
    out(body, ") & 0x%" PRIx64 "; r%u = o_; }", width_mask(width), instruction->dst + 1);
}

/* Splits the wide value of `expression` into two registers. */
static void begin_wide(struct body *body) {
    need(body->emitter, HELPER_WIDE);
    out(body, "{ wide t_ = ");
}

static void end_wide(struct body *body, const struct instruction *instruction, unsigned width) {
    out(body, "; r%u = (uint64_t)t_; r%u = (uint64_t)(t_ >> 64)", instruction->dst, instruction->dst + 1);
    if (width < 128) {
        out(body, " & 0x%" PRIx64, width_mask(width - 64));
    }
    out(body, "; }");
}

static void wide_signed_print(struct body *body, uint32_t operand, unsigned width) {
    need(body->emitter, HELPER_WIDE_SIGNED);
    out(body, "picket_wide_signed(");
    operand_print_wide(body, operand);
    out(body, ", %u)", width);
}

static bool is_zero_pair(const struct body *body, uint32_t operand) {
    uint64_t low;
    uint64_t high;
    return operand_is_constant(body, operand, &low) && operand_is_constant(body, operand + 1, &high) && low == 0 &&
           high == 0;
}

static void wide_print(struct body *body, const struct instruction *instruction) {
    static const char *const signs[] = {
        [OP_ADD] = "+",  [OP_SUB] = "-",   [OP_MUL] = "*",  [OP_UDIV] = "/", [OP_SDIV] = "/",
        [OP_UREM] = "%", [OP_SREM] = "%",  [OP_AND] = "&",  [OP_OR] = "|",   [OP_XOR] = "^",
        [OP_SHL] = "<<", [OP_LSHR] = ">>", [OP_ASHR] = ">>"};
    unsigned op = instruction->sub;
    unsigned width = instruction->width;
    bool is_signed = op == OP_SDIV || op == OP_SREM || op == OP_ASHR;
    begin_wide(body);
    out(body, is_signed ? "(wide)(" : "");
    if (is_signed) {
        wide_signed_print(body, instruction->a, width);
    } else {
        operand_print_wide(body, instruction->a);
    }
    out(body, " %s ", signs[op]);
    bool divides = op == OP_UDIV || op == OP_SDIV || op == OP_UREM || op == OP_SREM;
    if (op == OP_SHL || op == OP_LSHR || op == OP_ASHR) {
        out(body, "(int)(");
        operand_print(body, instruction->b);
        out(body, " & 127)");
    } else if (divides && is_zero_pair(body, instruction->b)) {
        need(body->emitter, HELPER_ZERO);
        out(body, "(%s)picket_zero()", is_signed ? "__int128" : "wide");
    } else if (is_signed) {
        wide_signed_print(body, instruction->b, width);
    } else {
        operand_print_wide(body, instruction->b);
    }
    out(body, is_signed ? ")" : "");
    end_wide(body, instruction, width);
}

static void wide_comparison_print(struct body *body, const struct instruction *instruction) {
    out(body, "r%u = ", instruction->dst);
    for (int side = 0; side < 2; side++) {
        uint32_t operand = side == 0 ? instruction->a : instruction->b;
        if (side == 1) {
            out(body, " %s ", predicate_signs[instruction->sub]);
        }
        if (instruction->sub >= PREDICATE_SLT) {
            wide_signed_print(body, operand, instruction->width);
        } else {
            operand_print_wide(body, operand);
        }
    }
    out(body, ";");
}

static void wide_overflow_print(struct body *body, const struct instruction *instruction) {
    need(body->emitter, HELPER_WIDE);
    need(body->emitter, HELPER_WIDE_SIGNED);
    need(body->emitter, HELPER_WIDE_OVERFLOW);
    out(body, "{ wide t_; uint64_t o_ = picket_wide_%s%s(", overflow_is_signed(instruction->sub) ? "s" : "u",
        overflow_name(instruction->sub));
    out_operands(body, instruction, "$A, $B, ");
    out(body, "%u, &t_); r%u = (uint64_t)t_; r%u = (uint64_t)(t_ >> 64); r%u = o_; }", instruction->width,
        instruction->dst, instruction->dst + 1, instruction->dst + 2);
}

/* --- Floating point ----------------------------------------------------------------------------------------------- */

static void number_print(struct body *body, uint32_t operand, unsigned width) {
    if (width == 80) {
        need(body->emitter, HELPER_EXTENDED);
        out(body, "picket_extended(");
        operand_print(body, operand);
        out(body, ", ");
        operand_print(body, operand + 1);
    } else {
        need(body->emitter, HELPER_NUMBERS);
        out(body, "picket_%s(", width == 32 ? "float" : "double");
        operand_print(body, operand);
    }
    out(body, ")");
}

/* What follows is the number that the registers get. */
static void begin_number(struct body *body, const struct instruction *instruction, unsigned width) {
    if (width == 80) {
        need(body->emitter, HELPER_EXTENDED);
        out(body, "{ union picket_extended t_ = {.bits = {0, 0}}; t_.number = ");
    } else {
        need(body->emitter, HELPER_NUMBERS);
        out(body, "r%u = picket_%s_bits(", instruction->dst, width == 32 ? "float" : "double");
    }
}

static void end_number(struct body *body, const struct instruction *instruction, unsigned width) {
    if (width == 80) {
        out(body, "; r%u = t_.bits[0]; r%u = t_.bits[1] & 0xffff; }", instruction->dst, instruction->dst + 1);
    } else {
        out(body, ");");
    }
}

static const char *math_suffix(unsigned width) {
    return width == 32 ? "f" : width == 64 ? "" : "l";
}

static void float_print(struct body *body, const struct instruction *instruction) {
    static const char *const signs[FLOAT_COUNT] = {"+", "-", "*", "/", "", ""};
    unsigned width = instruction->width;
    begin_number(body, instruction, width);
    if (instruction->sub == FLOAT_NEG) {
        out(body, "-");
        number_print(body, instruction->a, width);
    } else {
        bool remainder = instruction->sub == FLOAT_REM;
        if (remainder) {
            out(body, "__builtin_fmod%s(", math_suffix(width));
        }
        number_print(body, instruction->a, width);
        out(body, "%s%s ", remainder ? "," : " ", signs[instruction->sub]);
        number_print(body, instruction->b, width);
        out(body, remainder ? ")" : "");
    }
    end_number(body, instruction, width);
}

static void math_print(struct body *body, const struct instruction *instruction) {
#define X(name, function, arguments) {#function, arguments},
    static const struct {
        const char *name;
        int arguments;
    } functions[MATH_COUNT] = {MATH_KINDS(X)};
#undef X
    unsigned width = instruction->width;
    begin_number(body, instruction, width);
    out(body, "__builtin_%s%s(", functions[instruction->sub].name, math_suffix(width));
    number_print(body, instruction->a, width);
    if (functions[instruction->sub].arguments == 2) {
        out(body, ", ");
        number_print(body, instruction->b, width);
    }
    out(body, ")");
    end_number(body, instruction, width);
}

static void fma_print(struct body *body, const struct instruction *instruction) {
    unsigned width = instruction->width;
    begin_number(body, instruction, width);
    out(body, "__builtin_fma%s(", math_suffix(width));
    number_print(body, instruction->a, width);
    out(body, ", ");
    number_print(body, instruction->b, width);
    out(body, ", ");
    number_print(body, instruction->c, width);
    out(body, ")");
    end_number(body, instruction, width);
}

static void number_comparison_print(struct body *body, const struct instruction *instruction) {
    static const char *const signs[FPREDICATE_COUNT] = {
        [FPREDICATE_OEQ] = "==", [FPREDICATE_OGT] = ">",  [FPREDICATE_OGE] = ">=",
        [FPREDICATE_OLT] = "<",  [FPREDICATE_OLE] = "<=", [FPREDICATE_UNE] = "!="};
    unsigned width = instruction->width;
    const char *sign = instruction->a != instruction->b ? signs[instruction->sub] : NULL;
    out(body, "r%u = ", instruction->dst);
    if (sign) {
        number_print(body, instruction->a, width);
        out(body, " %s ", sign);
        number_print(body, instruction->b, width);
    } else {
        need(body->emitter, HELPER_OUTCOME);
        out(body, "(picket_outcome(");
        number_print(body, instruction->a, width);
        out(body, ", ");
        number_print(body, instruction->b, width);
        out(body, ") & %u) != 0", instruction->sub);
    }
    out(body, ";");
}

static void integer_type_print(struct body *body, unsigned width, bool is_signed) {
    if (width > 64) {
        out(body, is_signed ? "__int128" : "unsigned __int128");
    } else {
        unsigned size = width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
        out(body, "%sint%u_t", is_signed ? "" : "u", size);
    }
}

static void to_integer_print(struct body *body, const struct instruction *instruction) {
    unsigned width = instruction->sub;
    bool wide = width > 64;
    if (wide) {
        begin_wide(body);
        out(body, "(wide)(");
    } else {
        begin_cut(body, instruction, width);
        out(body, "(uint64_t)(");
    }
    integer_type_print(body, width, instruction->op == OP_FTOSI);
    out(body, ")");
    number_print(body, instruction->a, instruction->width);
    if (wide) {
        end_wide(body, instruction, width);
    } else {
        end_cut(body, width);
    }
}

static void from_integer_print(struct body *body, const struct instruction *instruction) {
    unsigned width = instruction->width;
    bool is_signed = instruction->op == OP_SITOF;
    begin_number(body, instruction, instruction->sub);
    out(body, "(%s)", instruction->sub == 32 ? "float" : instruction->sub == 64 ? "double" : "long double");
    if (width > 64 && is_signed) {
        wide_signed_print(body, instruction->a, width);
    } else if (width > 64) {
        operand_print_wide(body, instruction->a);
    } else if (is_signed) {
        operand_print_signed(body, instruction->a, width);
    } else {
        operand_print(body, instruction->a);
    }
    end_number(body, instruction, instruction->sub);
}

bool arithmetic_print(struct body *body, const struct instruction *instruction) {
    switch (instruction->op) {
    case OP_MOV:
        if (instruction->a != instruction->dst) {
            out(body, "r%u = ", instruction->dst);
            operand_print_plain(body, instruction->a);
            out(body, ";");
        }
        return true;
    case OP_ADD:
        binary_print(body, instruction, "+", true);
        return true;
    case OP_SUB:
        binary_print(body, instruction, "-", true);
        return true;
    case OP_MUL:
        binary_print(body, instruction, "*", true);
        return true;
    case OP_AND:
        binary_print(body, instruction, "&", false);
        return true;
    case OP_OR:
        binary_print(body, instruction, "|", false);
        return true;
    case OP_XOR:
        binary_print(body, instruction, "^", false);
        return true;
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
        division_print(body, instruction);
        return true;
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        shift_print(body, instruction);
        return true;
    case OP_ICMP:
        comparison_print(body, instruction);
        return true;
    case OP_SEXT:
        extension_print(body, instruction);
        return true;
    case OP_TRUNC:
        begin_cut(body, instruction, instruction->width);
        operand_print(body, instruction->a);
        end_cut(body, instruction->width);
        return true;
    case OP_SELECT:
        out_operands(body, instruction, "$d = $a != 0 ? $b : $c;");
        return true;
    case OP_BITS:
        bits_print(body, instruction);
        return true;
    case OP_FSHL:
    case OP_FSHR:
        need(body->emitter, HELPER_WIDE);
        need(body->emitter, HELPER_FUNNEL);
        out_operands(body, instruction,
                     instruction->op == OP_FSHL ? "$d = picket_funnel_left($a, $b, $c, "
                                                : "$d = picket_funnel_right($a, $b, $c, ");
        out(body, "%u);", instruction->width);
        return true;
    case OP_OVERFLOW:
        overflow_print(body, instruction);
        return true;
    case OP_WIDE:
        wide_print(body, instruction);
        return true;
    case OP_WIDE_ICMP:
        wide_comparison_print(body, instruction);
        return true;
    case OP_WIDE_SEXT:
        begin_wide(body);
        out(body, "(wide)");
        wide_signed_print(body, instruction->a, instruction->width);
        end_wide(body, instruction, instruction->sub);
        return true;
    case OP_WIDE_OVERFLOW:
        wide_overflow_print(body, instruction);
        return true;
    case OP_FLOAT:
        float_print(body, instruction);
        return true;
    case OP_FCMP:
        number_comparison_print(body, instruction);
        return true;
    case OP_FMATH:
        math_print(body, instruction);
        return true;
    case OP_FMA:
        fma_print(body, instruction);
        return true;
    case OP_FCONV:
        begin_number(body, instruction, instruction->sub);
        out(body, "(%s)", instruction->sub == 32 ? "float" : instruction->sub == 64 ? "double" : "long double");
        number_print(body, instruction->a, instruction->width);
        end_number(body, instruction, instruction->sub);
        return true;
    case OP_FTOSI:
    case OP_FTOUI:
        to_integer_print(body, instruction);
        return true;
    case OP_SITOF:
    case OP_UITOF:
        from_integer_print(body, instruction);
        return true;
    default:
        return false;
    }
}
