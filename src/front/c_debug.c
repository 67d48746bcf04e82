/* Debug information: positions of instructions, and the types of variables for reports to name the parts of objects. */
#include "front/c_debug.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "front/c_map.h"
#include "front/c_metadata.h"
#include "util/memory.h"

void debug_init(struct c_debug *debug, struct builder *builder, LLVMContextRef context, LLVMTargetDataRef layout) {
    *debug = (struct c_debug){.builder = builder,
                              .context = context,
                              .layout = layout,
                              .types = hash_table_new(),
                              .variables = hash_table_new(),
                              .scopes = hash_table_new(),
                              .files = hash_table_new(),
                              .callers = hash_table_new()};
    vector_init(&debug->origins, sizeof(struct debug_origin));
    vector_init(&debug->paths, sizeof(char *));
}

void debug_delete(struct c_debug *debug) {
    hash_table_free(debug->types);
    hash_table_free(debug->variables);
    hash_table_free(debug->scopes);
    hash_table_free(debug->files);
    hash_table_free(debug->callers);
    vector_delete(&debug->origins);
    for (size_t i = 0; i < debug->paths.count; i++) {
        free(*(char **)vector_at(&debug->paths, i));
    }
    vector_delete(&debug->paths);
}

void debug_enter(struct c_debug *debug, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef value = node_described(i);
            if (value != NULL && !handle_known(debug->variables, value)) {
                handle_set(debug->variables, value, (uint64_t)(uintptr_t)LLVMValueAsMetadata(LLVMGetArgOperand(i, 1)));
            }
        }
    }
}

/* A name under which the file can be opened from the current directory.  clang splits an absolute path after the part
 * that it shares with the current directory, and names only the rest. */
static const char *file_path(struct c_debug *debug, LLVMMetadataRef file) {
    const uint64_t *known = handle_find(debug->files, file);
    if (known != NULL) {
        return *(char **)vector_at(&debug->paths, *known);
    }
    unsigned length = 0;
    const char *name = LLVMDIFileGetFilename(file, &length);
    char *path = memory_format("%.*s", (int)length, name);
    if (path[0] != '/' && access(path, F_OK) != 0) {
        const char *directory = LLVMDIFileGetDirectory(file, &length);
        char *joined = memory_format("%.*s/%s", (int)length, directory, path);
        if (access(joined, F_OK) == 0) {
            char *relative = path;
            path = joined;
            joined = relative;
        }
        free(joined);
    }
    handle_set(debug->files, file, debug->paths.count);
    vector_push(&debug->paths, &path);
    return path;
}

static struct debug_origin scope_origin(struct c_debug *debug, LLVMMetadataRef scope) {
    const uint64_t *known = handle_find(debug->scopes, scope);
    if (known != NULL) {
        return *(struct debug_origin *)vector_at(&debug->origins, *known);
    }
    struct debug_origin origin = {"", ""};
    LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
    if (file != NULL) {
        origin.file = file_path(debug, file);
    }
    LLVMMetadataRef around = scope;
    while (around != NULL && LLVMGetMetadataKind(around) != LLVMDISubprogramMetadataKind) {
        around = node_scope_parent(debug->context, around);
    }
    const char *name = around == NULL ? NULL : node_text(debug->context, around, 2);
    origin.function = name == NULL ? "" : name;
    handle_set(debug->scopes, scope, debug->origins.count);
    vector_push(&debug->origins, &origin);
    return origin;
}

static uint32_t location_position(struct c_debug *debug, LLVMMetadataRef location, const struct access_name *name);

/* Of the call at which code was inlined. */
static uint32_t caller_position(struct c_debug *debug, LLVMMetadataRef location) {
    const uint64_t *known = location == NULL ? NULL : handle_find(debug->callers, location);
    if (location == NULL || known != NULL) {
        return known == NULL ? 0 : (uint32_t)*known;
    }
    uint32_t position = location_position(debug, location, NULL);
    handle_set(debug->callers, location, position);
    return position;
}

static uint32_t location_position(struct c_debug *debug, LLVMMetadataRef location, const struct access_name *name) {
    uint32_t caller = caller_position(debug, LLVMDILocationGetInlinedAt(location));
    struct debug_origin origin = scope_origin(debug, LLVMDILocationGetScope(location));
    struct source_position at = {
        .file = origin.file,
        .line = LLVMDILocationGetLine(location),
        .column = LLVMDILocationGetColumn(location),
        .function = origin.function,
        .variable = name == NULL ? NULL : name->text,
        .object = name == NULL ? NULL : name->object,
        .caller = caller,
    };
    return builder_position_at(debug->builder, &at);
}

uint32_t debug_position(struct c_debug *debug, LLVMValueRef instruction, const struct access_name *name) {
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    if (location == NULL) {
        size_t length = 0;
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
        return builder_position(debug->builder, NULL, 0, 0, LLVMGetValueName2(function, &length),
                                name == NULL ? NULL : name->text);
    }
    return location_position(debug, location, name);
}

uint32_t debug_local_position(struct c_debug *debug, LLVMValueRef local) {
    const uint64_t *known = handle_find(debug->variables, local);
    if (known == NULL) {
        return debug_position(debug, local, NULL);
    }
    LLVMMetadataRef variable = (LLVMMetadataRef)(uintptr_t)*known;
    struct debug_origin origin = scope_origin(debug, LLVMDIVariableGetScope(variable));
    return builder_position(debug->builder, origin.file, LLVMDIVariableGetLine(variable), 0, origin.function,
                            node_variable_name(debug->context, variable));
}

uint32_t debug_function_position(struct c_debug *debug, LLVMValueRef function) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    if (subprogram == NULL) {
        return 0;
    }
    struct debug_origin origin = scope_origin(debug, subprogram);
    return builder_position(debug->builder, origin.file, LLVMDISubprogramGetLine(subprogram), 0, origin.function, NULL);
}

uint32_t debug_global_position(struct c_debug *debug, LLVMValueRef global) {
    LLVMMetadataRef variable = node_of_global(global);
    LLVMMetadataRef file = variable == NULL ? NULL : LLVMDIVariableGetFile(variable);
    if (file == NULL) {
        return 0;
    }
    return builder_position(debug->builder, file_path(debug, file), LLVMDIVariableGetLine(variable), 0, NULL,
                            node_variable_name(debug->context, variable));
}

static LLVMMetadataRef object_variable(struct c_debug *debug, LLVMValueRef object) {
    if (LLVMIsAGlobalVariable(object)) {
        return node_of_global(object);
    }
    const uint64_t *variable = handle_find(debug->variables, object);
    return variable == NULL ? NULL : (LLVMMetadataRef)(uintptr_t)*variable;
}

const char *debug_object_name(struct c_debug *debug, LLVMValueRef object) {
    LLVMMetadataRef variable = object_variable(debug, object);
    return variable == NULL ? NULL : node_variable_name(debug->context, variable);
}

static uint32_t type_index(struct c_debug *debug, LLVMMetadataRef type);

static uint32_t struct_fields(struct c_debug *debug, LLVMMetadataRef type, uint32_t *count) {
    LLVMMetadataRef elements = node_type_elements(debug->context, type);
    *count = node_operands(debug->context, elements);
    uint32_t first = builder_fields(debug->builder, *count);
    for (uint32_t i = 0; i < *count; i++) {
        LLVMMetadataRef member = node_operand(debug->context, elements, i);
        const char *name = node_type_name(debug->context, member);
        struct field field = {.name = builder_string(debug->builder, name == NULL ? "" : name),
                              .type = type_index(debug, node_type_base(debug->context, member)),
                              .offset = LLVMDITypeGetOffsetInBits(member) / 8};
        *(struct field *)vector_at(&debug->builder->fields, first + i) = field;
    }
    return first;
}

/* An array of several dimensions becomes arrays of arrays, from the inside out. */
static struct type array_type(struct c_debug *debug, LLVMMetadataRef type) {
    uint32_t element = type_index(debug, node_type_base(debug->context, type));
    LLVMMetadataRef base = node_type_strip(debug->context, node_type_base(debug->context, type));
    uint64_t size = base == NULL ? 0 : LLVMDITypeGetSizeInBits(base) / 8;
    struct type array = {0};
    for (unsigned i = node_array_dimensions(debug->context, type); i-- > 0;) {
        uint64_t count = node_array_count(debug->context, type, i);
        size *= count;
        array = (struct type){.kind = TYPE_ARRAY, .size = size, .first = element, .count = (uint32_t)count};
        if (i > 0) {
            element = builder_type(debug->builder);
            *(struct type *)vector_at(&debug->builder->types, element) = array;
        }
    }
    return array;
}

static enum type_kind base_kind(const char *name) {
    if (name == NULL) {
        return TYPE_INTEGER;
    }
    if (strstr(name, "float") != NULL || strstr(name, "double") != NULL) {
        return TYPE_FLOAT;
    }
    return strstr(name, "unsigned") != NULL || strcmp(name, "_Bool") == 0 ? TYPE_UNSIGNED : TYPE_INTEGER;
}

static uint32_t type_index(struct c_debug *debug, LLVMMetadataRef type) {
    type = node_type_strip(debug->context, type);
    if (type == NULL) {
        return 0;
    }
    const uint64_t *known = handle_find(debug->types, type);
    if (known != NULL) {
        return (uint32_t)*known;
    }
    uint32_t index = builder_type(debug->builder);
    handle_set(debug->types, type, index);
    const char *name = node_type_name(debug->context, type);
    struct type made = {.size = LLVMDITypeGetSizeInBits(type) / 8};
    switch (node_type_tag(type)) {
    case TAG_BASE:
        made.kind = base_kind(name);
        break;
    case TAG_ENUMERATION:
        made.kind = TYPE_INTEGER;
        break;
    case TAG_POINTER:
        made.kind = TYPE_POINTER;
        made.first = type_index(debug, node_type_base(debug->context, type));
        break;
    case TAG_STRUCT:
    case TAG_UNION:
        made.kind = TYPE_STRUCT;
        made.first = struct_fields(debug, type, &made.count);
        break;
    case TAG_ARRAY:
        made = array_type(debug, type);
        break;
    default:
        made.kind = TYPE_UNKNOWN;
    }
    made.name = builder_string(debug->builder, name == NULL ? "" : name);
    *(struct type *)vector_at(&debug->builder->types, index) = made;
    return index;
}

uint32_t debug_object_type(struct c_debug *debug, LLVMValueRef object) {
    LLVMMetadataRef variable = object_variable(debug, object);
    return variable == NULL ? 0 : type_index(debug, node_variable_type(debug->context, variable));
}

void debug_error(struct c_debug *debug, struct diagnostics *diagnostics, LLVMValueRef where, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct debug_origin origin = {"", ""};
    uint32_t line = 0;
    uint32_t column = 0;
    if (where != NULL && LLVMIsAInstruction(where)) {
        LLVMMetadataRef location = LLVMInstructionGetDebugLoc(where);
        if (location != NULL) {
            origin = scope_origin(debug, LLVMDILocationGetScope(location));
            line = LLVMDILocationGetLine(location);
            column = LLVMDILocationGetColumn(location);
        }
    } else if (where != NULL && LLVMIsAFunction(where) && LLVMGetSubprogram(where) != NULL) {
        origin = scope_origin(debug, LLVMGetSubprogram(where));
        line = LLVMDISubprogramGetLine(LLVMGetSubprogram(where));
    } else if (where != NULL && LLVMIsAGlobalVariable(where) && node_of_global(where) != NULL) {
        LLVMMetadataRef file = LLVMDIVariableGetFile(node_of_global(where));
        unsigned length = 0;
        origin.file = file == NULL ? "" : LLVMDIFileGetFilename(file, &length);
        line = LLVMDIVariableGetLine(node_of_global(where));
    }
    diagnostics_add(diagnostics, origin.file, line, column, "%s", text);
}
