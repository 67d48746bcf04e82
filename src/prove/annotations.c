/* Annotations in the flat program: which instruction an abstraction is about, and what cannot be used. */
#include <stdlib.h>

#include "ir/notes.h"
#include "prove/system.h"

const struct abstraction *class_abstraction(const struct class *class, uint32_t index) {
    for (size_t i = 0; i < class->abstractions.count; i++) {
        const struct abstraction *abstraction = vector_at(&class->abstractions, i);
        if (abstraction->access == index) {
            return abstraction;
        }
    }
    return NULL;
}

bool abstraction_applies(const struct class *class, const struct abstraction *abstraction) {
    return abstraction->found.kind != FOUND_NONE || instruction_reached(class, abstraction->note);
}

/* --- The code of conditions --------------------------------------------------------------------------------------- */

struct marking {
    struct class *class;
    struct vector stack; /* of uint32_t: instructions */
};

static void mark(void *data, uint32_t target) {
    struct marking *marking = data;
    if (!marking->class->noted[target]) {
        marking->class->noted[target] = 1;
        vector_push(&marking->stack, &target);
    }
}

static void mark_condition(const struct system *system, struct class *class, uint32_t first) {
    const struct instruction *code = function_code(&system->flat, class->function);
    struct marking marking = {.class = class};
    vector_init(&marking.stack, sizeof(uint32_t));
    mark(&marking, first);
    while (marking.stack.count > 0) {
        uint32_t at = *(uint32_t *)vector_at(&marking.stack, --marking.stack.count);
        instruction_targets(&system->flat, &code[at], mark, &marking);
        if (!instruction_ends_block(&code[at])) {
            mark(&marking, at + 1);
        }
    }
    vector_delete(&marking.stack);
}

void annotations_find(const struct system *system, struct class *class) {
    const struct instruction *code = function_code(&system->flat, class->function);
    for (uint32_t i = 0; i < system->flat.functions[class->function].count; i++) {
        if (code[i].op == OP_NOTE) {
            mark_condition(system, class, code[i].a);
            if (code[i].sub == NOTE_READS || code[i].sub == NOTE_MAY_FAIL) {
                struct abstraction abstraction = {.note = i};
                abstraction.access = note_access(&class->flow, i, &abstraction.result);
                vector_push(&class->abstractions, &abstraction);
            }
        }
    }
    for (size_t i = 0; system->found && i < system->found->count; i++) {
        const struct found *found = vector_at(system->found, i);
        if (found->class == system->classes.count) {
            vector_push(&class->abstractions,
                        &(struct abstraction){.note = UINT32_MAX, .access = found->access, .found = *found});
        }
    }
}

/* --- What is refused ---------------------------------------------------------------------------------------------- */

/* The code of a condition has a loop if a block of it is a loop's head. */
static bool has_loop(const struct class *class, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (class->noted[i] && block_is_head(&class->flow, class->flow.block_of[i])) {
            return true;
        }
    }
    return false;
}

static void check_abstraction(struct system *system, const struct class *class, const struct abstraction *abstraction) {
    const struct instruction *code = class_code(system, class);
    const struct instruction *note = &code[abstraction->note];
    bool reads = note->sub == NOTE_READS;
    if (abstraction->access == UINT32_MAX) {
        system_refuse(system, note->pos,
                      reads ? "picket_reads, but its first argument is not what a load just before it has read"
                            : "picket_may_fail, but its first argument is not the result of a read-modify-write or "
                              "compare-and-swap just before it");
        return;
    }
    if (code[abstraction->access].width > 8) {
        system_refuse(system, note->pos, "an annotation of an access of more than 8 bytes");
    }
    if (!class->accesses[abstraction->access].present ||
        space_private(&system->space, &class->accesses[abstraction->access].address)) {
        system_refuse(system, note->pos, "picket_reads or picket_may_fail of memory that other threads cannot access");
    }
}

static void check_note(struct system *system, const struct class *class, uint32_t index) {
    const struct instruction *note = &class_code(system, class)[index];
    if (class->depth[index] > 0) {
        system_refuse(system, note->pos, "an annotation in an atomic section");
    }
    if (note->sub == NOTE_INVARIANT && (class != class_of(system, 0) || index >= system->invariants)) {
        system_refuse(system, note->pos,
                      "picket_invariant that is not in main before its first thread or nondeterministic choice");
    }
}

void annotations_check(struct system *system) {
    for (uint32_t c = 0; c < system->classes.count && !system->refusal; c++) {
        const struct class *class = class_of(system, c);
        uint32_t count = system->flat.functions[class->function].count;
        for (uint32_t i = 0; i < count; i++) {
            if (instruction_reached(class, i) && class_code(system, class)[i].op == OP_NOTE) {
                check_note(system, class, i);
            }
        }
        for (size_t i = 0; i < class->abstractions.count; i++) {
            const struct abstraction *abstraction = vector_at(&class->abstractions, i);
            if (abstraction->found.kind == FOUND_NONE && instruction_reached(class, abstraction->note)) {
                check_abstraction(system, class, abstraction);
            }
        }
        if (has_loop(class, count)) {
            system_refuse(system, system->flat.functions[class->function].pos, "an annotation with a loop");
        }
    }
}
