/* Loose store buffers: see machine.h.
 *
 * The loose entries of a thread are the oldest of its buffer.  They stand for all words of stores that may be there, by
 * what is known of these: each store once; which of them may be the first, and which may follow which; which one is the
 * last, and of each address the newest.  Under TSO there is one such word, under PSO one for each address.
 *
 * In a buffer as a set everything may follow everything and be the first.  In a buffer as a chain only what has
 * followed may follow, and stores are different if they are of different instructions or if different stores followed
 * them, as far as these were still known when they became loose: a loop that stores the same again and again becomes a
 * circle, along which its stores drain in their order.
 *
 * The first entry reaches memory.  If it is the newest of its address, that may have been the last store to it, and
 * none of the others is left; otherwise the newest must still come.  What can no longer come is dropped, so that the
 * same knowledge looks the same.
 *
 * Entries stand by address, at one address the newest last and the others by value, so that forwarding finds the right
 * one.  They are stores to ranges of which no two overlap without being the same, for else more of their order would
 * have to be known.  If an entry cannot be loose, it and those behind it stay as they are.  Under PSO store barriers
 * between loose entries are forgotten. */
#include <string.h>
#include <xxhash.h>

#include "machine/memory_model.h"

#define MOST_LOOSE 64u

struct loose {
    unsigned count;
    struct buffer_entry entries[MOST_LOOSE + 1];
};

static uint64_t bit(unsigned index) {
    return UINT64_C(1) << index;
}

static bool is_same_range(const struct buffer_entry *one, const struct buffer_entry *other) {
    return one->address == other->address && one->size == other->size;
}

/* By address; at one address by what was stored and, in a chain, where and before what. */
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

static bool stands_before(const struct buffer_entry *one, const struct buffer_entry *other, bool chains) {
    if (one->address == other->address && (one->loose ^ other->loose) & LOOSE_NEWEST) {
        return other->loose & LOOSE_NEWEST;
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

static void take_out(const struct thread *thread, struct loose *loose) {
    loose->count = thread->now.buffer_loose;
    memcpy(loose->entries, &thread->buffer[thread->now.buffer_first], loose->count * sizeof *loose->entries);
}

/* Puts the entries back in their order, before those that are not loose. */
static void put_back(const struct machine *machine, struct thread *thread, const struct loose *loose) {
    struct thread_state *now = &thread->now;
    bool chains = machine->options.loose == BUFFERS_AS_CHAINS;
    unsigned order[MOST_LOOSE + 1];
    for (unsigned i = 0; i < loose->count; i++) {
        unsigned place = i;
        while (place > 0 && stands_before(&loose->entries[i], &loose->entries[order[place - 1]], chains)) {
            order[place] = order[place - 1];
            place--;
        }
        order[place] = i;
    }
    now->buffer_first += now->buffer_loose - loose->count;
    now->buffer_count -= now->buffer_loose - loose->count;
    now->buffer_loose = loose->count;
    struct buffer_entry *entries = &thread->buffer[now->buffer_first];
    for (unsigned i = 0; i < loose->count; i++) {
        entries[i] = loose->entries[order[i]];
        entries[i].next = 0;
        for (unsigned k = 0; k < loose->count; k++) {
            entries[i].next |= loose->entries[order[i]].next & bit(order[k]) ? bit(k) : 0;
        }
    }
}

/* --- Entries become loose ----------------------------------------------------------------------------------------- */

static bool can_be_loose(const struct buffer_entry *entries, size_t loose, const struct buffer_entry *entry) {
    for (size_t i = 0; i < loose; i++) {
        if (entries_overlap(&entries[i], entry) && !is_same_range(&entries[i], entry)) {
            return false;
        }
    }
    return !entry->is_end && loose < MOST_LOOSE;
}

/* What tells a store from the same one before other stores.  If two of them have the same hash, less is known. */
static uint64_t context_of(const struct buffer_entry *behind, size_t count) {
    uint64_t context = 0;
    for (size_t i = 0; i < count; i++) {
        const struct buffer_entry *entry = &behind[i];
        uint64_t words[] = {context, entry->address, entry->size, entry->value[0], entry->value[1], entry->pos};
        context = XXH3_64bits(words, sizeof words);
    }
    return context;
}

/* Adds an entry behind all others; in its old place there is now room for it. */
static void add(const struct machine *machine, struct loose *loose, const struct buffer_entry *entry) {
    bool chains = machine->options.loose == BUFFERS_AS_CHAINS;
    unsigned place = 0;
    while (place < loose->count && compare_stores(&loose->entries[place], entry, chains) != 0) {
        place++;
    }
    if (place == loose->count) {
        loose->count++;
        loose->entries[place] = *entry;
        loose->entries[place].loose = LOOSE;
        loose->entries[place].next = 0;
    }
    uint64_t word = word_of(machine, loose->entries, loose->count, entry);
    bool alone = true;
    for (unsigned i = 0; i < loose->count; i++) {
        struct buffer_entry *other = &loose->entries[i];
        if (word & bit(i) && other->loose & LOOSE_LAST) {
            alone = false;
            other->next |= bit(place);
            other->loose &= (uint8_t)~LOOSE_LAST;
        }
        if (other->address == entry->address) {
            other->loose &= (uint8_t)~LOOSE_NEWEST;
        }
        other->barrier = entry->barrier;
    }
    loose->entries[place].serial = entry->serial;
    loose->entries[place].loose |= LOOSE_LAST | LOOSE_NEWEST | (alone ? LOOSE_FIRST : 0);
    for (unsigned i = 0; !chains && i < loose->count; i++) {
        if (word & bit(i)) {
            loose->entries[i].next = word;
            loose->entries[i].loose |= LOOSE_FIRST;
        }
    }
}

void store_buffer_loosen(struct machine *machine, struct thread *thread) {
    struct thread_state *now = &thread->now;
    while (now->buffer_count - now->buffer_loose > machine->options.exact) {
        struct buffer_entry *entries = &thread->buffer[now->buffer_first];
        struct loose loose;
        if (!can_be_loose(entries, now->buffer_loose, &entries[now->buffer_loose])) {
            break;
        }
        save(machine, entries, (now->buffer_loose + 1) * sizeof *entries);
        if (machine->options.loose == BUFFERS_AS_CHAINS) {
            entries[now->buffer_loose].context =
                context_of(&entries[now->buffer_loose + 1], now->buffer_count - now->buffer_loose - 1);
        }
        take_out(thread, &loose);
        add(machine, &loose, &entries[now->buffer_loose]);
        now->buffer_loose++;
        put_back(machine, thread, &loose);
    }
}

/* --- Entries reach memory ----------------------------------------------------------------------------------------- */

/* All of `among` that can come behind some of `from`, these included. */
static uint64_t all_behind(const struct buffer_entry *entries, uint64_t from, uint64_t among) {
    uint64_t seen = from & among;
    for (uint64_t look = seen; look;) {
        uint64_t more = entries[__builtin_ctzll(look)].next & among & ~seen;
        look = (look & (look - 1)) | more;
        seen |= more;
    }
    return seen;
}

/* All of `among` behind which `last` can come. */
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

/* The first entry of a word reaches memory, and with `leaves` its address has no entries any more.  Which entries of
 * the word are left?  False if that cannot be. */
static bool rest_behind(const struct machine *machine, const struct thread *thread, unsigned first, bool leaves,
                        uint64_t *word, uint64_t *left) {
    const struct buffer_entry *entries = store_buffer_entry(thread, 0);
    unsigned count = thread->now.buffer_loose;
    uint64_t among = *word = word_of(machine, entries, count, &entries[first]);
    uint64_t last = 0;
    uint64_t needed = 0;
    if (!(entries[first].loose & LOOSE_FIRST) || (leaves && !(entries[first].loose & LOOSE_NEWEST))) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        if (leaves && entries[i].address == entries[first].address) {
            among &= ~bit(i);
        } else if (among & bit(i) && entries[i].loose & LOOSE_NEWEST) {
            needed |= bit(i);
        }
        last |= among & bit(i) && entries[i].loose & LOOSE_LAST ? bit(i) : 0;
    }
    *left = all_behind(entries, entries[first].next, among) & all_before(entries, last, among);
    if (among == 0) {
        return entries[first].loose & LOOSE_LAST;
    }
    return last && (needed & ~*left) == 0 && *left & entries[first].next;
}

bool store_buffer_may_advance(const struct machine *machine, const struct thread *thread, uint64_t choice) {
    uint64_t word;
    uint64_t left;
    return choice / 2 < thread->now.buffer_loose &&
           rest_behind(machine, thread, (unsigned)(choice / 2), choice % 2, &word, &left);
}

void store_buffer_advance(struct machine *machine, struct thread *thread, uint64_t choice) {
    struct buffer_entry *entries = &thread->buffer[thread->now.buffer_first];
    struct buffer_entry entry = entries[choice / 2];
    struct loose before;
    struct loose loose = {.count = 0};
    unsigned places[MOST_LOOSE];
    uint64_t word;
    uint64_t left = 0;
    rest_behind(machine, thread, (unsigned)(choice / 2), choice % 2, &word, &left);
    left |= ~word;
    save(machine, entries, thread->now.buffer_loose * sizeof *entries);
    take_out(thread, &before);
    for (unsigned i = 0; i < before.count; i++) {
        places[i] = loose.count;
        if (left & bit(i)) {
            loose.entries[loose.count++] = before.entries[i];
        }
    }
    for (unsigned i = 0; i < before.count; i++) {
        struct buffer_entry *to = &loose.entries[places[i]];
        if (left & bit(i)) {
            to->next = 0;
            for (uint64_t look = before.entries[i].next & left; look; look &= look - 1) {
                to->next |= bit(places[__builtin_ctzll(look)]);
            }
            if (word & bit(i)) {
                to->loose &= (uint8_t)~LOOSE_FIRST;
                to->loose |= entry.next & bit(i) ? LOOSE_FIRST : 0;
            }
        }
    }
    put_back(machine, thread, &loose);
    entry_apply(machine, thread, &entry);
}
