/* The tables of instruction.h: names of operations and selectors, and the shape of each operation. */
#include "ir/instruction.h"

const struct op_info op_table[OP_COUNT] = {
#define X(name, text, shape, class) [OP_##name] = {text, shape, OP_##class},
    OPERATIONS(X)
#undef X
};

#define X(name, text, ...) text,
const char *const order_names[ORDER_COUNT] = {ORDERS(X)};
const char *const predicate_names[PREDICATE_COUNT] = {PREDICATES(X)};
const char *const fpredicate_names[FPREDICATE_COUNT] = {FPREDICATES(X)};
const char *const bits_names[BITS_COUNT] = {BITS_KINDS(X)};
const char *const overflow_names[OVERFLOW_COUNT] = {OVERFLOW_KINDS(X)};
const char *const float_names[FLOAT_COUNT] = {FLOAT_KINDS(X)};
const char *const rmw_names[RMW_COUNT] = {RMW_KINDS(X)};
const char *const yield_names[YIELD_COUNT] = {YIELD_KINDS(X)};
const char *const note_names[NOTE_COUNT] = {NOTE_KINDS(X)};
const char *const error_names[ERROR_COUNT] = {ERROR_KINDS(X)};
const char *const lib_names[LIB_COUNT] = {LIB_KINDS(X)};
#undef X

#define X(name, function, arguments) #function,
const char *const math_names[MATH_COUNT] = {MATH_KINDS(X)};
#undef X
