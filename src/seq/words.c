/* Words in shared pages. */
#include "seq/words.h"

#include <stdlib.h>

#include "util/memory.h"

void words_init(struct words *words) {
    vector_init(&words->pages, sizeof(struct words_entry));
}

static struct words_entry *entry_at(const struct words *words, size_t index) {
    return vector_at(&words->pages, index);
}

static void release(struct words_page *page) {
    if (--page->owners == 0) {
        free(page);
    }
}

void words_clear(struct words *words) {
    for (size_t i = 0; i < words->pages.count; i++) {
        release(entry_at(words, i)->page);
    }
    words->pages.count = 0;
}

void words_delete(struct words *words) {
    words_clear(words);
    vector_delete(&words->pages);
}

void words_copy(struct words *to, const struct words *from) {
    words_init(to);
    if (from->pages.count == 0) {
        return;
    }
    memcpy(vector_grow(&to->pages, from->pages.count), from->pages.data,
           from->pages.count * sizeof(struct words_entry));
    for (size_t i = 0; i < to->pages.count; i++) {
        entry_at(to, i)->page->owners++;
    }
}

/* Where the page is, or would be. */
static size_t position_of(const struct words *words, uint64_t number) {
    size_t low = 0;
    size_t high = words->pages.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (entry_at(words, middle)->number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static const struct words_page *page_of(const struct words *words, uint64_t address) {
    size_t position = position_of(words, address / WORDS_PAGE);
    return position < words->pages.count && entry_at(words, position)->number == address / WORDS_PAGE
               ? entry_at(words, position)->page
               : NULL;
}

static struct words_page *writable_page(struct words *words, uint64_t address) {
    size_t position = position_of(words, address / WORDS_PAGE);
    if (position == words->pages.count || entry_at(words, position)->number != address / WORDS_PAGE) {
        vector_grow(&words->pages, 1);
        memmove(entry_at(words, position) + 1, entry_at(words, position),
                (words->pages.count - 1 - position) * sizeof(struct words_entry));
        struct words_page *page = memory_allocate(sizeof *page);
        page->owners = 1;
        *entry_at(words, position) = (struct words_entry){address / WORDS_PAGE, page};
        return page;
    }
    struct words_entry *entry = entry_at(words, position);
    if (entry->page->owners > 1) {
        struct words_page *copy = memory_allocate(sizeof *copy);
        *copy = *entry->page;
        copy->owners = 1;
        entry->page->owners--;
        entry->page = copy;
    }
    return entry->page;
}

/* --- Bytes of values ---------------------------------------------------------------------------------------------- */

struct value value_byte(struct terms *terms, struct value value, unsigned index) {
    const struct instruction shift = {.op = OP_LSHR, .width = 64};
    const struct instruction cut = {.op = OP_TRUNC, .width = 8};
    set_id shifted = set_apply(terms->sets, &shift, value.set, set_of(terms->sets, (uint64_t)index * 8), 0);
    return (struct value){term_part(terms, value.term, index * 8, 8), set_apply(terms->sets, &cut, shifted, 0, 0)};
}

struct value value_of_bytes(struct terms *terms, const struct value *bytes, unsigned count) {
    const struct instruction shift = {.op = OP_SHL, .width = 64};
    const struct instruction join = {.op = OP_OR, .width = 64};
    literal bits[64];
    set_id set = 0;
    for (unsigned i = 0; i < count; i++) {
        term_bits(terms, bytes[i].term, bits + 8 * i, 8);
        set_id shifted = set_apply(terms->sets, &shift, bytes[i].set, set_of(terms->sets, 8 * (uint64_t)i), 0);
        set = i == 0 ? shifted : set_apply(terms->sets, &join, set, shifted, 0);
    }
    term_id term = term_of_bits(terms, bits, 8 * count);
    uint64_t constant;
    return (struct value){term, term_is_constant(terms, term, &constant) ? set_of(terms->sets, constant) : set};
}

/* --- Contents ----------------------------------------------------------------------------------------------------- */

struct content content_mux(struct terms *terms, literal condition, struct content one, struct content other) {
    return (struct content){value_mux(terms, condition, one.value, other.value),
                            gates_mux(terms->gates, condition, one.unset, other.unset)};
}

struct content content_byte(struct terms *terms, struct content content, unsigned index) {
    return (struct content){value_byte(terms, content.value, index), content.unset};
}

struct content content_of_bytes(struct terms *terms, const struct content *bytes, unsigned count) {
    struct value values[8];
    literal unset = LITERAL_TRUE;
    for (unsigned i = 0; i < count; i++) {
        values[i] = bytes[i].value;
        unset = gates_and(terms->gates, unset, bytes[i].unset);
    }
    return (struct content){value_of_bytes(terms, values, count), unset};
}

/* --- Reading and writing ------------------------------------------------------------------------------------------ */

/* The word that has this byte of the page, or -1. */
static int word_over(const struct words_page *page, unsigned offset) {
    for (unsigned back = 0; back < 8 && back <= offset; back++) {
        unsigned size = page->at[offset - back].size;
        if (size > 0) {
            return size > back ? (int)(offset - back) : -1;
        }
    }
    return -1;
}

/* Is the byte part of a word?  `content`, unless NULL, becomes what it is. */
static bool byte_known(const struct words *words, struct terms *terms, uint64_t address, struct content *content) {
    const struct words_page *page = page_of(words, address);
    unsigned offset = (unsigned)(address % WORDS_PAGE);
    int begin = page ? word_over(page, offset) : -1;
    if (begin < 0) {
        return false;
    }
    if (content) {
        const struct word *word = &page->at[begin];
        *content = word->size == 1 ? word->content : content_byte(terms, word->content, offset - (unsigned)begin);
    }
    return true;
}

static bool knows_some(const struct words *words, uint64_t address, unsigned size) {
    for (unsigned i = 0; i < size; i++) {
        if (byte_known(words, NULL, address + i, NULL)) {
            return true;
        }
    }
    return false;
}

struct content words_read(const struct words *words, struct terms *terms, uint64_t address, unsigned size,
                          const struct words_default *missing) {
    const struct words_page *page = page_of(words, address);
    if (page && page->at[address % WORDS_PAGE].size == size) {
        return page->at[address % WORDS_PAGE].content;
    }
    if (!knows_some(words, address, size)) {
        return missing->read(missing->data, address, size);
    }
    struct content bytes[8];
    for (unsigned i = 0; i < size; i++) {
        if (!byte_known(words, terms, address + i, &bytes[i])) {
            bytes[i] = missing->read(missing->data, address + i, 1);
        }
    }
    return content_of_bytes(terms, bytes, size);
}

static void split(struct words_page *page, struct terms *terms, unsigned begin) {
    struct word word = page->at[begin];
    for (unsigned i = 0; i < word.size; i++) {
        page->at[begin + i] = (struct word){1, content_byte(terms, word.content, i)};
    }
}

/* Leaves no word that reaches across either end of the range. */
static void cut_out(struct words_page *page, struct terms *terms, unsigned offset, unsigned size) {
    int before = word_over(page, offset);
    if (before >= 0 && (unsigned)before < offset) {
        split(page, terms, (unsigned)before);
    }
    if (offset + size < WORDS_PAGE) {
        int after = word_over(page, offset + size);
        if (after >= 0 && (unsigned)after < offset + size) {
            split(page, terms, (unsigned)after);
        }
    }
    for (unsigned i = 0; i < size; i++) {
        page->at[offset + i].size = 0;
    }
}

void words_write(struct words *words, struct terms *terms, uint64_t address, unsigned size, struct content content) {
    unsigned offset = (unsigned)(address % WORDS_PAGE);
    if (offset + size > WORDS_PAGE) {
        for (unsigned i = 0; i < size; i++) {
            words_write(words, terms, address + i, 1, content_byte(terms, content, i));
        }
        return;
    }
    struct words_page *page = writable_page(words, address);
    if (page->at[offset].size != size) {
        cut_out(page, terms, offset, size);
    }
    page->at[offset] = (struct word){(uint8_t)size, content};
}

void words_forget(struct words *words, struct terms *terms, uint64_t address, uint64_t size) {
    uint64_t end = address + size;
    for (uint64_t at = address; at < end;) {
        unsigned offset = (unsigned)(at % WORDS_PAGE);
        uint64_t count = end - at < WORDS_PAGE - offset ? end - at : WORDS_PAGE - offset;
        if (page_of(words, at)) {
            cut_out(writable_page(words, at), terms, offset, (unsigned)count);
        }
        at += count;
    }
}

/* --- Merging ------------------------------------------------------------------------------------------------------ */

static void merge_page(struct words *words, struct terms *terms, literal condition, const struct words *other,
                       uint64_t number, const struct words_default *missing) {
    static const struct words_page nothing;
    uint64_t base = number * WORDS_PAGE;
    const struct words_page *one = page_of(words, base);
    const struct words_page *two = page_of(other, base);
    one = one ? one : &nothing;
    two = two ? two : &nothing;
    if (one == two) {
        return;
    }
    struct word merged[WORDS_PAGE] = {0};
    for (unsigned i = 0; i < WORDS_PAGE;) {
        const struct word *a = &one->at[i];
        const struct word *b = &two->at[i];
        if (a->size == b->size && a->size > 0) {
            merged[i] = (struct word){a->size, content_mux(terms, condition, a->content, b->content)};
            i += a->size;
            continue;
        }
        bool known_a = word_over(one, i) >= 0;
        bool known_b = word_over(two, i) >= 0;
        /* A word that one side has whole and the other not at all is merged whole. */
        unsigned whole = known_a && !known_b ? a->size : known_b && !known_a ? b->size : 0;
        for (unsigned k = 1; k < whole; k++) {
            if (word_over(known_a ? two : one, i + k) >= 0) {
                whole = 0;
            }
        }
        if (known_a || known_b) {
            unsigned size = whole ? whole : 1;
            struct content x = words_read(words, terms, base + i, size, missing);
            struct content y = words_read(other, terms, base + i, size, missing);
            merged[i] = (struct word){(uint8_t)size, content_mux(terms, condition, x, y)};
            i += size;
            continue;
        }
        i++;
    }
    struct words_page *page = writable_page(words, base);
    memcpy(page->at, merged, sizeof merged);
}

void words_merge(struct words *words, struct terms *terms, literal condition, const struct words *other,
                 const struct words_default *missing) {
    struct vector numbers;
    vector_init(&numbers, sizeof(uint64_t));
    for (size_t i = 0; i < other->pages.count; i++) {
        vector_push(&numbers, &entry_at(other, i)->number);
    }
    for (size_t i = 0; i < words->pages.count; i++) {
        uint64_t number = entry_at(words, i)->number;
        if (!page_of(other, number * WORDS_PAGE)) {
            vector_push(&numbers, &number);
        }
    }
    for (size_t i = 0; i < numbers.count; i++) {
        merge_page(words, terms, condition, other, *(uint64_t *)vector_at(&numbers, i), missing);
    }
    vector_delete(&numbers);
}

void words_visit(const struct words *words, void (*visit)(void *data, uint64_t address, unsigned size, struct value),
                 void *data) {
    for (size_t i = 0; i < words->pages.count; i++) {
        const struct words_entry *entry = entry_at(words, i);
        for (unsigned k = 0; k < WORDS_PAGE; k++) {
            if (entry->page->at[k].size > 0) {
                visit(data, entry->number * WORDS_PAGE + k, entry->page->at[k].size, entry->page->at[k].content.value);
            }
        }
    }
}
