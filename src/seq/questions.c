/* The questions, as literals and clauses. */
#include "seq/questions.h"

#include "seq/bounds.h"

literal question_one_of(struct gates *gates, struct vector *literals) {
    literal question = gates_free(gates);
    literal negated = -question;
    vector_push(literals, &negated);
    gates_clause(gates, literals->data, literals->count);
    return question;
}

literal question_error(struct symbolic *execution) {
    struct vector literals;
    vector_init(&literals, sizeof(literal));
    for (size_t i = 0; i < execution->failures.count; i++) {
        vector_push(&literals, &((struct failure *)vector_at(&execution->failures, i))->holds);
    }
    literal question = literals.count ? question_one_of(&execution->gates, &literals) : LITERAL_FALSE;
    vector_delete(&literals);
    return question;
}

/* --- Ends --------------------------------------------------------------------------------------------------------- */

/* The stuck thread never continues: all that it reads there is final. */
static literal stuck_literal(const struct encoded *encoded, const struct stuck *stuck) {
    struct symbolic *execution = encoded->execution;
    literal chosen = gates_free(&execution->gates);
    gates_clause_2(&execution->gates, -chosen, stuck->holds);
    if (stuck->event == NO_EVENT) {
        return chosen;
    }
    uint32_t end = stuck->at_operation ? stuck->event + 1 : stuck->event;
    for (uint32_t i = stuck->first; i < end; i++) {
        if (symbolic_event(execution, i)->thread != stuck->thread) {
            continue;
        }
        if (encoded->rounds) {
            rounds_read_last(encoded->rounds, i, chosen);
        } else {
            order_read_last(encoded->order, i, chosen);
        }
    }
    return chosen;
}

/* Appends what a thread can be stuck at; to `at_operations` too, if it is an operation or `in_loops`. */
static void push_stuck(const struct encoded *encoded, uint32_t thread, bool in_loops, struct vector *rests,
                       struct vector *at_operations) {
    const struct symbolic *execution = encoded->execution;
    for (size_t i = 0; i < execution->stuck.count; i++) {
        struct stuck stuck = *(struct stuck *)vector_at(&execution->stuck, i);
        if (stuck.thread == thread) {
            literal chosen = stuck_literal(encoded, &stuck);
            vector_push(rests, &chosen);
            if (stuck.at_operation || in_loops) {
                vector_push(at_operations, &chosen);
            }
        }
    }
}

literal question_deadlock(const struct encoded *encoded, bool in_loops) {
    struct symbolic *execution = encoded->execution;
    struct gates *gates = &execution->gates;
    struct vector some;
    vector_init(&some, sizeof(literal));
    literal question = gates_free(gates);
    for (uint32_t t = 0; t < execution->threads.count; t++) {
        const struct seq_thread *thread = symbolic_thread(execution, t);
        struct vector rests;
        vector_init(&rests, sizeof(literal));
        literal absent = -thread->guard;
        literal negated = -question;
        vector_push(&rests, &negated);
        vector_push(&rests, &absent);
        vector_push(&rests, &thread->ended);
        push_stuck(encoded, t, in_loops, &rests, &some);
        gates_clause(gates, rests.data, rests.count);
        vector_delete(&rests);
    }
    bool possible = some.count > 0;
    literal negated = -question;
    vector_push(&some, &negated);
    gates_clause(gates, some.data, some.count);
    vector_delete(&some);
    return possible ? question : LITERAL_FALSE;
}

/* Appends where the thread stops, other than at its end or at a failed assumption. */
static void push_stops(const struct encoded *encoded, uint32_t thread, struct vector *rests) {
    const struct symbolic *execution = encoded->execution;
    vector_push(rests, &symbolic_thread(execution, thread)->exits);
    vector_push(rests, &execution->too_deep);
    for (size_t i = 0; i < execution->cuts.count; i++) {
        const struct cut *cut = vector_at(&execution->cuts, i);
        if (cut->thread == thread) {
            vector_push(rests, &cut->holds);
        }
    }
    for (size_t i = 0; i < execution->goals.count; i++) {
        const struct goal *goal = vector_at(&execution->goals, i);
        if (goal->thread == thread) {
            vector_push(rests, &goal->holds);
        }
    }
}

literal question_undropped(const struct encoded *encoded) {
    struct symbolic *execution = encoded->execution;
    struct gates *gates = &execution->gates;
    struct vector stuck;
    struct vector rests;
    vector_init(&stuck, sizeof(literal));
    vector_init(&rests, sizeof(literal));
    literal question = gates_free(gates);
    gates_clause_2(gates, -question, -execution->dropped);
    for (uint32_t t = 0; t < execution->threads.count; t++) {
        const struct seq_thread *thread = symbolic_thread(execution, t);
        const literal first[] = {-question, -thread->guard, thread->ended};
        rests.count = 0;
        for (unsigned i = 0; i < 3; i++) {
            vector_push(&rests, &first[i]);
        }
        push_stops(encoded, t, &rests);
        push_stuck(encoded, t, true, &rests, &stuck);
        gates_clause(gates, rests.data, rests.count);
    }
    vector_delete(&stuck);
    vector_delete(&rests);
    return question;
}

literal question_end(struct symbolic *execution) {
    literal ends = symbolic_thread(execution, 0)->ended;
    for (uint32_t t = 0; t < execution->threads.count; t++) {
        ends = gates_or(&execution->gates, ends, symbolic_thread(execution, t)->exits);
    }
    return ends;
}

literal question_complete(struct symbolic *execution) {
    struct gates *gates = &execution->gates;
    literal question = gates_free(gates);
    for (uint32_t t = 0; t < execution->threads.count; t++) {
        const struct seq_thread *thread = symbolic_thread(execution, t);
        const literal rests[] = {-question, -thread->guard, thread->ended, thread->exits};
        gates_clause(gates, rests, 4);
        for (uint32_t other = 0; other < t; other++) {
            gates_clause_3(gates, -question, -thread->exits, -symbolic_thread(execution, other)->exits);
        }
    }
    return question;
}

/* --- Bounds ------------------------------------------------------------------------------------------------------- */

literal question_cut(struct symbolic *execution, const struct vector *except) {
    struct vector literals;
    vector_init(&literals, sizeof(literal));
    for (size_t i = 0; i < execution->cuts.count; i++) {
        const struct cut *cut = vector_at(&execution->cuts, i);
        if (!except || !bounds_have(except, cut->loop)) {
            vector_push(&literals, &cut->holds);
        }
    }
    literal question = literals.count ? question_one_of(&execution->gates, &literals) : LITERAL_FALSE;
    vector_delete(&literals);
    return question;
}
