/* The C names of what is accessed: `flag[1]`, `q->head`, `list.first`.
 *
 * A name is built along the computation of the address: from a variable, through members and elements whose offsets are
 * in the debug information.  If the information ends, so does the name: it helps readers, and nothing in Picket depends
 * on it. */
#include <stdio.h>
#include <string.h>

#include "front/c_debug.h"
#include "front/c_map.h"
#include "front/c_metadata.h"
#include "front/c_types.h"

#define NAME_ROOM 96
#define NAME_DEPTH 12

struct name {
    char text[NAME_ROOM];
    LLVMMetadataRef type;
    bool through;       /* the text is a pointer, and the name is that of its target */
    const char *object; /* the type to which the last pointer points */
    unsigned dimension; /* of an array type: number of dimensions that are already in the name */
};

static void name_append(struct name *name, const char *more) {
    size_t length = strlen(name->text);
    snprintf(name->text + length, sizeof name->text - length, "%s", more);
}

static void name_member(struct name *name, const char *member) {
    name_append(name, name->through ? "->" : ".");
    name_append(name, member);
    name->through = false;
}

static void name_index(struct name *name, const char *index) {
    name_append(name, "[");
    name_append(name, index);
    name_append(name, "]");
    name->through = false;
}

/* Bytes of one element of an array type, after `dimension` dimensions. */
static uint64_t element_size(LLVMContextRef context, const struct name *name) {
    LLVMMetadataRef base = node_type_strip(context, node_type_base(context, name->type));
    uint64_t size = base == NULL ? 0 : LLVMDITypeGetSizeInBits(base) / 8;
    for (unsigned i = name->dimension + 1; i < node_array_dimensions(context, name->type); i++) {
        size *= node_array_count(context, name->type, i);
    }
    return size;
}

static void name_enter_element(LLVMContextRef context, struct name *name, const char *index) {
    name_index(name, index);
    if (++name->dimension >= node_array_dimensions(context, name->type)) {
        name->type = node_type_strip(context, node_type_base(context, name->type));
        name->dimension = 0;
    }
}

/* Descends to the part at `offset` bytes, until it is smaller than `size`; with `whole` a struct of that size is not
 * entered. */
static void name_descend(LLVMContextRef context, struct name *name, uint64_t offset, uint64_t size, bool whole) {
    for (int depth = 0; depth < NAME_DEPTH && name->type != NULL; depth++) {
        unsigned tag = node_type_tag(name->type);
        if (tag == TAG_ARRAY) {
            uint64_t bytes = element_size(context, name);
            if (bytes == 0 || bytes < size) {
                return;
            }
            char index[24];
            snprintf(index, sizeof index, "%llu", (unsigned long long)(offset / bytes));
            offset %= bytes;
            name_enter_element(context, name, index);
        } else if (tag == TAG_STRUCT || tag == TAG_UNION) {
            if (offset == 0 && LLVMDITypeGetSizeInBits(name->type) / 8 < size + whole) {
                return;
            }
            LLVMMetadataRef elements = node_type_elements(context, name->type);
            LLVMMetadataRef found = NULL;
            for (unsigned i = 0; i < node_operands(context, elements) && found == NULL; i++) {
                LLVMMetadataRef member = node_operand(context, elements, i);
                uint64_t begin = LLVMDITypeGetOffsetInBits(member) / 8;
                uint64_t bytes = (LLVMDITypeGetSizeInBits(member) + 7) / 8;
                if (offset >= begin && offset < begin + (bytes == 0 ? UINT32_MAX : bytes)) {
                    found = member;
                }
            }
            if (found == NULL) {
                return;
            }
            offset -= LLVMDITypeGetOffsetInBits(found) / 8;
            const char *member_name = node_type_name(context, found);
            if (member_name != NULL && *member_name != 0) {
                name_member(name, member_name);
            }
            name->type = node_type_strip(context, node_type_base(context, found));
        } else {
            return;
        }
    }
}

static bool name_location(struct c_debug *debug, LLVMValueRef pointer, uint64_t size, struct name *name, int depth);

/* The name of a value itself: of a variable in a register, or of a loaded value. */
static bool name_value(struct c_debug *debug, LLVMValueRef value, struct name *name, int depth) {
    if (depth > NAME_DEPTH) {
        return false;
    }
    const uint64_t *known = handle_find(debug->variables, value);
    if (known != NULL && !LLVMIsAAllocaInst(value)) {
        LLVMMetadataRef variable = (LLVMMetadataRef)(uintptr_t)*known;
        const char *text = node_variable_name(debug->context, variable);
        if (text == NULL || *text == 0) {
            return false;
        }
        name_append(name, text);
        name->type = node_type_strip(debug->context, node_variable_type(debug->context, variable));
        return true;
    }
    if (LLVMIsALoadInst(value)) {
        uint64_t size = LLVMABISizeOfType(debug->layout, LLVMTypeOf(value));
        if (name_location(debug, LLVMGetOperand(value, 0), size, name, depth + 1)) {
            if (name->through) {
                char text[NAME_ROOM];
                snprintf(text, sizeof text, "(*%.*s)", NAME_ROOM - 4, name->text);
                memcpy(name->text, text, sizeof text);
                name->through = false;
            }
            return true;
        }
        return false;
    }
    if (LLVMIsASExtInst(value) || LLVMIsAZExtInst(value) || LLVMIsATruncInst(value) || LLVMIsAFreezeInst(value) ||
        LLVMIsAIntToPtrInst(value) || LLVMIsAPtrToIntInst(value)) {
        return name_value(debug, LLVMGetOperand(value, 0), name, depth + 1);
    }
    return false;
}

static void name_computed_index(struct c_debug *debug, const struct gep_step *step, struct name *name, int depth) {
    struct name index = {0};
    if (!name_value(debug, step->index, &index, depth + 1) || index.through) {
        snprintf(index.text, sizeof index.text, "...");
    }
    if (node_type_tag(name->type) == TAG_ARRAY && !name->through) {
        name_enter_element(debug->context, name, index.text);
    } else {
        name_index(name, index.text);
    }
}

static bool name_gep(struct c_debug *debug, LLVMValueRef gep, uint64_t size, struct name *name, int depth) {
    struct vector steps;
    vector_init(&steps, sizeof(struct gep_step));
    gep_steps(debug->layout, gep, &steps);
    uint64_t whole = LLVMABISizeOfType(debug->layout, LLVMGetGEPSourceElementType(gep));
    bool known = name_location(debug, LLVMGetOperand(gep, 0), whole > size ? whole : UINT32_MAX, name, depth + 1);
    int64_t offset = 0;
    for (size_t i = 0; known && i < steps.count; i++) {
        const struct gep_step *step = vector_at(&steps, i);
        if (step->index == NULL) {
            offset += step->scale;
            continue;
        }
        if (offset != 0) {
            name_descend(debug->context, name, (uint64_t)offset, (uint64_t)step->scale + 1, false);
            offset = 0;
        } else if (node_type_tag(name->type) != TAG_ARRAY) {
            name_descend(debug->context, name, 0, (uint64_t)step->scale + 1, false);
        }
        name_computed_index(debug, step, name, depth);
    }
    vector_delete(&steps);
    if (known && offset != 0) {
        name_descend(debug->context, name, (uint64_t)offset, size, depth > 0);
    }
    return known;
}

/* The name of what `pointer` points to. */
static bool name_location(struct c_debug *debug, LLVMValueRef pointer, uint64_t size, struct name *name, int depth) {
    if (depth > NAME_DEPTH) {
        return false;
    }
    LLVMContextRef context = debug->context;
    if (value_is(pointer, LLVMGetElementPtr)) {
        return name_gep(debug, pointer, size, name, depth);
    }
    if (LLVMIsACallInst(pointer) && LLVMIsAFunction(LLVMGetCalledValue(pointer))) {
        size_t length = 0;
        const char *callee = LLVMGetValueName2(LLVMGetCalledValue(pointer), &length);
        if (strncmp(callee, "llvm.threadlocal", 16) == 0) {
            return name_location(debug, LLVMGetArgOperand(pointer, 0), size, name, depth + 1);
        }
    }
    if (LLVMIsAGlobalVariable(pointer) || LLVMIsAAllocaInst(pointer)) {
        const char *text = debug_object_name(debug, pointer);
        size_t length = 0;
        if (text == NULL && LLVMIsAGlobalVariable(pointer) && LLVMGetLinkage(pointer) != LLVMPrivateLinkage) {
            text = LLVMGetValueName2(pointer, &length);
        }
        if (text == NULL || *text == 0) {
            return false;
        }
        name_append(name, text);
        LLVMMetadataRef variable = NULL;
        if (LLVMIsAGlobalVariable(pointer)) {
            variable = node_of_global(pointer);
        } else if (handle_known(debug->variables, pointer)) {
            variable = (LLVMMetadataRef)(uintptr_t)*handle_find(debug->variables, pointer);
        }
        name->type = variable == NULL ? NULL : node_type_strip(context, node_variable_type(context, variable));
    } else {
        if (!name_value(debug, pointer, name, depth + 1)) {
            return false;
        }
        LLVMMetadataRef target = node_type_tag(name->type) == TAG_POINTER ? node_type_base(context, name->type) : NULL;
        name->through = true;
        name->type = node_type_strip(context, target);
        name->object = target == NULL ? NULL : node_type_name(context, target);
        if (name->type != NULL &&
            (name->object == NULL || *name->object == 0)) { /* const, or a typedef without a tag */
            name->object = node_type_name(context, name->type);
        }
    }
    return true;
}

void debug_access_name(struct c_debug *debug, LLVMValueRef pointer, uint64_t size, struct access_name *access) {
    struct name name = {0};
    *access = (struct access_name){.object = NULL};
    if (!name_location(debug, pointer, size, &name, 0)) {
        return;
    }
    /* The first member of a struct has the address of the struct. */
    name_descend(debug->context, &name, 0, size, false);
    snprintf(access->text, sizeof access->text, "%s%s", name.through ? "*" : "", name.text);
    access->object = name.object;
}
