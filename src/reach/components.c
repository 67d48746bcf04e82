/* See components.h. */
#include "reach/components.h"

#include <stdlib.h>
#include <xxhash.h>

#include "ir/sync.h"
#include "reach/machine_search.h"
#include "util/memory.h"
#include "util/reserve.h"

#define MOST_LOCALS (UINT64_C(1) << 26)
#define MOST_EFFECTS (UINT64_C(1) << 26)
#define EFFECT_HEADS (UINT64_C(1) << 20)
#define MOST_ROW (UINT64_C(1) << 16)
#define LEAST_CHUNK 128u
#define PART_BLOCK (UINT64_C(1) << 20)

/* --- Parts of threads --------------------------------------------------------------------------------------------- */

static uint8_t *part_room(struct components *components, size_t size) {
    size = (size + 15) / 16 * 16;
    if (components->blocks.count == 0 || components->block_used + size > PART_BLOCK) {
        uint8_t *block = memory_allocate(size > PART_BLOCK ? size : PART_BLOCK);
        vector_push(&components->blocks, &block);
        components->block_used = 0;
    }
    uint8_t *room = *(uint8_t **)vector_at(&components->blocks, components->blocks.count - 1) + components->block_used;
    components->block_used += size;
    return room;
}

/* The offset of an access in the row; -1 if it is not within one chunk. */
static int64_t offset_in_chunk(const struct components *components, const struct step *step) {
    int64_t offset = machine_row_offset(components->machine, step->address, step->size);
    size_t last = offset < 0 ? 0 : (size_t)offset + step->size - 1;
    bool good = offset >= 0 && step->size <= VALUE_WORDS * 8 &&
                (size_t)offset / components->chunk_size == last / components->chunk_size;
    return good ? offset : -1;
}

static void set_access(const struct components *components, struct local *local, const struct step *step) {
    int64_t offset = offset_in_chunk(components, step);
    if (offset < 0) {
        return;
    }
    bool writes = step->kind != STEP_LOAD;
    uint64_t bits = footprint_bits(offset, step->size);
    local->kind = LOCAL_ACCESS;
    local->size = step->size;
    local->chunk = (uint8_t)((size_t)offset / components->chunk_size);
    local->offset = (uint32_t)((size_t)offset % components->chunk_size);
    local->reads = step->kind != STEP_STORE;
    local->needs_bus = writes;
    local->next = (struct footprint){local->reads ? bits : 0, writes ? bits : 0};
}

static void set_sync(const struct components *components, struct local *local, const struct step *step) {
    switch (step->sub) {
    case SYNC_THREAD_EXIT:
        local->kind = LOCAL_OWN;
        local->next = (struct footprint){FOOTPRINT_THREADS, FOOTPRINT_THREADS};
        break;
    case SYNC_BUS_LOCK:
    case SYNC_BUS_UNLOCK:
        local->kind = LOCAL_OWN;
        local->needs_bus = true;
        break;
    case SYNC_THREAD_JOIN: {
        int64_t slot = machine_thread_numbered(components->machine, (uint32_t)step->address);
        if (slot >= 0 && slot != local->slot && slot < components->threads) {
            local->kind = LOCAL_JOIN;
            local->target = (uint32_t)slot;
            local->next = (struct footprint){FOOTPRINT_THREADS, FOOTPRINT_THREADS};
        }
        break;
    }
    default: {
        const struct sync_code *code = &sync_codes()[step->sub];
        if (step->size > 0 && !code->uses_records && code->second == 0) {
            set_access(components, local, step);
        }
        break;
    }
    }
}

/* Describes a store that goes into the buffer, which must have room. */
static void set_store(struct components *components, struct local *local, const struct step *step) {
    const struct machine_options *options = &components->task->machine;
    size_t length = machine_buffer_exact(components->machine, local->slot);
    if (machine_row_offset(components->machine, step->address, step->size) < 0) {
        return;
    }
    local->next = (struct footprint){0, 0};
    local->kind = LOCAL_OWN;
    local->stores = !options->abstract || length < options->exact;
    if (components->task->longest > 0 && length >= components->task->longest) {
        components->longer = true;
        local->kind = LOCAL_WAITS;
    }
}

/* Describes the next step of the loaded part. */
static void set_kind(struct components *components, struct local *local, struct part_info info) {
    struct step step;
    local->next = (struct footprint){FOOTPRINT_ALL, FOOTPRINT_ALL};
    if (info.standing || info.waits) {
        local->kind = info.standing ? LOCAL_STANDS : LOCAL_WAITS;
        local->next.writes = 0;
        return;
    }
    local->kind = LOCAL_WHOLE;
    machine_next(components->machine, (struct transition){.thread = local->slot, .kind = TRANSITION_STEP}, &step);
    switch (step.kind) {
    case STEP_STORE:
        if (components->buffers) {
            set_store(components, local, &step);
        } else {
            set_access(components, local, &step);
        }
        break;
    case STEP_LOAD:
    case STEP_RMW:
    case STEP_CAS:
        set_access(components, local, &step);
        local->reads = local->reads && !step.forwarded;
        break;
    case STEP_FENCE:
        local->kind = LOCAL_OWN;
        local->next = (struct footprint){0, 0};
        break;
    case STEP_NONDET:
        local->kind = LOCAL_OWN;
        local->next = (struct footprint){0, 0};
        break;
    case STEP_EXIT:
    case STEP_HALT:
        local->kind = LOCAL_OWN;
        if (!components->task->everything) {
            local->next = (struct footprint){0, 0};
        }
        break;
    case STEP_ATOMIC_BEGIN:
    case STEP_ATOMIC_END:
        local->kind = LOCAL_OWN;
        break;
    case STEP_SYNC:
        set_sync(components, local, &step);
        break;
    default:
        break;
    }
}

/* Describes the store buffer of the loaded part. */
static void set_buffer(struct components *components, struct local *local) {
    const struct buffer_entry *entries;
    size_t length = machine_buffer_exact(components->machine, local->slot);
    local->drains = machine_buffer(components->machine, local->slot, &entries) > 0;
    if (local->drains && local->kind == LOCAL_JOIN) {
        local->kind = LOCAL_WAITS;
    }
    if (length > components->buffered) {
        components->buffered = length;
    }
}

/* The number of the part in this slot of the machine.  The caller holds the lock. */
static uint32_t local_number(struct components *components, uint32_t slot) {
    struct machine *machine = components->machine;
    bool found;
    size_t size = machine_part_key(machine, slot, components->versions, &components->key, &components->key_capacity);
    uint64_t *number = hash_table_slot(components->local_numbers, components->key, size, &found);
    if (found) {
        return (uint32_t)*number;
    }
    if (components->locals_count + 1 >= components->locals_reserved / sizeof *components->locals) {
        memory_exhausted();
    }
    uint32_t local_at = ++components->locals_count;
    *number = local_at;
    struct local *local = &components->locals[local_at];
    struct part_info info = machine_part_info(machine, slot);
    uint8_t *part = part_room(components, machine_part_size(machine, slot));
    machine_part_save(machine, slot, part);
    *local = (struct local){
        .slot = slot,
        .part = part,
        .ends = info.stopped != OUTCOME_RUNNING,
        .finished = info.finished,
        .joinable = info.joinable,
        .holds_atomic = info.holds_atomic,
        .holds_bus = info.holds_bus,
        .goal = info.goal,
        .aged = local_at,
    };
    if (!info.standing) {
        local->future = footprint_future(&components->footprints, machine, slot);
    }
    set_kind(components, local, info);
    footprint_add(&local->future, local->kind == LOCAL_WAITS ? (struct footprint){0, 0} : local->next);
    if (local->kind == LOCAL_STANDS) {
        local->future = local->next = (struct footprint){0, 0};
    }
    if (info.exists && components->buffers) {
        set_buffer(components, local);
    }
    if (components->versions && info.in_iteration) {
        machine_part_age(machine, slot);
        local->aged = local_number(components, slot);
    }
    return local_at;
}

/* --- Effects ------------------------------------------------------------------------------------------------------ */

static uint64_t effect_hash(uint32_t local, const uint64_t value[VALUE_WORDS], uint32_t choice) {
    uint64_t hash = (pair_of(local, choice) ^ value[0] * UINT64_C(0x9e3779b97f4a7c15) ^
                     (value[1] + value[2] * 31) * UINT64_C(0xc2b2ae3d27d4eb4f));
    return intern_mix(hash) & (EFFECT_HEADS - 1);
}

static const struct learned_step *find_effect(const struct components *components, uint64_t hash, uint32_t local,
                                              const uint64_t value[VALUE_WORDS], uint32_t choice) {
    uint32_t at = atomic_load_explicit(&components->effect_heads[hash], memory_order_acquire);
    while (at != 0) {
        const struct learned_step *effect = &components->effects[at];
        if (effect->local == local && effect->choice == choice && effect->value[0] == value[0] &&
            effect->value[1] == value[1] && effect->value[2] == value[2]) {
            return effect;
        }
        at = effect->others;
    }
    return NULL;
}

bool components_find_drain(struct machine *machine, uint32_t slot, uint32_t choice, struct transition *transition,
                           bool *more) {
    const struct transition *enabled;
    size_t count = machine_enabled(machine, &enabled);
    uint32_t next = FIRST_DRAIN;
    *more = false;
    for (size_t i = 0; i < count; i++) {
        if (enabled[i].thread == slot && enabled[i].kind != TRANSITION_STEP) {
            if (next == choice) {
                *transition = enabled[i];
            }
            *more = next > choice;
            next++;
        }
    }
    return next > choice;
}

/* Drains an entry of the loaded part.  The caller holds the lock. */
static void learn_drain(struct components *components, const struct local *local, struct learned_step *effect) {
    struct machine *machine = components->machine;
    struct transition transition;
    bool more;
    if (!components_find_drain(machine, local->slot, effect->choice, &transition, &more)) {
        effect->flags = EFFECT_DISABLED;
        return;
    }
    effect->flags = more ? EFFECT_MORE : 0;
    machine_take(machine, transition);
    const struct step *step = machine_last(machine);
    int64_t offset = offset_in_chunk(components, step);
    if (offset < 0) {
        effect->flags |= EFFECT_WHOLE;
        return;
    }
    effect->chunk = (uint8_t)((size_t)offset / components->chunk_size);
    effect->offset = (uint32_t)((size_t)offset % components->chunk_size);
    effect->size = step->size;
    effect->flags |= EFFECT_WRITES;
    machine_row_save(machine, components->row);
    memcpy(effect->written, components->row + offset, effect->size);
    effect->next = local_number(components, local->slot);
}

/* Computes an effect on the machine.  The caller holds the lock. */
static void learn_effect(struct components *components, const struct local *local, struct learned_step *effect) {
    struct machine *machine = components->machine;
    size_t row = local->chunk * components->chunk_size + local->offset;
    struct transition transition = {.thread = local->slot, .kind = TRANSITION_STEP, .choice = effect->choice};
    machine_parts_begin(machine);
    machine_part_load(machine, local->slot, local->part);
    if (effect->choice >= FIRST_DRAIN) {
        learn_drain(components, local, effect);
        return;
    }
    effect->chunk = local->chunk;
    effect->offset = local->offset;
    effect->size = local->size;
    if (local->kind == LOCAL_ACCESS) {
        machine_row_load(machine, row, (const uint8_t *)effect->value, local->size);
    }
    if (!machine_is_enabled(machine, (struct transition){.thread = local->slot, .kind = TRANSITION_STEP})) {
        effect->flags = EFFECT_DISABLED;
        return;
    }
    uint64_t choices = machine_choices(machine, local->slot);
    if (choices > SEARCH_CHOICES) {
        effect->flags = EFFECT_REFUSED;
        return;
    }
    effect->flags = effect->choice + 1 < choices ? EFFECT_MORE : 0;
    machine_take(machine, transition);
    enum outcome outcome = machine_part_info(machine, local->slot).execution;
    if (outcome == OUTCOME_ERROR || outcome == OUTCOME_RUNAWAY) {
        effect->flags |= outcome == OUTCOME_ERROR ? EFFECT_ERROR : EFFECT_RUNAWAY;
    }
    if (machine_parts_changed(machine) && local->kind == LOCAL_ACCESS) {
        machine_row_save(machine, components->row);
        memcpy(effect->written, components->row + row, local->size);
        effect->flags |= EFFECT_WRITES;
    }
    effect->next = local_number(components, local->slot);
}

static const struct learned_step *add_effect(struct components *components, uint64_t hash, uint32_t local,
                                             const uint64_t value[VALUE_WORDS], uint32_t choice) {
    pthread_mutex_lock(&components->lock);
    const struct learned_step *found = find_effect(components, hash, local, value, choice);
    if (!found) {
        if (components->effects_count + 1 >= components->effects_reserved / sizeof *components->effects) {
            memory_exhausted();
        }
        uint32_t number = ++components->effects_count;
        struct learned_step *effect = &components->effects[number];
        *effect = (struct learned_step){.local = local, .choice = choice, .value = {value[0], value[1], value[2]}};
        learn_effect(components, &components->locals[local], effect);
        effect->others = atomic_load_explicit(&components->effect_heads[hash], memory_order_relaxed);
        atomic_store_explicit(&components->effect_heads[hash], number, memory_order_release);
        if (value[0] < SMALL_VALUES && (choice | value[1] | value[2]) == 0) {
            atomic_store_explicit(&components->locals[local].small[value[0]], effect, memory_order_release);
        }
        found = effect;
    }
    pthread_mutex_unlock(&components->lock);
    return found;
}

const struct learned_step *components_find_effect(struct components *components, uint32_t local,
                                                  const uint64_t value[VALUE_WORDS], uint32_t choice) {
    uint64_t hash = effect_hash(local, value, choice);
    const struct learned_step *effect = find_effect(components, hash, local, value, choice);
    return effect ? effect : add_effect(components, hash, local, value, choice);
}

/* --- Tuples ------------------------------------------------------------------------------------------------------- */

static uint32_t chunk_number(struct components *components, uint32_t chunk, const uint8_t *bytes) {
    struct intern *memory = &components->memory[chunk];
    uint64_t hash = XXH3_64bits(bytes, memory->size);
    return intern_number(memory, bytes, hash ? hash : 1);
}

/* Ages the parts of the threads that depend on whether memory has changed. */
static uint64_t age_others(const struct components *components, struct tuple *tuple, uint32_t slot) {
    uint64_t changed = 0;
    for (uint32_t u = 0; u < components->threads; u++) {
        uint32_t position = components_leaf(components, u);
        uint32_t aged = components->locals[tuple->at[position]].aged;
        if (u != slot && aged != tuple->at[position]) {
            tuple->at[position] = aged;
            changed |= UINT64_C(1) << position;
        }
    }
    return changed;
}

/* The number of a chunk after a write. */
static uint32_t write_chunk(struct components *components, const struct learned_step *effect, uint32_t before) {
    struct intern *memory = &components->memory[effect->chunk];
    uint8_t bytes[memory->size];
    memcpy(bytes, intern_item(memory, before), memory->size);
    memcpy(bytes + effect->offset, effect->written, effect->size);
    return chunk_number(components, effect->chunk, bytes);
}

uint64_t components_apply(struct components *components, struct tuple *tuple, uint32_t slot,
                          const struct learned_step *effect, struct write_cache *cache) {
    uint32_t position = components_leaf(components, slot);
    uint64_t changed = UINT64_C(1) << position;
    tuple->at[position] = effect->next;
    if (!(effect->flags & EFFECT_WRITES)) {
        return changed;
    }
    uint32_t number = (uint32_t)(effect - components->effects);
    uint32_t leaf = components_leaf(components, components->threads + effect->chunk);
    uint32_t before = tuple->at[leaf];
    uint32_t entry = (number * 0x9e3779b1u ^ before * 0x85ebca6bu) >> 16 & (WRITE_CACHE - 1);
    if (cache->entries[entry].effect != number || cache->entries[entry].before != before) {
        cache->entries[entry].after = write_chunk(components, effect, before);
        cache->entries[entry].effect = number;
        cache->entries[entry].before = before;
    }
    tuple->at[leaf] = cache->entries[entry].after;
    changed |= UINT64_C(1) << leaf;
    return components->versions ? changed | age_others(components, tuple, slot) : changed;
}

static void load_tuple(struct components *components, const struct tuple *tuple) {
    struct machine *machine = components->machine;
    machine_parts_begin(machine);
    for (uint32_t t = 0; t < components->threads; t++) {
        machine_part_load(machine, t, components->locals[tuple->at[components_leaf(components, t)]].part);
    }
    for (uint32_t c = 0; c < components->chunks; c++) {
        uint32_t number = tuple->at[components_leaf(components, components->threads + c)];
        machine_row_load(machine, c * components->chunk_size, intern_item(&components->memory[c], number),
                         components->memory[c].size);
    }
}

/* Encodes the machine's state.  The caller holds the lock. */
static void save_tuple(struct components *components, struct tuple *tuple) {
    if (machine_threads(components->machine) > components->threads) {
        components->too_many_threads = true;
        return;
    }
    machine_row_save(components->machine, components->row);
    for (uint32_t c = 0; c < components->chunks; c++) {
        tuple->at[components_leaf(components, components->threads + c)] =
            chunk_number(components, c, components->row + c * components->chunk_size);
    }
    for (uint32_t t = 0; t < components->threads; t++) {
        tuple->at[components_leaf(components, t)] = local_number(components, t);
    }
}

void components_start(struct components *components, struct tuple *tuple) {
    pthread_mutex_lock(&components->lock);
    save_tuple(components, tuple);
    pthread_mutex_unlock(&components->lock);
}

unsigned components_step(struct components *components, struct tuple *tuple, uint32_t slot, uint32_t choice) {
    struct machine *machine = components->machine;
    struct transition transition = {.thread = slot, .kind = TRANSITION_STEP};
    unsigned flags = 0;
    pthread_mutex_lock(&components->lock);
    load_tuple(components, tuple);
    uint64_t choices = 1;
    bool more = false;
    bool drains = choice >= FIRST_DRAIN;
    if (drains ? !components_find_drain(machine, slot, choice, &transition, &more)
               : !machine_is_enabled(machine, transition)) {
        flags = EFFECT_DISABLED;
    } else if (!drains && (choices = machine_choices(machine, slot)) > SEARCH_CHOICES) {
        flags = EFFECT_REFUSED;
    } else {
        if (!drains) {
            transition.choice = choice;
            more = choice + 1 < choices;
        }
        flags = more ? EFFECT_MORE : 0;
        machine_take(machine, transition);
        enum outcome outcome = machine_part_info(machine, slot).execution;
        bool bad = outcome == OUTCOME_ERROR || outcome == OUTCOME_RUNAWAY;
        /* A thread that fails as soon as it is created needs a leaf like any other, since paths are found with all
         * leaves. */
        if (bad && machine_threads(machine) <= components->threads) {
            flags |= outcome == OUTCOME_ERROR ? EFFECT_ERROR : EFFECT_RUNAWAY;
        } else {
            save_tuple(components, tuple);
        }
    }
    pthread_mutex_unlock(&components->lock);
    return flags;
}

enum outcome components_outcome(struct components *components, const struct tuple *tuple,
                                struct search_result *result) {
    pthread_mutex_lock(&components->lock);
    load_tuple(components, tuple);
    enum outcome outcome = machine_outcome(components->machine);
    if (outcome != OUTCOME_RUNNING && (outcome != OUTCOME_ERROR || components->task->errors_pass)) {
        search_count_end(components->task, result, components->machine, outcome);
    }
    pthread_mutex_unlock(&components->lock);
    return outcome;
}

/* --- Making and freeing ------------------------------------------------------------------------------------------- */

/* Assigns positions to the leaves from `first` up to `end`, below position `next`; returns their common position. */
static uint32_t build_tree(struct components *components, uint32_t first, uint32_t end, uint32_t *next) {
    if (end - first == 1) {
        return components->leaves - 1 + first;
    }
    uint32_t position = (*next)++;
    uint32_t middle = first + (end - first) / 2;
    components->left[position] = (uint8_t)build_tree(components, first, middle, next);
    components->right[position] = (uint8_t)build_tree(components, middle, end, next);
    return position;
}

static uint32_t count_creations(const struct program *program) {
    uint32_t count = 1;
    for (size_t i = 0; i < program->code_count; i++) {
        count += program->code[i].op == OP_SYNC && program->code[i].width == SYNC_THREAD_CREATE;
    }
    return count;
}

static bool has_holders(const struct program *program) {
    for (size_t i = 0; i < program->code_count; i++) {
        const struct instruction *instruction = &program->code[i];
        if (instruction->op == OP_ATOMIC_BEGIN || (instruction->op == OP_SYNC && instruction->width == SYNC_BUS_LOCK)) {
            return true;
        }
    }
    return false;
}

static void init_chunks(struct components *components) {
    size_t size = (components->row_size + MOST_CHUNKS - 1) / MOST_CHUNKS;
    size = size < LEAST_CHUNK ? LEAST_CHUNK : (size + 63) / 64 * 64;
    components->chunk_size = size;
    components->chunks = components->row_size == 0 ? 1 : (uint32_t)((components->row_size + size - 1) / size);
}

bool components_init(struct components *components, const struct search_task *task, uint32_t threads) {
    const struct program *program = task->program;
    struct machine_options options = task->machine;
    memset(components, 0, sizeof *components);
    components->task = task;
    components->versions = options.awaits == AWAIT_SPIN;
    components->buffers = options.model != MODEL_SC;
    options.no_undo = true;
    components->machine = machine_new(program, &options);
    components->row_size = machine_row_size(components->machine);
    components->threads = count_creations(program);
    components->threads = components->threads < threads ? threads : components->threads;
    init_chunks(components);
    components->leaves = components->threads + components->chunks;
    /* An execution that has ended before its first step needs no search. */
    bool runs = machine_outcome(components->machine) == OUTCOME_RUNNING;
    if (!runs || !machine_has_parts(components->machine) || components->row_size > MOST_ROW ||
        components->leaves > MOST_LEAVES) {
        machine_free(components->machine);
        return false;
    }
    components->holders = has_holders(program);
    pthread_mutex_init(&components->lock, NULL);
    footprints_init(&components->footprints, components->machine, task->everything);
    components->locals_reserved = reserve_size(MOST_LOCALS * sizeof *components->locals);
    components->effects_reserved = reserve_size(MOST_EFFECTS * sizeof *components->effects);
    components->locals = reserve_new(components->locals_reserved);
    components->effects = reserve_new(components->effects_reserved);
    components->effect_heads = reserve_new(EFFECT_HEADS * sizeof *components->effect_heads);
    components->local_numbers = hash_table_new();
    vector_init(&components->blocks, sizeof(uint8_t *));
    components->row = memory_allocate(components->chunks * components->chunk_size);
    for (uint32_t c = 0; c < components->chunks; c++) {
        size_t rest = components->row_size - c * components->chunk_size;
        rest = rest == 0 ? 8 : rest;
        intern_init(&components->memory[c], rest < components->chunk_size ? rest : components->chunk_size);
    }
    /* The first thread hardly ever steps after it has created the others, so its leaf is between them and memory. */
    for (uint32_t leaf = 0; leaf < components->leaves; leaf++) {
        uint32_t index = leaf >= components->threads ? leaf : leaf > 0 ? leaf - 1 : components->threads - 1;
        components->position[leaf] = (uint8_t)(components->leaves - 1 + index);
        components->leaf_set |= UINT64_C(1) << components->position[leaf];
    }
    uint32_t next = 0;
    build_tree(components, 0, components->leaves, &next);
    for (uint32_t n = 1; n + 1 < components->leaves; n++) {
        components->above[components->left[n]] = components->above[n] | UINT64_C(1) << n;
        components->above[components->right[n]] = components->above[n] | UINT64_C(1) << n;
    }
    for (uint32_t n = 1; n + 1 < components->leaves; n++) {
        intern_init(&components->pairs[n], sizeof(uint64_t));
    }
    return true;
}

void components_delete(struct components *components) {
    machine_free(components->machine);
    pthread_mutex_destroy(&components->lock);
    footprints_delete(&components->footprints);
    reserve_free(components->locals, components->locals_reserved);
    reserve_free(components->effects, components->effects_reserved);
    reserve_free((void *)components->effect_heads, EFFECT_HEADS * sizeof *components->effect_heads);
    hash_table_free(components->local_numbers);
    for (size_t i = 0; i < components->blocks.count; i++) {
        free(*(uint8_t **)vector_at(&components->blocks, i));
    }
    vector_delete(&components->blocks);
    for (uint32_t c = 0; c < components->chunks; c++) {
        intern_delete(&components->memory[c]);
    }
    for (uint32_t n = 1; n + 1 < components->leaves; n++) {
        intern_delete(&components->pairs[n]);
    }
    free(components->row);
    free(components->key);
}

size_t components_bytes(const struct components *components) {
    size_t bytes = components->locals_count * sizeof(struct local) +
                   components->effects_count * sizeof(struct learned_step) + components->blocks.count * PART_BLOCK;
    for (uint32_t c = 0; c < components->chunks; c++) {
        bytes += intern_bytes(&components->memory[c]);
    }
    for (uint32_t n = 1; n + 1 < components->leaves; n++) {
        bytes += intern_bytes(&components->pairs[n]);
    }
    return bytes;
}
