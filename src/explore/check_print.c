/* Prints a violated invariant and the execution. */
#include "explore/check.h"

#include <inttypes.h>

#include "explore/check_events.h"
#include "ir/sync.h"

static void print_set(uint64_t set, FILE *file) {
    const char *separator = "";
    fprintf(file, "{");
    for (uint32_t i = 0; i < 64; i++) {
        if (set & BIT(i)) {
            fprintf(file, "%s%u", separator, i);
            separator = ", ";
        }
    }
    fprintf(file, "}");
}

static void print_event(const struct checker *checker, const struct chronological *execution, uint32_t event,
                        FILE *file) {
    static const char *const kinds[] = {"load",
                                        "store",
                                        "read-modify-write",
                                        "compare-and-swap",
                                        "fence",
                                        "drain",
                                        "free",
                                        "leave",
                                        "",
                                        "atomic section",
                                        "",
                                        "choice",
                                        "malloc",
                                        "exit",
                                        "halt",
                                        "end"};
    const struct seen_event *seen = seen_at(checker, event);
    bool waits = event >= execution->events.count;
    uint32_t pos =
        waits ? machine_thread_pos(execution->machine, seen->thread) : chronological_event(execution, event)->pos;
    const struct step *step = waits ? NULL : vector_at(&checker->steps, seen->step);
    fprintf(file, "  %3u  thread %s, line %u: %s", event, machine_thread_name(execution->machine, seen->thread),
            checker->program->positions[pos].line,
            waits                     ? "waits"
            : step->kind == STEP_SYNC ? sync_table[step->sub].name
                                      : kinds[step->kind]);
    if (!waits) {
        fprintf(file, "%s%s", seen->early ? " (early)" : "",
                chronological_event(execution, event)->trails ? " (trails)" : "");
    }
    for (uint32_t i = seen->access; i < seen->access_end; i++) {
        const struct access *access = vector_at(&checker->accesses, i);
        fprintf(file, "%s %s %" PRIx64 "+%u", i > seen->access ? "," : ":",
                access->writes ? "writes"
                : access->adds ? "adds to"
                               : "reads",
                access->address, access->size);
    }
    if (!waits) {
        fprintf(file, "; after ");
        print_set(checker->before[event], file);
    }
    fprintf(file, "\n");
}

void checker_print(const struct checker *checker, const struct chronological *execution, FILE *file) {
    static const char *const names[] = {
        [CHECK_HAPPENS_BEFORE] = "the clocks hold exactly the happens-before relation",
        [CHECK_RACES_COMPLETE] = "every race is among those that explore has",
        [CHECK_RACES_SOUND] = "every race that explore has is one",
        [CHECK_INDEPENDENT] = "what does not happen after an event can come without it and does the same",
        [CHECK_ORDER] = "every order that happens-before allows leads to the same state",
        [CHECK_STATE] = "the machine is in the state to which the events lead",
        [CHECK_LEFT_OUT] = "without the earlier event of a race, and what is left out with it, the later can come",
        [CHECK_REVERSED] = "the later event of a race does without the earlier what explore says",
    };
    for (size_t i = 0; i < checker->mismatches.count; i++) {
        const struct check_mismatch *mismatch = vector_at(&checker->mismatches, i);
        fprintf(file, "invariant X%d is broken (%s): ", (int)mismatch->invariant, names[mismatch->invariant]);
        if (mismatch->later >= execution->events.count && mismatch->later >= checker->seen.count) {
            fprintf(file, "at the end");
        } else {
            fprintf(file, "event %u", mismatch->later);
        }
        fprintf(file, ", explore has ");
        print_set(mismatch->claimed, file);
        fprintf(file, ", derived ");
        print_set(mismatch->derived, file);
        fprintf(file, "\n");
    }
    fprintf(file, "the execution, under %s:\n", model_names[machine_model(execution->machine)]);
    for (uint32_t i = 0; i < checker->seen.count; i++) {
        print_event(checker, execution, i, file);
    }
}
