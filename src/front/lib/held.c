/* The locks that each thread holds and that do not know their holder: reader-writer locks held for reading, spin locks.
 *
 * The table is sorted, so that the same locks are the same state whatever the order in which they were taken.  The code
 * that visits its entries has no loop, since bounds on loops are for those of the program.  No other thread accesses
 * the table, so it adds no steps and no order. */
#include "intrinsics.h"

#define HELD 12
#define EACH_HELD(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)

static _Thread_local void *held[HELD + 1]; /* ascending, then zeros; a lock that is held twice occurs twice */
static _Thread_local unsigned more;        /* the number of locks without room in the table */

int __picket_hold(int code, void *lock) {
    if (code != 0) {
        return code;
    }
    if (held[HELD - 1]) {
        more++;
        return 0;
    }
#define INSERT(i)                                                                                                      \
    if (!held[i] || held[i] > lock) {                                                                                  \
        void *next = held[i];                                                                                          \
        held[i] = lock;                                                                                                \
        lock = next;                                                                                                   \
    }
    EACH_HELD(INSERT)
#undef INSERT
    return 0;
}

int __picket_let_go(void *lock) {
    int found = 0;
#define REMOVE(i)                                                                                                      \
    found |= held[i] == lock;                                                                                          \
    if (found) {                                                                                                       \
        held[i] = held[i + 1];                                                                                         \
    }
    EACH_HELD(REMOVE)
#undef REMOVE
    if (!found && more > 0) {
        more--;
        found = 1;
    }
    return found;
}
