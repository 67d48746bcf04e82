/* One question for each transition, for each claim and each step of another thread, and for what holds at first. */
#include "prove/obligations.h"

#include <stdlib.h>

#include "ir/sync.h"
#include "prove/scene.h"
#include "util/memory.h"

/* --- Counting ----------------------------------------------------------------------------------------------------- */

/* Is it an assertion, or another explicit error that a thread may reach?  An assertion that the analysis has proved
 * counts too. */
static bool asserts(const struct class *class, const struct instruction *code, uint32_t index) {
    return code[index].op == OP_ASSERT ||
           (code[index].op == OP_ERROR && (code[index].sub == ERROR_ASSERT || instruction_reached(class, index)));
}

/* Has an earlier instruction of this or an earlier class the same position in the source?  A function that is called
 * twice has its code twice. */
static bool counted_before(const struct system *system, uint32_t number, uint32_t index) {
    const struct position *own = &system->flat.positions[class_code(system, class_of(system, number))[index].pos];
    for (uint32_t c = 0; c <= number; c++) {
        const struct class *class = class_of(system, c);
        const struct instruction *code = class_code(system, class);
        uint32_t end = c == number ? index : system->flat.functions[class->function].count;
        for (uint32_t i = 0; i < end; i++) {
            const struct position *position = &system->flat.positions[code[i].pos];
            if (asserts(class, code, i) && position->file == own->file && position->line == own->line &&
                position->column == own->column) {
                return true;
            }
        }
    }
    return false;
}

static bool can_wait(const struct instruction *code) {
    const struct sync_code *operation = &sync_codes()[code->width];
    if (code->op != OP_SYNC || sync_table[code->width].mode != SYNC_MODE_WAIT) {
        return false;
    }
    for (uint32_t i = 0; i < operation->count; i++) {
        if (operation->instructions[i].op == OP_WAIT_UNLESS) {
            return true;
        }
    }
    return false;
}

static void count_class(struct obligations *obligations, uint32_t number) {
    const struct system *system = obligations->questions->system;
    const struct class *class = class_of(system, number);
    const struct instruction *code = class_code(system, class);
    for (uint32_t i = 0; i < system->flat.functions[class->function].count; i++) {
        bool new = asserts(class, code, i) && !counted_before(system, number, i);
        obligations->assertions += new;
        obligations->written += new && (code[i].op == OP_ASSERT || code[i].sub == ERROR_ASSERT);
        if (!instruction_reached(class, i)) {
            continue;
        }
        obligations->claims += code[i].op == OP_NOTE && code[i].sub <= NOTE_INVARIANT;
        obligations->abstractions += code[i].op == OP_NOTE && code[i].sub > NOTE_INVARIANT;
        obligations->waits = obligations->waits || can_wait(&code[i]);
    }
}

void obligations_init(struct obligations *obligations, struct questions *questions, enum prove_seed seed) {
    *obligations = (struct obligations){.questions = questions, .seed = seed};
    vector_init(&obligations->broken, sizeof(struct broken_obligation));
    for (uint32_t c = 0; c < questions->system->classes.count; c++) {
        count_class(obligations, c);
    }
}

void obligations_delete(struct obligations *obligations) {
    for (size_t i = 0; i < obligations->broken.count; i++) {
        free(((struct broken_obligation *)vector_at(&obligations->broken, i))->model);
    }
    vector_delete(&obligations->broken);
}

/* --- Asking ------------------------------------------------------------------------------------------------------- */

static void add_broken(struct obligations *obligations, struct broken_obligation broken) {
    vector_push(&obligations->broken, &broken);
}

/* Does `goal` hold in the scene?  If not, `broken` is noted, with the instruction of a failure if there is one. */
static bool shows(struct obligations *obligations, struct scene *scene, Z3_ast goal, struct broken_obligation broken) {
    struct solver *solver = scene->solver;
    const struct questions *questions = obligations->questions;
    if (solver_is_true(solver, goal)) {
        return true;
    }
    Z3_ast wrong =
        solver_and(solver, scene->reached, solver_and(solver, scene->after.enabled, solver_not(solver, goal)));
    wrong = solver_and(solver, wrong, scene->beginning.known);
    enum answer answer = ANSWER_NONE;
    if (!scene->beginning.hopeless) {
        char *name = memory_format(
            "line %u, after a step of line %u", questions_line(questions, broken.class, broken.index),
            broken.step_index == UINT32_MAX ? 0 : questions_line(questions, broken.step_class, broken.step_index));
        answer = solver_ask(solver, wrong, name);
        free(name);
    }
    if (answer == ANSWER_NO) {
        return true;
    }
    broken.unanswered = answer == ANSWER_NONE;
    broken.model = answer == ANSWER_YES ? beginning_text(&scene->beginning) : NULL;
    for (size_t i = 0; answer == ANSWER_YES && broken.kind == OBLIGATION_NO_FAILURE && i < scene->after.failures.count;
         i++) {
        const struct failure *failure = vector_at(&scene->after.failures, i);
        if (solver_holds(solver, failure->condition)) {
            broken.index = failure->index;
        }
    }
    add_broken(obligations, broken);
    return false;
}

/* --- Transitions -------------------------------------------------------------------------------------------------- */

/* No failure, and the claims of all points to which the transition leads. */
static void show_outcome(struct obligations *obligations, struct scene *scene, struct instance *thread, uint32_t from,
                         enum obligation_kind kind) {
    struct solver *solver = scene->solver;
    struct broken_obligation broken = {.kind = OBLIGATION_NO_FAILURE,
                                       .class = thread->number,
                                       .index = from,
                                       .step_class = thread->number,
                                       .step_index = kind == OBLIGATION_CLAIM_INITIAL ? UINT32_MAX : from};
    shows(obligations, scene, solver_not(solver, scene->after.failed), broken);
    for (size_t i = 0; i < scene->exits.count; i++) {
        const struct exit *exit = vector_at(&scene->exits, i);
        if (!facts_claimed(thread, exit->index) || obligations->seed == SEED_NO_ARRIVAL) {
            continue;
        }
        Z3_ast claims = facts_arriving(thread, &exit->state, &scene->after, exit->index);
        broken.kind = kind;
        broken.index = exit->index;
        shows(obligations, scene, solver_or(solver, solver_not(solver, exit->state.guard), claims), broken);
    }
}

static void prove_transition(struct obligations *obligations, struct instance *thread, uint32_t index) {
    struct scene scene;
    struct state state = instance_state(thread, index);
    scene_init(&scene, obligations->questions);
    scene.after.checks = true;
    scene_place(&scene, thread, &state, index);
    scene_go(&scene, thread, &state, index);
    show_outcome(obligations, &scene, thread, index, OBLIGATION_CLAIM_REACHED);
    if (scene.after.writes.count > 0 && thread->system->invariants > 0) {
        struct broken_obligation broken = {
            .kind = OBLIGATION_INVARIANT_KEPT, .class = 0, .step_class = thread->number, .step_index = index};
        for (uint32_t i = 0; i < thread->system->invariants; i++) {
            broken.index = i;
            shows(obligations, &scene, path_condition(thread->always, &thread->always->in[0], &scene.after, i), broken);
        }
    }
    scene_delete(&scene);
    instance_forget(&state);
}

/* A thread begins: memory is as main leaves it, since threads exist from the beginning. */
static void prove_beginning(struct obligations *obligations, struct instance *thread) {
    struct scene scene;
    scene_init(&scene, obligations->questions);
    scene.after.checks = true;
    uint32_t first = scene_begin(&scene, thread);
    show_outcome(obligations, &scene, thread, first, OBLIGATION_CLAIM_INITIAL);
    scene_delete(&scene);
}

static void prove_invariants_initial(struct obligations *obligations, struct instance *main) {
    for (uint32_t i = 0; i < main->system->invariants; i++) {
        struct scene scene;
        scene_init(&scene, obligations->questions);
        scene.beginning.initial = true;
        struct broken_obligation broken = {
            .kind = OBLIGATION_INVARIANT_INITIAL, .class = 0, .index = i, .step_index = UINT32_MAX};
        shows(obligations, &scene, path_condition(main, &main->in[0], &scene.before, i), broken);
        scene_delete(&scene);
    }
}

/* --- Interference ------------------------------------------------------------------------------------------------- */

/* Does a step of another thread preserve the claims of a location? */
static void prove_kept(struct obligations *obligations, struct instance *own, uint32_t claim, struct instance *other,
                       const struct step_site *step) {
    struct scene scene;
    struct state state = instance_state(own, claim);
    scene_init(&scene, obligations->questions);
    scene_place(&scene, own, &state, claim);
    scene_disturb(&scene, own, claim, other, step);
    struct broken_obligation broken = {.kind = OBLIGATION_CLAIM_KEPT,
                                       .class = own->number,
                                       .index = claim,
                                       .step_class = step->class,
                                       .step_index = step->index};
    shows(obligations, &scene, facts_arriving(own, &state, &scene.after, claim), broken);
    scene_delete(&scene);
    instance_forget(&state);
}

static void prove_claim(struct obligations *obligations, struct instance *thread, uint32_t index) {
    struct questions *questions = obligations->questions;
    for (size_t i = 0; i < questions->steps->steps.count; i++) {
        const struct step_site *step = step_of(questions->steps, i);
        if (!points_meet(questions->system, thread->number, index, step->class, step->index) || !step_writes(step)) {
            continue;
        }
        struct instance *other = questions_thread(questions, 1, step->class);
        if (obligations->seed != SEED_NO_INTERFERENCE && instance_reaches(other, step->index)) {
            prove_kept(obligations, thread, index, other, step);
        }
    }
}

/* --- All of it ---------------------------------------------------------------------------------------------------- */

static void prove_class(struct obligations *obligations, uint32_t number) {
    struct questions *questions = obligations->questions;
    struct instance *thread = questions_thread(questions, 0, number);
    if (obligations->seed != SEED_NO_BEGINNING) {
        prove_beginning(obligations, thread);
    }
    for (uint32_t i = 0; i < questions->system->flat.functions[thread->class->function].count; i++) {
        if (limits_reached(questions->system->task->limits)) {
            return;
        }
        if (!facts_is_point(thread, i) || !instance_reaches(thread, i) ||
            (number == 0 && i < questions->system->invariants)) {
            continue;
        }
        prove_transition(obligations, thread, i);
        if (facts_claimed(thread, i)) {
            prove_claim(obligations, thread, i);
        }
    }
}

void obligations_prove(struct obligations *obligations) {
    struct questions *questions = obligations->questions;
    struct system *system = questions->system;
    if (!questions_start(questions) || system->classes.count == 0) {
        return;
    }
    if (obligations->seed != SEED_NO_BEGINNING) {
        prove_invariants_initial(obligations, questions_thread(questions, 0, 0));
    }
    for (uint32_t c = 0; c < system->classes.count; c++) {
        prove_class(obligations, c);
    }
}

/* --- Abstractions ------------------------------------------------------------------------------------------------- */

/* Does the condition read only the bytes of the access? */
static void check_places(struct obligations *obligations, struct instance *thread,
                         const struct abstraction *abstraction) {
    struct scene scene;
    struct state state = instance_state(thread, abstraction->note);
    struct state earlier = instance_state(thread, abstraction->access);
    struct term place = execute_operand(thread, &earlier, thread->code[abstraction->access].a);
    struct vector reads;
    scene_init(&scene, obligations->questions);
    vector_init(&reads, sizeof(struct unit));
    scene.before.watch = &reads;
    path_condition(thread, &state, &scene.before, abstraction->note);
    Z3_ast same = solver_true(scene.solver);
    for (size_t i = 0; i < reads.count; i++) {
        const struct unit *unit = vector_at(&reads, i);
        if (!space_private(&thread->system->space, &unit->where)) {
            same = solver_and(scene.solver, same,
                              unit->size == thread->code[abstraction->access].width
                                  ? solver_equal(scene.solver, unit->address, place)
                                  : solver_false(scene.solver));
        }
    }
    scene.reached = state.guard;
    shows(obligations, &scene, same,
          (struct broken_obligation){.kind = OBLIGATION_READS_ONE_PLACE,
                                     .class = thread->number,
                                     .index = abstraction->note,
                                     .step_index = UINT32_MAX});
    vector_delete(&reads);
    instance_forget(&state);
    instance_forget(&earlier);
    scene_delete(&scene);
}

/* May the load return the value in memory? */
static void check_real_value(struct obligations *obligations, struct instance *thread,
                             const struct abstraction *abstraction) {
    struct scene scene;
    struct state state = instance_state(thread, abstraction->access);
    struct term value;
    scene_init(&scene, obligations->questions);
    scene_place(&scene, thread, &state, abstraction->access);
    Z3_ast condition = execute_abstraction(thread, &state, &scene.before, abstraction, &value);
    size_t count = obligations->broken.count;
    shows(obligations, &scene, condition,
          (struct broken_obligation){.kind = OBLIGATION_READS_REAL_VALUE,
                                     .class = thread->number,
                                     .index = abstraction->note,
                                     .step_index = UINT32_MAX});
    if (obligations->broken.count > count) {
        struct broken_obligation *broken = vector_at(&obligations->broken, count);
        broken->value = solver_value(scene.solver, value);
    }
    scene_delete(&scene);
    instance_forget(&state);
}

/* Does a place that can hold addresses return the value in memory, or null? */
static void check_pointer(struct obligations *obligations, struct instance *thread,
                          const struct abstraction *abstraction) {
    struct scene scene;
    struct state state = instance_state(thread, abstraction->access);
    struct term content;
    struct term value;
    scene_init(&scene, obligations->questions);
    scene_place(&scene, thread, &state, abstraction->access);
    Z3_ast condition = execute_allowed(thread, &state, &scene.before, abstraction, &content, &value);
    Z3_ast fine = solver_or(scene.solver, solver_equal(scene.solver, value, content),
                            solver_equal(scene.solver, value, term_number(0)));
    shows(obligations, &scene, solver_or(scene.solver, solver_not(scene.solver, condition), fine),
          (struct broken_obligation){.kind = OBLIGATION_READS_POINTER,
                                     .class = thread->number,
                                     .index = abstraction->note,
                                     .step_index = UINT32_MAX});
    scene_delete(&scene);
    instance_forget(&state);
}

/* Can what is abstracted hold an address? */
static bool is_pointer(const struct instance *thread, const struct abstraction *abstraction) {
    const struct access *access = &thread->class->accesses[abstraction->access];
    struct value value = space_read(&thread->system->space, &access->address, access->size);
    return access->size == 8 && !abstraction->numeric && value_has_object(&value);
}

void obligations_check_abstractions(struct obligations *obligations) {
    struct questions *questions = obligations->questions;
    for (uint32_t c = 0; c < questions->system->classes.count; c++) {
        const struct class *class = class_of(questions->system, c);
        for (size_t i = 0; i < class->abstractions.count; i++) {
            const struct abstraction *abstraction = vector_at(&class->abstractions, i);
            if (abstraction->found.kind != FOUND_NONE || !instruction_reached(class, abstraction->note) ||
                !questions_start(questions)) {
                continue;
            }
            struct instance *thread = questions_thread(questions, 0, c);
            if (!instance_reaches(thread, abstraction->access)) {
                continue;
            }
            check_places(obligations, thread, abstraction);
            if (thread->code[abstraction->note].sub == NOTE_READS) {
                check_real_value(obligations, thread, abstraction);
            }
            if (is_pointer(thread, abstraction)) {
                check_pointer(obligations, thread, abstraction);
            }
        }
    }
}
