/* Constants: as registers, and as the initial bytes of globals.
 *
 * All addresses are fixed when functions and globals are declared, so every constant is a number here, also one
 * computed from addresses.  Undefined constants count as 0. */
#include <stdlib.h>
#include <string.h>

#include "front/c_lowering.h"
#include "front/c_map.h"
#include "util/memory.h"

/* A scalar of up to 128 bits. */
struct wide {
    uint64_t low;
    uint64_t high;
    bool is_address; /* of a function or global, or computed from one */
};

static uint64_t mask_of(uint32_t width) {
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* LLVM's C API has integers of up to 64 bits only; wider ones are parsed from the text, "i128 -5". */
static struct wide wide_integer(LLVMValueRef constant, uint32_t width) {
    char *text = LLVMPrintValueToString(constant);
    const char *digit = strchr(text, ' ');
    unsigned __int128 value = 0;
    bool negative = false;
    for (digit = digit == NULL ? "" : digit + 1; *digit != 0; digit++) {
        if (*digit == '-') {
            negative = true;
        } else if (*digit >= '0' && *digit <= '9') {
            value = value * 10 + (unsigned)(*digit - '0');
        }
    }
    LLVMDisposeMessage(text);
    value = negative ? 0 - value : value;
    return (struct wide){.low = (uint64_t)value, .high = (uint64_t)(value >> 64) & mask_of(width - 64)};
}

/* "x86_fp80 0xK4000C000000000000000": sign and exponent, then the mantissa. */
static struct wide extended_number(LLVMValueRef constant) {
    char *text = LLVMPrintValueToString(constant);
    struct wide value = {0};
    const char *hex = strstr(text, "0xK");
    if (hex != NULL) {
        char part[17] = {0};
        memcpy(part, hex + 3, 4);
        value.high = strtoull(part, NULL, 16);
        memcpy(part, hex + 7, 16);
        value.low = strtoull(part, NULL, 16);
    }
    LLVMDisposeMessage(text);
    return value;
}

static struct wide real_number(LLVMValueRef constant, LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) == LLVMX86_FP80TypeKind) {
        return extended_number(constant);
    }
    LLVMBool loses = 0;
    double number = LLVMConstRealGetDouble(constant, &loses);
    struct wide value = {0};
    if (LLVMGetTypeKind(type) == LLVMFloatTypeKind) {
        float narrow = (float)number;
        uint32_t bits = 0;
        memcpy(&bits, &narrow, sizeof bits);
        value.low = bits;
    } else {
        memcpy(&value.low, &number, sizeof value.low);
    }
    return value;
}

static struct wide scalar(struct lowering *lowering, LLVMValueRef constant);

static struct wide gep_address(struct lowering *lowering, LLVMValueRef gep) {
    struct wide address = scalar(lowering, LLVMGetOperand(gep, 0));
    struct vector steps;
    vector_init(&steps, sizeof(struct gep_step));
    gep_steps(lowering->layout, gep, &steps);
    for (size_t i = 0; i < steps.count; i++) {
        const struct gep_step *step = vector_at(&steps, i);
        uint64_t factor = 1;
        if (step->index != NULL) {
            uint32_t width = type_width(LLVMTypeOf(step->index));
            factor = scalar(lowering, step->index).low;
            if (width < 64 && factor >> (width - 1)) {
                factor |= ~mask_of(width);
            }
        }
        address.low += factor * (uint64_t)step->scale;
    }
    vector_delete(&steps);
    return address;
}

static struct wide expression(struct lowering *lowering, LLVMValueRef constant) {
    LLVMOpcode opcode = LLVMGetConstOpcode(constant);
    uint32_t width = type_width(LLVMTypeOf(constant));
    struct wide left = {0};
    struct wide right = {0};
    uint64_t value = 0;
    if (opcode == LLVMGetElementPtr) {
        return gep_address(lowering, constant);
    }
    left = scalar(lowering, LLVMGetOperand(constant, 0));
    if (LLVMGetNumOperands(constant) > 1) {
        right = scalar(lowering, LLVMGetOperand(constant, 1));
    }
    uint64_t a = left.low;
    uint64_t b = right.low;
    /* The difference of two addresses is a number. */
    bool is_address = width == 64 && left.is_address != right.is_address;
    switch (opcode) {
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMTrunc:
    case LLVMAddrSpaceCast:
        value = a;
        break;
    case LLVMBitCast:
        return scalar(lowering, LLVMGetOperand(constant, 0));
    case LLVMAdd:
        value = a + b;
        break;
    case LLVMSub:
        value = a - b;
        break;
    case LLVMMul:
        value = a * b;
        break;
    case LLVMXor:
        value = a ^ b;
        break;
    case LLVMShl:
        value = b < 64 ? a << b : 0;
        break;
    default:
        lowering_unsupported(lowering, "a constant expression", NULL);
    }
    return (struct wide){.low = value & mask_of(width), .is_address = is_address};
}

/* The address of a function or variable; a weak one without a definition has address 0. */
static struct wide global_address(struct lowering *lowering, LLVMValueRef constant) {
    bool is_function = LLVMIsAFunction(constant);
    const uint64_t *index = handle_find(is_function ? lowering->functions : lowering->globals, constant);
    if (index == NULL) {
        return (struct wide){0};
    }
    uint64_t address = is_function ? function_address((uint32_t)*index)
                                   : builder_global_at(lowering->builder, (uint32_t)*index)->address;
    return (struct wide){.low = address, .is_address = address != 0};
}

static struct wide scalar(struct lowering *lowering, LLVMValueRef constant) {
    LLVMTypeRef type = LLVMTypeOf(constant);
    switch (LLVMGetValueKind(constant)) {
    case LLVMConstantIntValueKind:
        if (type_width(type) > 64) {
            return wide_integer(constant, type_width(type));
        }
        return (struct wide){.low = LLVMConstIntGetZExtValue(constant)};
    case LLVMConstantFPValueKind:
        return real_number(constant, type);
    case LLVMFunctionValueKind:
    case LLVMGlobalVariableValueKind:
        return global_address(lowering, constant);
    case LLVMBlockAddressValueKind: {
        const uint64_t *label = handle_find(lowering->labels, LLVMGetBlockAddressBasicBlock(constant));
        return (struct wide){.low = label == NULL ? 0 : *label};
    }
    case LLVMConstantExprValueKind:
        return expression(lowering, constant);
    default:
        return (struct wide){0};
    }
}

static uint64_t parts_count(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        return LLVMCountStructElementTypes(type);
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength2(type);
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(type);
    default:
        return 0;
    }
}

static bool is_aggregate(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind;
}

static bool is_zero(LLVMValueRef constant) {
    return LLVMIsNull(constant) || LLVMIsUndef(constant) || LLVMIsPoison(constant);
}

void constant_registers(struct lowering *lowering, LLVMValueRef constant, uint64_t *registers, bool *is_address) {
    LLVMTypeRef type = LLVMTypeOf(constant);
    memset(registers, 0, type_registers(type) * sizeof *registers);
    memset(is_address, 0, type_registers(type) * sizeof *is_address);
    if (is_zero(constant)) {
        return;
    }
    if (is_aggregate(type)) {
        for (uint32_t i = 0; i < parts_count(type); i++) {
            LLVMValueRef part = LLVMGetAggregateElement(constant, i);
            if (part != NULL) {
                uint32_t first = type_part_register(type, i);
                constant_registers(lowering, part, registers + first, is_address + first);
            }
        }
        return;
    }
    struct wide value = scalar(lowering, constant);
    registers[0] = value.low;
    is_address[0] = value.is_address;
    if (type_width(type) > 64) {
        registers[1] = value.high;
    }
}

void constant_bytes(struct lowering *lowering, LLVMValueRef constant, uint8_t *bytes, uint64_t location,
                    struct vector *relocations) {
    LLVMTypeRef type = LLVMTypeOf(constant);
    if (is_zero(constant)) {
        return;
    }
    if (LLVMIsConstantString(constant)) {
        size_t length = 0;
        const char *text = LLVMGetAsString(constant, &length);
        memcpy(bytes + location, text, length);
        return;
    }
    if (is_aggregate(type)) {
        bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        uint64_t stride = is_struct ? 0 : LLVMABISizeOfType(lowering->layout, LLVMGetElementType(type));
        for (uint32_t i = 0; i < parts_count(type); i++) {
            LLVMValueRef part = LLVMGetAggregateElement(constant, i);
            uint64_t offset = is_struct ? LLVMOffsetOfElement(lowering->layout, type, i) : i * stride;
            if (part != NULL) {
                constant_bytes(lowering, part, bytes, location + offset, relocations);
            }
        }
        return;
    }
    struct wide value = scalar(lowering, constant);
    uint64_t size = (type_width(type) + 7) / 8;
    memcpy(bytes + location, &value.low, size < 8 ? size : 8);
    if (size > 8) {
        memcpy(bytes + location + 8, &value.high, size - 8);
    }
    if (value.is_address) {
        vector_push(relocations, &location);
    }
}
