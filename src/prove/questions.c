/* The solver and the threads of all questions. */
#include "prove/questions.h"

#include <stdlib.h>

#include "prove/joins.h"
#include "util/memory.h"

void questions_init(struct questions *questions, struct steps *steps, const char *directory,
                    struct answered *answered) {
    *questions =
        (struct questions){.system = steps->system, .steps = steps, .directory = directory, .answered = answered};
}

void questions_delete(struct questions *questions) {
    for (int side = 0; side < 2; side++) {
        for (uint32_t c = 0; c < MOST_CLASSES; c++) {
            if (questions->threads[side][c]) {
                instance_delete(questions->threads[side][c]);
                free(questions->threads[side][c]);
            }
        }
    }
    if (questions->has_solver) {
        solver_delete(&questions->solver);
    }
}

bool questions_start(struct questions *questions) {
    if (!questions->has_solver) {
        questions->no_solver =
            solver_init(&questions->solver, questions->system->task->limits, questions->directory, questions->answered);
        questions->has_solver = true;
    }
    return !questions->no_solver;
}

struct instance *questions_thread(struct questions *questions, int side, uint32_t class) {
    struct instance **slot = &questions->threads[side][class];
    if (!*slot) {
        struct instance *always = side == 0 && class == 0 ? NULL : questions_thread(questions, 0, 0);
        *slot = memory_allocate(sizeof(struct instance));
        instance_init(*slot, questions->system, &questions->solver, class, always);
    }
    return *slot;
}

Z3_ast threads_differ(struct instance *one, struct instance *other) {
    struct solver *solver = one->solver;
    Z3_ast differ = solver_not(solver, solver_equal(solver, one->self, other->self));
    if (one->number == other->number && one->class->distinct) {
        struct value *entry = one->class->entry;
        struct term argument = instance_variable(one, PURPOSE_ENTRY, 0, 1, &entry[1], 64);
        struct term other_argument = instance_variable(other, PURPOSE_ENTRY, 0, 1, &entry[1], 64);
        differ = solver_and(solver, differ, solver_not(solver, solver_equal(solver, argument, other_argument)));
    }
    return differ;
}

bool classes_meet(const struct system *system, uint32_t one, uint32_t other) {
    return one != other || class_of(system, one)->many;
}

bool points_meet(const struct system *system, uint32_t one, uint32_t index, uint32_t other, uint32_t other_index) {
    return classes_meet(system, one, other) && !joins_ended(system, one, index, other) &&
           !joins_ended(system, other, other_index, one);
}

uint32_t questions_line(const struct questions *questions, uint32_t class, uint32_t index) {
    const struct system *system = questions->system;
    return system->flat.positions[class_code(system, class_of(system, class))[index].pos].line;
}
