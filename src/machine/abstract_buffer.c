/* Abstract store buffers (machine.h).
 *
 * The oldest entries of an abstract buffer are abstract: they stand for many sequences of stores ("words") at once.
 * What the machine knows of these words is: each store that occurs, listed once; which stores may be first, and which
 * may follow which; which one is last, and of each address the newest.  Under TSO the buffer has one word, under PSO
 * one for each address.
 *
 * In a buffer as a set every store may be first and may follow every other one.  In a buffer as a chain a store may
 * follow only where one has followed, and two stores differ if different instructions made them, or if different stores
 * followed them while they were exact.  So a loop that stores the same values again and again becomes a cycle, along
 * which its stores drain in program order.
 *
 * Draining removes the first store of a word.  If it is the newest of its address, it may have been the last store to
 * that address, and no entry with that address is left; otherwise the newest one must still follow.  Stores that can no
 * longer follow are removed, so that equal knowledge has equal entries.
 *
 * Abstract entries are sorted by address, then by value; the newest of an address is the last of that address, so that
 * forwarding finds it.  Their ranges are equal or disjoint, since otherwise more of their order would matter.  If an
 * entry cannot become abstract, it and all younger ones stay exact.  Under PSO store barriers between abstract entries
 * are forgotten. */
#include <string.h>
#include <xxhash.h>

#include "machine/memory_model.h"

#define MOST_ABSTRACT 64u

struct abstract_entries {
    unsigned count;
    struct buffer_entry entries[MOST_ABSTRACT + 1];
};

static uint64_t bit(unsigned index) {
    return UINT64_C(1) << index;
}

static bool is_same_range(const struct buffer_entry *one, const struct buffer_entry *other) {
    return one->address == other->address && one->size == other->size;
}

/* By address; at one address by value and, in a chain, by instruction and by what followed. */
static int compare_stores(const struct buffer_entry *one, const struct buffer_entry *other, bool chains) {
    if (one->address != other->address) {
        return one->address < other->address ? -1 : 1;
    }
    for (int i = 1; i >= 0; i--) {
        if (one->value[i] != other->value[i]) {
            return one->value[i] < other->value[i] ? -1 : 1;
        }
    }
    if (one->atomic != other->atomic) {
        return one->atomic ? 1 : -1;
    }
    if (!chains || (one->pos == other->pos && one->context == other->context)) {
        return 0;
    }
    return one->pos < other->pos || (one->pos == other->pos && one->context < other->context) ? -1 : 1;
}

static bool comes_before(const struct buffer_entry *one, const struct buffer_entry *other, bool chains) {
    if (one->address == other->address && (one->abstract ^ other->abstract) & ABSTRACT_NEWEST) {
        return other->abstract & ABSTRACT_NEWEST;
    }
    return compare_stores(one, other, chains) < 0;
}

/* The entries that are in one word with this one, as bits. */
static uint64_t word_of(const struct machine *machine, const struct buffer_entry *entries, unsigned count,
                        const struct buffer_entry *entry) {
    uint64_t word = 0;
    for (unsigned i = 0; i < count; i++) {
        word |= machine->options.model == MODEL_TSO || entries[i].address == entry->address ? bit(i) : 0;
    }
    return word;
}

static void take_out(const struct thread *thread, struct abstract_entries *abstract) {
    abstract->count = thread->now.buffer_abstract;
    memcpy(abstract->entries, &thread->buffer[thread->now.buffer_first], abstract->count * sizeof *abstract->entries);
}

/* Sorts the entries and writes them to the buffer, before the exact ones. */
static void put_back(const struct machine *machine, struct thread *thread, const struct abstract_entries *abstract) {
    struct thread_state *now = &thread->now;
    bool chains = machine->options.abstract == BUFFERS_AS_CHAINS;
    unsigned order[MOST_ABSTRACT + 1];
    for (unsigned i = 0; i < abstract->count; i++) {
        unsigned index = i;
        while (index > 0 && comes_before(&abstract->entries[i], &abstract->entries[order[index - 1]], chains)) {
            order[index] = order[index - 1];
            index--;
        }
        order[index] = i;
    }
    now->buffer_first += now->buffer_abstract - abstract->count;
    now->buffer_count -= now->buffer_abstract - abstract->count;
    now->buffer_abstract = abstract->count;
    struct buffer_entry *entries = &thread->buffer[now->buffer_first];
    for (unsigned i = 0; i < abstract->count; i++) {
        entries[i] = abstract->entries[order[i]];
        entries[i].next = 0;
        for (unsigned k = 0; k < abstract->count; k++) {
            entries[i].next |= abstract->entries[order[i]].next & bit(order[k]) ? bit(k) : 0;
        }
    }
}

/* --- Entries become abstract -------------------------------------------------------------------------------------- */

static bool can_be_abstract(const struct buffer_entry *entries, size_t abstract, const struct buffer_entry *entry) {
    for (size_t i = 0; i < abstract; i++) {
        if (entries_overlap(&entries[i], entry) && !is_same_range(&entries[i], entry)) {
            return false;
        }
    }
    return !entry->is_end && abstract < MOST_ABSTRACT;
}

/* A hash of the stores that follow, which distinguishes a store from equal ones with other successors.  A collision
 * only loses knowledge. */
static uint64_t context_of(const struct buffer_entry *younger, size_t count) {
    uint64_t context = 0;
    for (size_t i = 0; i < count; i++) {
        const struct buffer_entry *entry = &younger[i];
        uint64_t words[] = {context, entry->address, entry->size, entry->value[0], entry->value[1], entry->pos};
        context = XXH3_64bits(words, sizeof words);
    }
    return context;
}

/* Appends an entry to its word.  The buffer has room for it where it was as an exact entry. */
static void add(const struct machine *machine, struct abstract_entries *abstract, const struct buffer_entry *entry) {
    bool chains = machine->options.abstract == BUFFERS_AS_CHAINS;
    unsigned index = 0;
    while (index < abstract->count && compare_stores(&abstract->entries[index], entry, chains) != 0) {
        index++;
    }
    if (index == abstract->count) {
        abstract->count++;
        abstract->entries[index] = *entry;
        abstract->entries[index].abstract = ABSTRACT;
        abstract->entries[index].next = 0;
    }
    uint64_t word = word_of(machine, abstract->entries, abstract->count, entry);
    bool alone = true;
    for (unsigned i = 0; i < abstract->count; i++) {
        struct buffer_entry *other = &abstract->entries[i];
        if (word & bit(i) && other->abstract & ABSTRACT_LAST) {
            alone = false;
            other->next |= bit(index);
            other->abstract &= (uint8_t)~ABSTRACT_LAST;
        }
        if (other->address == entry->address) {
            other->abstract &= (uint8_t)~ABSTRACT_NEWEST;
        }
        other->barrier = entry->barrier;
    }
    abstract->entries[index].serial = entry->serial;
    abstract->entries[index].abstract |= ABSTRACT_LAST | ABSTRACT_NEWEST | (alone ? ABSTRACT_FIRST : 0);
    for (unsigned i = 0; !chains && i < abstract->count; i++) {
        if (word & bit(i)) {
            abstract->entries[i].next = word;
            abstract->entries[i].abstract |= ABSTRACT_FIRST;
        }
    }
}

void store_buffer_abstract(struct machine *machine, struct thread *thread) {
    struct thread_state *now = &thread->now;
    while (now->buffer_count - now->buffer_abstract > machine->options.exact) {
        struct buffer_entry *entries = &thread->buffer[now->buffer_first];
        struct abstract_entries abstract;
        if (!can_be_abstract(entries, now->buffer_abstract, &entries[now->buffer_abstract])) {
            break;
        }
        save(machine, entries, (now->buffer_abstract + 1) * sizeof *entries);
        if (machine->options.abstract == BUFFERS_AS_CHAINS) {
            entries[now->buffer_abstract].context =
                context_of(&entries[now->buffer_abstract + 1], now->buffer_count - now->buffer_abstract - 1);
        }
        take_out(thread, &abstract);
        add(machine, &abstract, &entries[now->buffer_abstract]);
        now->buffer_abstract++;
        put_back(machine, thread, &abstract);
    }
}

/* --- Entries reach memory ----------------------------------------------------------------------------------------- */

/* The entries of `among` that are in `from` or can come after one of these. */
static uint64_t all_after(const struct buffer_entry *entries, uint64_t from, uint64_t among) {
    uint64_t seen = from & among;
    for (uint64_t look = seen; look;) {
        uint64_t more = entries[__builtin_ctzll(look)].next & among & ~seen;
        look = (look & (look - 1)) | more;
        seen |= more;
    }
    return seen;
}

/* The entries of `among` that are in `last`, or that can come before one of these. */
static uint64_t all_before(const struct buffer_entry *entries, uint64_t last, uint64_t among) {
    uint64_t seen = last & among;
    for (bool changed = seen != 0; changed;) {
        changed = false;
        for (uint64_t look = among & ~seen; look; look &= look - 1) {
            unsigned i = (unsigned)__builtin_ctzll(look);
            if (entries[i].next & seen) {
                seen |= bit(i);
                changed = true;
            }
        }
    }
    return seen;
}

/* The first entry of a word reaches memory; with `leaves` no store to its address is left.  Finds the entries of the
 * word that may be left; returns false if this drain is impossible. */
static bool rest_after(const struct machine *machine, const struct thread *thread, unsigned first, bool leaves,
                       uint64_t *word, uint64_t *left) {
    const struct buffer_entry *entries = store_buffer_entry(thread, 0);
    unsigned count = thread->now.buffer_abstract;
    uint64_t among = *word = word_of(machine, entries, count, &entries[first]);
    uint64_t last = 0;
    uint64_t needed = 0;
    if (!(entries[first].abstract & ABSTRACT_FIRST) || (leaves && !(entries[first].abstract & ABSTRACT_NEWEST))) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        if (leaves && entries[i].address == entries[first].address) {
            among &= ~bit(i);
        } else if (among & bit(i) && entries[i].abstract & ABSTRACT_NEWEST) {
            needed |= bit(i);
        }
        last |= among & bit(i) && entries[i].abstract & ABSTRACT_LAST ? bit(i) : 0;
    }
    *left = all_after(entries, entries[first].next, among) & all_before(entries, last, among);
    if (among == 0) {
        return entries[first].abstract & ABSTRACT_LAST;
    }
    return last && (needed & ~*left) == 0 && *left & entries[first].next;
}

bool store_buffer_may_advance(const struct machine *machine, const struct thread *thread, uint64_t choice) {
    uint64_t word;
    uint64_t left;
    return choice / 2 < thread->now.buffer_abstract &&
           rest_after(machine, thread, (unsigned)(choice / 2), choice % 2, &word, &left);
}

void store_buffer_advance(struct machine *machine, struct thread *thread, uint64_t choice) {
    struct buffer_entry *entries = &thread->buffer[thread->now.buffer_first];
    struct buffer_entry entry = entries[choice / 2];
    struct abstract_entries before;
    struct abstract_entries abstract = {.count = 0};
    unsigned indices[MOST_ABSTRACT];
    uint64_t word;
    uint64_t left = 0;
    rest_after(machine, thread, (unsigned)(choice / 2), choice % 2, &word, &left);
    left |= ~word;
    save(machine, entries, thread->now.buffer_abstract * sizeof *entries);
    take_out(thread, &before);
    for (unsigned i = 0; i < before.count; i++) {
        indices[i] = abstract.count;
        if (left & bit(i)) {
            abstract.entries[abstract.count++] = before.entries[i];
        }
    }
    for (unsigned i = 0; i < before.count; i++) {
        struct buffer_entry *to = &abstract.entries[indices[i]];
        if (left & bit(i)) {
            to->next = 0;
            for (uint64_t look = before.entries[i].next & left; look; look &= look - 1) {
                to->next |= bit(indices[__builtin_ctzll(look)]);
            }
            if (word & bit(i)) {
                to->abstract &= (uint8_t)~ABSTRACT_FIRST;
                to->abstract |= entry.next & bit(i) ? ABSTRACT_FIRST : 0;
            }
        }
    }
    put_back(machine, thread, &abstract);
    entry_apply(machine, thread, &entry);
}
