/* What a verdict owns is written piece by piece; its other fields are written as they are in memory, since writer and
 * reader are one program. */
#include "engine/verdict_bytes.h"

#include <stdlib.h>
#include <string.h>

static void put_witness(struct vector *bytes, const struct witness *witness) {
    bytes_put(bytes, witness, sizeof *witness);
    bytes_put_number(bytes, witness->steps.count);
    bytes_put(bytes, witness->steps.data, witness->steps.count * sizeof(struct witness_step));
    bytes_put_texts(bytes, &witness->files);
    bytes_put_texts(bytes, &witness->clang_args);
    bytes_put_text(bytes, witness->file);
    bytes_put_text(bytes, witness->thread);
}

static void get_witness(struct bytes_reader *reader, struct witness *witness) {
    struct witness fresh;
    witness_delete(witness);
    witness_init(&fresh);
    bytes_get(reader, witness, sizeof *witness);
    witness->steps = fresh.steps;
    witness->files = fresh.files;
    witness->clang_args = fresh.clang_args;
    size_t steps = bytes_get_count(reader, sizeof(struct witness_step));
    if (steps > 0) {
        bytes_get(reader, vector_grow(&witness->steps, steps), steps * sizeof(struct witness_step));
    }
    bytes_get_texts(reader, &witness->files);
    bytes_get_texts(reader, &witness->clang_args);
    witness->file = bytes_get_text(reader);
    witness->thread = bytes_get_text(reader);
}

void verdict_put(struct vector *bytes, const struct verdict *verdict) {
    bytes_put(bytes, verdict, sizeof *verdict);
    bytes_put_text(bytes, verdict->file);
    bytes_put_number(bytes, verdict->assumptions.count);
    for (size_t i = 0; i < verdict->assumptions.count; i++) {
        const struct assumed *assumed = vector_at(&verdict->assumptions, i);
        bytes_put_number(bytes, assumed->kind);
        bytes_put_number(bytes, assumed->line);
        bytes_put_text(bytes, assumed->file);
    }
    bytes_put_texts(bytes, &verdict->collected.texts);
    put_witness(bytes, &verdict->witness);
}

/* Are the fields on which the meaning of the others depends in range? */
static bool is_sound(const struct verdict *verdict) {
    const struct witness *witness = &verdict->witness;
    if (witness->kind >= ERROR_COUNT || witness->model >= MODEL_COUNT || !witness->file != !witness->thread) {
        return false;
    }
    return verdict->word <= VERDICT_REFUSED && (verdict->word != VERDICT_REFUSED || verdict->file) &&
           memchr(verdict->bounds, 0, sizeof verdict->bounds) && memchr(verdict->reason, 0, sizeof verdict->reason) &&
           memchr(verdict->error.message, 0, sizeof verdict->error.message);
}

bool verdict_get(struct bytes_reader *reader, struct verdict *verdict) {
    struct verdict fresh;
    verdict_delete(verdict);
    verdict_init(&fresh);
    bytes_get(reader, verdict, sizeof *verdict);
    verdict->assumptions = fresh.assumptions;
    verdict->collected.texts = fresh.collected.texts;
    verdict->witness.file = verdict->witness.thread = NULL;
    vector_init(&verdict->witness.steps, sizeof(struct witness_step));
    vector_init(&verdict->witness.files, sizeof(char *));
    vector_init(&verdict->witness.clang_args, sizeof(char *));
    verdict->file = bytes_get_text(reader);
    size_t assumptions = bytes_get_count(reader, 3 * sizeof(uint64_t));
    for (size_t i = 0; i < assumptions; i++) {
        struct assumed assumed = {.kind = (enum assumption)bytes_get_number(reader)};
        assumed.line = (uint32_t)bytes_get_number(reader);
        assumed.file = bytes_get_text(reader);
        if (assumed.kind >= ASSUMPTION_COUNT || !assumed.file) {
            reader->short_of = true;
            free(assumed.file);
            break;
        }
        vector_push(&verdict->assumptions, &assumed);
    }
    bytes_get_texts(reader, &verdict->collected.texts);
    get_witness(reader, &verdict->witness);
    if (reader->short_of || !is_sound(verdict)) {
        verdict_delete(verdict);
        verdict_init(verdict);
        return false;
    }
    return true;
}
