/* Generated programs: thousands of small ones, on which everything that must agree is compared.
 *
 *     unit_generated              the fixed list of seeds
 *     unit_generated SEED...      only these programs
 *
 * For every program and every model the final states that `brute` finds must be those of the independent model in
 * model.c; they grow from SC to TSO to PSO; passes do not change them; with a full fence behind every store they are
 * the same under all models; random walks stay inside them, and `explore` finds all of them; an assertion about a
 * thread's result fails exactly if the model has such a result, for every engine; `explore` finds the traces that
 * `brute` finds, each once; and their number does not depend on the order of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/random_source.h"
#include "explore/explore.h"
#include "ir/builder.h"
#include "ir/passes.h"
#include "ir/print.h"
#include "machine/describe.h"
#include "model.h"

#define PROGRAMS 400
#define TINY_PROGRAMS 60
#define RANDOM_WALKS 6
#define LOCK_BYTES 20
#define PLACES 2

/* --- Making programs ---------------------------------------------------------------------------------------------- */

static uint64_t draw(struct random_source *source, uint64_t end) {
    return random_below(source, end);
}

/* Bytes that an operation accesses.  A program has a few that its threads meet at, and now and then uses others. */
struct place {
    unsigned offset;
    unsigned size;
};

static struct place draw_place(struct random_source *source) {
    static const unsigned sizes[] = {1, 1, 2, 2, 4, 8};
    unsigned size = sizes[draw(source, 6)];
    /* Mostly aligned; now and then not. */
    unsigned step = draw(source, 4) == 0 ? 1 : size;
    return (struct place){.size = size, .offset = (unsigned)draw(source, (MODEL_MEMORY - size) / step + 1) * step};
}

static uint64_t draw_value(struct random_source *source, unsigned size) {
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++) {
        value |= draw(source, 4) << 8 * i;
    }
    return value;
}

static struct operation draw_operation(struct random_source *source, const struct place places[PLACES]) {
    static const enum operation_kind kinds[] = {
        OPERATION_LOAD,     OPERATION_LOAD,  OPERATION_LOAD,  OPERATION_LOAD,    OPERATION_LOAD,
        OPERATION_LOAD,     OPERATION_STORE, OPERATION_STORE, OPERATION_STORE,   OPERATION_STORE,
        OPERATION_STORE,    OPERATION_STORE, OPERATION_STORE, OPERATION_ADD,     OPERATION_CAS,
        OPERATION_EXCHANGE, OPERATION_FENCE, OPERATION_FENCE, OPERATION_BARRIER,
    };
    static const enum order store_orders[] = {ORDER_PLAIN, ORDER_PLAIN, ORDER_RELAXED, ORDER_RELEASE, ORDER_SEQ_CST};
    static const enum order fence_orders[] = {ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST,
                                              ORDER_SEQ_CST};
    struct operation operation = {.kind = kinds[draw(source, sizeof kinds / sizeof *kinds)]};
    struct place place = draw(source, 6) == 0 ? draw_place(source) : places[draw(source, PLACES)];
    operation.offset = place.offset;
    operation.size = place.size;
    operation.value = draw_value(source, operation.size);
    operation.expected = draw(source, 2) ? 0 : draw_value(source, operation.size);
    operation.conditional = draw(source, 8) == 0;
    if (operation.kind == OPERATION_STORE) {
        operation.order = store_orders[draw(source, 5)];
        operation.relative = draw(source, 4) == 0;
    } else if (operation.kind == OPERATION_FENCE) {
        operation.order = fence_orders[draw(source, 5)];
    }
    return operation;
}

static void draw_program(struct generated *generated, uint64_t seed, unsigned most) {
    struct random_source source = random_source_from(seed);
    memset(generated, 0, sizeof *generated);
    generated->seed = seed;
    generated->threads = draw(&source, 3) == 0 ? 3 : 2;
    struct place places[PLACES];
    for (unsigned i = 0; i < PLACES; i++) {
        places[i] = draw_place(&source);
    }
    /* What three threads do grows out of hand sooner. */
    unsigned threads = generated->threads;
    bool locks = threads == 2 || most > 2;
    most -= threads == 3;
    for (unsigned t = 0; t < generated->threads; t++) {
        struct operation *operations = generated->operations[t];
        unsigned count = most / 2 + (unsigned)draw(&source, most - most / 2 + 1);
        count += count == 0;
        for (unsigned i = 0; i < count; i++) {
            operations[i] = draw_operation(&source, places);
        }
        if (locks && draw(&source, 4) == 0) {
            /* The last operations under the lock. */
            unsigned from = (unsigned)draw(&source, count);
            memmove(operations + from + 1, operations + from, (count - from) * sizeof *operations);
            operations[from] = (struct operation){.kind = OPERATION_LOCK, .size = 1};
            operations[count + 1] = (struct operation){.kind = OPERATION_UNLOCK, .size = 1};
            count += 2;
        }
        generated->counts[t] = count;
    }
    generated->asserting = (unsigned)draw(&source, generated->threads);
}

enum register_use { ACCUMULATOR, LAST, VALUE, SUCCESS, SCRATCH, REGISTERS };

struct emitter {
    struct builder builder;
    uint64_t memory;
    uint64_t lock;
    uint64_t results[MODEL_THREADS];
    bool fenced; /* a full fence behind every store */
    uint32_t line;
};

static uint32_t number(struct emitter *emitter, uint64_t value) {
    return builder_constant(&emitter->builder, value);
}

static void emit(struct emitter *emitter, struct instruction instruction) {
    instruction.pos = builder_position(&emitter->builder, "generated.c", ++emitter->line, 1, NULL, NULL);
    builder_emit(&emitter->builder, instruction);
}

/* VALUE was read: into the accumulator with it. */
static void emit_mix(struct emitter *emitter) {
    emit(emitter, (struct instruction){
                      .op = OP_MUL, .width = 64, .dst = ACCUMULATOR, .a = ACCUMULATOR, .b = number(emitter, 31)});
    emit(emitter, (struct instruction){.op = OP_ADD, .width = 64, .dst = ACCUMULATOR, .a = ACCUMULATOR, .b = VALUE});
    emit(emitter, (struct instruction){
                      .op = OP_ADD, .width = 64, .dst = ACCUMULATOR, .a = ACCUMULATOR, .b = number(emitter, 1)});
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = LAST, .a = VALUE});
}

static void emit_sync(struct emitter *emitter, enum sync_kind kind, uint64_t a) {
    emit(emitter, (struct instruction){.op = OP_SYNC,
                                       .width = (uint8_t)kind,
                                       .dst = NO_REGISTER,
                                       .a = number(emitter, a),
                                       .b = number(emitter, 0),
                                       .c = number(emitter, 0)});
}

static void emit_operation(struct emitter *emitter, const struct operation *operation) {
    uint32_t branch = 0;
    struct instruction access = {.width = (uint8_t)operation->size,
                                 .sub = (uint8_t)operation->order,
                                 .a = number(emitter, emitter->memory + operation->offset),
                                 .b = number(emitter, operation->value)};
    if (operation->conditional) {
        emit(emitter,
             (struct instruction){.op = OP_AND, .width = 64, .dst = SCRATCH, .a = LAST, .b = number(emitter, 1)});
        branch = builder_here(&emitter->builder);
        emit(emitter, (struct instruction){.op = OP_BR, .a = SCRATCH, .b = branch + 1});
    }
    switch (operation->kind) {
    case OPERATION_LOAD:
        access.op = OP_LOAD;
        access.dst = VALUE;
        emit(emitter, access);
        emit_mix(emitter);
        break;
    case OPERATION_STORE:
        access.op = OP_STORE;
        if (operation->relative) {
            emit(emitter,
                 (struct instruction){
                     .op = OP_ADD, .width = (uint8_t)(8 * operation->size), .dst = SCRATCH, .a = LAST, .b = access.b});
            access.b = SCRATCH;
        }
        emit(emitter, access);
        if (emitter->fenced) {
            emit(emitter, (struct instruction){.op = OP_FENCE, .sub = ORDER_SEQ_CST});
        }
        break;
    case OPERATION_ADD:
    case OPERATION_EXCHANGE:
        access.op = OP_RMW;
        access.dst = VALUE;
        access.c = operation->kind == OPERATION_ADD ? RMW_ADD : RMW_XCHG;
        emit(emitter, access);
        emit_mix(emitter);
        break;
    case OPERATION_CAS:
        access.op = OP_CAS;
        access.dst = VALUE;
        access.c = access.b;
        access.b = number(emitter, operation->expected);
        emit(emitter, access);
        emit_mix(emitter);
        break;
    case OPERATION_FENCE:
        emit(emitter, (struct instruction){.op = OP_FENCE, .sub = (uint8_t)operation->order});
        break;
    case OPERATION_BARRIER:
        emit(emitter, (struct instruction){.op = OP_STORE_BARRIER});
        break;
    case OPERATION_LOCK:
        emit_sync(emitter, SYNC_MUTEX_LOCK, emitter->lock);
        break;
    default:
        emit_sync(emitter, SYNC_MUTEX_UNLOCK, emitter->lock);
        break;
    }
    if (operation->conditional) {
        builder_at(&emitter->builder, branch)->c = builder_here(&emitter->builder);
        emit(emitter, (struct instruction){.op = OP_NOP});
    }
}

static void emit_thread(struct emitter *emitter, const struct generated *generated, unsigned thread) {
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = ACCUMULATOR, .a = number(emitter, 0)});
    emit(emitter, (struct instruction){.op = OP_MOV, .dst = LAST, .a = number(emitter, 0)});
    for (unsigned i = 0; i < generated->counts[thread]; i++) {
        emit_operation(emitter, &generated->operations[thread][i]);
    }
    emit(emitter, (struct instruction){.op = OP_RMW,
                                       .width = 8,
                                       .sub = ORDER_SEQ_CST,
                                       .dst = VALUE,
                                       .a = number(emitter, emitter->results[thread]),
                                       .b = ACCUMULATOR,
                                       .c = RMW_XCHG});
    if (generated->asserts && generated->asserting == thread) {
        emit(emitter, (struct instruction){.op = OP_ICMP,
                                           .width = 64,
                                           .sub = PREDICATE_NE,
                                           .dst = SCRATCH,
                                           .a = ACCUMULATOR,
                                           .b = number(emitter, generated->forbidden)});
        emit(emitter, (struct instruction){
                          .op = OP_ASSERT, .a = SCRATCH, .b = builder_string(&emitter->builder, "not the result")});
    }
    emit(emitter, (struct instruction){.op = OP_RET});
}

static uint64_t emit_global(struct emitter *emitter, const char *name, uint64_t size, bool shown) {
    uint32_t global = builder_global(&emitter->builder, name, size, 8, 0);
    uint32_t pos = shown ? builder_position(&emitter->builder, "generated.c", 1, 1, NULL, name) : 0;
    builder_global_at(&emitter->builder, global)->pos = pos;
    return builder_global_at(&emitter->builder, global)->address;
}

/* Main creates the other threads in one atomic step and then runs the code of the first itself, so that there is
 * nothing to interleave but what was generated. */
static void build(const struct generated *generated, bool fenced, struct program *program) {
    static const char *const names[] = {"r0", "r1", "r2"};
    struct emitter emitter = {.fenced = fenced};
    builder_init(&emitter.builder);
    emitter.memory = emit_global(&emitter, "m", MODEL_MEMORY, true);
    for (unsigned t = 0; t < generated->threads; t++) {
        emitter.results[t] = emit_global(&emitter, names[t], 8, true);
    }
    emitter.lock = emit_global(&emitter, "lock", LOCK_BYTES, false);
    builder_function(&emitter.builder, "main", 0, 0, 0);
    for (unsigned t = 1; t < generated->threads; t++) {
        builder_function(&emitter.builder, "thread", 2, 0, 0);
    }
    for (unsigned t = 0; t < generated->threads; t++) {
        builder_begin(&emitter.builder, t);
        if (t == 0) {
            emit(&emitter, (struct instruction){.op = OP_ATOMIC_BEGIN});
            for (unsigned k = 1; k < generated->threads; k++) {
                emit_sync(&emitter, SYNC_THREAD_CREATE, function_address(k));
            }
            emit(&emitter, (struct instruction){.op = OP_ATOMIC_END});
        }
        emit_thread(&emitter, generated, t);
        builder_end(&emitter.builder, REGISTERS);
    }
    builder_finish(&emitter.builder, program);
}

/* --- Sets of final states ----------------------------------------------------------------------------------------- */

static int compare_texts(const void *one, const void *other) {
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static void sort_texts(struct vector *texts) {
    if (texts->count > 0) {
        qsort(texts->data, texts->count, sizeof(char *), compare_texts);
    }
}

static void delete_texts(struct vector *texts) {
    for (size_t i = 0; i < texts->count; i++) {
        free(*(char **)vector_at(texts, i));
    }
    vector_delete(texts);
}

static bool has_text(const struct vector *texts, const char *text) {
    return texts->count > 0 && bsearch(&text, texts->data, texts->count, sizeof(char *), compare_texts);
}

static bool texts_within(const struct vector *small, const struct vector *large) {
    for (size_t i = 0; i < small->count; i++) {
        if (!has_text(large, *(char **)vector_at(small, i))) {
            return false;
        }
    }
    return true;
}

static bool texts_equal(const struct vector *one, const struct vector *other) {
    return one->count == other->count && texts_within(one, other);
}

/* --- Running ------------------------------------------------------------------------------------------------------ */

/* What a run is asked for beside engine, program and model. */
struct request {
    enum collect collect;
    enum dpor dpor;
    struct vector *finals; /* if not NULL: gets the text of the state at the end of every complete execution */
};

static void note_final(void *data, struct machine *machine) {
    char *text = machine_shared_text(machine);
    vector_push(data, &text);
}

static void run_engine(const struct engine *engine, const struct program *program, enum memory_model model,
                       struct request request, struct verdict *verdict) {
    struct limits limits = {0};
    struct progress progress;
    progress_start(&progress, false);
    limits_start(&limits);
    struct task task = {.program = program,
                        .machine = {.model = model},
                        .limits = &limits,
                        .progress = &progress,
                        .runs = 20,
                        .seed = 1,
                        .steps = 1000,
                        .dpor = request.dpor,
                        .collect = request.collect,
                        .final = request.finals ? note_final : NULL,
                        .final_data = request.finals};
    verdict_init(verdict);
    engine_run(engine, &task, verdict);
}

/* Takes the texts out of brute's verdict. */
static struct vector brute_states(const struct program *program, enum memory_model model) {
    struct verdict verdict;
    run_engine(&engine_brute, program, model, (struct request){.collect = COLLECT_STATES}, &verdict);
    struct vector texts = verdict.collected.texts;
    vector_init(&verdict.collected.texts, sizeof(char *));
    verdict_delete(&verdict);
    sort_texts(&texts);
    return texts;
}

static void explain(const struct generated *generated, const struct program *program, enum memory_model model,
                    const char *what, const struct vector *found, const struct vector *expected) {
    fprintf(stderr, "seed %llu, model %s: %s\n", (unsigned long long)generated->seed, model_names[model], what);
    program_print(program, stderr);
    for (size_t i = 0; found && i < found->count; i++) {
        const char *text = *(char **)vector_at(found, i);
        if (!has_text(expected, text)) {
            fprintf(stderr, "not expected: %s\n", text);
        }
    }
    for (size_t i = 0; expected && i < expected->count; i++) {
        const char *text = *(char **)vector_at(expected, i);
        if (!has_text(found, text)) {
            fprintf(stderr, "missing: %s\n", text);
        }
    }
    fail();
}

static void check_random_walks(const struct generated *generated, const struct program *program,
                               enum memory_model model, const struct vector *states) {
    struct random_source source = random_source_from(generated->seed);
    for (int run = 0; run < RANDOM_WALKS; run++) {
        struct machine *machine = machine_new(program, &(struct machine_options){.model = model, .no_undo = true});
        const struct transition *enabled;
        size_t count;
        while ((count = machine_enabled(machine, &enabled)) > 0) {
            machine_take(machine, enabled[draw(&source, count)]);
        }
        assert_int_equal(machine_outcome(machine), OUTCOME_COMPLETE);
        char *text = machine_shared_text(machine);
        struct vector one = {.data = &text, .count = 1, .element_size = sizeof text};
        if (!has_text(states, text)) {
            explain(generated, program, model, "a random walk ends outside", &one, states);
        }
        free(text);
        machine_free(machine);
    }
}

static void unroll_once(struct program *program) {
    pass_unroll(program, 1);
}

/* One after the other, in the order in which the verifier runs them. */
static const struct {
    const char *name;
    void (*run)(struct program *program);
} passes[] = {
    {"pass_simplify", pass_simplify}, {"pass_narrow", pass_narrow},   {"pass_awaits", pass_awaits},
    {"pass_unroll", unroll_once},     {"pass_compact", pass_compact},
};

static void check_passes(const struct generated *generated, struct vector states[MODEL_COUNT]) {
    struct program program;
    build(generated, false, &program);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        passes[i].run(&program);
        for (int model = 0; model < MODEL_COUNT; model++) {
            struct vector after = brute_states(&program, (enum memory_model)model);
            if (!texts_equal(&after, &states[model])) {
                explain(generated, &program, (enum memory_model)model, passes[i].name, &after, &states[model]);
            }
            delete_texts(&after);
        }
    }
    program_delete(&program);
}

static void check_fenced(const struct generated *generated) {
    struct program program;
    build(generated, true, &program);
    struct vector sc = brute_states(&program, MODEL_SC);
    for (int model = MODEL_TSO; model < MODEL_COUNT; model++) {
        struct vector states = brute_states(&program, (enum memory_model)model);
        if (!texts_equal(&sc, &states)) {
            explain(generated, &program, (enum memory_model)model, "fences behind all stores do not make it SC",
                    &states, &sc);
        }
        delete_texts(&states);
    }
    delete_texts(&sc);
    program_delete(&program);
}

static bool has_result(const struct vector *results, uint64_t result) {
    for (size_t i = 0; i < results->count; i++) {
        if (*(uint64_t *)vector_at(results, i) == result) {
            return true;
        }
    }
    return false;
}

/* Forbids one of the results that the weakest model has, and looks who finds it. */
static void check_assertion(struct generated *generated, struct vector results[MODEL_COUNT], bool tiny) {
    const struct vector *most = &results[MODEL_PSO];
    struct program program;
    generated->asserts = true;
    generated->forbidden = *(uint64_t *)vector_at(most, generated->seed % most->count);
    build(generated, false, &program);
    for (int model = 0; model < MODEL_COUNT; model++) {
        bool expected = has_result(&results[model], generated->forbidden);
        enum verdict_word word = expected ? VERDICT_VIOLATION : VERDICT_SAFE;
        struct verdict verdict;
        run_engine(&engine_brute, &program, (enum memory_model)model, (struct request){.collect = COLLECT_NOTHING},
                   &verdict);
        if (verdict.word != word) {
            explain(generated, &program, (enum memory_model)model, "brute decides wrongly", NULL, NULL);
        }
        verdict_delete(&verdict);
        run_engine(&engine_explore, &program, (enum memory_model)model, (struct request){0}, &verdict);
        if (verdict.word != word) {
            fprintf(stderr, "verdict %d, not %d; %s\n", (int)verdict.word, (int)word, verdict.reason);
            explain(generated, &program, (enum memory_model)model, "explore decides wrongly", NULL, NULL);
        }
        verdict_delete(&verdict);
        if (tiny) {
            run_engine(&engine_brute, &program, (enum memory_model)model, (struct request){.collect = COLLECT_TRACES},
                       &verdict);
            if (verdict.word != word) {
                explain(generated, &program, (enum memory_model)model, "brute, unpruned, decides wrongly", NULL, NULL);
            }
            verdict_delete(&verdict);
        }
        run_engine(&engine_random, &program, (enum memory_model)model, (struct request){.collect = COLLECT_NOTHING},
                   &verdict);
        if (verdict.word == VERDICT_SAFE || verdict.word == VERDICT_DEFECT ||
            (verdict.word == VERDICT_VIOLATION && !expected)) {
            explain(generated, &program, (enum memory_model)model, "random decides wrongly", NULL, NULL);
        }
        verdict_delete(&verdict);
    }
    generated->asserts = false;
    program_delete(&program);
}

/* The traces that the engine finds; of a set of them the digest says which. */
static uint64_t count_traces(const struct generated *generated, const struct engine *engine, enum memory_model model,
                             enum dpor dpor, uint64_t *digest) {
    struct program program;
    struct verdict verdict;
    build(generated, false, &program);
    run_engine(engine, &program, model, (struct request){.collect = COLLECT_TRACES, .dpor = dpor}, &verdict);
    uint64_t traces = verdict.collected.traces;
    *digest = verdict.collected.digest;
    assert_int_equal(verdict.word, VERDICT_SAFE);
    assert_int_equal(verdict.collected.blocked, 0);
    if (engine == &engine_explore && dpor == DPOR_OPTIMAL) {
        /* Optimal: no trace twice, nothing begun in vain. */
        assert_int_equal(verdict.traces, traces);
        assert_int_equal(verdict.redundant, 0);
    }
    verdict_delete(&verdict);
    program_delete(&program);
    return traces;
}

/* The program with its threads in another order: the first becomes the last. */
static struct generated rotated(const struct generated *generated) {
    struct generated other = *generated;
    unsigned threads = generated->threads;
    for (unsigned t = 0; t < threads; t++) {
        unsigned to = (t + threads - 1) % threads;
        other.counts[to] = generated->counts[t];
        memcpy(other.operations[to], generated->operations[t], sizeof other.operations[to]);
    }
    return other;
}

static void check_traces(const struct generated *generated) {
    struct generated other = rotated(generated);
    uint64_t before = 0;
    for (int i = 0; i < MODEL_COUNT; i++) {
        enum memory_model model = (enum memory_model)i;
        uint64_t digest[4];
        uint64_t traces = count_traces(generated, &engine_brute, model, DPOR_OPTIMAL, &digest[0]);
        uint64_t turned = count_traces(&other, &engine_brute, model, DPOR_OPTIMAL, &digest[1]);
        uint64_t optimal = count_traces(generated, &engine_explore, model, DPOR_OPTIMAL, &digest[2]);
        uint64_t source = count_traces(generated, &engine_explore, model, DPOR_SOURCE, &digest[3]);
        if (traces != turned || traces < before || traces != optimal || traces != source || digest[0] != digest[2] ||
            digest[0] != digest[3]) {
            struct program program;
            build(generated, false, &program);
            fprintf(stderr,
                    "traces: %" PRIu64 ", with the threads turned %" PRIu64 ", explore %" PRIu64 " and %" PRIu64
                    ", under the stronger model %" PRIu64 "\n",
                    traces, turned, optimal, source, before);
            explain(generated, &program, model, "sets of traces", NULL, NULL);
        }
        before = traces;
    }
}

static void drop_repetitions(struct vector *texts) {
    size_t kept = 0;
    char **list = texts->data;
    for (size_t i = 0; i < texts->count; i++) {
        if (kept > 0 && strcmp(list[kept - 1], list[i]) == 0) {
            free(list[i]);
        } else {
            list[kept++] = list[i];
        }
    }
    texts->count = kept;
}

static void check_explore(const struct generated *generated, const struct program *program, enum memory_model model,
                          const struct vector *states) {
    for (int dpor = DPOR_OPTIMAL; dpor <= DPOR_SOURCE; dpor++) {
        struct verdict verdict;
        struct vector found;
        vector_init(&found, sizeof(char *));
        run_engine(&engine_explore, program, model, (struct request){.dpor = (enum dpor)dpor, .finals = &found},
                   &verdict);
        sort_texts(&found);
        drop_repetitions(&found);
        if (verdict.word != VERDICT_SAFE || !texts_equal(&found, states)) {
            explain(generated, program, model, "explore and the model differ", &found, states);
        }
        verdict_delete(&verdict);
        delete_texts(&found);
    }
}

static void check_program(uint64_t seed, bool tiny) {
    struct generated generated;
    struct program program;
    struct vector states[MODEL_COUNT];
    struct vector results[MODEL_COUNT];
    draw_program(&generated, seed, tiny ? 2 : 4);
    build(&generated, false, &program);
    for (int model = 0; model < MODEL_COUNT; model++) {
        vector_init(&states[model], sizeof(char *));
        vector_init(&results[model], sizeof(uint64_t));
        model_final_states(&generated, (enum memory_model)model, &states[model], &results[model]);
        sort_texts(&states[model]);
        struct vector found = brute_states(&program, (enum memory_model)model);
        if (!texts_equal(&found, &states[model])) {
            explain(&generated, &program, (enum memory_model)model, "brute and the model differ", &found,
                    &states[model]);
        }
        delete_texts(&found);
        if (model > 0 && !texts_within(&states[model - 1], &states[model])) {
            explain(&generated, &program, (enum memory_model)model, "states of the stronger model are missing",
                    &states[model - 1], &states[model]);
        }
        check_random_walks(&generated, &program, (enum memory_model)model, &states[model]);
        check_explore(&generated, &program, (enum memory_model)model, &states[model]);
    }
    program_delete(&program);
    check_passes(&generated, states);
    check_fenced(&generated);
    check_assertion(&generated, results, tiny);
    if (tiny) {
        check_traces(&generated);
    }
    for (int model = 0; model < MODEL_COUNT; model++) {
        delete_texts(&states[model]);
        vector_delete(&results[model]);
    }
}

static void generated_programs(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        check_program(seed, false);
    }
}

static void tiny_programs_with_all_their_traces(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= TINY_PROGRAMS; seed++) {
        check_program(seed, true);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_programs),
        cmocka_unit_test(tiny_programs_with_all_their_traces),
    };
    if (argc > 1) {
        for (int i = 1; i < argc; i++) {
            check_program(strtoull(argv[i], NULL, 10), false);
            check_program(strtoull(argv[i], NULL, 10), true);
        }
        return 0;
    }
    printf("seeds 1 to %d, and 1 to %d of tiny programs\n", PROGRAMS, TINY_PROGRAMS);
    return cmocka_run_group_tests_name("generated programs", tests, NULL, NULL);
}
