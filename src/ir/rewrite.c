/* Lays out the new function: for each old instruction the inserted ones before it and then itself, if it is kept. */
#include "ir/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

static void rewrite_init(struct rewrite *rewrite, const struct program *program, uint32_t function) {
    const struct function *from = &program->functions[function];
    rewrite->program = program;
    rewrite->function = function;
    rewrite->registers = from->registers;
    rewrite->rename = NULL;
    rewrite->code = memory_allocate((size_t)from->count * sizeof *rewrite->code);
    memcpy(rewrite->code, program->code + from->first, (size_t)from->count * sizeof *rewrite->code);
    vector_init(&rewrite->insertions, sizeof(struct insertion));
}

static void rewrite_delete(struct rewrite *rewrite) {
    free(rewrite->code);
    free(rewrite->rename);
    vector_delete(&rewrite->insertions);
}

uint32_t rewrite_insert(struct rewrite *rewrite, uint32_t before, struct instruction instruction) {
    vector_push(&rewrite->insertions, &(struct insertion){.before = before, .instruction = instruction});
    return (uint32_t)rewrite->insertions.count - 1;
}

void rewrite_retarget(struct rewrite *rewrite, uint32_t index, uint32_t from, uint32_t to) {
    struct instruction *instruction = &rewrite->code[index];
    const char *shape = op_table[instruction->op].shape;
    uint32_t *fields[] = {&instruction->dst, &instruction->a, &instruction->b, &instruction->c, NULL};
    for (int i = 0; i < 4; i++) {
        if (shape[i] == 't' && *fields[i] == from) {
            *fields[i] = to;
        }
        for (uint32_t k = 0; shape[i] == 'q' && fields[i + 1] && k < *fields[i + 1]; k++) {
            uint32_t *target = &rewrite->operands[*fields[i] + 2 * k + 1];
            *target = *target == from ? to : *target;
        }
    }
}

struct layout {
    uint32_t *first;    /* by old instruction: index of the first one inserted before it; one more for the end */
    uint32_t *itself;   /* by old instruction: its index, or the target instead of it if it is dropped */
    uint32_t *inserted; /* by insertion */
    uint32_t count;
};

static void layout_init(struct layout *layout, const struct rewrite *rewrite) {
    uint32_t count = rewrite->program->functions[rewrite->function].count;
    size_t insertions = rewrite->insertions.count;
    uint32_t *starts = memory_allocate(((size_t)count + 2) * sizeof *starts);
    layout->first = memory_allocate(((size_t)count + 1) * sizeof *layout->first);
    layout->itself = memory_allocate(((size_t)count + 1) * sizeof *layout->itself);
    layout->inserted = memory_allocate((insertions + 1) * sizeof *layout->inserted);
    for (size_t i = 0; i < insertions; i++) {
        const struct insertion *insertion = vector_at(&rewrite->insertions, i);
        starts[insertion->before]++;
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i <= count; i++) {
        layout->first[i] = next;
        next += starts[i];
        layout->itself[i] = next;
        next += i < count && rewrite->code[i].op != OP_COUNT;
        starts[i] = layout->first[i];
    }
    for (size_t i = 0; i < insertions; i++) {
        const struct insertion *insertion = vector_at(&rewrite->insertions, i);
        layout->inserted[i] = starts[insertion->before]++;
    }
    layout->count = next;
    free(starts);
}

static uint32_t new_target(const struct layout *layout, uint32_t target) {
    if (target & REWRITE_PAST) {
        return layout->itself[target & ~REWRITE_PAST];
    }
    if (target & REWRITE_INSERTED) {
        return layout->inserted[target & ~REWRITE_INSERTED];
    }
    return layout->first[target];
}

static uint32_t renamed(const struct rewrite *rewrite, uint32_t operand) {
    bool keeps = !rewrite->rename || (operand & OPERAND_CONSTANT) || operand == NO_REGISTER;
    return keeps ? operand : rewrite->rename[operand];
}

/* Copies operands start .. start + count into the new pool; every `target_every`-th is a branch target. */
static uint32_t copy_pool(const struct rewrite *rewrite, const struct layout *layout, struct builder *builder,
                          uint32_t start, uint32_t count, uint32_t target_every) {
    uint32_t *pool = memory_allocate(((size_t)count + 1) * sizeof *pool);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t operand = rewrite->operands[start + i];
        bool target = target_every && (i + 1) % target_every == 0;
        pool[i] = target ? new_target(layout, operand) : renamed(rewrite, operand);
    }
    uint32_t copied = builder_operands(builder, pool, count);
    free(pool);
    return copied;
}

static struct instruction moved(const struct rewrite *rewrite, const struct layout *layout, struct builder *builder,
                                struct instruction instruction) {
    const char *shape = op_table[instruction.op].shape;
    uint32_t *fields[] = {&instruction.dst, &instruction.a, &instruction.b, &instruction.c};
    for (int i = 0; i < 4; i++) {
        switch (shape[i]) {
        case 't':
            *fields[i] = new_target(layout, *fields[i]);
            break;
        case 'q':
            *fields[i] = copy_pool(rewrite, layout, builder, *fields[i], 2 * *fields[i + 1], 2);
            break;
        case 'p':
            *fields[i] = copy_pool(rewrite, layout, builder, *fields[i], *fields[i + 1], 0);
            break;
        case 'r':
        case 'R':
        case 'v':
        case 'w':
        case 'W':
        case 'X':
        case 'V':
        case 'C':
        case 'N':
        case 'F':
            *fields[i] = renamed(rewrite, *fields[i]);
            break;
        default:
            break;
        }
    }
    return instruction;
}

static void rewrite_emit(const struct rewrite *rewrite, struct builder *builder) {
    uint32_t count = rewrite->program->functions[rewrite->function].count;
    struct layout layout;
    layout_init(&layout, rewrite);
    struct instruction *code = memory_allocate(((size_t)layout.count + 1) * sizeof *code);
    for (uint32_t i = 0; i < count; i++) {
        if (rewrite->code[i].op != OP_COUNT) {
            code[layout.itself[i]] = rewrite->code[i];
        }
    }
    for (size_t i = 0; i < rewrite->insertions.count; i++) {
        code[layout.inserted[i]] = ((struct insertion *)vector_at(&rewrite->insertions, i))->instruction;
    }
    builder_begin(builder, rewrite->function);
    for (uint32_t i = 0; i < layout.count; i++) {
        builder_emit(builder, moved(rewrite, &layout, builder, code[i]));
    }
    builder_end(builder, rewrite->registers);
    free(code);
    free(layout.first);
    free(layout.itself);
    free(layout.inserted);
}

void program_rewrite(struct program *program, void (*change)(struct rewrite *rewrite, void *data), void *data) {
    struct builder builder;
    builder_init_from(&builder, program);
    uint32_t *operands = memory_allocate((program->operands_count + 1) * sizeof *operands);
    memcpy(operands, program->operands, program->operands_count * sizeof *operands);
    for (uint32_t f = 0; f < program->functions_count; f++) {
        struct rewrite rewrite;
        rewrite_init(&rewrite, program, f);
        rewrite.builder = &builder;
        rewrite.operands = operands;
        change(&rewrite, data);
        rewrite_emit(&rewrite, &builder);
        rewrite_delete(&rewrite);
    }
    free(operands);
    struct program result;
    builder_finish(&builder, &result);
    program_delete(program);
    *program = result;
}
