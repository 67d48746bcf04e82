/* Bits, overflow, wide integers, floating point.  Floating point is the host's own, so results are those of x86-64. */
#include "machine/arithmetic.h"

#include <math.h>
#include <string.h>

typedef unsigned __int128 wide;
typedef __int128 signed_wide;

static wide join(const uint64_t value[2]) {
    return (wide)value[1] << 64 | value[0];
}

static void split(wide value, unsigned width, uint64_t out[2]) {
    if (width < 128) {
        value &= ((wide)1 << width) - 1;
    }
    out[0] = (uint64_t)value;
    out[1] = (uint64_t)(value >> 64);
}

static signed_wide wide_signed(wide value, unsigned width) {
    unsigned shift = 128 - width;
    return (signed_wide)(value << shift) >> shift;
}

static bool holds(enum predicate predicate, bool equal, bool unsigned_less, bool signed_less) {
    switch (predicate) {
    case PREDICATE_EQ:
        return equal;
    case PREDICATE_NE:
        return !equal;
    case PREDICATE_ULT:
        return unsigned_less;
    case PREDICATE_ULE:
        return unsigned_less || equal;
    case PREDICATE_UGT:
        return !unsigned_less && !equal;
    case PREDICATE_UGE:
        return !unsigned_less;
    case PREDICATE_SLT:
        return signed_less;
    case PREDICATE_SLE:
        return signed_less || equal;
    case PREDICATE_SGT:
        return !signed_less && !equal;
    default:
        return !signed_less;
    }
}

bool compare(enum predicate predicate, uint64_t a, uint64_t b, unsigned width) {
    return holds(predicate, a == b, a < b, sign_extended(a, width) < sign_extended(b, width));
}

static bool wide_compare(enum predicate predicate, wide a, wide b, unsigned width) {
    return holds(predicate, a == b, a < b, wide_signed(a, width) < wide_signed(b, width));
}

static uint64_t bits_run(enum bits_kind kind, uint64_t a, unsigned width) {
    switch (kind) {
    case BITS_POPULATION:
        return (uint64_t)__builtin_popcountll(a);
    case BITS_LEADING_ZEROS:
        return a ? (uint64_t)__builtin_clzll(a) - (64 - width) : width;
    case BITS_TRAILING_ZEROS:
        return a ? (uint64_t)__builtin_ctzll(a) : width;
    case BITS_BYTE_SWAP:
        return __builtin_bswap64(a) >> (64 - width);
    case BITS_REVERSE: {
        uint64_t reversed = 0;
        for (unsigned i = 0; i < width; i++) {
            reversed |= (a >> i & 1) << (width - 1 - i);
        }
        return reversed;
    }
    default:
        return truncated(sign_extended(a, width) < 0 ? -a : a, width);
    }
}

/* Computes in 128 bits, where operands of up to 64 bits cannot overflow. */
static void overflow_run(enum overflow_kind kind, uint64_t a, uint64_t b, unsigned width, uint64_t out[2]) {
    signed_wide sa = sign_extended(a, width);
    signed_wide sb = sign_extended(b, width);
    signed_wide exact;
    switch (kind) {
    case OVERFLOW_SADD:
        exact = sa + sb;
        break;
    case OVERFLOW_SSUB:
        exact = sa - sb;
        break;
    case OVERFLOW_SMUL:
        exact = sa * sb;
        break;
    case OVERFLOW_UADD:
        exact = (signed_wide)((wide)a + b);
        break;
    case OVERFLOW_USUB:
        exact = (signed_wide)a - (signed_wide)b;
        break;
    default: {
        wide product = (wide)a * b;
        out[0] = truncated((uint64_t)product, width);
        out[1] = product != (wide)out[0];
        return;
    }
    }
    bool is_signed = kind == OVERFLOW_SADD || kind == OVERFLOW_SSUB || kind == OVERFLOW_SMUL;
    out[0] = truncated((uint64_t)exact, width);
    out[1] = exact != (is_signed ? (signed_wide)sign_extended(out[0], width) : (signed_wide)out[0]);
}

static void wide_overflow_run(enum overflow_kind kind, wide a, wide b, unsigned width, uint64_t out[3]) {
    wide result = 0;
    signed_wide sresult = 0;
    bool overflow;
    switch (kind) {
    case OVERFLOW_UADD:
        overflow = __builtin_add_overflow(a, b, &result);
        break;
    case OVERFLOW_USUB:
        overflow = __builtin_sub_overflow(a, b, &result);
        break;
    case OVERFLOW_UMUL:
        overflow = __builtin_mul_overflow(a, b, &result);
        break;
    case OVERFLOW_SADD:
        overflow = __builtin_add_overflow(wide_signed(a, width), wide_signed(b, width), &sresult);
        result = (wide)sresult;
        break;
    case OVERFLOW_SSUB:
        overflow = __builtin_sub_overflow(wide_signed(a, width), wide_signed(b, width), &sresult);
        result = (wide)sresult;
        break;
    default:
        overflow = __builtin_mul_overflow(wide_signed(a, width), wide_signed(b, width), &sresult);
        result = (wide)sresult;
        break;
    }
    split(result, width, out);
    bool is_signed = kind == OVERFLOW_SADD || kind == OVERFLOW_SSUB || kind == OVERFLOW_SMUL;
    wide back = join(out);
    out[2] = overflow || (is_signed ? (wide)wide_signed(back, width) != result : back != result);
}

static bool wide_run(unsigned op, wide a, wide b, unsigned width, uint64_t out[2]) {
    signed_wide sa = wide_signed(a, width);
    signed_wide sb = wide_signed(b, width);
    unsigned count = (unsigned)(b & 127);
    wide result;
    bool divides = op == OP_UDIV || op == OP_SDIV || op == OP_UREM || op == OP_SREM;
    wide smallest = (wide)1 << (width - 1);
    if (divides && (sb == 0 || ((op == OP_SDIV || op == OP_SREM) && a == smallest && sb == -1))) {
        return false;
    }
    switch (op) {
    case OP_ADD:
        result = a + b;
        break;
    case OP_SUB:
        result = a - b;
        break;
    case OP_MUL:
        result = a * b;
        break;
    case OP_UDIV:
        result = a / b;
        break;
    case OP_SDIV:
        result = (wide)(sa / sb);
        break;
    case OP_UREM:
        result = a % b;
        break;
    case OP_SREM:
        result = (wide)(sa % sb);
        break;
    case OP_AND:
        result = a & b;
        break;
    case OP_OR:
        result = a | b;
        break;
    case OP_XOR:
        result = a ^ b;
        break;
    case OP_SHL:
        result = a << count;
        break;
    case OP_LSHR:
        result = a >> count;
        break;
    default:
        result = (wide)(sa >> count);
        break;
    }
    split(result, width, out);
    return true;
}

/* --- Floating point ----------------------------------------------------------------------------------------------- */

static float as_float(uint64_t bits) {
    uint32_t word = (uint32_t)bits;
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static double as_double(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static long double as_extended(const uint64_t bits[2]) {
    long double number = 0;
    memcpy(&number, bits, 10);
    return number;
}

static void from_float(float number, uint64_t out[2]) {
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    out[0] = word;
}

static void from_double(double number, uint64_t out[2]) {
    memcpy(out, &number, sizeof number);
}

static void from_extended(long double number, uint64_t out[2]) {
    out[0] = out[1] = 0;
    memcpy(out, &number, 10);
}

/* Every float and double is exact as a long double, so conversions and comparisons use long double. */
static long double number_of(const uint64_t bits[2], unsigned width) {
    return width == 32   ? (long double)as_float(bits[0])
           : width == 64 ? (long double)as_double(bits[0])
                         : as_extended(bits);
}

static void number_to(long double number, unsigned width, uint64_t out[2]) {
    if (width == 32) {
        from_float((float)number, out);
    } else if (width == 64) {
        from_double((double)number, out);
    } else {
        from_extended(number, out);
    }
}

#define FLOAT_RUN(type, remainder)                                                                                     \
    static type float_run_##type(enum float_kind kind, type a, type b) {                                               \
        switch (kind) {                                                                                                \
        case FLOAT_ADD:                                                                                                \
            return a + b;                                                                                              \
        case FLOAT_SUB:                                                                                                \
            return a - b;                                                                                              \
        case FLOAT_MUL:                                                                                                \
            return a * b;                                                                                              \
        case FLOAT_DIV:                                                                                                \
            return a / b;                                                                                              \
        case FLOAT_REM:                                                                                                \
            return remainder(a, b);                                                                                    \
        default:                                                                                                       \
            return -a;                                                                                                 \
        }                                                                                                              \
    }
typedef long double extended;
FLOAT_RUN(float, fmodf)
FLOAT_RUN(double, fmod)
FLOAT_RUN(extended, fmodl)

#define CALL_1(function, a, b) function(a)
#define CALL_2(function, a, b) function(a, b)
#define X(name, function, arguments)                                                                                   \
    case MATH_##name:                                                                                                  \
        return CALL_##arguments(SUFFIXED(function), a, b);
#define SUFFIXED(function) function##f
static float math_run_float(enum math_kind kind, float a, float b) {
    switch (kind) {
        MATH_KINDS(X)
    default:
        return 0;
    }
}
#undef SUFFIXED
#define SUFFIXED(function) function
static double math_run_double(enum math_kind kind, double a, double b) {
    switch (kind) {
        MATH_KINDS(X)
    default:
        return 0;
    }
}
#undef SUFFIXED
#define SUFFIXED(function) function##l
static long double math_run_extended(enum math_kind kind, long double a, long double b) {
    switch (kind) {
        MATH_KINDS(X)
    default:
        return 0;
    }
}
#undef SUFFIXED
#undef X

static void fmath_run(enum math_kind kind, unsigned width, const uint64_t a[2], const uint64_t b[2], uint64_t out[2]) {
    if (width == 32) {
        from_float(math_run_float(kind, as_float(a[0]), as_float(b[0])), out);
    } else if (width == 64) {
        from_double(math_run_double(kind, as_double(a[0]), as_double(b[0])), out);
    } else {
        from_extended(math_run_extended(kind, as_extended(a), as_extended(b)), out);
    }
}

static void float_run(enum float_kind kind, unsigned width, const uint64_t a[2], const uint64_t b[2], uint64_t out[2]) {
    if (width == 32) {
        from_float(float_run_float(kind, as_float(a[0]), as_float(b[0])), out);
    } else if (width == 64) {
        from_double(float_run_double(kind, as_double(a[0]), as_double(b[0])), out);
    } else {
        from_extended(float_run_extended(kind, as_extended(a), as_extended(b)), out);
    }
}

static void fma_run(unsigned width, const uint64_t a[2], const uint64_t b[2], const uint64_t c[2], uint64_t out[2]) {
    if (width == 32) {
        from_float(fmaf(as_float(a[0]), as_float(b[0]), as_float(c[0])), out);
    } else if (width == 64) {
        from_double(fma(as_double(a[0]), as_double(b[0]), as_double(c[0])), out);
    } else {
        from_extended(fmal(as_extended(a), as_extended(b), as_extended(c)), out);
    }
}

static bool fcompare(enum fpredicate predicate, long double a, long double b) {
    unsigned outcome = isunordered(a, b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
    return (predicate & outcome) != 0;
}

/* A number that does not fit becomes the smallest integer, as x86's conversions have it. */
static void to_integer(long double number, unsigned width, bool is_signed, uint64_t out[2]) {
    wide result = (wide)1 << (width - 1);
    long double limit = ldexpl(1.0L, (int)width - (is_signed ? 1 : 0));
    if (is_signed && number > -limit - 1 && number < limit) {
        result = (wide)(signed_wide)number;
    } else if (!is_signed && number > -1 && number < limit) {
        result = (wide)number;
    } else if (!is_signed && number > -limit && number < 0) {
        result = (wide)(signed_wide)number;
    }
    split(result, width, out);
}

/* Converts directly to the target format, so that the value is rounded once. */
static void from_integer(wide value, unsigned width, unsigned target, bool is_signed, uint64_t out[2]) {
    signed_wide number = wide_signed(value, width);
    if (target == 32) {
        from_float(is_signed ? (float)number : (float)value, out);
    } else if (target == 64) {
        from_double(is_signed ? (double)number : (double)value, out);
    } else {
        from_extended(is_signed ? (long double)number : (long double)value, out);
    }
}

/* --- Dispatch ----------------------------------------------------------------------------------------------------- */

bool arithmetic_run(const struct instruction *instruction, const uint64_t a[2], const uint64_t b[2],
                    const uint64_t c[2], uint64_t out[3]) {
    unsigned width = instruction->width;
    unsigned sub = instruction->sub;
    switch (instruction->op) {
    case OP_BITS:
        out[0] = bits_run(sub, a[0], width);
        break;
    case OP_FSHL:
    case OP_FSHR: {
        unsigned count = (unsigned)(c[0] % width);
        wide both = (wide)a[0] << width | b[0];
        wide shifted = instruction->op == OP_FSHL ? both << count >> width : both >> count;
        out[0] = truncated((uint64_t)shifted, width);
        break;
    }
    case OP_OVERFLOW:
        overflow_run(sub, a[0], b[0], width, out);
        break;
    case OP_WIDE:
        return wide_run(sub, join(a), join(b), width, out);
    case OP_WIDE_ICMP:
        out[0] = wide_compare(sub, join(a), join(b), width);
        break;
    case OP_WIDE_SEXT:
        split((wide)wide_signed(join(a), width), sub, out);
        break;
    case OP_WIDE_OVERFLOW:
        wide_overflow_run(sub, join(a), join(b), width, out);
        break;
    case OP_FLOAT:
        float_run(sub, width, a, b, out);
        break;
    case OP_FCMP:
        out[0] = fcompare(sub, number_of(a, width), number_of(b, width));
        break;
    case OP_FMATH:
        fmath_run(sub, width, a, b, out);
        break;
    case OP_FMA:
        fma_run(width, a, b, c, out);
        break;
    case OP_FCONV:
        number_to(number_of(a, width), sub, out);
        break;
    case OP_FTOSI:
    case OP_FTOUI:
        to_integer(number_of(a, width), sub, instruction->op == OP_FTOSI, out);
        break;
    default: /* OP_SITOF, OP_UITOF */
        from_integer(join(a), width, sub, instruction->op == OP_SITOF, out);
        break;
    }
    return true;
}

void rmw_apply(enum rmw_kind kind, unsigned size, const uint64_t old[2], const uint64_t b[2], uint64_t out[2]) {
    unsigned width = size * 8;
    wide x = join(old);
    wide y = join(b);
    signed_wide sx = wide_signed(x, width);
    signed_wide sy = wide_signed(y, width);
    wide result;
    switch (kind) {
    case RMW_XCHG:
        result = y;
        break;
    case RMW_ADD:
        result = x + y;
        break;
    case RMW_SUB:
        result = x - y;
        break;
    case RMW_AND:
        result = x & y;
        break;
    case RMW_NAND:
        result = ~(x & y);
        break;
    case RMW_OR:
        result = x | y;
        break;
    case RMW_XOR:
        result = x ^ y;
        break;
    case RMW_NEG:
        result = -x;
        break;
    case RMW_SMAX:
        result = sx > sy ? x : y;
        break;
    case RMW_SMIN:
        result = sx < sy ? x : y;
        break;
    case RMW_UMAX:
        result = x > y ? x : y;
        break;
    case RMW_UMIN:
        result = x < y ? x : y;
        break;
    case RMW_FADD:
    case RMW_FSUB:
        out[1] = 0;
        float_run(kind == RMW_FADD ? FLOAT_ADD : FLOAT_SUB, width, old, b, out);
        return;
    default:
        out[1] = 0;
        fmath_run(kind == RMW_FMAX ? MATH_FMAX : MATH_FMIN, width, old, b, out);
        return;
    }
    split(result, width, out);
}

bool arithmetic_result(const struct instruction *instruction, uint64_t a, uint64_t b, uint64_t c, uint64_t *result) {
    uint64_t out[3] = {0};
    unsigned width = instruction->width;
    switch (instruction->op) {
    case OP_MOV:
        *result = a;
        return true;
    case OP_ADD:
        *result = truncated(a + b, width);
        return true;
    case OP_SUB:
        *result = truncated(a - b, width);
        return true;
    case OP_MUL:
        *result = truncated(a * b, width);
        return true;
    case OP_AND:
        *result = a & b;
        return true;
    case OP_OR:
        *result = a | b;
        return true;
    case OP_XOR:
        *result = truncated(a ^ b, width);
        return true;
    case OP_SHL:
        *result = truncated(a << shift_count(b, width), width);
        return true;
    case OP_LSHR:
        *result = truncated(a >> shift_count(b, width), width);
        return true;
    case OP_ASHR:
        *result = truncated((uint64_t)(sign_extended(a, width) >> shift_count(b, width)), width);
        return true;
    case OP_ICMP:
        *result = compare(instruction->sub, a, b, width);
        return true;
    case OP_SEXT:
        *result = truncated((uint64_t)sign_extended(a, width), instruction->sub);
        return true;
    case OP_TRUNC:
        *result = truncated(a, width);
        return true;
    case OP_SELECT:
        *result = a ? b : c;
        return true;
    case OP_UDIV:
    case OP_UREM:
    case OP_SDIV:
    case OP_SREM: {
        int64_t sa = sign_extended(a, width);
        int64_t sb = sign_extended(b, width);
        b = truncated(b, width);
        bool is_signed = instruction->op == OP_SDIV || instruction->op == OP_SREM;
        if (b == 0 || (is_signed && sb == -1 && a == UINT64_C(1) << (width - 1))) {
            return false;
        }
        *result = truncated(instruction->op == OP_UDIV   ? a / b
                            : instruction->op == OP_UREM ? a % b
                            : instruction->op == OP_SDIV ? (uint64_t)(sa / sb)
                                                         : (uint64_t)(sa % sb),
                            width);
        return true;
    }
    default:
        if (!arithmetic_run(instruction, (uint64_t[2]){a}, (uint64_t[2]){b}, (uint64_t[2]){c}, out)) {
            return false;
        }
        *result = out[0];
        return true;
    }
}
