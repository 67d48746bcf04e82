/* Memory as one path of one thread knows it: words at addresses, with copies that share what is equal.
 *
 * Memory is kept in pages, which copies share until one of them writes.  A word is a value of 1, 2, 4 or 8 bytes at any
 * address; a write over part of a word splits it into bytes first. */
#ifndef PICKET_SEQ_WORDS_H
#define PICKET_SEQ_WORDS_H

#include "seq/term.h"

#define WORDS_PAGE 64u

/* What bytes hold; and the literal for: nobody has written any of them.  That one need not hold where it could. */
struct content {
    struct value value;
    literal unset;
};

struct word {
    uint8_t size; /* 0: nothing begins here, though a word may reach here */
    struct content content;
};

struct words_page {
    uint32_t owners;
    struct word at[WORDS_PAGE];
};

struct words {
    struct vector pages; /* of struct words_entry, ascending */
};

struct words_entry {
    uint64_t number;
    struct words_page *page;
};

/* The content of bytes that are no part of a word. */
struct words_default {
    struct content (*read)(void *data, uint64_t address, unsigned size);
    void *data;
};

void words_init(struct words *words);
void words_delete(struct words *words);
void words_copy(struct words *to, const struct words *from);
void words_clear(struct words *words);

struct content words_read(const struct words *words, struct terms *terms, uint64_t address, unsigned size,
                          const struct words_default *missing);
void words_write(struct words *words, struct terms *terms, uint64_t address, unsigned size, struct content content);
/* Forgets what is in a range. */
void words_forget(struct words *words, struct terms *terms, uint64_t address, uint64_t size);

/* Merges: itself if the condition holds, else the other. */
void words_merge(struct words *words, struct terms *terms, literal condition, const struct words *other,
                 const struct words_default *missing);

/* Calls `visit` for every word, ascending. */
void words_visit(const struct words *words, void (*visit)(void *data, uint64_t address, unsigned size, struct value),
                 void *data);

static inline struct content content_written(struct value value) {
    return (struct content){value, LITERAL_FALSE};
}

struct content content_mux(struct terms *terms, literal condition, struct content one, struct content other);
struct content content_of_bytes(struct terms *terms, const struct content *bytes, unsigned count);
struct content content_byte(struct terms *terms, struct content content, unsigned index);

/* Values of 1 to 8 bytes as bytes. */
struct value value_byte(struct terms *terms, struct value value, unsigned index);
struct value value_of_bytes(struct terms *terms, const struct value *bytes, unsigned count);

#endif
