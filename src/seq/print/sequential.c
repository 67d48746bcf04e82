/* The whole printed program: heading, abstraction, records of threads, variables, threads, driver. */
#include "seq/print/sequential.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ir/flatten.h"
#include "ir/passes.h"
#include "seq/print/memory_texts.h"
#include "seq/print/printer.h"
#include "util/memory.h"

#define VALUES_PER_LINE 16
#define MOST_PASSES 3 /* over the program, to find what is never written */

#define X(name, text) [ABSTRACTION_##name] = text,
const char *const abstraction_names[ABSTRACTION_COUNT] = {ABSTRACTIONS(X)};
#undef X

/* What the abstractions are made of. */
static const struct abstraction_row {
    const char *model;
    const char *files[4];
    bool has_clock;
    bool has_queue;
} abstraction_rows[ABSTRACTION_COUNT] = {
    [ABSTRACTION_SC] = {"SC", {"sc", "address"}, false, false},
    [ABSTRACTION_TSO] = {"TSO", {"queue", "tso", "address"}, false, true},
    [ABSTRACTION_ETSO] = {"TSO", {"temporal_list", "etso", "address"}, true, true},
    [ABSTRACTION_PSO] = {"PSO", {"queue", "pso", "address"}, false, true},
    [ABSTRACTION_EPSO] = {"PSO", {"temporal_list", "epso", "address"}, true, true},
};

/* --- Heading ------------------------------------------------------------------------------------------------------ */

static void heading_print(const struct printer *printer, uint32_t steps, FILE *out) {
    const struct sequential_options *options = printer->options;
    const struct abstraction_row *row = &abstraction_rows[options->abstraction];
    fputs("/* A sequential program, made of a concurrent one by picket translate --sequential:\n *\n", out);
    for (size_t i = 0; i < printer->program->files_count; i++) {
        fprintf(out, " *     %s\n", program_string(printer->program, printer->program->files[i]));
    }
    fprintf(
        out,
        " *\n * Memory model: %s, by the abstraction %s.  %zu threads, %u steps, %zu shared locations.\n *\n"
        " * Within these bounds it has the errors of the concurrent program, and no others:\n"
        " *   - %u rounds, in each of which every thread runs once, in the order of their numbers, and main once "
        "more;\n"
        " *   - a loop iterates at most %u times after its first iteration, unless known numbers decide its end%s\n",
        row->model, abstraction_names[options->abstraction], printer->unrolled->threads.count, steps,
        printer->cells.locations.count, options->rounds, options->unroll, row->has_queue ? ";" : ".");
    if (row->has_clock) {
        fprintf(out,
                " *   - times below %u: pending writes reach memory at %u different moments at most;\n"
                " *   - at most %u pending writes to a location.\n",
                options->clock, options->clock - 1, options->queue - 1);
    } else if (row->has_queue) {
        fprintf(out, " *   - at most %u pending writes of a thread.\n", options->queue);
    }
    fputs(
        " *\n"
        " * Not looked for: deadlocks; accesses to objects after their end, and other errors of free; leaks.  malloc\n"
        " * does not fail, condition variables do not wake without a signal, and nothing is printed. */\n",
        out);
}

/* --- The abstraction ---------------------------------------------------------------------------------------------- */

static void paste(const char *name, FILE *out) {
    const struct memory_text *text = memory_texts;
    while (strcmp(text->name, name) != 0) {
        text++;
    }
    fputc('\n', out);
    fputs(text->text, out);
}

static void numbers_print(const struct printer *printer, bool addresses, FILE *out) {
    size_t count = printer->cells.locations.count;
    for (size_t i = 0; i < count; i++) {
        const struct location *location = vector_at(&printer->cells.locations, i);
        uint64_t address = printer->program->globals[location->global].address + location->offset;
        fprintf(out, i == 0 ? "" : i % VALUES_PER_LINE == 0 ? ",\n    " : ", ");
        fprintf(out, addresses ? "0x%" PRIx64 "ul" : "%" PRIu64 "u", addresses ? address : location->initial);
    }
    fputs(count == 0 ? "0" : "", out);
}

static unsigned widest(const struct printer *printer) {
    unsigned size = 1;
    for (size_t i = 0; i < printer->cells.locations.count; i++) {
        const struct location *location = vector_at(&printer->cells.locations, i);
        size = location->size > size ? location->size : size;
    }
    return size;
}

/* What src/seq/memory/memory.h declares. */
static void base_print(struct printer *printer) {
    FILE *out = printer->emitter.out;
    const struct sequential_options *options = printer->options;
    size_t locations = printer->cells.locations.count;
    bool cbmc = options->dialect == DIALECT_CBMC;
    need(&printer->emitter, HELPER_ASSUME);
    need(&printer->emitter, HELPER_NONDET);
    need(&printer->emitter, HELPER_ERRORS);
    need(&printer->emitter, HELPER_REACH);
    fputs("#line home\n", out);
    fputs("#define MEMORY_PART static __attribute__((unused))\n#define MEMORY_LOCAL __attribute__((unused))\n", out);
    fprintf(out, "#define MEMORY_THREADS %zu\n#define MEMORY_LOCATIONS %zu\n", printer->unrolled->threads.count,
            locations == 0 ? 1 : locations);
    if (abstraction_rows[options->abstraction].has_clock) {
        fprintf(out, "#define MEMORY_CLOCK %u\n", options->clock);
    }
    if (abstraction_rows[options->abstraction].has_queue) {
        fprintf(out, "#define MEMORY_QUEUE %u\n", options->queue);
    }
    fprintf(out, "typedef uint%u_t memory_value;\ntypedef uint%u_t memory_location;\n", widest(printer) * 8,
            locations < 256 ? 8 : 16);
    fputs("MEMORY_PART const memory_value memory_initial[MEMORY_LOCATIONS] = {", out);
    numbers_print(printer, false, out);
    fputs("};\nMEMORY_PART const uint64_t memory_addresses[MEMORY_LOCATIONS] = {", out);
    numbers_print(printer, true, out);
    fputs("};\n", out);
    for (uint32_t i = 0; i < locations; i++) {
        fputs(i == 0 ? "enum {\n    " : ",\n    ", out);
        location_name_print(printer, i);
        fputs(i + 1 == locations ? "\n};\n" : "", out);
    }
    fprintf(out,
            "#define memory_assume(condition) %s(condition)\n"
            "#define memory_wrong_address() picket_error(WILD, \"an access outside every shared location\")\n"
            "\n"
            "/* Any number below the limit. */\n"
            "MEMORY_PART unsigned memory_guess(unsigned limit) {\n"
            "    unsigned number = 0;\n"
            "    for (unsigned bit = 1; bit < limit; bit <<= 1) {\n"
            "        number |= __VERIFIER_nondet_bool() ? bit : 0;\n"
            "    }\n"
            "    memory_assume(number < limit);\n"
            "    return number;\n"
            "}\n",
            cbmc ? "__CPROVER_assume" : "__VERIFIER_assume");
    for (int i = 0; abstraction_rows[options->abstraction].files[i]; i++) {
        paste(abstraction_rows[options->abstraction].files[i], out);
    }
}

/* --- Threads and driver ------------------------------------------------------------------------------------------- */

static bool is_created(const struct printer *printer, uint32_t thread) {
    return ((struct thread_plan *)vector_at(&printer->unrolled->threads, thread))->created;
}

static void counters_print(struct printer *printer, const struct steps *steps) {
    FILE *out = printer->emitter.out;
    uint32_t most = 0;
    for (uint32_t t = 0; t < printer->unrolled->threads.count; t++) {
        most = is_created(printer, t) && steps[t].end > most ? steps[t].end : most;
    }
    unsigned bits = most < 256 ? 8 : most < 65536 ? 16 : 32;
    fprintf(out,
            "\n/* The step at which the thread that runs will stop; of each thread, the step at which it has stopped. "
            "*/\nMEMORY_PART uint%u_t limit;\n",
            bits);
    for (uint32_t t = 0; t < printer->unrolled->threads.count; t++) {
        const struct thread_plan *plan = vector_at(&printer->unrolled->threads, t);
        if (plan->created) {
            uint32_t parameters = printer->program->functions[plan->function].parameters;
            fprintf(out, "static uint%u_t pc_%u;\n", bits, t);
            if (parameters > 0) {
                fprintf(out, "static uint64_t argument_%u[%u];\n", t, parameters);
            }
        }
    }
    fputs("MEMORY_PART uint8_t arrived; /* threads in their final states */\n", out);
}

/* The thread continues, from its last step to a guessed one, if it exists and has not ended. */
static void turn_print(struct printer *printer, uint32_t thread, const struct steps *steps, const char *indent) {
    if (is_created(printer, thread)) {
        uint32_t end = steps[thread].end;
        fprintf(printer->emitter.out,
                "%sif (record_created[%u] && pc_%u < %u) {\n"
                "%s    limit = memory_guess(%u);\n"
                "%s    memory_assume(limit >= pc_%u);\n"
                "%s    if (limit > pc_%u) {\n"
                "%s        thread_%u();\n"
                "%s        pc_%u = limit;\n"
                "%s    }\n"
                "%s}\n",
                indent, thread, thread, end, indent, end + 1, indent, thread, indent, thread, indent, thread, indent,
                thread, indent, indent);
    }
}

/* After the last round main runs once more: in most programs it has waited for the others, and reads what they have
 * done. */
static void driver_print(struct printer *printer, const struct steps *steps) {
    FILE *out = printer->emitter.out;
    fprintf(out,
            "\nint main(void) {\n"
            "    memory_init();\n"
            "    record_created[0] = 1;\n"
            "    for (unsigned round = 0; round < %u; round++) {\n",
            printer->options->rounds);
    for (uint32_t t = 0; t < printer->unrolled->threads.count; t++) {
        turn_print(printer, t, steps, "        ");
    }
    fputs("    }\n", out);
    turn_print(printer, 0, steps, "    ");
    fputs("    return 0;\n}\n", out);
}

static void text_print_all(struct printer *printer, const struct steps *steps) {
    struct liveness liveness;
    liveness_init(&liveness, printer->program);
    base_print(printer);
    fputc('\n', printer->emitter.out);
    records_print(printer);
    fputc('\n', printer->emitter.out);
    own_objects_print(printer);
    counters_print(printer, steps);
    for (uint32_t t = 0; t < printer->unrolled->threads.count; t++) {
        if (is_created(printer, t)) {
            printer->steps = &steps[t];
            thread_print(printer, t, &liveness);
        }
    }
    driver_print(printer, steps);
    liveness_delete(&liveness);
}

static void print_all(struct printer *printer, const struct steps *steps, const char *file, FILE *out) {
    char *text = NULL;
    char *heading = NULL;
    size_t size = 0;
    size_t heading_size = 0;
    uint32_t all_steps = 0;
    for (uint32_t t = 0; t < printer->unrolled->threads.count; t++) {
        all_steps += is_created(printer, t) ? steps[t].end - 1 : 0;
    }
    printer->emitter = (struct emitter){.program = printer->program,
                                        .dialect = printer->options->dialect,
                                        .file = file,
                                        .print_address = address_value_print,
                                        .printer = printer};
    emitter_init(&printer->emitter);
    printer->emitter.out = memory_stream(&text, &size);
    FILE *head = memory_stream(&heading, &heading_size);
    text_print_all(printer, steps);
    heading_print(printer, all_steps, head);
    fclose(head);
    fclose(printer->emitter.out);
    emitter_compose(&printer->emitter, heading, text, out);
    emitter_delete(&printer->emitter);
    free(text);
    free(heading);
}

/* --- From program to text ----------------------------------------------------------------------------------------- */

/* Floating-point read-modify-writes, and 16-byte ones, have no C. */
static bool can_print(const struct printer *printer, struct diagnostics *diagnostics) {
    for (size_t i = 0; i < printer->program->code_count; i++) {
        const struct instruction *code = &printer->program->code[i];
        bool exchanges = code->op == OP_RMW || code->op == OP_CAS;
        if ((code->op == OP_RMW && code->c >= RMW_FADD) || (exchanges && code->width == 16)) {
            const struct position *position = &printer->program->positions[code->pos];
            diagnostics_add(diagnostics, program_string(printer->program, position->file), position->line,
                            position->column,
                            "not supported: a read-modify-write of 16 bytes or of a floating-point number");
            return false;
        }
    }
    return true;
}

static bool print_unrolled(const struct unrolled *unrolled, const struct sequential_options *options, const char *file,
                           FILE *out, struct diagnostics *diagnostics) {
    struct printer printer = {.options = options, .unrolled = unrolled, .program = &unrolled->program};
    size_t threads = unrolled->threads.count;
    struct steps *steps = memory_allocate((threads + 1) * sizeof *steps);
    points_init(&printer.points, unrolled);
    cells_init(&printer.cells, &printer.points);
    bool good = can_print(&printer, diagnostics) && cells_divide(&printer.cells, diagnostics);
    for (uint32_t t = 0; t < threads && good; t++) {
        if (is_created(&printer, t)) {
            good = steps_init(&steps[t], &printer.cells, t, options->abstraction != ABSTRACTION_SC, diagnostics);
        }
    }
    if (good) {
        print_all(&printer, steps, file, out);
    }
    for (size_t t = 0; t < threads; t++) {
        steps_delete(&steps[t]);
    }
    free(steps);
    cells_delete(&printer.cells);
    points_delete(&printer.points);
    return good;
}

/* Finds the globals of the flat program that are never written; returns their number. */
static size_t find_constant(const struct unrolled *unrolled, const struct program *flat, bool *constant) {
    struct points points;
    struct cells cells;
    size_t count = 0;
    points_init(&points, unrolled);
    cells_init(&cells, &points);
    for (size_t g = 0; g < flat->globals_count; g++) {
        constant[g] = !cells.objects[g].written;
    }
    for (size_t i = 0; i < unrolled->copies.count; i++) {
        const struct thread_local_copy *copy = vector_at(&unrolled->copies, i);
        constant[copy->global] = constant[copy->global] && !cells.objects[copy->copy].written;
    }
    for (size_t g = 0; g < flat->globals_count; g++) {
        count += constant[g];
    }
    cells_delete(&cells);
    points_delete(&points);
    return count;
}

static bool unroll_simply(const struct program *flat, uint32_t bound, const bool *constant, struct unrolled *unrolled,
                          struct diagnostics *diagnostics) {
    if (!unroll(flat, bound, constant, unrolled, diagnostics)) {
        return false;
    }
    pass_simplify(&unrolled->program);
    pass_compact(&unrolled->program);
    return true;
}

/* Unrolls, again with what has been found to be constant, as long as that helps. */
static bool unroll_fully(const struct program *flat, uint32_t bound, struct unrolled *unrolled,
                         struct diagnostics *diagnostics) {
    bool *constant = memory_allocate(flat->globals_count + 1);
    bool good = unroll_simply(flat, bound, NULL, unrolled, diagnostics);
    size_t known = 0;
    for (int pass = 1; pass < MOST_PASSES && good; pass++) {
        size_t found = find_constant(unrolled, flat, constant);
        if (found == known) {
            break;
        }
        known = found;
        unrolled_delete(unrolled);
        good = unroll_simply(flat, bound, constant, unrolled, diagnostics);
    }
    free(constant);
    return good;
}

bool sequential_print(const struct program *program, const struct sequential_options *options, const char *file,
                      FILE *out, struct diagnostics *diagnostics) {
    struct program flat;
    struct unrolled unrolled;
    const char *refusal = program_flatten(program, options->unroll, &flat);
    if (refusal) {
        diagnostics_add(diagnostics, "", 0, 0, "not supported: %s", refusal);
        return false;
    }
    bool good = unroll_fully(&flat, options->unroll, &unrolled, diagnostics);
    if (good) {
        good = print_unrolled(&unrolled, options, file, out, diagnostics);
        unrolled_delete(&unrolled);
    }
    program_delete(&flat);
    return good;
}
