/* Which words of its objects an operation on a lock or thread reads and writes, read off its code. */
#include "ir/sync.h"
#include "prove/system.h"

struct address {
    bool known;
    uint32_t input;
    uint64_t offset;
};

static bool constant(uint32_t operand, uint64_t *number) {
    *number = operand & OPERAND_CONSTANT ? sync_constants[operand & ~OPERAND_CONSTANT] : 0;
    return operand & OPERAND_CONSTANT;
}

void operation_words(unsigned kind, void (*visit)(void *data, const struct sync_access *access), void *data) {
    const struct sync_code *code = &sync_codes()[kind];
    struct address addresses[SYNC_MAX_REGISTERS] = {{0}};
    addresses[SYNC_A] = (struct address){.known = true, .input = SYNC_A};
    addresses[SYNC_B] = (struct address){.known = true, .input = SYNC_B};
    for (uint32_t i = 0; i < code->count; i++) {
        const struct instruction *at = &code->instructions[i];
        struct address from = {0};
        if ((at->op == OP_ADD || at->op == OP_LOAD || at->op == OP_STORE || at->op == OP_ADD_TO) &&
            !(at->a & OPERAND_CONSTANT)) {
            from = addresses[at->a];
        }
        uint64_t number;
        bool is_constant = constant(at->b, &number);
        if (at->op == OP_ADD) {
            addresses[at->dst] = (struct address){
                .known = from.known && is_constant, .input = from.input, .offset = from.offset + number};
        } else if (from.known && (at->op == OP_LOAD || at->op == OP_STORE || at->op == OP_ADD_TO)) {
            struct sync_access access = {.input = from.input, .offset = from.offset, .writes = at->op != OP_LOAD};
            access.known = at->op == OP_STORE && is_constant;
            access.value = number;
            visit(data, &access);
        }
    }
}
