/* The bodies, like those of pthread_cond.c and pthread_barrier.c in Picket's C library. */
#include "whole.h"

#include "ir/assumption.h"

enum register_use { FIRST, SECOND, DEPTH, CODE, REGISTERS };

static void emit_step(struct builder *builder, enum sync_kind kind, uint32_t dst, uint32_t a, uint32_t b) {
    uint32_t pos = builder_position(builder, "whole.c", 1, 1, NULL, NULL);
    builder_emit(builder, (struct instruction){.op = OP_SYNC,
                                               .width = (uint8_t)kind,
                                               .sub = 1,
                                               .dst = dst,
                                               .a = a,
                                               .b = b,
                                               .c = builder_constant(builder, 0),
                                               .pos = pos});
}

void wholes_declare(struct wholes *wholes, struct builder *builder) {
    static const char *const names[] = {"__picket_cond_wait", "__picket_cond_timedwait", "__picket_barrier_wait"};
    for (unsigned whole = SYNC_COUNT; whole < WHOLE_FUNCTIONS; whole++) {
        wholes->functions[whole - SYNC_COUNT] =
            builder_function(builder, names[whole - SYNC_COUNT], whole == WHOLE_BARRIER_WAIT ? 1 : 2, 1,
                             FUNCTION_LIBRARY | FUNCTION_WHOLE);
    }
}

static void emit_wait(struct builder *builder, enum sync_kind sleep) {
    uint32_t zero = builder_constant(builder, 0);
    builder_emit(builder, (struct instruction){
                              .op = OP_ASSUMED, .sub = ASSUMPTION_SPURIOUS, .dst = NO_REGISTER, .a = zero, .b = zero});
    emit_step(builder, SYNC_COND_RELEASE, DEPTH, FIRST, SECOND);
    emit_step(builder, sleep, CODE, FIRST, zero);
    emit_step(builder, SYNC_MUTEX_RETAKE, DEPTH, SECOND, DEPTH);
}

static void emit_barrier(struct builder *builder) {
    uint32_t zero = builder_constant(builder, 0);
    emit_step(builder, SYNC_BARRIER_ARRIVE, CODE, FIRST, zero);
    uint32_t branch = builder_here(builder);
    builder_emit(builder, (struct instruction){.op = OP_BR, .a = CODE, .b = branch + 2, .c = branch + 1});
    emit_step(builder, SYNC_BARRIER_SLEEP, CODE, FIRST, zero);
}

void wholes_emit(const struct wholes *wholes, struct builder *builder) {
    const uint32_t code = CODE;
    for (unsigned whole = SYNC_COUNT; whole < WHOLE_FUNCTIONS; whole++) {
        builder_begin(builder, wholes->functions[whole - SYNC_COUNT]);
        if (whole == WHOLE_BARRIER_WAIT) {
            emit_barrier(builder);
        } else {
            emit_wait(builder, whole == WHOLE_COND_WAIT ? SYNC_COND_SLEEP : SYNC_COND_TIMEDSLEEP);
        }
        builder_emit(builder, (struct instruction){.op = OP_RET, .a = builder_operands(builder, &code, 1), .b = 1});
        builder_end(builder, REGISTERS);
    }
}

struct instruction whole_call(const struct wholes *wholes, struct builder *builder, unsigned whole, uint64_t a,
                              uint64_t b, uint32_t dst) {
    const uint32_t arguments[] = {builder_address(builder, a), builder_address(builder, b)};
    uint32_t count = whole == WHOLE_BARRIER_WAIT ? 1 : 2;
    return (struct instruction){.op = OP_CALL,
                                .dst = dst,
                                .a = wholes->functions[whole - SYNC_COUNT],
                                .b = builder_operands(builder, arguments, count),
                                .c = count};
}

const char *sync_or_whole_name(unsigned sync) {
    switch (sync) {
    case WHOLE_COND_WAIT:
        return "cond_wait";
    case WHOLE_COND_TIMEDWAIT:
        return "cond_timedwait";
    case WHOLE_BARRIER_WAIT:
        return "barrier_wait";
    case WHOLE_RW_UNLOCK:
        return "rwlock_unlock";
    case WHOLE_DESTROY:
        return "destroy";
    default:
        return sync_table[sync].name;
    }
}
