#include "robust/cycle_text.h"

#include <stdlib.h>

#include "ir/sync.h"
#include "machine/describe.h"
#include "robust/cycle.h"
#include "util/memory.h"

static char *failed_text(const struct chronological *execution, uint32_t index) {
    const struct failed_read *failed = vector_at(&execution->failed, index);
    const struct program *program = machine_program(execution->machine);
    const struct position *position = &program->positions[failed->pos];
    char name[128];
    machine_describe(execution->machine, failed->access.address, failed->access.size, name, sizeof name);
    return memory_format("%s%s's read of %s, which keeps it waiting, (%s:%u)", failed->thread ? "thread " : "",
                         machine_thread_name(execution->machine, failed->thread), name,
                         program_string(program, position->file), position->line);
}

static char *event_text(const struct chronological *execution, const struct cycle_event *at) {
    if (at->failed != NO_EVENT) {
        return failed_text(execution, at->failed);
    }
    uint32_t index = at->event;
    const struct event *event = chronological_event(execution, index);
    const struct program *program = machine_program(execution->machine);
    const struct position *position = &program->positions[event->pos];
    uint32_t thread = event->label.transition.thread;
    char name[128] = "";
    const struct label *label = &event->label;
    for (uint32_t i = index + 1; event->kind == STEP_STORE && i < execution->events.count; i++) {
        const struct event *drain = chronological_event(execution, i);
        if (drain->kind == STEP_DRAIN && drain->store == index) {
            label = &drain->label;
        }
    }
    if (label->accesses > 0 || label->early) {
        machine_describe(execution->machine, label->access[0].address, label->access[0].size, name, sizeof name);
    }
    const char *verb = event->kind == STEP_LOAD    ? "read of"
                       : event->kind == STEP_STORE ? "write of"
                       : event->kind == STEP_SYNC  ? sync_table[event->sub].name
                                                   : "update of";
    return memory_format("%s%s's %s %s (%s:%u)", thread ? "thread " : "",
                         machine_thread_name(execution->machine, thread), verb, name,
                         program_string(program, position->file), position->line);
}

static char *edge_text(const struct chronological *execution, const struct cycle_event *from,
                       const struct cycle_event *to) {
    static const char *const links[] = {
        [CYCLE_PROGRAM_ORDER] = "comes in its program before",
        [CYCLE_STORE_ORDER] = "reaches memory before",
        [CYCLE_READS_FROM] = "reaches memory no later than what is seen by",
        [CYCLE_FROM_READS] = "sees memory as it was before",
    };
    const char *link = links[from->edge];
    bool delayed = from->failed == NO_EVENT && from->edge == CYCLE_PROGRAM_ORDER &&
                   chronological_event(execution, from->event)->kind == STEP_STORE &&
                   (to->failed != NO_EVENT || chronological_event(execution, to->event)->kind == STEP_LOAD);
    for (uint32_t i = to->failed == NO_EVENT ? to->event + 1 : 0; delayed && i < execution->events.count; i++) {
        const struct event *drain = chronological_event(execution, i);
        if (drain->kind == STEP_DRAIN && drain->store == from->event) {
            link = "is delayed past";
        }
    }
    char *one = event_text(execution, from);
    char *other = event_text(execution, to);
    char *text = memory_format("%s\n      %s %s", one, link, other);
    free(one);
    free(other);
    return text;
}

static void describe(void *data, struct chronological *execution, const struct vector *cycle) {
    struct cycle_text *text = data;
    for (size_t i = 0; i < cycle->count; i++) {
        const struct cycle_event *from = vector_at(cycle, i);
        const struct cycle_event *to = vector_at(cycle, (i + 1) % cycle->count);
        char *line = edge_text(execution, from, to);
        vector_push(&text->lines, &line);
        const struct event *event = from->failed == NO_EVENT ? chronological_event(execution, from->event) : NULL;
        if (event && event->kind == STEP_STORE && from->edge == CYCLE_PROGRAM_ORDER && !text->file) {
            const struct program *program = machine_program(execution->machine);
            text->file = program_string(program, program->positions[event->pos].file);
            text->line = program->positions[event->pos].line;
        }
    }
}

void cycle_text_init(struct cycle_text *text, const struct program *program, const struct execution *execution) {
    *text = (struct cycle_text){0};
    vector_init(&text->lines, sizeof(char *));
    execution_is_cyclic(program, execution, describe, text);
}

void cycle_text_delete(struct cycle_text *text) {
    for (size_t i = 0; i < text->lines.count; i++) {
        free(*(char **)vector_at(&text->lines, i));
    }
    vector_delete(&text->lines);
}
