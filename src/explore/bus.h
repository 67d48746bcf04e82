/* The bus lock of automata.  While a thread holds the bus, no store of another thread reaches memory: drains of the
 * other threads (under SC their stores) wait, and so do their locks.  Locking and unlocking write an address of their
 * own, the bus, and whatever reaches memory reads it.  A transition that has waited for an unlock races not with the
 * unlock but with the lock before it. */
#ifndef PICKET_EXPLORE_BUS_H
#define PICKET_EXPLORE_BUS_H

#include "explore/race.h"

/* The outermost lock that is paired with this event, an unlock; NO_EVENT if the event is no unlock. */
uint32_t bus_locked_by(const struct chronological *chronological, uint32_t unlock);

/* The outermost lock of the thread that holds the bus, or NO_EVENT. */
uint32_t bus_held_by(const struct chronological *chronological);

/* Finds the next transition of a thread, after the first *next ones, that waits only for the bus; false if there is
 * none. */
bool bus_find_waiting(struct chronological *chronological, uint32_t thread, size_t *next, struct reversal *reversal);

#endif
