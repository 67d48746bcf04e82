/* Memory as the printed program sees it: calls of the abstraction for shared objects, C variables for all others. */
#include <inttypes.h>

#include "seq/print/printer.h"

#define VALUES_PER_LINE 16

/* --- Names -------------------------------------------------------------------------------------------------------- */

void location_name_print(struct printer *printer, uint32_t index) {
    const struct location *location = vector_at(&printer->cells.locations, index);
    const struct object *object = &printer->cells.objects[location->global];
    fprintf(printer->emitter.out, "at_%s", printer->emitter.global_names[location->global]);
    if (object->locations > 1) {
        fprintf(printer->emitter.out, "_%" PRIu64, location->offset);
    }
}

static void own_name_print(struct printer *printer, uint32_t global) {
    fprintf(printer->emitter.out, "own_%s", printer->emitter.global_names[global]);
}

/* An address constant: by its location if it has one, else as a number. */
void address_value_print(struct emitter *emitter, uint64_t address) {
    struct printer *printer = emitter->printer;
    uint32_t g = points_global(printer->program, address);
    uint32_t location =
        g == NO_REGISTER || !printer->cells.objects[g].shared
            ? NO_REGISTER
            : cells_location(&printer->cells, g, (int64_t)(address - printer->program->globals[g].address));
    if (location == NO_REGISTER) {
        fprintf(emitter->out, "0x%" PRIx64 "ul", address);
        return;
    }
    fputs("memory_addr(", emitter->out);
    location_name_print(printer, location);
    fputs(")", emitter->out);
}

/* --- Variables ---------------------------------------------------------------------------------------------------- */

static uint64_t initial_value(const struct program *program, const struct global *global, uint64_t offset,
                              uint64_t size) {
    uint64_t value = 0;
    for (uint64_t i = 0; i < size && offset + i < global->initial_size; i++) {
        value |= (uint64_t)program->bytes[global->initial + offset + i] << 8 * i;
    }
    return value;
}

static void own_object_print(struct printer *printer, uint32_t g) {
    FILE *out = printer->emitter.out;
    const struct global *global = &printer->program->globals[g];
    const struct object *object = &printer->cells.objects[g];
    unsigned element = object->element == 0 || object->element > 8 ? 1 : object->element;
    uint64_t count = (global->size + element - 1) / element;
    uint64_t last = count;
    while (last > 0 && initial_value(printer->program, global, (last - 1) * element, element) == 0) {
        last--;
    }
    fprintf(out, "MEMORY_PART %suint%u_t ", object->written ? "" : "const ", element * 8);
    own_name_print(printer, g);
    fprintf(out, "[%" PRIu64 "]%s", count, element == 1 ? " __attribute__((aligned(16)))" : "");
    if (last > 0 || !object->written) {
        fputs(" = {", out);
        for (uint64_t i = 0; i < last || i == 0; i++) {
            fprintf(out, "%s%" PRIu64 "u%s",
                    i == 0                     ? ""
                    : i % VALUES_PER_LINE == 0 ? ",\n    "
                                               : ", ",
                    initial_value(printer->program, global, i * element, element), element == 8 ? "l" : "");
        }
        fputs("}", out);
    }
    fputs(";\n", out);
}

void own_objects_print(struct printer *printer) {
    for (uint32_t g = 0; g < printer->program->globals_count; g++) {
        if (printer->cells.objects[g].users != 0 && !printer->cells.objects[g].shared) {
            own_object_print(printer, g);
        }
    }
}

/* --- Accesses ----------------------------------------------------------------------------------------------------- */

static void address_print_of(struct printer *printer, const struct access *access) {
    operand_print(&printer->body, access->operand);
    if (access->offset != 0) {
        out(&printer->body, " + %u", access->offset);
    }
}

static bool is_own(const struct printer *printer, const struct access *access) {
    return cells_is_own(&printer->cells, access->fact);
}

/* The location of a shared access, if it is known. */
static uint32_t known_location(const struct printer *printer, const struct access *access) {
    struct target target;
    return cells_exact(&printer->cells, access->fact, access->offset, access->size, &target)
               ? cells_location(&printer->cells, target.global, target.offset)
               : NO_REGISTER;
}

/* The part of a C variable that an access takes; where it is not known which, the address is in one of them. */
static void own_variable_print(struct printer *printer, const struct access *access) {
    struct body *body = &printer->body;
    const struct target_set *set = points_set(&printer->points, access->fact->set);
    struct target target;
    if (cells_exact(&printer->cells, access->fact, access->offset, access->size, &target)) {
        bool whole = printer->cells.objects[target.global].element == access->size;
        if (!whole) {
            out(body, "*(word%u *)(", access->size);
        }
        own_name_print(printer, target.global);
        out(body, whole ? "[%" PRId64 "]" : " + %" PRId64 ")", whole ? target.offset / access->size : target.offset);
        return;
    }
    const struct target *first = points_target(&printer->points, set, 0);
    if (set->count == 1 && printer->cells.objects[first->global].element == access->size) {
        own_name_print(printer, first->global);
        out(body, "[(");
        address_print_of(printer, access);
        out(body, " - 0x%" PRIx64 "ul) / %u]", printer->program->globals[first->global].address, access->size);
        return;
    }
    out(body, "*(word%u *)(", access->size);
    for (uint32_t i = 0; i < set->count; i++) {
        const struct target *at = points_target(&printer->points, set, i);
        const struct global *global = &printer->program->globals[at->global];
        if (i > 0 && at->global == points_target(&printer->points, set, i - 1)->global) {
            continue;
        }
        bool last = at->global == points_target(&printer->points, set, set->count - 1)->global;
        if (!last) {
            address_print_of(printer, access);
            out(body, " - 0x%" PRIx64 "ul < %" PRIu64 " ? ", global->address, global->size);
        }
        out(body, "(uint8_t *)");
        own_name_print(printer, at->global);
        out(body, " + (");
        address_print_of(printer, access);
        out(body, " - 0x%" PRIx64 "ul)%s", global->address, last ? "" : " : ");
    }
    out(body, ")");
}

/* An error unless the address is in one of the C variables. */
static void own_check_print(struct printer *printer, const struct access *access) {
    struct body *body = &printer->body;
    const struct target_set *set = points_set(&printer->points, access->fact->set);
    struct target target;
    if (cells_exact(&printer->cells, access->fact, access->offset, access->size, &target)) {
        return;
    }
    need(&printer->emitter, HELPER_ERRORS);
    need(&printer->emitter, HELPER_REACH);
    out(body, "if (");
    bool first = true;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct target *at = points_target(&printer->points, set, i);
        const struct global *global = &printer->program->globals[at->global];
        if ((i > 0 && at->global == points_target(&printer->points, set, i - 1)->global) ||
            global->size < access->size) {
            continue;
        }
        out(body, first ? "" : " && ");
        address_print_of(printer, access);
        out(body, " - 0x%" PRIx64 "ul > %" PRIu64, global->address, global->size - access->size);
        first = false;
    }
    out(body, "%s) { picket_error(BOUNDS, \"an access outside every object\"); } ", first ? "1" : "");
}

/* Prints the beginning of a call of the abstraction, up to the location. */
static void call_begin(struct printer *printer, const struct access *access, const char *function) {
    struct body *body = &printer->body;
    uint32_t location = known_location(printer, access);
    if (location != NO_REGISTER) {
        out(body, "%s(", function);
        location_name_print(printer, location);
    } else {
        out(body, "%s_addr(", function);
        address_print_of(printer, access);
    }
}

void access_read_print(struct printer *printer, const struct access *access) {
    struct body *body = &printer->body;
    if (is_own(printer, access)) {
        own_variable_print(printer, access);
        return;
    }
    call_begin(printer, access, access->locked ? "memory_load" : "memory_read");
    if (!access->locked) {
        out(body, ", %u", printer->thread);
    }
    out(body, ")");
}

void access_write_begin(struct printer *printer, const struct access *access) {
    struct body *body = &printer->body;
    if (is_own(printer, access)) {
        own_variable_print(printer, access);
        out(body, " = ");
        return;
    }
    call_begin(printer, access, access->locked ? "memory_store" : "memory_write");
    out(body, ", ");
}

void access_write_end(struct printer *printer, const struct access *access) {
    if (is_own(printer, access)) {
        out(&printer->body, ";");
    } else if (access->locked) {
        out(&printer->body, ");");
    } else {
        out(&printer->body, ", %u);", printer->thread);
    }
}

/* --- Instructions ------------------------------------------------------------------------------------------------- */

static void value_print(struct printer *printer, unsigned size, uint32_t operand) {
    if (size < 8) {
        out(&printer->body, "(uint%u_t)", size * 8);
    }
    operand_print(&printer->body, operand);
}

static void load_print(struct printer *printer, const struct instruction *code, const struct access *access) {
    out(&printer->body, "r%u = ", code->dst);
    if (code->width < 8) {
        out(&printer->body, "(uint%u_t)", code->width * 8);
    }
    access_read_print(printer, access);
    out(&printer->body, ";");
}

static bool is_release(unsigned order) {
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static bool has_barriers(const struct printer *printer) {
    return printer->options->abstraction == ABSTRACTION_PSO || printer->options->abstraction == ABSTRACTION_EPSO;
}

static void store_print(struct printer *printer, const struct instruction *code, const struct access *access) {
    if (has_barriers(printer) && !access->locked && !is_own(printer, access) && is_release(code->sub)) {
        out(&printer->body, "memory_barrier(%u); ", printer->thread);
    }
    access_write_begin(printer, access);
    value_print(printer, code->width, code->b);
    access_write_end(printer, access);
}

static void exchanged_print(struct printer *printer, const struct instruction *code) {
    static const char *const signs[RMW_COUNT] = {
        [RMW_ADD] = "+", [RMW_SUB] = "-",  [RMW_AND] = "&",  [RMW_NAND] = "&", [RMW_OR] = "|",
        [RMW_XOR] = "^", [RMW_SMAX] = ">", [RMW_SMIN] = "<", [RMW_UMAX] = ">", [RMW_UMIN] = "<"};
    struct body *body = &printer->body;
    unsigned bits = code->width * 8;
    switch (code->c) {
    case RMW_XCHG:
        out(body, "v_");
        break;
    case RMW_NEG:
        out(body, "0 - o_");
        break;
    case RMW_SMAX:
    case RMW_SMIN:
        out(body, "(int%u_t)o_ %s (int%u_t)v_ ? o_ : v_", bits, signs[code->c], bits);
        break;
    case RMW_UMAX:
    case RMW_UMIN:
        out(body, "o_ %s v_ ? o_ : v_", signs[code->c]);
        break;
    default:
        out(body, "%s(o_ %s v_)", code->c == RMW_NAND ? "~" : "", signs[code->c]);
        break;
    }
}

/* A read-modify-write or compare-and-swap: no switch between its accesses. */
static void exchange_print(struct printer *printer, const struct instruction *code, struct access access) {
    struct body *body = &printer->body;
    unsigned bits = code->width * 8;
    bool locks = !access.locked && !is_own(printer, &access);
    bool swaps = code->op == OP_CAS;
    access.locked = true;
    out(body, "{ %suint%u_t v_ = (uint%u_t)", swaps || code->c != RMW_NEG ? "" : "__attribute__((unused)) ", bits,
        bits);
    operand_print(body, code->b);
    out(body, "; ");
    if (locks) {
        out(body, "memory_lock(%u); ", printer->thread);
    }
    out(body, "uint%u_t o_ = (uint%u_t)", bits, bits);
    access_read_print(printer, &access);
    out(body, "; ");
    if (swaps) {
        out(body, "if (o_ == v_) { ");
    }
    access_write_begin(printer, &access);
    if (swaps) {
        value_print(printer, code->width, code->c);
    } else {
        out(body, "(uint%u_t)(", bits);
        exchanged_print(printer, code);
        out(body, ")");
    }
    access_write_end(printer, &access);
    if (swaps) {
        out(body, " }");
    }
    if (locks) {
        out(body, " memory_unlock(%u);", printer->thread);
    }
    if (code->dst != NO_REGISTER) {
        out(body, " r%u = o_;", code->dst);
        if (swaps) {
            out(body, " r%u = o_ == v_;", code->dst + 1);
        }
    }
    out(body, " }");
}

/* 16 bytes of the thread's own. */
static void wide_print(struct printer *printer, const struct instruction *code, struct access access) {
    access.size = 8;
    for (unsigned half = 0; half < 2; half++) {
        access.offset = 8 * half;
        if (code->op == OP_LOAD) {
            out(&printer->body, "%sr%u = ", half == 0 ? "" : " ", code->dst + half);
            access_read_print(printer, &access);
            out(&printer->body, ";");
        } else {
            out(&printer->body, half == 0 ? "" : " ");
            access_write_begin(printer, &access);
            operand_print(&printer->body, code->b + half);
            access_write_end(printer, &access);
        }
    }
}

static void bad_access_print(struct printer *printer, const struct instruction *code) {
    const struct fact *fact = &printer->points.a[code_index(printer, code)];
    bool null = fact->value.known && fact->value.number < PAGE_SIZE;
    need(&printer->emitter, HELPER_ERRORS);
    need(&printer->emitter, HELPER_REACH);
    out(&printer->body, "picket_error(%s, \"an access %s\");", null ? "NULL_POINTER" : "WILD",
        null ? "through a null pointer" : "outside every object");
}

static void memory_access_print(struct printer *printer, const struct instruction *code) {
    const struct fact *fact = &printer->points.a[code_index(printer, code)];
    struct access access = {fact, code->a, 0, code->width, in_section(printer)};
    struct target target;
    bool nowhere =
        fact->set == 0 || (fact->value.known && !cells_exact(&printer->cells, fact, 0, code->width, &target));
    if (nowhere) {
        bad_access_print(printer, code);
        return;
    }
    if (is_own(printer, &access)) {
        own_check_print(printer, &access);
    }
    if (code->width == 16) {
        wide_print(printer, code, access);
    } else if (code->op == OP_LOAD) {
        load_print(printer, code, &access);
    } else if (code->op == OP_STORE) {
        store_print(printer, code, &access);
    } else {
        exchange_print(printer, code, access);
    }
}

static void allocation_print(struct printer *printer, const struct instruction *code) {
    uint64_t address = printer->program->constants[code->a & ~OPERAND_CONSTANT];
    uint32_t g = points_global(printer->program, address);
    const struct object *object = &printer->cells.objects[g];
    out(&printer->body, "r%u = ", code->dst);
    if (object->shared && cells_location(&printer->cells, g, 0) != NO_REGISTER) {
        out(&printer->body, "memory_malloc(");
        location_name_print(printer, object->location);
        out(&printer->body, ");");
    } else {
        out(&printer->body, "0x%" PRIx64 "ul;", address);
    }
}

bool access_print(struct printer *printer, const struct instruction *code) {
    switch (code->op) {
    case OP_LOAD:
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
        memory_access_print(printer, code);
        return true;
    case OP_MALLOC:
        allocation_print(printer, code);
        return true;
    case OP_FENCE:
    case OP_STORE_BARRIER:
        if (in_section(printer)) {
            return true; /* nothing is pending */
        }
        if (code->op == OP_FENCE && code->sub == ORDER_SEQ_CST) {
            out(&printer->body, "memory_fence(%u);", printer->thread);
        } else if (has_barriers(printer) && (code->op == OP_STORE_BARRIER || is_release(code->sub))) {
            out(&printer->body, "memory_barrier(%u);", printer->thread);
        }
        return true;
    default:
        return false;
    }
}
