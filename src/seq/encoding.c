/* Events that matter, and bytes in common. */
#include "seq/encoding.h"

#include <stdlib.h>

#include "util/memory.h"

static void mark_read(const struct symbolic *execution, uint32_t first, bool *is_read) {
    for (uint32_t a = first; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
        is_read[symbolic_access(execution, a)->cell] = true;
    }
}

uint32_t encoding_events(struct symbolic *execution, uint32_t *chosen) {
    bool is_sc = execution->task->machine.model == MODEL_SC;
    bool *is_read = memory_allocate(execution->cells.count + 1);
    for (size_t i = 0; i < execution->events.count; i++) {
        mark_read(execution, symbolic_event(execution, i)->reads, is_read);
        mark_read(execution, symbolic_event(execution, i)->reached, is_read);
    }
    bool *creates = memory_allocate(execution->events.count + 1);
    for (size_t i = 0; i < execution->threads.count; i++) {
        uint32_t creator = symbolic_thread(execution, i)->creator;
        if (creator != NO_EVENT) {
            creates[creator] = true;
        }
    }
    uint32_t count = 0;
    for (size_t i = 0; i < execution->events.count; i++) {
        const struct event *event = symbolic_event(execution, i);
        bool noticed = event->reads != NO_ACCESS || event->reached != NO_ACCESS || creates[i];
        for (uint32_t a = event->writes; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
            noticed |= is_read[symbolic_access(execution, a)->cell];
        }
        bool orders = (event->kind == EVENT_DRAINS && !is_sc) || event->kind == EVENT_BARRIER;
        if ((noticed || orders) && event->guard != LITERAL_FALSE) {
            chosen[count++] = (uint32_t)i;
        }
    }
    free(is_read);
    free(creates);
    return count;
}

literal encoding_stores_overlap(struct symbolic *execution, const struct event *one, const struct event *other) {
    struct gates *gates = &execution->gates;
    literal overlap = LITERAL_FALSE;
    for (uint32_t a = one->writes; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
        const struct access *x = symbolic_access(execution, a);
        const struct cell_use *cell_x = vector_at(&execution->cells, x->cell);
        for (uint32_t b = other->writes; b != NO_ACCESS; b = symbolic_access(execution, b)->next) {
            const struct access *y = symbolic_access(execution, b);
            const struct cell_use *cell_y = vector_at(&execution->cells, y->cell);
            if (x->cell == y->cell || (cell_x->object == cell_y->object && (cell_x->end || cell_y->end))) {
                overlap = gates_or(gates, overlap, gates_and(gates, x->condition, y->condition));
            }
        }
    }
    return overlap;
}

literal encoding_load_overlap(struct symbolic *execution, const struct event *load, const struct event *store,
                              literal *partial) {
    struct gates *gates = &execution->gates;
    literal overlap = LITERAL_FALSE;
    literal missing = load->partly;
    for (uint32_t a = load->reads; a != NO_ACCESS; a = symbolic_access(execution, a)->next) {
        const struct access *read = symbolic_access(execution, a);
        if (((struct cell_use *)vector_at(&execution->cells, read->cell))->end) {
            continue;
        }
        literal both = LITERAL_FALSE;
        for (uint32_t b = store->writes; b != NO_ACCESS; b = symbolic_access(execution, b)->next) {
            const struct access *write = symbolic_access(execution, b);
            if (write->cell == read->cell) {
                both = gates_or(gates, both, gates_and(gates, read->condition, write->condition));
            }
        }
        overlap = gates_or(gates, overlap, both);
        missing = gates_or(gates, missing, gates_and(gates, read->condition, -both));
    }
    *partial = gates_and(gates, overlap, missing);
    return overlap;
}

void encoding_equal_if(struct symbolic *execution, literal condition, term_id one, term_id other) {
    struct gates *gates = &execution->gates;
    literal a[64];
    literal b[64];
    term_bits(&execution->terms, one, a, 64);
    term_bits(&execution->terms, other, b, 64);
    for (unsigned i = 0; i < 64; i++) {
        bool again = false;
        for (unsigned k = 0; k < i && !again; k++) {
            again = (a[k] == a[i] && b[k] == b[i]) || (a[k] == -a[i] && b[k] == -b[i]);
        }
        if (a[i] != b[i] && !again) {
            gates_clause_3(gates, -condition, a[i], -b[i]);
            gates_clause_3(gates, -condition, -a[i], b[i]);
        }
    }
}
