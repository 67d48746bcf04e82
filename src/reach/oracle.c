/* The search for a witness: depth first on the TSO machine, with a monitor that follows the attack (chain.h).  The
 * monitor belongs to the state.
 *
 * In each phase the attacker's steps come first, and every load that may be the last is tried as such. */
#include "reach/oracle.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "engine/label.h"
#include "engine/visited.h"
#include "ir/sync.h"
#include "reach/attacks.h"
#include "reach/chain.h"
#include "reach/sequences.h"
#include "util/memory.h"

#define MAX_CHOICES 4096
#define PATIENCE 2000         /* number of states without a further witness */
#define FIRST_PATIENCE 100000 /* number of states without any witness */
#define EVERY_FUNCTION UINT32_MAX

enum option_kind {
    OPTION_PLAIN, /* an ordinary step */
    OPTION_STORE, /* the store of a new attack */
    OPTION_LOAD,  /* the load of the attack */
};

struct option {
    struct transition transition;
    enum option_kind kind;
};

struct level {
    machine_mark mark;
    size_t options_first;
    size_t path_length;
    size_t monitor; /* offset in `monitors`; no monitor is stored in phase ATTACK_NONE */
};

/* What the searches of one oracle_run share. */
struct hunt {
    const struct oracle_task *task;
    struct oracle_result *result;
    struct attacks attacks;
    struct sequences known;
    pthread_mutex_t lock; /* for the result */
    atomic_bool stop;
    struct visited found; /* pairs that have a witness */
};

struct search {
    struct hunt *hunt;
    uint32_t share;    /* stores whose number has this remainder modulo the number of searches */
    uint32_t function; /* stores of this function only; EVERY_FUNCTION: all */
    bool still;        /* other threads do not step while the attacker delays: fast, and often sufficient */
    struct limits limits;
    struct machine *machine;
    struct vector levels;   /* of struct level */
    struct vector monitors; /* bytes */
    struct vector options;  /* of struct option */
    struct vector path;     /* of struct transition */
    struct vector record;   /* of struct passed */
    struct access_lists lists;
    struct visited states;
    uint64_t states_count;
    uint64_t patience; /* greatest number of states before the next witness; 0: no limit */
    uint8_t *key;
    size_t key_capacity;
    bool gave_up; /* the limit was reached */
    bool incomplete;
    bool known_met;
    bool cut;
    bool frontier;
    unsigned met;
    char reason[160];
};

/* --- The key of a state ---------------------------------------------------------------------------------------- */

static XXH128_hash_t state_name(struct search *search, struct monitor *monitor) {
    if (monitor->phase == ATTACK_NONE) {
        size_t plain = machine_serialise(search->machine, &search->key, &search->key_capacity);
        return XXH3_128bits(search->key, plain);
    }
    size_t size = machine_serialise_unbuffered(search->machine, monitor->attacker, &search->key, &search->key_capacity);
    size = monitor_append(monitor, search->hunt->task->every_pair, &search->key, &search->key_capacity, size);
    return XXH3_128bits(search->key, size);
}

static void give_up(struct search *search, const char *reason) {
    search->incomplete = true;
    snprintf(search->reason, sizeof search->reason, "%s", reason);
}

/* --- Steps ----------------------------------------------------------------------------------------------------- */

static void take_one(struct search *search, struct transition transition) {
    vector_push(&search->path, &transition);
    machine_look(search->machine, transition);
    machine_take(search->machine, transition);
}

static bool is_buffered_step(const struct step *step) {
    return step->kind == STEP_STORE || step->kind == STEP_FREE || step->kind == STEP_LEAVE;
}

/* Follows a step of the attacker in the known sequences. */
static void follow_sequence(struct search *search, struct monitor *monitor, uint32_t instruction) {
    const struct sequences *known = &search->hunt->known;
    monitor->node = sequences_step(known, monitor->node, instruction);
    for (size_t i = 0; i + 1 < search->record.count; i++) {
        const struct passed *passed = vector_at(&search->record, i);
        monitor->node = sequences_step(known, monitor->node, passed->instruction);
    }
}

/* Takes a step and lets its store drain, unless the store is delayed.  False if the path ends here.  It ends at an
 * error in an atomic section, which never ends: what other threads do before the error they also do on other paths, and
 * after it only delayed stores drain. */
static bool take(struct search *search, struct monitor *monitor, const struct option *option) {
    struct machine *machine = search->machine;
    uint32_t thread = option->transition.thread;
    bool in_await = machine_thread_awaits(machine, thread);
    uint32_t instruction = machine_thread_instruction(machine, thread);
    uint32_t depth = machine_atomic_depth(machine, thread);
    uint32_t errors = machine_errors(machine);
    search->record.count = 0;
    take_one(search, option->transition);
    struct step step = *machine_last(machine);
    depth += (step.kind == STEP_ATOMIC_BEGIN) - (step.kind == STEP_ATOMIC_END);
    bool fails = depth > 0 && machine_errors(machine) > errors;
    struct label label;
    label_init(&label, &search->lists, option->transition, &step, true);
    if (step.kind == STEP_SYNC && sync_is_thread(step.sub) && step.sub != SYNC_THREAD_EXIT &&
        step.sub != SYNC_THREAD_TRYJOIN) {
        label.accesses = 0; /* the monitor knows which thread creates or joins which */
    }
    const struct buffer_entry *entries;
    bool attacks = monitor->phase != ATTACK_NONE && thread == monitor->attacker;
    size_t waiting = is_buffered_step(&step) ? machine_buffer(machine, thread, &entries) : 0;
    if (option->kind == OPTION_STORE) {
        if (waiting == 0) {
            return false; /* the store itself was an error */
        }
        *monitor = (struct monitor){
            .phase = ATTACK_DELAYS,
            .attacker = thread,
            .store = instruction,
            .store_address = entries[0].address,
            .store_size = entries[0].size,
            .store_at = search->path.count - 1,
        };
        attacks = true;
    } else if (!attacks && waiting > 0) {
        struct transition drain = {.thread = thread, .kind = TRANSITION_DRAIN, .choice = entries[0].serial};
        if (!machine_is_enabled(machine, drain)) {
            return false;
        }
        take_one(search, drain);
        label_add_step(&label, &search->lists, machine_last(machine), true);
    }
    uint32_t next_instruction =
        machine_thread_finished(machine, thread) ? UINT32_MAX : machine_thread_instruction(machine, thread);
    if (next_instruction != UINT32_MAX && machine_program(machine)->code[next_instruction].op == OP_CUT) {
        bool at_frontier = machine_program(machine)->code[next_instruction].sub == CUT_FRONTIER;
        search->frontier = search->frontier || at_frontier;
        search->cut = search->cut || !at_frontier;
    }
    search->met |= machine_met(machine) & (MET_CUT | MET_DEPTH); /* the execution may continue */
    if (attacks) {
        if (waiting > 0 && !monitor_delay(monitor, machine)) {
            give_up(search, "a thread delays stores to too many different locations");
            return false;
        }
        if (search->hunt->known.count > 0) {
            follow_sequence(search, monitor, instruction);
        }
        if (option->kind == OPTION_LOAD) {
            monitor->phase = ATTACK_CHAIN;
            monitor->load = instruction;
            monitor->load_at = search->path.count - 1;
            monitor->node = 0;
            monitor->count = 1;
            monitor->bytes[0] = (struct access){.address = step.address, .size = step.size, .reads = true};
            return true;
        }
        return next_instruction != UINT32_MAX && !machine_thread_stopped(machine, thread) &&
               attacks_continue(&search->hunt->attacks, next_instruction);
    }
    if (monitor->phase == ATTACK_CHAIN || monitor->phase == ATTACK_CLOSED) {
        if (thread >= MAX_CHAIN_SLOTS) {
            give_up(search, "there are too many threads");
            return false;
        }
        const char *overflow = NULL;
        bool worth_it = monitor_follow(monitor, &step, &label, machine_in_atomic(machine, thread), in_await, &overflow);
        if (overflow) {
            give_up(search, overflow);
        }
        return worth_it && (!fails || monitor->phase == ATTACK_CLOSED);
    }
    return !fails;
}

/* --- Witnesses ------------------------------------------------------------------------------------------------- */

/* Does another thread hold an atomic section or the bus, so that the attacker's buffer cannot drain? */
static bool is_held_up(struct search *search, const struct monitor *monitor) {
    const struct transition *enabled;
    size_t count = machine_enabled(search->machine, &enabled);
    for (size_t i = 0; i < count; i++) {
        if (enabled[i].thread == monitor->attacker && enabled[i].kind == TRANSITION_DRAIN) {
            return false;
        }
    }
    return true;
}

/* Finds the instructions from the store to the load, by running the path again. */
static void find_sequence(struct search *search, const struct monitor *monitor, struct vector *sequence) {
    struct machine_options options = oracle_machine_options(&search->hunt->task->machine);
    options.no_undo = true;
    struct machine *machine = machine_new(search->hunt->task->program, &options);
    struct vector record;
    vector_init(&record, sizeof(struct passed));
    for (size_t i = 0; i <= monitor->load_at; i++) {
        struct transition transition = *(struct transition *)vector_at(&search->path, i);
        bool wanted = i >= monitor->store_at && transition.thread == monitor->attacker;
        uint32_t instruction = machine_thread_instruction(machine, transition.thread);
        record.count = 0;
        machine_record(machine, wanted ? &record : NULL);
        machine_take(machine, transition);
        if (!wanted) {
            continue;
        }
        vector_push(sequence, &instruction);
        for (size_t k = 0; i < monitor->load_at && k + 1 < record.count; k++) {
            const struct passed *passed = vector_at(&record, k);
            vector_push(sequence, &passed->instruction);
        }
    }
    machine_free(machine);
    vector_delete(&record);
}

static XXH128_hash_t pair_name(uint32_t store, uint32_t load) {
    const uint32_t pair[] = {store, load};
    return XXH3_128bits(pair, sizeof pair);
}

static bool pair_is_found(struct hunt *hunt, uint32_t store, uint32_t load) {
    if (!hunt->task->every_pair) {
        return false;
    }
    pthread_mutex_lock(&hunt->lock);
    bool found = visited_has(&hunt->found, pair_name(store, load));
    pthread_mutex_unlock(&hunt->lock);
    return found;
}

/* The path has closed a cycle: drains the delayed stores and stores the witness. */
static void keep_witness(struct search *search, const struct monitor *monitor) {
    struct hunt *hunt = search->hunt;
    struct machine *machine = search->machine;
    struct oracle_witness witness = {
        .thread = monitor->attacker, .store = monitor->store, .load = monitor->load, .before = monitor->store_at};
    const struct buffer_entry *entries;
    size_t length = search->path.count;
    vector_init(&witness.sequence, sizeof(uint32_t));
    vector_init(&witness.path, sizeof(struct transition));
    find_sequence(search, monitor, &witness.sequence);
    while (machine_buffer(machine, monitor->attacker, &entries) > 0) {
        take_one(search, (struct transition){
                             .thread = monitor->attacker, .kind = TRANSITION_DRAIN, .choice = entries[0].serial});
    }
    for (size_t i = 0; i < search->path.count; i++) {
        vector_push(&witness.path, vector_at(&search->path, i));
    }
    search->path.count = length;
    pthread_mutex_lock(&hunt->lock);
    bool wanted = hunt->task->every_pair ? visited_add(&hunt->found, pair_name(monitor->store, monitor->load))
                                         : hunt->result->witnesses.count == 0;
    if (wanted) {
        vector_push(&hunt->result->witnesses, &witness);
    } else {
        vector_delete(&witness.sequence);
        vector_delete(&witness.path);
    }
    pthread_mutex_unlock(&hunt->lock);
    search->patience = 2 * search->states_count + PATIENCE;
    if (!hunt->task->every_pair) {
        atomic_store(&hunt->stop, true);
    }
}

/* --- The search ------------------------------------------------------------------------------------------------ */

static void add_option(struct search *search, struct transition transition, enum option_kind kind) {
    uint64_t choices = machine_choices(search->machine, transition.thread);
    if (choices > MAX_CHOICES) {
        give_up(search, "a nondeterministic value has too many possible values to try them all");
        return;
    }
    for (uint64_t choice = choices; choice-- > 0;) {
        transition.choice = choice;
        struct option option = {.transition = transition, .kind = kind};
        vector_push(&search->options, &option);
    }
}

static bool is_in(const struct program *program, uint32_t function, uint32_t instruction) {
    return instruction - program->functions[function].first < program->functions[function].count;
}

static bool is_mine(const struct search *search, uint32_t store) {
    uint32_t jobs = search->hunt->task->jobs;
    if (search->function != EVERY_FUNCTION) {
        return is_in(search->hunt->task->program, search->function, store);
    }
    return jobs <= 1 || search->hunt->attacks.rows[store] % jobs == search->share;
}

/* The attacker's own step. */
static void add_attackers_step(struct search *search, const struct monitor *monitor, struct transition transition) {
    struct machine *machine = search->machine;
    struct hunt *hunt = search->hunt;
    uint32_t instruction = machine_thread_instruction(machine, transition.thread);
    struct step next;
    machine_next(machine, transition, &next);
    add_option(search, transition, OPTION_PLAIN);
    if (next.kind != STEP_LOAD || next.forwarded || !attacks_pair(&hunt->attacks, monitor->store, instruction) ||
        pair_is_found(hunt, monitor->store, instruction)) {
        return;
    }
    if (hunt->known.count > 0 && sequences_ends(&hunt->known, monitor->node, instruction)) {
        search->known_met = true;
        return;
    }
    add_option(search, transition, OPTION_LOAD);
}

static void add_options(struct search *search, const struct monitor *monitor) {
    struct machine *machine = search->machine;
    const struct transition *enabled;
    size_t count = machine_enabled(machine, &enabled);
    struct transition *steps = memory_allocate((count + 1) * sizeof *steps);
    memcpy(steps, enabled, count * sizeof *steps);
    for (size_t i = count; i-- > 0;) {
        bool attackers = monitor->phase != ATTACK_NONE && steps[i].thread == monitor->attacker;
        bool waits = search->still && monitor->phase == ATTACK_DELAYS;
        if (steps[i].kind == TRANSITION_STEP && !attackers && !waits) {
            add_option(search, steps[i], OPTION_PLAIN);
        }
    }
    for (size_t i = count; i-- > 0;) {
        if (steps[i].kind != TRANSITION_STEP) {
            continue;
        }
        uint32_t instruction = machine_thread_instruction(machine, steps[i].thread);
        if (monitor->phase == ATTACK_NONE && attacks_begin(&search->hunt->attacks, instruction) &&
            is_mine(search, instruction)) {
            add_option(search, steps[i], OPTION_STORE);
        } else if (monitor->phase == ATTACK_DELAYS && steps[i].thread == monitor->attacker) {
            add_attackers_step(search, monitor, steps[i]);
        }
    }
    free(steps);
}

/* The monitor of the newest level. */
static void load_monitor(const struct search *search, const struct level *level, struct monitor *monitor) {
    size_t size = search->monitors.count - level->monitor;
    monitor->phase = ATTACK_NONE;
    if (size > 0) {
        memcpy(monitor, vector_at(&search->monitors, level->monitor), size);
    }
}

/* Visits the machine's state; its transitions become a new level. */
static void enter(struct search *search, struct monitor *monitor) {
    struct level level = {
        .options_first = search->options.count, .path_length = search->path.count, .monitor = search->monitors.count};
    bool fresh = visited_add(&search->states, state_name(search, monitor));
    level.mark = machine_set_mark(search->machine);
    search->states_count += fresh;
    if (fresh && monitor->phase == ATTACK_CLOSED && !is_held_up(search, monitor)) {
        keep_witness(search, monitor);
    } else if (fresh) {
        bool done = (monitor->phase == ATTACK_CHAIN || monitor->phase == ATTACK_CLOSED) &&
                    pair_is_found(search->hunt, monitor->store, monitor->load);
        uint32_t errors = machine_errors(search->machine);
        if (machine_outcome(search->machine) == OUTCOME_RUNAWAY) {
            give_up(search, "a thread runs on without ever reaching a visible step");
        } else if (machine_errors(search->machine) > errors) {
            /* No thread can step, which ends the path. */
            if (monitor->phase == ATTACK_CLOSED) {
                give_up(search, "a thread is blocked in an atomic section while another one delays a store");
            }
        } else if (!done) {
            add_options(search, monitor);
        }
    }
    size_t size = monitor_size(monitor);
    if (size > 0) {
        memcpy(vector_grow(&search->monitors, size), monitor, size);
    }
    vector_push(&search->levels, &level);
}

static bool may_continue(struct search *search) {
    if (search->patience > 0 && search->states_count >= search->patience && !search->hunt->task->exhaustive) {
        search->gave_up = true;
    }
    return search->levels.count > 0 && !search->gave_up &&
           !atomic_load_explicit(&search->hunt->stop, memory_order_relaxed) && !limits_reached(&search->limits);
}

static void run_depth_first(struct search *search) {
    struct monitor monitor = {.phase = ATTACK_NONE};
    enter(search, &monitor);
    while (may_continue(search)) {
        struct level *level = vector_at(&search->levels, search->levels.count - 1);
        machine_undo(search->machine, level->mark);
        search->path.count = level->path_length;
        if (search->options.count == level->options_first) {
            search->monitors.count = level->monitor;
            search->levels.count--;
            continue;
        }
        struct option option = *(struct option *)vector_at(&search->options, --search->options.count);
        load_monitor(search, level, &monitor);
        if (take(search, &monitor, &option)) {
            enter(search, &monitor);
        }
        struct progress *progress = search->share == 0 ? search->hunt->task->progress : NULL;
        if (progress && progress_due(progress)) {
            progress_show(progress, "oracle: %llu states", (unsigned long long)search->states_count);
        }
    }
}

/* --- All searches ---------------------------------------------------------------------------------------------- */

static void *search_share(void *data) {
    struct search *search = data;
    const struct oracle_task *task = search->hunt->task;
    struct machine_options options = oracle_machine_options(&task->machine);
    search->limits = *task->limits;
    vector_init(&search->levels, sizeof(struct level));
    vector_init(&search->monitors, 1);
    vector_init(&search->options, sizeof(struct option));
    vector_init(&search->path, sizeof(struct transition));
    vector_init(&search->record, sizeof(struct passed));
    access_lists_init(&search->lists);
    visited_init(&search->states);
    search->machine = machine_new(task->program, &options);
    machine_record(search->machine, search->hunt->known.count > 0 ? &search->record : NULL);
    run_depth_first(search);
    machine_free(search->machine);
    vector_delete(&search->levels);
    vector_delete(&search->monitors);
    vector_delete(&search->options);
    vector_delete(&search->path);
    vector_delete(&search->record);
    access_lists_delete(&search->lists);
    visited_delete(&search->states);
    free(search->key);
    return NULL;
}

static void add_up(struct hunt *hunt, const struct search *searches, uint32_t count, bool *known_met) {
    struct oracle_result *result = hunt->result;
    for (uint32_t i = 0; i < count; i++) {
        const struct search *search = &searches[i];
        const char *reason = limits_reason(&search->limits);
        result->states += search->states_count;
        result->cut = result->cut || search->cut;
        result->frontier = result->frontier || search->frontier;
        result->met |= search->met;
        *known_met = *known_met || search->known_met;
        hunt->task->limits->memory_full = hunt->task->limits->memory_full || search->limits.memory_full;
        if ((reason || search->incomplete) && !atomic_load(&hunt->stop)) {
            result->answer = ORACLE_UNDECIDED;
            snprintf(result->reason, sizeof result->reason, "%s", reason ? reason : search->reason);
        }
    }
}

/* Searches all attacks, in the requested number of parallel searches.  Returns whether these were complete, or found a
 * witness. */
static bool search_all(struct hunt *hunt, uint64_t patience, bool still, bool *known_met) {
    uint32_t count = hunt->task->jobs > 1 ? hunt->task->jobs : 1;
    struct search *searches = memory_allocate(count * sizeof *searches);
    pthread_t *threads = memory_allocate(count * sizeof *threads);
    bool done = true;
    for (uint32_t i = 0; i < count; i++) {
        searches[i].hunt = hunt;
        searches[i].share = i;
        searches[i].function = EVERY_FUNCTION;
        searches[i].patience = patience;
        searches[i].still = still;
        if (i > 0 && pthread_create(&threads[i], NULL, search_share, &searches[i]) != 0) {
            memory_exhausted();
        }
    }
    search_share(&searches[0]);
    for (uint32_t i = 1; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    add_up(hunt, searches, count, known_met);
    for (uint32_t i = 0; i < count; i++) {
        done = done && !searches[i].gave_up;
    }
    free(searches);
    free(threads);
    return done || hunt->result->witnesses.count > 0;
}

/* Searches for a witness among those in which other threads do not step while the attacker delays, and among all, in
 * turn and with growing patience, until one is found or there is none. */
static void search_in_turn(struct hunt *hunt, bool *known_met) {
    struct oracle_result *result = hunt->result;
    bool still_done = hunt->task->exhaustive;
    bool all_done = false;
    result->queries++;
    for (uint64_t patience = FIRST_PATIENCE; !all_done; patience *= 4) {
        still_done = still_done || search_all(hunt, patience, true, known_met);
        if (result->witnesses.count > 0 || result->answer == ORACLE_UNDECIDED) {
            return;
        }
        all_done = search_all(hunt, patience, false, known_met) || result->answer == ORACLE_UNDECIDED;
    }
}

/* Has this function an attack, and no attack in it a witness yet? */
static bool lacks_witness(const struct hunt *hunt, uint32_t function) {
    const struct program *program = hunt->task->program;
    bool has_attack = false;
    for (uint32_t i = 0; i < program->functions[function].count && !has_attack; i++) {
        has_attack = attacks_begin(&hunt->attacks, program->functions[function].first + i);
    }
    for (size_t i = 0; i < hunt->result->witnesses.count; i++) {
        const struct oracle_witness *witness = vector_at(&hunt->result->witnesses, i);
        has_attack = has_attack && !is_in(program, function, witness->store);
    }
    return has_attack;
}

/* The search for all attacks has reached its limit among those of one thread: the others get a search of their own, of
 * the same length.  It may miss witnesses. */
static void search_others(struct hunt *hunt) {
    uint64_t patience = hunt->result->states + PATIENCE;
    for (uint32_t f = 0; f < hunt->task->program->functions_count; f++) {
        if (lacks_witness(hunt, f)) {
            struct search search = {.hunt = hunt, .function = f, .patience = patience, .still = true};
            search_share(&search);
            hunt->result->states += search.states_count;
            hunt->result->queries++;
        }
    }
}

void oracle_run(const struct oracle_task *task, struct oracle_result *result) {
    struct hunt hunt = {.task = task, .result = result};
    bool known_met = false;
    pthread_mutex_init(&hunt.lock, NULL);
    visited_init(&hunt.found);
    bool all_known = attacks_init(&hunt.attacks, task->program, task->limits);
    sequences_init(&hunt.known, task->known, task->origins);
    result->answer = all_known ? ORACLE_ROBUST : ORACLE_UNDECIDED;
    result->attacks = hunt.attacks.count;
    result->discarded = hunt.attacks.discarded;
    if (!all_known) {
        snprintf(result->reason, sizeof result->reason, "%s", limits_reason(task->limits));
    } else if (hunt.attacks.rows_count > 0) {
        search_in_turn(&hunt, &known_met);
    }
    if (result->witnesses.count > 0) {
        result->answer = ORACLE_NOT_ROBUST;
        if (task->every_pair && !task->exhaustive) {
            search_others(&hunt);
        }
    } else if (known_met && result->answer == ORACLE_ROBUST) {
        result->answer = ORACLE_KNOWN;
    }
    sequences_delete(&hunt.known);
    attacks_delete(&hunt.attacks);
    visited_delete(&hunt.found);
    pthread_mutex_destroy(&hunt.lock);
}

struct machine_options oracle_machine_options(const struct machine_options *options) {
    struct machine_options own = *options;
    own.model = MODEL_TSO;
    own.awaits = AWAIT_SPIN;
    own.run_on = true;
    own.run_past_errors = true;
    own.end_sections = true;
    return own;
}

void oracle_result_init(struct oracle_result *result) {
    memset(result, 0, sizeof *result);
    result->answer = ORACLE_UNDECIDED;
    vector_init(&result->witnesses, sizeof(struct oracle_witness));
}

void oracle_result_delete(struct oracle_result *result) {
    for (size_t i = 0; i < result->witnesses.count; i++) {
        struct oracle_witness *witness = vector_at(&result->witnesses, i);
        vector_delete(&witness->sequence);
        vector_delete(&witness->path);
    }
    vector_delete(&result->witnesses);
}
