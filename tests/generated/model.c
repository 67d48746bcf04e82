/* Searches all states of a generated program by recursion; see model.h. */
#include "model.h"

#include <stdio.h>
#include <string.h>

#include "model_sync.h"
#include "util/hash_table.h"
#include "util/memory.h"

struct item {
    uint8_t is_barrier;
    uint8_t offset;
    uint8_t size;
    uint8_t unused[5];
    uint64_t value;
};

/* Everything unused is zero, so that equal states have equal bytes. */
struct model_state {
    uint8_t memory[MODEL_BYTES];
    uint8_t unused[-MODEL_BYTES & 7];
    uint64_t results[MODEL_THREADS];
    struct model_objects objects;
    uint64_t section; /* whose atomic section it is: thread + 1 */
    struct model_thread {
        uint64_t next; /* operation; one beyond the last writes the result */
        uint64_t accumulator;
        uint64_t last;
        uint64_t got;
        uint64_t items_count;
        struct item items[MODEL_OPERATIONS];
    } threads[MODEL_THREADS];
};

struct model_search {
    const struct generated *generated;
    enum memory_model model;
    struct hash_table *seen;
    struct hash_table *final;
    struct hash_table *seen_results;
    struct vector *texts;
    struct vector *results;
    bool failed; /* an error was met */
};

#define CHOICES MODEL_THREADS

static uint64_t read_bytes(const uint8_t *memory, unsigned size) {
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++) {
        value |= (uint64_t)memory[i] << 8 * i;
    }
    return value;
}

static void write_bytes(uint8_t *memory, unsigned size, uint64_t value) {
    for (unsigned i = 0; i < size; i++) {
        memory[i] = (uint8_t)(value >> 8 * i);
    }
}

static uint64_t cut_to(unsigned size, uint64_t value) {
    return size == 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

static bool overlap(unsigned offset, unsigned size, const struct item *item) {
    return !item->is_barrier && offset < item->offset + item->size && item->offset < offset + size;
}

static bool buffer_empty(const struct model_thread *thread) {
    for (uint64_t i = 0; i < thread->items_count; i++) {
        if (!thread->items[i].is_barrier) {
            return false;
        }
    }
    return true;
}

static void append_item(struct model_thread *thread, struct item item) {
    thread->items[thread->items_count++] = item;
}

static void remove_item(struct model_thread *thread, uint64_t index) {
    for (uint64_t i = index; i + 1 < thread->items_count; i++) {
        thread->items[i] = thread->items[i + 1];
    }
    memset(&thread->items[--thread->items_count], 0, sizeof(struct item));
}

/* Barriers that no store stands before order nothing any more; of several in a row one is enough. */
static void drop_idle_barriers(struct model_thread *thread) {
    uint64_t i = 0;
    while (i < thread->items_count) {
        if (thread->items[i].is_barrier && (i == 0 || thread->items[i - 1].is_barrier)) {
            remove_item(thread, i);
        } else {
            i++;
        }
    }
}

static bool may_drain(const struct model_thread *thread, uint64_t index, enum memory_model model) {
    const struct item *item = &thread->items[index];
    for (uint64_t i = 0; i < index; i++) {
        bool orders =
            model == MODEL_TSO || thread->items[i].is_barrier || overlap(item->offset, item->size, &thread->items[i]);
        if (orders) {
            return false;
        }
    }
    return !item->is_barrier;
}

/* The value a load gets; false if it has to wait. */
static bool load_value(const struct model_state *state, const struct model_thread *thread,
                       const struct operation *operation, uint64_t *value) {
    for (uint64_t i = thread->items_count; i-- > 0;) {
        const struct item *item = &thread->items[i];
        if (overlap(operation->offset, operation->size, item)) {
            bool covers = item->offset <= operation->offset &&
                          operation->offset + operation->size <= (unsigned)item->offset + item->size;
            *value = cut_to(operation->size, item->value >> 8 * ((operation->offset - item->offset) & 7));
            return covers;
        }
    }
    *value = read_bytes(state->memory + operation->offset, operation->size);
    return true;
}

static bool orders_stores(enum order order) {
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static void see(struct model_thread *thread, uint64_t value) {
    thread->accumulator = model_mix(thread->accumulator, value);
    thread->last = value;
}

static void put_barrier(struct model_thread *thread, enum memory_model model) {
    if (model == MODEL_PSO) {
        append_item(thread, (struct item){.is_barrier = 1});
        drop_idle_barriers(thread);
    }
}

static void store(struct model_state *state, struct model_thread *thread, const struct operation *operation,
                  enum memory_model model) {
    uint64_t value = cut_to(operation->size, operation->value + (operation->relative ? thread->last : 0));
    if (model == MODEL_SC) {
        write_bytes(state->memory + operation->offset, operation->size, value);
        return;
    }
    if (orders_stores(operation->order)) {
        put_barrier(thread, model);
    }
    append_item(thread,
                (struct item){.offset = (uint8_t)operation->offset, .size = (uint8_t)operation->size, .value = value});
}

/* An operation on a lock or thread; `result` is its result, if it has ended. */
static enum model_answer synchronise(struct model_state *state, unsigned index, const struct operation *operation,
                                     unsigned choice, const struct model_search *search) {
    struct model_thread *thread = &state->threads[index];
    uint64_t result = 0;
    enum model_answer answer =
        model_sync(search->generated, &state->objects, state->memory + MODEL_SPIN, index, operation, choice, &result);
    if (answer == ANSWER_RETURNS) {
        thread->got = operation->sync == SYNC_ONCE_BEGIN ? result == 1 : result == 0;
        see(thread, result);
    }
    return answer;
}

static enum model_answer run_access(struct model_state *state, struct model_thread *thread,
                                    const struct operation *operation, enum memory_model model) {
    uint8_t *place = state->memory + operation->offset;
    bool empty = buffer_empty(thread);
    uint64_t value;
    switch (operation->kind) {
    case OPERATION_LOAD:
        if (!load_value(state, thread, operation, &value)) {
            return ANSWER_WAITS;
        }
        see(thread, value);
        break;
    case OPERATION_STORE:
        store(state, thread, operation, model);
        break;
    case OPERATION_SPIN_UNLOCK:
        store(state, thread, &(struct operation){.offset = MODEL_SPIN, .size = 4, .order = ORDER_RELEASE}, model);
        break;
    case OPERATION_FENCE:
        if (operation->order == ORDER_SEQ_CST && !empty) {
            return ANSWER_WAITS;
        }
        if (operation->order != ORDER_SEQ_CST && orders_stores(operation->order)) {
            put_barrier(thread, model);
        }
        break;
    case OPERATION_BARRIER:
        put_barrier(thread, model);
        break;
    default:
        if (!empty) {
            return ANSWER_WAITS;
        }
        value = read_bytes(place, operation->size);
        see(thread, value);
        if (operation->kind == OPERATION_ADD) {
            write_bytes(place, operation->size, value + operation->value);
        } else if (operation->kind == OPERATION_EXCHANGE || value == operation->expected) {
            write_bytes(place, operation->size, operation->value);
        }
        break;
    }
    return ANSWER_RETURNS;
}

/* Runs the thread's next operation, or a step of it, if it can run. */
static enum model_answer run_operation(struct model_state *state, unsigned index, unsigned choice,
                                       const struct model_search *search) {
    struct model_thread *thread = &state->threads[index];
    const struct generated *generated = search->generated;
    bool empty = buffer_empty(thread);
    enum model_answer answer = ANSWER_RETURNS;
    if (thread->next > generated->counts[index] || (state->section && state->section != index + 1)) {
        return ANSWER_WAITS;
    }
    if (thread->next == generated->counts[index]) {
        if (!empty || choice > 0) {
            return ANSWER_WAITS;
        }
        state->results[index] = thread->accumulator;
        state->objects.records[index].ended = 1;
        thread->next++;
        return answer;
    }
    const struct operation *operation = &generated->operations[index][thread->next];
    bool skipped = (operation->conditional && thread->last % 2 == 0) || (operation->if_got && !thread->got);
    if (choice > 0 && (skipped || operation->kind != OPERATION_SYNC)) {
        return ANSWER_WAITS;
    }
    if (!skipped) {
        switch (operation->kind) {
        case OPERATION_SYNC:
            answer = empty ? synchronise(state, index, operation, choice, search) : ANSWER_WAITS;
            break;
        case OPERATION_ATOMIC_BEGIN:
        case OPERATION_ATOMIC_END:
            answer = empty ? ANSWER_RETURNS : ANSWER_WAITS;
            state->section = operation->kind == OPERATION_ATOMIC_BEGIN ? index + 1 : 0;
            break;
        default:
            answer = run_access(state, thread, operation, search->model);
            break;
        }
    }
    thread->next += answer == ANSWER_RETURNS;
    return answer;
}

static void note_final(struct model_search *search, const struct model_state *state) {
    char text[256];
    int used = snprintf(text, sizeof text, "m=");
    bool found;
    for (unsigned i = 0; i < MODEL_MEMORY; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%02x", state->memory[i]);
    }
    for (unsigned t = 0; t < search->generated->threads; t++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "; r%u=", t);
        for (unsigned i = 0; i < 8; i++) {
            used +=
                snprintf(text + used, sizeof text - (size_t)used, "%02x", (unsigned)(state->results[t] >> 8 * i & 255));
        }
    }
    snprintf(text + used, sizeof text - (size_t)used, ";");
    hash_table_slot(search->final, text, strlen(text), &found);
    if (!found) {
        char *copy = memory_copy_text(text);
        vector_push(search->texts, &copy);
    }
    uint64_t result = state->results[search->generated->asserting];
    hash_table_slot(search->seen_results, &result, sizeof result, &found);
    if (!found) {
        vector_push(search->results, &result);
    }
}

static void visit(struct model_search *search, const struct model_state *state);

/* Can the thread continue?  Visits all states that follow. */
static bool visit_thread(struct model_search *search, const struct model_state *state, unsigned t) {
    bool steps = false;
    for (unsigned choice = 0; choice < CHOICES; choice++) {
        struct model_state next = *state;
        enum model_answer answer = run_operation(&next, t, choice, search);
        search->failed = search->failed || answer == ANSWER_FAILS;
        if (answer == ANSWER_RETURNS || answer == ANSWER_GOES_ON) {
            steps = true;
            visit(search, &next);
        }
    }
    for (uint64_t i = 0; i < state->threads[t].items_count && (!state->section || state->section == t + 1); i++) {
        if (may_drain(&state->threads[t], i, search->model)) {
            const struct item *item = &state->threads[t].items[i];
            struct model_state next = *state;
            write_bytes(next.memory + item->offset, item->size, item->value);
            remove_item(&next.threads[t], i);
            drop_idle_barriers(&next.threads[t]);
            steps = true;
            visit(search, &next);
        }
    }
    return steps;
}

/* Main ends as every other thread does.  A state in which no thread is enabled before all have ended is a deadlock, or
 * a section that waits. */
static void visit(struct model_search *search, const struct model_state *state) {
    bool found;
    bool ended = true;
    bool steps = false;
    hash_table_slot(search->seen, state, sizeof *state, &found);
    if (found || search->failed) {
        return;
    }
    for (unsigned t = 0; t < search->generated->threads; t++) {
        ended = ended && state->objects.records[t].ended;
        steps = visit_thread(search, state, t) || steps;
    }
    if (ended) {
        note_final(search, state);
    } else if (!steps) {
        search->failed = true;
    }
}

bool model_final_states(const struct generated *generated, enum memory_model model, struct vector *texts,
                        struct vector *results) {
    struct model_search search = {.generated = generated,
                                  .model = model,
                                  .seen = hash_table_new(),
                                  .final = hash_table_new(),
                                  .seen_results = hash_table_new(),
                                  .texts = texts,
                                  .results = results};
    struct model_state start;
    memset(&start, 0, sizeof start);
    start.objects.semaphore = generated->semaphore;
    visit(&search, &start);
    hash_table_free(search.seen);
    hash_table_free(search.final);
    hash_table_free(search.seen_results);
    return !search.failed;
}
