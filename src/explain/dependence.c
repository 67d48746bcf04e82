/* The execution is run once more, and each instruction that a thread executes is analysed. */
#include "explain/dependence.h"

#include <stdlib.h>
#include <string.h>

#include "ir/sync.h"
#include "util/memory.h"
#include "util/range.h"

#define MOST_MOMENTS 3000 /* rows take memory by the square of them */

/* The registers of a call, a row each. */
struct frame_rows {
    uint32_t function;
    uint32_t dst; /* of the instruction that has called it */
    uint32_t results;
    uint64_t *rows;
};

struct thread_rows {
    struct vector frames;    /* of struct frame_rows, the innermost last */
    uint64_t *branches;      /* what its branches depend on */
    uint64_t *last_branch;   /* of the last branch that depends on a read */
    uint64_t *reached;       /* what the operands of the thread's next instruction depend on */
    struct vector arguments; /* of uint64_t, rows: what the last call or return passes */
    uint32_t at;             /* that instruction */
    bool calls;              /* the instruction before it is a call */
};

struct tracer {
    struct dependence *dependence;
    const struct program *program;
    struct vector threads; /* of struct thread_rows *, by slot */
    struct vector passed;  /* of struct passed */
    uint64_t *given;       /* what a new thread's arguments depend on */
};

/* --- Rows --------------------------------------------------------------------------------------------------------- */

static uint64_t *row_new(const struct tracer *tracer) {
    return memory_allocate(tracer->dependence->words * sizeof(uint64_t));
}

static void row_copy(const struct tracer *tracer, uint64_t *to, const uint64_t *from) {
    memcpy(to, from, tracer->dependence->words * sizeof *to);
}

static void row_clear(const struct tracer *tracer, uint64_t *row) {
    memset(row, 0, tracer->dependence->words * sizeof *row);
}

static void row_join(const struct tracer *tracer, uint64_t *to, const uint64_t *from) {
    for (size_t i = 0; i < tracer->dependence->words; i++) {
        to[i] |= from[i];
    }
}

static bool row_is_empty(const struct tracer *tracer, const uint64_t *row) {
    size_t i = 0;
    while (i < tracer->dependence->words && row[i] == 0) {
        i++;
    }
    return i == tracer->dependence->words;
}

static void push_row(const struct tracer *tracer, struct vector *rows, const uint64_t *row) {
    memcpy(vector_grow(rows, tracer->dependence->words), row, tracer->dependence->words * sizeof *row);
}

/* --- Frames ------------------------------------------------------------------------------------------------------- */

static bool function_has(const struct program *program, uint32_t function, uint32_t instruction) {
    const struct function *at = &program->functions[function];
    return instruction >= at->first && instruction - at->first < at->count;
}

static uint32_t function_of(const struct program *program, uint32_t instruction) {
    uint32_t function = 0;
    while (!function_has(program, function, instruction)) {
        function++;
    }
    return function;
}

static struct frame_rows *innermost(const struct thread_rows *thread) {
    return vector_at(&thread->frames, thread->frames.count - 1);
}

static uint64_t *register_row(const struct tracer *tracer, const struct thread_rows *thread, uint32_t reg) {
    return innermost(thread)->rows + reg * tracer->dependence->words;
}

static void push_frame(const struct tracer *tracer, struct thread_rows *thread, uint32_t function, uint32_t dst,
                       uint32_t results) {
    size_t bytes = (size_t)tracer->program->functions[function].registers * tracer->dependence->words * 8;
    struct frame_rows frame = {function, dst, results, memory_allocate(bytes + 8)};
    size_t given = tracer->program->functions[function].parameters * tracer->dependence->words;
    given = given < thread->arguments.count ? given : thread->arguments.count;
    if (given > 0) {
        memcpy(frame.rows, thread->arguments.data, given * sizeof(uint64_t));
    }
    vector_push(&thread->frames, &frame);
}

static void pop_frame(struct thread_rows *thread) {
    free(innermost(thread)->rows);
    thread->frames.count--;
}

static struct thread_rows *thread_of(struct tracer *tracer, uint32_t slot, uint32_t instruction) {
    while (tracer->threads.count <= slot) {
        vector_grow(&tracer->threads, 1);
    }
    struct thread_rows **place = vector_at(&tracer->threads, slot);
    if (!*place) {
        struct thread_rows *thread = memory_allocate(sizeof *thread);
        vector_init(&thread->frames, sizeof(struct frame_rows));
        vector_init(&thread->arguments, sizeof(uint64_t));
        thread->branches = row_new(tracer);
        thread->last_branch = row_new(tracer);
        thread->reached = row_new(tracer);
        uint32_t function = function_of(tracer->program, instruction);
        for (uint32_t i = 0; i < tracer->program->functions[function].parameters; i++) {
            push_row(tracer, &thread->arguments, tracer->given);
        }
        push_frame(tracer, thread, function, NO_REGISTER, 0);
        *place = thread;
    }
    return *place;
}

static void thread_delete(struct thread_rows *thread) {
    while (thread && thread->frames.count > 0) {
        pop_frame(thread);
    }
    if (thread) {
        vector_delete(&thread->frames);
        vector_delete(&thread->arguments);
        free(thread->branches);
        free(thread->last_branch);
        free(thread->reached);
        free(thread);
    }
}

/* --- Instructions ------------------------------------------------------------------------------------------------- */

struct reading {
    const struct tracer *tracer;
    const struct thread_rows *thread;
    uint64_t *row;        /* set to all of them */
    struct vector *apart; /* set to a row for each operand */
};

static void read_operand(void *data, uint32_t operand) {
    const struct reading *reading = data;
    bool constant = operand & OPERAND_CONSTANT;
    const uint64_t *row = constant ? NULL : register_row(reading->tracer, reading->thread, operand);
    if (row && reading->row) {
        row_join(reading->tracer, reading->row, row);
    }
    if (reading->apart && row) {
        push_row(reading->tracer, reading->apart, row);
    } else if (reading->apart) {
        vector_grow(reading->apart, reading->tracer->dependence->words);
    }
}

static void read_operands(struct tracer *tracer, struct thread_rows *thread, const struct instruction *instruction,
                          uint64_t *row, struct vector *apart) {
    struct reading reading = {tracer, thread, row, apart};
    if (row) {
        row_clear(tracer, row);
    }
    instruction_reads(tracer->program, instruction, read_operand, &reading);
}

static void write_results(struct tracer *tracer, struct thread_rows *thread, const struct instruction *instruction,
                          const uint64_t *row) {
    unsigned count = instruction_writes(tracer->program, instruction);
    for (unsigned i = 0; i < count; i++) {
        row_copy(tracer, register_row(tracer, thread, instruction->dst + i), row);
    }
}

/* Results go to the caller's registers for them. */
static void pass_return(struct tracer *tracer, struct thread_rows *thread) {
    struct frame_rows frame = *innermost(thread);
    if (thread->frames.count == 1) { /* it was entered before the analysis began */
        return;
    }
    pop_frame(thread);
    for (uint32_t i = 0; i < frame.results && (i + 1) * tracer->dependence->words <= thread->arguments.count; i++) {
        row_copy(tracer, register_row(tracer, thread, frame.dst + i),
                 vector_at(&thread->arguments, i * tracer->dependence->words));
    }
}

/* An instruction that the thread executes. */
static void pass(struct tracer *tracer, struct thread_rows *thread, const struct instruction *instruction) {
    thread->calls = false;
    switch (instruction->op) {
    case OP_CALL:
    case OP_CALL_INDIRECT:
        thread->arguments.count = 0;
        read_operands(tracer, thread, instruction, NULL, &thread->arguments);
        if (instruction->op == OP_CALL_INDIRECT) { /* the first operand is the function */
            size_t words = tracer->dependence->words;
            thread->arguments.count -= words;
            memmove(thread->arguments.data, (uint64_t *)thread->arguments.data + words,
                    thread->arguments.count * sizeof(uint64_t));
        }
        thread->calls = true;
        break;
    case OP_RET:
        thread->arguments.count = 0;
        read_operands(tracer, thread, instruction, NULL, &thread->arguments);
        pass_return(tracer, thread);
        break;
    case OP_BR:
    case OP_SWITCH:
        row_join(tracer, thread->branches, thread->reached);
        if (!row_is_empty(tracer, thread->reached)) {
            row_copy(tracer, thread->last_branch, thread->reached);
        }
        break;
    case OP_LOAD:
    case OP_RMW:
    case OP_CAS: /* of private memory */
        row_clear(tracer, thread->reached);
        write_results(tracer, thread, instruction, thread->reached);
        break;
    default:
        write_results(tracer, thread, instruction, thread->reached);
        break;
    }
}

/* The thread reaches an instruction; the one before it was executed. */
static void arrive(struct tracer *tracer, struct thread_rows *thread, uint32_t at) {
    const struct program *program = tracer->program;
    if (thread->calls) {
        const struct instruction *call = &program->code[thread->at];
        uint32_t function = function_of(program, at);
        thread->calls = false;
        if (program->functions[function].first == at) {
            push_frame(tracer, thread, function, call->dst, instruction_writes(program, call));
        }
    }
    if (!function_has(program, innermost(thread)->function, at)) { /* it was entered before the analysis began */
        thread->arguments.count = 0;
        pop_frame(thread);
        push_frame(tracer, thread, function_of(program, at), NO_REGISTER, 0);
    }
    thread->at = at;
    read_operands(tracer, thread, &tracer->program->code[at], thread->reached, NULL);
}

static bool is_last_of_thread(const struct tracer *tracer, size_t index) {
    const struct passed *list = tracer->passed.data;
    for (size_t i = index + 1; i < tracer->passed.count; i++) {
        if (list[i].thread == list[index].thread) {
            return false;
        }
    }
    return true;
}

/* Visits the instructions that threads have reached since the last step.  Few threads do so at once, so the last one of
 * each is near the end. */
static void follow_passed(struct tracer *tracer) {
    for (size_t i = 0; i < tracer->passed.count; i++) {
        struct passed passed = *(struct passed *)vector_at(&tracer->passed, i);
        struct thread_rows *thread = thread_of(tracer, passed.thread, passed.instruction);
        arrive(tracer, thread, passed.instruction);
        if (!is_last_of_thread(tracer, i)) {
            pass(tracer, thread, &tracer->program->code[passed.instruction]);
        }
    }
    tracer->passed.count = 0;
}

static struct thread_rows *known_thread(const struct tracer *tracer, uint32_t slot) {
    return slot < tracer->threads.count ? *(struct thread_rows **)vector_at(&tracer->threads, slot) : NULL;
}

/* What a step depends on; what it has read is a new thing to depend on. */
static void note_step(struct tracer *tracer, size_t index) {
    struct dependence *dependence = tracer->dependence;
    const struct step *step = step_at(dependence->moments, index);
    struct thread_rows *thread = known_thread(tracer, step->thread);
    row_clear(tracer, tracer->given);
    if (step->kind == STEP_DRAIN || !thread) {
        return;
    }
    row_copy(tracer, dependence->values + index * dependence->words, thread->reached);
    row_copy(tracer, dependence->branches + index * dependence->words, thread->branches);
    if (step->kind == STEP_SYNC && step->sub == SYNC_THREAD_CREATE) {
        row_copy(tracer, tracer->given, thread->reached);
    }
    row_clear(tracer, thread->reached);
    if (is_access(step) && step->reads) {
        thread->reached[index / 64] |= UINT64_C(1) << index % 64;
    }
    write_results(tracer, thread, &tracer->program->code[thread->at], thread->reached);
}

/* The error is the last step, or an instruction that its thread came to afterwards. */
static void note_error(struct tracer *tracer, uint32_t slot, bool afterwards) {
    struct dependence *dependence = tracer->dependence;
    const struct thread_rows *thread = known_thread(tracer, slot);
    if (thread && afterwards) {
        row_copy(tracer, dependence->error,
                 row_is_empty(tracer, thread->reached) ? thread->last_branch : thread->reached);
    } else if (dependence->moments->list.count > 0) {
        row_copy(tracer, dependence->error,
                 dependence->values + (dependence->moments->list.count - 1) * dependence->words);
    }
}

size_t moment_source(const struct moments *moments, size_t read) {
    const struct step *step = step_at(moments, read);
    for (size_t i = read; i-- > 0;) {
        const struct step *write = step_at(moments, i);
        if (write->kind != STEP_DRAIN && is_access(write) && write->writes &&
            ranges_overlap(write->address, write->size, step->address, step->size)) {
            return i;
        }
    }
    return moments->list.count;
}

/* From the reads that the error depends on to the writes that they see, and what these depend on.  Whatever a read or
 * write depends on comes before it, so one pass backwards through the execution finds everything. */
static void find_slice(struct tracer *tracer) {
    struct dependence *dependence = tracer->dependence;
    size_t count = dependence->moments->list.count;
    row_copy(tracer, dependence->slice, dependence->error);
    for (size_t i = count; i-- > 0;) {
        if (row_has(dependence->slice, i)) {
            size_t source = moment_source(dependence->moments, i);
            row_join(tracer, dependence->slice, dependence->values + i * dependence->words);
            if (source < count) {
                row_join(tracer, dependence->slice, dependence->values + source * dependence->words);
                if (step_at(dependence->moments, source)->reads) { /* it changes what it reads */
                    dependence->slice[source / 64] |= UINT64_C(1) << source % 64;
                }
            }
        }
    }
}

bool dependence_init(struct dependence *dependence, const struct moments *moments, uint32_t failing_thread) {
    size_t count = moments->list.count;
    *dependence = (struct dependence){.moments = moments, .words = (count + 63) / 64 + 1};
    if (count > MOST_MOMENTS) {
        return false;
    }
    struct machine_options options = witness_machine_options(moments->witness);
    struct machine *machine = machine_new(moments->program, &options);
    struct tracer tracer = {.dependence = dependence, .program = moments->program};
    dependence->values = memory_allocate((count + 1) * dependence->words * sizeof(uint64_t));
    dependence->branches = memory_allocate((count + 1) * dependence->words * sizeof(uint64_t));
    dependence->error = row_new(&tracer);
    dependence->slice = row_new(&tracer);
    tracer.given = row_new(&tracer);
    vector_init(&tracer.threads, sizeof(struct thread_rows *));
    vector_init(&tracer.passed, sizeof(struct passed));
    arrive(&tracer, thread_of(&tracer, 0, machine_thread_instruction(machine, 0)),
           machine_thread_instruction(machine, 0));
    machine_record(machine, &tracer.passed);
    bool good = true;
    bool afterwards = false;
    for (size_t i = 0; good && i < count; i++) {
        struct transition transition;
        good = witness_step_transition(&moment_at(moments, i)->choice, machine, &transition) &&
               machine_is_enabled(machine, transition);
        if (good) {
            note_step(&tracer, i);
            machine_take(machine, transition);
            afterwards = false;
            for (size_t k = 0; k < tracer.passed.count; k++) {
                afterwards |= ((const struct passed *)vector_at(&tracer.passed, k))->thread == failing_thread;
            }
            follow_passed(&tracer);
        }
    }
    if (good) {
        note_error(&tracer, failing_thread, afterwards);
        find_slice(&tracer);
    }
    for (size_t i = 0; i < tracer.threads.count; i++) {
        thread_delete(*(struct thread_rows **)vector_at(&tracer.threads, i));
    }
    vector_delete(&tracer.threads);
    vector_delete(&tracer.passed);
    free(tracer.given);
    machine_free(machine);
    return good;
}

void dependence_delete(struct dependence *dependence) {
    free(dependence->values);
    free(dependence->branches);
    free(dependence->error);
    free(dependence->slice);
}
