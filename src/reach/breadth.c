/* Breadth-first search by components, on several cores.
 *
 * Levels (levels.h).  Threads take batches of states of a level, and log the states that they are the first to find for
 * the next level.  At the end of a level all threads wait for each other.  Old levels are kept: the path from the start
 * to a state is searched backwards level by level, so no state needs a pointer to its parent.
 *
 * Reduction.  In some states it suffices to let some threads step (a persistent set): a set such that no later step of
 * the other threads depends on their next steps, according to the footprints.  So that no thread is ignored along a
 * cycle, at least one of the states reached must be new, hence of the next level; otherwise all threads step.  All
 * step, too, if a step ends the execution.  All errors and deadlocks stay reachable, though not by a shortest
 * execution: for that, and if every final state counts, the caller asks for no reduction, or for one in which the end
 * of the process depends on all steps.
 *
 * Store buffers.  An actor is a thread, or the buffer of a thread, which drains.  The reduction is another one then: a
 * thread that can put a store into its buffer does so first (buffered.c), which ends, since buffers fill up.
 *
 * Memory.  Nearly every lookup in a table misses the cache.  So each phase of the search works on a batch of states: it
 * first prefetches the memory for all of them, and then uses it. */
#include "reach/breadth.h"

#include <assert.h>
#include <stdlib.h>

#include "reach/barrier.h"
#include "reach/components.h"
#include "reach/levels.h"
#include "reach/machine_search.h"
#include "reach/state_set.h"
#include "util/memory.h"

#define BATCH 32u
#define MOST_CANDIDATES 512u

/* A step of the search. */
struct move {
    uint32_t slot;
    uint32_t choice; /* from FIRST_DRAIN on: a drain of the thread's buffer */
};

enum reduction { REDUCE_NOTHING, REDUCE_BY_FOOTPRINTS, REDUCE_STORES_FIRST };

/* Successors that were not yet looked up in the set. */
struct candidates {
    uint32_t count;
    uint32_t pending_count[MOST_LEAVES];
    uint32_t pending[MOST_LEAVES][MOST_CANDIDATES]; /* by pair of the tree: candidates that need its number */
    uint32_t sources[MOST_CANDIDATES];              /* indices in the batch */
    uint64_t keys[MOST_CANDIDATES];
    uint64_t hashes[MOST_CANDIDATES]; /* of what is being looked up */
    struct tuple tuples[MOST_CANDIDATES];
};

/* A state of the batch. */
struct source {
    struct tuple tuple;
    uint64_t key;
    uint64_t enabled;                              /* enabled actors */
    uint64_t stepped;                              /* actors whose steps were taken */
    const struct learned_step *first[MOST_LEAVES]; /* by thread: the effect of its step with choice 0, if known */
    bool progress;                                 /* a new state was reached */
    bool ending;                                   /* a step ended the execution */
};

struct breadth;

/* Threads of the search share no cache line that one of them writes often. */
struct worker {
    _Alignas(CACHE_LINE) struct breadth *breadth;
    pthread_t thread;
    uint32_t number;
    struct candidates *candidates;
    struct write_cache *cache;
    struct source *sources; /* BATCH of them */
    uint64_t states;        /* not yet added to the shared count */
    uint64_t transitions;   /* likewise */
    uint64_t runaway;
};

struct breadth {
    const struct search_task *task;
    struct search_result *result;
    struct worker *workers;
    struct levels levels; /* the last level is the present one */
    uint32_t jobs;
    enum reduction reduce;
    bool done;    /* there is no next level; the same for all, since it is set while all wait */
    bool growing; /* all threads grow the set now; likewise */
    _Atomic bool stop;
    _Atomic bool grow; /* the set is too full */
    _Atomic bool refused;
    struct components components;
    struct state_set set;
    /* These change often, as does the end of the set. */
    _Atomic uint64_t states;
    _Atomic uint64_t transitions;
    char apart[CACHE_LINE];
    /* Threads wait for each other here. */
    struct barrier barrier;
    _Atomic uint32_t next_segment; /* of the set that grows */
    _Atomic uint32_t idle;         /* number of threads that wait because the level has no more batches */
    /* The first result. */
    pthread_mutex_t lock;
    uint64_t found_state;
    struct move found_move;
    bool found;
    bool found_stuck; /* the state itself is the error */
};

/* --- Finding ------------------------------------------------------------------------------------------------------ */

static void report(struct breadth *breadth, uint64_t state, struct move move, bool stuck) {
    pthread_mutex_lock(&breadth->lock);
    if (!breadth->found) {
        breadth->found = true;
        breadth->found_state = state;
        breadth->found_move = move;
        breadth->found_stuck = stuck;
    }
    pthread_mutex_unlock(&breadth->lock);
    breadth->stop = true;
}

/* Have all threads reached their goals, including this one? */
static bool reaches_goal(const struct components *components, const struct tuple *tuple, const struct local *local) {
    uint32_t count = 0;
    if (local->goal == 0) {
        return false;
    }
    for (uint32_t t = 0; t < components->threads; t++) {
        count += components->locals[tuple->at[components_leaf(components, t)]].goal > 0;
    }
    return count == local->goal;
}

/* --- What is enabled ---------------------------------------------------------------------------------------------- */

/* The threads that are blocked, as masks: by an atomic section all other threads, by the bus those that need it. */
struct holders {
    uint32_t atomic;
    uint32_t bus;
};
#define NOBODY UINT32_MAX

static struct holders find_holders(const struct components *components, const struct tuple *tuple) {
    struct holders holders = {NOBODY, NOBODY};
    for (uint32_t t = 0; components->holders && t < components->threads; t++) {
        const struct local *local = &components->locals[tuple->at[components_leaf(components, t)]];
        holders.atomic = local->holds_atomic ? t : holders.atomic;
        holders.bus = local->holds_bus ? t : holders.bus;
    }
    return holders;
}

/* Actors have numbers: first the threads by slot, then their buffers.  There are fewer than 2 * MOST_LEAVES. */
static uint64_t actor_bit(uint32_t actor) {
    return UINT64_C(1) << actor;
}

static const struct local *local_of(const struct components *components, const struct tuple *tuple, uint32_t slot) {
    return &components->locals[tuple->at[components_leaf(components, slot)]];
}

/* The first move of an actor. */
static struct move first_move(const struct components *components, uint32_t actor) {
    return actor < components->threads ? (struct move){actor, 0}
                                       : (struct move){actor - components->threads, FIRST_DRAIN};
}

/* Can the buffer drain an entry?  Unless it is empty, one entry always may. */
static bool can_drain(const struct components *components, const struct tuple *tuple, uint32_t slot,
                      struct holders holders) {
    return local_of(components, tuple, slot)->drains && (holders.atomic == NOBODY || holders.atomic == slot) &&
           (holders.bus == NOBODY || holders.bus == slot);
}

/* Is the thread's step enabled?  *first is its effect with choice 0, or NULL if the machine has to take it. */
static bool can_step(struct components *components, const struct tuple *tuple, uint32_t slot, struct holders holders,
                     const struct learned_step **first) {
    uint32_t number = tuple->at[components_leaf(components, slot)];
    const struct local *local = &components->locals[number];
    *first = NULL;
    if (local->kind <= LOCAL_WAITS || (holders.atomic != NOBODY && holders.atomic != slot) ||
        (holders.bus != NOBODY && holders.bus != slot && local->needs_bus)) {
        return false;
    }
    uint64_t value[VALUE_WORDS];
    switch (local->kind) {
    case LOCAL_JOIN:
        return !local_of(components, tuple, local->target)->joinable;
    case LOCAL_WHOLE: {
        struct tuple copy;
        components_copy(components, &copy, tuple);
        return !(components_step(components, &copy, slot, 0) & EFFECT_DISABLED);
    }
    default:
        components_look(components, tuple, local, value);
        *first = components_effect(components, number, value, 0);
        return !((*first)->flags & EFFECT_DISABLED);
    }
}

/* The enabled actors. */
static uint64_t find_enabled(struct components *components, const struct tuple *tuple,
                             const struct learned_step *first[MOST_LEAVES]) {
    struct holders holders = find_holders(components, tuple);
    uint64_t enabled = 0;
    for (uint32_t t = 0; t < components->threads; t++) {
        enabled |= can_step(components, tuple, t, holders, &first[t]) ? actor_bit(t) : 0;
    }
    for (uint32_t t = 0; components->buffers && t < components->threads; t++) {
        enabled |= can_drain(components, tuple, t, holders) ? actor_bit(components->threads + t) : 0;
    }
    return enabled;
}

/* --- Reduction ---------------------------------------------------------------------------------------------------- */

/* The threads that have to step together with this one: those that may still access what its next step accesses, and so
 * on. */
static uint64_t closed_set(const struct components *components, const struct tuple *tuple, uint32_t slot) {
    uint64_t set = UINT64_C(1) << slot;
    uint64_t open = set;
    while (open) {
        uint32_t t = (uint32_t)__builtin_ctzll(open);
        open &= open - 1;
        struct footprint next = components->locals[tuple->at[components_leaf(components, t)]].next;
        if (next.reads == 0 && next.writes == 0) {
            continue;
        }
        for (uint32_t u = 0; u < components->threads; u++) {
            const struct local *other = &components->locals[tuple->at[components_leaf(components, u)]];
            if (!(set >> u & 1) && footprints_conflict(next, other->future)) {
                set |= UINT64_C(1) << u;
                open |= UINT64_C(1) << u;
            }
        }
    }
    return set;
}

static unsigned count_threads(uint64_t set) {
    unsigned count = 0;
    for (; set; set &= set - 1) {
        count++;
    }
    return count;
}

/* The enabled threads of a smallest persistent set. */
static uint64_t choose(const struct components *components, const struct tuple *tuple, uint64_t enabled) {
    uint64_t best = enabled;
    unsigned least = count_threads(enabled);
    for (uint64_t rest = enabled; rest && least > 1; rest &= rest - 1) {
        uint64_t set = closed_set(components, tuple, (uint32_t)__builtin_ctzll(rest)) & enabled;
        unsigned count = set == enabled ? least : count_threads(set);
        if (count < least) {
            best = set;
            least = count;
        }
    }
    return best;
}

/* A thread that can put a store into its buffer, or all enabled actors if there is none. */
static uint64_t choose_store(const struct components *components, const struct tuple *tuple, uint64_t enabled) {
    for (uint32_t t = 0; t < components->threads; t++) {
        if (enabled >> t & 1 && local_of(components, tuple, t)->stores) {
            return actor_bit(t);
        }
    }
    return enabled;
}

/* --- Waiting for each other --------------------------------------------------------------------------------------- */

/* All threads wait: may the set become twice as large? */
static void begin_growth(struct breadth *breadth) {
    struct limits *limits = breadth->task->limits;
    breadth->grow = false;
    breadth->growing = !limits || limits_allow(limits, state_set_bytes(&breadth->set));
    breadth->next_segment = 0;
    if (!breadth->growing) {
        breadth->stop = true;
    }
}

/* Waits for the other threads, because the set has to grow or the level has no more batches; then does what all threads
 * do together. */
static void meet(struct breadth *breadth, bool idle) {
    breadth->idle += idle;
    if (barrier_arrive(&breadth->barrier)) {
        if (breadth->grow) {
            begin_growth(breadth);
        } else if (breadth->idle == breadth->jobs) {
            breadth->done = levels_begin(&breadth->levels) == 0 || breadth->stop;
        }
        breadth->idle = 0;
        barrier_open(&breadth->barrier);
    }
    if (breadth->growing) {
        uint32_t segment;
        while ((segment = atomic_fetch_add(&breadth->next_segment, 1)) < STATE_SEGMENTS) {
            state_set_grow_segment(&breadth->set, segment);
        }
        if (barrier_arrive(&breadth->barrier)) {
            state_set_grown(&breadth->set);
            breadth->growing = false;
            barrier_open(&breadth->barrier);
        }
    }
}

/* --- Candidates --------------------------------------------------------------------------------------------------- */

static void tell_counts(struct worker *worker) {
    struct breadth *breadth = worker->breadth;
    if (state_set_count(&breadth->set, worker->states)) {
        breadth->grow = true;
    }
    atomic_fetch_add_explicit(&breadth->states, worker->states, memory_order_relaxed);
    atomic_fetch_add_explicit(&breadth->transitions, worker->transitions, memory_order_relaxed);
    worker->states = worker->transitions = 0;
}

/* Finds the keys of all candidates. */
static void encode_candidates(struct components *components, struct candidates *candidates) {
    for (uint32_t n = components->leaves - 2; n > 0; n--) {
        struct intern *pairs = &components->pairs[n];
        uint32_t count = candidates->pending_count[n];
        for (uint32_t i = 0; i < count; i++) {
            uint64_t pair = components_pair(components, &candidates->tuples[candidates->pending[n][i]], n);
            candidates->hashes[i] = intern_mix(pair);
            intern_prefetch(pairs, candidates->hashes[i]);
        }
        for (uint32_t i = 0; i < count; i++) {
            struct tuple *tuple = &candidates->tuples[candidates->pending[n][i]];
            tuple->at[n] = intern_pair(pairs, components_pair(components, tuple, n), candidates->hashes[i]);
        }
        candidates->pending_count[n] = 0;
    }
}

/* Looks up all candidates in the set. */
static void settle_candidates(struct worker *worker) {
    struct breadth *breadth = worker->breadth;
    struct candidates *candidates = worker->candidates;
    encode_candidates(&breadth->components, candidates);
    for (uint32_t i = 0; i < candidates->count; i++) {
        candidates->keys[i] = components_pair(&breadth->components, &candidates->tuples[i], 0);
        candidates->hashes[i] = state_hash(candidates->keys[i]);
        state_set_prefetch(&breadth->set, candidates->hashes[i]);
    }
    for (uint32_t i = 0; i < candidates->count; i++) {
        enum state_added added;
        while ((added = state_set_add(&breadth->set, candidates->keys[i], candidates->hashes[i])) == STATE_NO_ROOM &&
               !breadth->stop) {
            tell_counts(worker);
            breadth->grow = true;
            meet(breadth, false);
        }
        if (added == STATE_NEW) {
            worker->states++;
            worker->sources[candidates->sources[i]].progress = true;
            levels_add(&breadth->levels, worker->number, candidates->keys[i]);
        }
    }
    candidates->count = 0;
}

/* --- Steps -------------------------------------------------------------------------------------------------------- */

/* Takes one choice of a thread's step: makes `tuple` the state after it, in which the leaves in *changed are new;
 * returns flags of an effect, with EFFECT_STAYS if there is no such state.  `effect` is the effect, or NULL if it is
 * not known yet. */
static unsigned take_step(struct components *components, struct tuple *tuple, struct move move,
                          const struct learned_step *effect, struct write_cache *cache, uint64_t *changed) {
    uint32_t number = tuple->at[components_leaf(components, move.slot)];
    const struct local *local = &components->locals[number];
    bool drains = move.choice >= FIRST_DRAIN;
    if (!drains && (local->kind == LOCAL_WHOLE || local->kind == LOCAL_JOIN)) {
        *changed = ~UINT64_C(0);
        return components_step(components, tuple, move.slot, move.choice);
    }
    if (!effect) {
        uint64_t value[VALUE_WORDS] = {0};
        if (!drains) {
            components_look(components, tuple, local, value);
        }
        effect = components_effect(components, number, value, move.choice);
    }
    if (effect->flags & EFFECT_WHOLE) {
        *changed = ~UINT64_C(0);
        return components_step(components, tuple, move.slot, move.choice);
    }
    if (!(effect->flags & EFFECT_STAYS)) {
        *changed = components_apply(components, tuple, move.slot, effect, cache);
    }
    return effect->flags;
}

/* Makes the last of the tuples a candidate, with the pairs whose numbers have to be found. */
static void push_candidate(const struct components *components, struct candidates *candidates, uint32_t source,
                           uint64_t changed) {
    uint64_t pairs = 0;
    for (uint64_t rest = changed & components->leaf_set; rest; rest &= rest - 1) {
        pairs |= components->above[__builtin_ctzll(rest)];
    }
    for (; pairs; pairs &= pairs - 1) {
        uint32_t n = (uint32_t)__builtin_ctzll(pairs);
        candidates->pending[n][candidates->pending_count[n]++] = candidates->count;
    }
    candidates->sources[candidates->count++] = source;
}

/* Takes all choices of an actor's step from a state of the batch. */
static void expand_actor(struct worker *worker, uint32_t index, uint32_t actor) {
    struct breadth *breadth = worker->breadth;
    struct components *components = &breadth->components;
    struct candidates *candidates = worker->candidates;
    struct source *source = &worker->sources[index];
    unsigned flags = EFFECT_MORE;
    struct move move = first_move(components, actor);
    const struct learned_step *first = actor < components->threads ? source->first[actor] : NULL;
    source->stepped |= actor_bit(actor);
    for (; flags & EFFECT_MORE; move.choice++, first = NULL) {
        if (candidates->count == MOST_CANDIDATES) {
            settle_candidates(worker);
        }
        struct tuple *tuple = &candidates->tuples[candidates->count];
        uint64_t changed = 0;
        components_copy(components, tuple, &source->tuple);
        flags = take_step(components, tuple, move, first, worker->cache, &changed);
        if (components->too_many_threads) {
            breadth->stop = true;
            return;
        }
        worker->transitions++;
        if (flags & EFFECT_REFUSED) {
            breadth->refused = true;
        } else if (flags & EFFECT_RUNAWAY) {
            worker->runaway++;
        } else if (flags & EFFECT_ERROR) {
            source->ending = true;
            if (!breadth->task->errors_pass) {
                report(breadth, source->key, move, false);
            }
        } else {
            const struct local *local = local_of(components, tuple, move.slot);
            source->ending = source->ending || local->ends;
            if (reaches_goal(components, tuple, local) && !breadth->task->errors_pass) {
                report(breadth, source->key, move, false);
            }
            push_candidate(components, candidates, index, changed);
        }
    }
}

static bool has_ended(const struct components *components, const struct tuple *tuple) {
    for (uint32_t t = 0; t < components->threads; t++) {
        if (components->locals[tuple->at[components_leaf(components, t)]].ends) {
            return true;
        }
    }
    return false;
}

/* Decodes the states of a batch. */
static void decode_sources(struct worker *worker, const uint64_t *states, uint32_t count) {
    const struct components *components = &worker->breadth->components;
    for (uint32_t n = 0; n + 1 < components->leaves; n++) {
        uint32_t left = components->left[n];
        uint32_t right = components->right[n];
        for (uint32_t i = 0; i < count; i++) {
            struct tuple *tuple = &worker->sources[i].tuple;
            uint64_t pair = n == 0 ? states[i] : pair_at(&components->pairs[n], tuple->at[n]);
            tuple->at[left] = (uint32_t)(pair >> 32);
            tuple->at[right] = (uint32_t)pair;
            components_prefetch(components, tuple, left);
            components_prefetch(components, tuple, right);
        }
    }
}

/* Lets actors step from a state of the batch. */
static void open_source(struct worker *worker, uint32_t index, uint64_t key) {
    struct breadth *breadth = worker->breadth;
    struct components *components = &breadth->components;
    struct source *source = &worker->sources[index];
    source->key = key;
    source->enabled = source->stepped = 0;
    source->progress = source->ending = false;
    if (!has_ended(components, &source->tuple)) {
        source->enabled = find_enabled(components, &source->tuple, source->first);
    }
    if (source->enabled == 0) {
        if (components_outcome(components, &source->tuple, breadth->result) == OUTCOME_ERROR &&
            !breadth->task->errors_pass) {
            report(breadth, key, (struct move){0, 0}, true);
        }
        return;
    }
    uint64_t set = source->enabled;
    if (breadth->reduce == REDUCE_BY_FOOTPRINTS) {
        set = choose(components, &source->tuple, set);
    } else if (breadth->reduce == REDUCE_STORES_FIRST) {
        set = choose_store(components, &source->tuple, set);
        source->progress = set != source->enabled;
    }
    for (; set; set &= set - 1) {
        expand_actor(worker, index, (uint32_t)__builtin_ctzll(set));
    }
}

/* --- Batches ------------------------------------------------------------------------------------------------------ */

static void run_batch(struct worker *worker, const uint64_t *states, uint32_t count) {
    decode_sources(worker, states, count);
    for (uint32_t i = 0; i < count; i++) {
        open_source(worker, i, states[i]);
    }
    settle_candidates(worker);
    if (worker->breadth->reduce == REDUCE_NOTHING) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct source *source = &worker->sources[i];
        if (source->progress && !source->ending) {
            continue;
        }
        for (uint64_t rest = source->enabled & ~source->stepped; rest; rest &= rest - 1) {
            expand_actor(worker, i, (uint32_t)__builtin_ctzll(rest));
        }
    }
    settle_candidates(worker);
}

/* What one thread does for all from time to time. */
static void watch(struct breadth *breadth) {
    struct search_result now = {.states = breadth->states, .transitions = breadth->transitions};
    now.longer = breadth->components.longer;
    now.buffered = breadth->components.buffered;
    if (search_must_stop(breadth->task, &now)) {
        breadth->result->end = SEARCH_LIMIT;
        breadth->result->reason = now.reason;
        breadth->stop = true;
    }
    search_show_progress(breadth->task, &now);
}

static void *worker_run(void *data) {
    struct worker *worker = data;
    struct breadth *breadth = worker->breadth;
    while (!breadth->done) {
        struct level_part batch;
        while (!breadth->stop && (batch = levels_take(&breadth->levels, worker->number, BATCH)).count > 0) {
            run_batch(worker, batch.states, (uint32_t)batch.count);
            tell_counts(worker);
            if (breadth->grow) {
                meet(breadth, false);
            }
            if (worker == breadth->workers) {
                watch(breadth);
            }
        }
        meet(breadth, true);
    }
    return NULL;
}

/* --- The path to a state ------------------------------------------------------------------------------------------ */

/* Finds a move from the state to the target, if there is one. */
static bool find_move(struct breadth *breadth, uint64_t state, uint64_t target, struct move *move) {
    struct components *components = &breadth->components;
    struct tuple start;
    components_decode(components, state, &start);
    const struct learned_step *firsts[MOST_LEAVES];
    for (uint64_t rest = find_enabled(components, &start, firsts); rest; rest &= rest - 1) {
        uint32_t actor = (uint32_t)__builtin_ctzll(rest);
        const struct learned_step *first = actor < components->threads ? firsts[actor] : NULL;
        unsigned flags = EFFECT_MORE;
        *move = first_move(components, actor);
        for (; flags & EFFECT_MORE; move->choice++, first = NULL) {
            struct tuple tuple;
            uint64_t changed = 0;
            components_copy(components, &tuple, &start);
            flags = take_step(components, &tuple, *move, first, breadth->workers[0].cache, &changed);
            if (!(flags & EFFECT_STAYS) && components_encode(components, &tuple, changed) == target) {
                return true;
            }
        }
    }
    return false;
}

static bool find_parent(struct breadth *breadth, size_t level, uint64_t target, uint64_t *parent, struct move *move) {
    for (uint32_t w = 0; w < breadth->jobs; w++) {
        struct level_part part = levels_part(&breadth->levels, level, w);
        for (uint64_t i = 0; i < part.count; i++) {
            if (find_move(breadth, part.states[i], target, move)) {
                *parent = part.states[i];
                return true;
            }
        }
    }
    return false;
}

/* The level of the state that was found: the last, or the one before if a new one has begun since. */
static size_t level_of(const struct breadth *breadth, uint64_t state) {
    for (size_t level = levels_count(&breadth->levels); level-- > 0;) {
        for (uint32_t w = 0; w < breadth->jobs; w++) {
            struct level_part part = levels_part(&breadth->levels, level, w);
            for (uint64_t i = 0; i < part.count; i++) {
                if (part.states[i] == state) {
                    return level;
                }
            }
        }
    }
    return 0;
}

/* Takes the moves, last one first, on a new machine: they become the path. */
static void follow_moves(struct breadth *breadth, const struct vector *moves) {
    struct search_result *result = breadth->result;
    struct machine *fresh = machine_new(breadth->task->program, &breadth->task->machine);
    for (size_t i = moves->count; i-- > 0;) {
        const struct move *move = vector_at(moves, i);
        uint32_t number = machine_thread_number(breadth->components.machine, move->slot);
        int64_t slot = machine_thread_numbered(fresh, number);
        struct transition transition = {.thread = (uint32_t)slot, .kind = TRANSITION_STEP, .choice = move->choice};
        bool more;
        bool good = slot >= 0 && (move->choice < FIRST_DRAIN
                                      ? machine_is_enabled(fresh, transition)
                                      : components_find_drain(fresh, (uint32_t)slot, move->choice, &transition, &more));
        vector_push(&result->path, &transition);
        if (!good) {
            break; /* replaying the witness will show the error */
        }
        machine_take(fresh, transition);
    }
    if (machine_outcome(fresh) == OUTCOME_ERROR) {
        result->error = *machine_error(fresh);
    }
    machine_free(fresh);
}

static void build_path(struct breadth *breadth) {
    struct vector moves;
    vector_init(&moves, sizeof(struct move));
    if (!breadth->found_stuck) {
        vector_push(&moves, &breadth->found_move);
    }
    uint64_t state = breadth->found_state;
    for (size_t level = level_of(breadth, state); level > 0; level--) {
        struct move move;
        bool found = find_parent(breadth, level - 1, state, &state, &move);
        assert(found && "every state but the first comes after one of the level before");
        if (!found) {
            break; /* replaying the witness will show the error */
        }
        vector_push(&moves, &move);
    }
    follow_moves(breadth, &moves);
    vector_delete(&moves);
}

/* --- Running ------------------------------------------------------------------------------------------------------ */

static void run_workers(struct breadth *breadth) {
    breadth->workers = memory_allocate_aligned(CACHE_LINE, breadth->jobs * sizeof *breadth->workers);
    for (uint32_t w = 0; w < breadth->jobs; w++) {
        struct worker *worker = &breadth->workers[w];
        worker->breadth = breadth;
        worker->sources = memory_allocate(BATCH * sizeof *worker->sources);
        worker->number = w;
        worker->cache = memory_allocate(sizeof *worker->cache);
        worker->candidates = memory_allocate(sizeof *worker->candidates);
    }
    struct tuple start;
    components_start(&breadth->components, &start);
    if (!breadth->components.too_many_threads) {
        uint64_t key = components_encode(&breadth->components, &start, ~UINT64_C(0));
        state_set_add(&breadth->set, key, state_hash(key));
        breadth->states++;
        levels_add(&breadth->levels, 0, key);
        levels_begin(&breadth->levels);
        for (uint32_t w = 1; w < breadth->jobs; w++) {
            struct worker *worker = &breadth->workers[w];
            if (pthread_create(&worker->thread, NULL, worker_run, worker) != 0) {
                memory_exhausted();
            }
        }
        worker_run(&breadth->workers[0]);
        for (uint32_t w = 1; w < breadth->jobs; w++) {
            pthread_join(breadth->workers[w].thread, NULL);
        }
    }
    for (uint32_t w = 0; w < breadth->jobs; w++) {
        breadth->result->runaway += breadth->workers[w].runaway;
    }
}

static void set_counts(struct breadth *breadth) {
    struct search_result *result = breadth->result;
    result->states = breadth->states;
    result->transitions = breadth->transitions;
    result->depth = levels_count(&breadth->levels);
    result->longer = breadth->components.longer;
    result->buffered = breadth->components.buffered;
    result->vector_bytes = result->states * sizeof(uint64_t) + components_bytes(&breadth->components);
    /* The set without the keys, which are the vectors; and each key once more, in the log. */
    result->table_bytes = state_set_bytes(&breadth->set);
}

static void free_breadth(struct breadth *breadth) {
    for (uint32_t w = 0; w < breadth->jobs; w++) {
        struct worker *worker = &breadth->workers[w];
        free(worker->sources);
        free(worker->cache);
        free(worker->candidates);
    }
    free(breadth->workers);
    levels_delete(&breadth->levels);
    state_set_delete(&breadth->set);
    components_delete(&breadth->components);
    pthread_mutex_destroy(&breadth->lock);
    barrier_delete(&breadth->barrier);
}

static enum reduction choose_reduction(const struct search_task *task) {
    if (task->machine.model == MODEL_SC) {
        return task->shortest ? REDUCE_NOTHING : REDUCE_BY_FOOTPRINTS;
    }
    return task->everything ? REDUCE_NOTHING : REDUCE_STORES_FIRST;
}

/* Searches with room for `threads` threads; returns the number of threads that need room, 0 if the room was enough. */
static uint32_t search_with(const struct search_task *task, struct search_result *result, uint32_t threads,
                            bool *possible) {
    struct breadth breadth = {
        .task = task,
        .result = result,
        .reduce = choose_reduction(task),
        .jobs = task->jobs > 0 ? task->jobs : 1,
    };
    *possible = components_init(&breadth.components, task, threads);
    if (!*possible) {
        return 0;
    }
    pthread_mutex_init(&breadth.lock, NULL);
    barrier_init(&breadth.barrier, breadth.jobs);
    levels_init(&breadth.levels, breadth.jobs);
    state_set_init(&breadth.set, breadth.jobs);
    run_workers(&breadth);
    uint32_t needed = 0;
    if (breadth.components.too_many_threads) {
        needed = machine_threads(breadth.components.machine) + 2;
    } else if (breadth.found) {
        result->end = SEARCH_FOUND;
        build_path(&breadth);
    } else if (result->end != SEARCH_LIMIT && breadth.stop) {
        result->end = SEARCH_LIMIT;
    } else if (breadth.refused) {
        result->end = SEARCH_LIMIT;
        result->reason = SEARCH_REFUSED;
    }
    set_counts(&breadth);
    free_breadth(&breadth);
    return needed;
}

bool breadth_run(const struct search_task *task, struct search_result *result) {
    bool possible;
    uint32_t threads = 0;
    for (;;) {
        threads = search_with(task, result, threads, &possible);
        if (!possible || threads == 0) {
            return possible;
        }
        search_result_delete(result);
        enum await_mode awaits = result->awaits;
        search_result_init(result);
        result->awaits = awaits;
        result->end = SEARCH_EXHAUSTED;
    }
}
