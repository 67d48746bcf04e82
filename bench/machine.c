/* Measures the machine on one core.
 *
 *     bench_machine [NAME=PROGRAM...]
 *
 * Prints how many local instructions and how many shared accesses it runs in a second, and what going back costs.  Each
 * PROGRAM, saved by `picket show --save`, is run under TSO on the way of its first transitions; for these the local
 * instructions per second and the size of the state are printed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ir/builder.h"
#include "ir/check.h"
#include "machine/machine.h"

#define LOCAL_ROUNDS 100000000
#define ACCESSES 20000000
#define UNDO_ROUNDS 200000
#define UNDO_STEPS 50
#define PROGRAM_STEPS 10000

enum register_use { COUNTER, SUM, FLAG, VALUE, REGISTERS };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint32_t number(struct builder *builder, uint64_t value) {
    return builder_constant(builder, value);
}

/* Every instruction has a position, as compiled ones have. */
static uint32_t emit(struct builder *builder, struct instruction instruction) {
    instruction.pos = builder_position(builder, "machine.c", builder_here(builder), 1, NULL, NULL);
    return builder_emit(builder, instruction);
}

static void emit_move(struct builder *builder, uint32_t dst, uint64_t value) {
    emit(builder, (struct instruction){.op = OP_MOV, .dst = dst, .a = number(builder, value)});
}

static void emit_binary(struct builder *builder, enum op op, uint32_t dst, uint32_t a, uint32_t b) {
    emit(builder, (struct instruction){.op = (uint8_t)op, .width = 32, .dst = dst, .a = a, .b = b});
}

/* Back to `start` while COUNTER is below the bound. */
static void emit_loop_end(struct builder *builder, uint32_t start, uint64_t rounds) {
    emit_binary(builder, OP_ADD, COUNTER, COUNTER, number(builder, 1));
    emit(
        builder,
        (struct instruction){
            .op = OP_ICMP, .width = 32, .sub = PREDICATE_ULT, .dst = FLAG, .a = COUNTER, .b = number(builder, rounds)});
    uint32_t branch = emit(builder, (struct instruction){.op = OP_BR, .a = FLAG, .b = start});
    builder_at(builder, branch)->c = branch + 1;
}

/* A loop of eight local instructions. */
static void build_local(struct program *program) {
    struct builder builder;
    builder_init(&builder);
    uint32_t function = builder_function(&builder, "main", 0, 0, 0);
    builder_begin(&builder, function);
    emit_move(&builder, COUNTER, 0);
    emit_move(&builder, SUM, 1);
    uint32_t start = builder_here(&builder);
    emit_binary(&builder, OP_MUL, SUM, SUM, number(&builder, 1664525));
    emit_binary(&builder, OP_ADD, SUM, SUM, COUNTER);
    emit_binary(&builder, OP_LSHR, VALUE, SUM, number(&builder, 16));
    emit_binary(&builder, OP_XOR, SUM, SUM, VALUE);
    emit_binary(&builder, OP_AND, VALUE, VALUE, number(&builder, 255));
    emit_loop_end(&builder, start, LOCAL_ROUNDS / 8);
    emit(&builder, (struct instruction){.op = OP_EXIT, .a = number(&builder, 0)});
    builder_end(&builder, REGISTERS);
    builder_finish(&builder, program);
}

/* Two threads that load and store the same two variables for ever. */
static void build_shared(struct program *program) {
    struct builder builder;
    builder_init(&builder);
    uint64_t variables[2];
    for (int i = 0; i < 2; i++) {
        uint32_t global = builder_global(&builder, i ? "y" : "x", 4, 4, 0);
        variables[i] = builder_global_at(&builder, global)->address;
    }
    uint32_t functions[] = {builder_function(&builder, "main", 0, 0, 0), builder_function(&builder, "thread", 2, 0, 0)};
    for (int i = 0; i < 2; i++) {
        builder_begin(&builder, functions[i]);
        if (i == 0) {
            emit(&builder, (struct instruction){.op = OP_SYNC,
                                                .width = SYNC_THREAD_CREATE,
                                                .dst = NO_REGISTER,
                                                .a = number(&builder, function_address(functions[1])),
                                                .b = number(&builder, 0),
                                                .c = number(&builder, 0)});
        }
        emit_move(&builder, COUNTER, 0);
        uint32_t start = builder_here(&builder);
        emit(&builder,
             (struct instruction){.op = OP_LOAD, .width = 4, .dst = VALUE, .a = number(&builder, variables[i])});
        emit_binary(&builder, OP_ADD, VALUE, VALUE, number(&builder, 1));
        emit(&builder,
             (struct instruction){.op = OP_STORE, .width = 4, .a = number(&builder, variables[1 - i]), .b = VALUE});
        emit_loop_end(&builder, start, UINT32_MAX);
        emit(&builder, (struct instruction){.op = OP_EXIT, .a = number(&builder, 0)});
        builder_end(&builder, REGISTERS);
    }
    builder_finish(&builder, program);
}

static void print_rate(const char *what, double count, double seconds) {
    printf("%-60s %8.1f million/s\n", what, count / seconds * 1e-6);
    fflush(stdout);
}

static void measure_local(void) {
    struct program program;
    build_local(&program);
    double start = now();
    struct machine *machine =
        machine_new(&program, &(struct machine_options){.local_limit = UINT64_MAX, .no_undo = true});
    print_rate("local instructions, a built loop", (double)machine_counts(machine).local, now() - start);
    machine_free(machine);
    program_delete(&program);
}

/* The first enabled transition of the threads in turn: a step, or a drain as soon as there is one. */
static struct transition pick(const struct transition *enabled, size_t count, uint64_t turn) {
    return enabled[count > 2 ? count - 1 : turn % count];
}

static void measure_enabled(const struct program *program, enum memory_model model) {
    struct machine *machine = machine_new(program, &(struct machine_options){.model = model, .no_undo = true});
    uint64_t accesses = 0;
    double start = now();
    for (uint64_t turn = 0; accesses < ACCESSES; turn++) {
        const struct transition *enabled;
        size_t count = machine_enabled(machine, &enabled);
        struct transition transition = pick(enabled, count, turn);
        accesses += transition.kind == TRANSITION_STEP;
        machine_take(machine, transition);
    }
    char what[80];
    snprintf(what, sizeof what, "shared accesses, %s, machine_enabled + machine_take", model_names[model]);
    print_rate(what, (double)accesses, now() - start);
    machine_free(machine);
}

/* One round: both threads load and store, then both stores drain. */
static void take_round(struct machine *machine, enum memory_model model, uint64_t serial) {
    for (uint32_t access = 0; access < 2; access++) {
        for (uint32_t thread = 0; thread < 2; thread++) {
            machine_take(machine, (struct transition){.thread = thread, .kind = TRANSITION_STEP});
        }
    }
    for (uint32_t thread = 0; model != MODEL_SC && thread < 2; thread++) {
        machine_take(machine, (struct transition){.thread = thread, .kind = TRANSITION_DRAIN, .choice = serial});
    }
}

static void measure_take(const struct program *program, enum memory_model model) {
    struct machine *machine = machine_new(program, &(struct machine_options){.model = model, .no_undo = true});
    machine_take(machine, (struct transition){.thread = 0, .kind = TRANSITION_STEP});
    double start = now();
    for (uint64_t round = 1; round <= ACCESSES / 4; round++) {
        take_round(machine, model, round);
    }
    char what[80];
    snprintf(what, sizeof what, "shared accesses, %s, machine_take alone", model_names[model]);
    print_rate(what, ACCESSES, now() - start);
    machine_free(machine);
}

static void measure_undo(const struct program *program, enum memory_model model) {
    struct machine *machine = machine_new(program, &(struct machine_options){.model = model});
    machine_take(machine, (struct transition){.thread = 0, .kind = TRANSITION_STEP});
    unsigned per_round = model == MODEL_SC ? 4 : 6;
    unsigned rounds = UNDO_STEPS / per_round;
    double start = now();
    for (uint64_t i = 0; i < UNDO_ROUNDS; i++) {
        machine_mark mark = machine_set_mark(machine);
        for (unsigned round = 1; round <= rounds; round++) {
            take_round(machine, model, round);
        }
        for (unsigned rest = rounds * per_round; rest < UNDO_STEPS; rest++) {
            machine_take(machine, (struct transition){.thread = rest % 2, .kind = TRANSITION_STEP});
        }
        machine_undo(machine, mark);
    }
    double seconds = now() - start;
    char what[80];
    snprintf(what, sizeof what, "mark + %d steps + undo, %s", UNDO_STEPS, model_names[model]);
    printf("%-60s %8.0f ns\n", what, seconds / UNDO_ROUNDS * 1e9);
    machine_free(machine);
}

static bool load(struct program *program, const char *path) {
    char message[256];
    const char *problem = program_load(program, path);
    if (!problem && !program_check(program, message, sizeof message)) {
        problem = message;
    }
    if (problem) {
        fprintf(stderr, "bench_machine: %s: %s\n", path, problem);
    }
    return !problem;
}

static bool measure_program(const char *name, const char *path) {
    struct program program;
    if (!load(&program, path)) {
        return false;
    }
    double start = now();
    struct machine *machine = machine_new(
        &program, &(struct machine_options){.model = MODEL_TSO, .local_limit = UINT64_MAX, .no_undo = true});
    uint8_t *buffer = NULL;
    size_t capacity = 0;
    size_t largest = 0;
    const struct transition *enabled;
    size_t count;
    for (uint64_t step = 0; step < PROGRAM_STEPS && (count = machine_enabled(machine, &enabled)) > 0; step++) {
        machine_take(machine, enabled[step % count]);
        size_t size = machine_serialise(machine, &buffer, &capacity);
        largest = size > largest ? size : largest;
    }
    double seconds = now() - start;
    uint64_t local = machine_counts(machine).local;
    char what[120];
    if (local > 1000000) {
        snprintf(what, sizeof what, "local instructions, %s", name);
        print_rate(what, (double)local, seconds);
    } else {
        snprintf(what, sizeof what, "largest state of %s", name);
        printf("%-60s %8zu bytes\n", what, largest);
    }
    free(buffer);
    machine_free(machine);
    program_delete(&program);
    return true;
}

int main(int argc, char **argv) {
    struct program shared;
    bool good = true;
    measure_local();
    build_shared(&shared);
    for (int model = MODEL_SC; model <= MODEL_TSO; model++) {
        measure_enabled(&shared, (enum memory_model)model);
        measure_take(&shared, (enum memory_model)model);
        measure_undo(&shared, (enum memory_model)model);
    }
    program_delete(&shared);
    for (int i = 1; i < argc; i++) {
        char *path = strchr(argv[i], '=');
        if (path) {
            *path++ = '\0';
        }
        good = measure_program(argv[i], path ? path : argv[i]) && good;
    }
    return good ? 0 : 2;
}
