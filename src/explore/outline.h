/* An outline: the sequence of a reversed race as a set of events, without their accesses.  In most cases the sleep set
 * or the tree covers the reversed race already, and in most cases the happens-before relation alone shows that; then
 * the sequence itself need not be made. */
#ifndef PICKET_EXPLORE_OUTLINE_H
#define PICKET_EXPLORE_OUTLINE_H

#include "explore/race.h"

struct outline {
    const struct chronological *chronological;
    uint32_t first; /* no event of the sequence is before this one ... */
    uint32_t end;   /* ... and none but the later event of the race is from this one on */
    uint32_t count; /* number of events, with the later one */
    struct transition later;
    bool has_later;       /* is the later one still in it? */
    bool simple;          /* the dependences of the later one are the same as in the execution */
    struct vector events; /* of uint64_t: a row of bits, without the later one */
};

void outline_init(struct outline *outline, const struct chronological *chronological);
void outline_delete(struct outline *outline);

/* Makes the outline of the sequence that reverses the race; false if that needs the sequence itself. */
bool outline_make(struct outline *outline, uint32_t earlier, const struct reversal *reversal);

/* Is a transition a weak initial of the sequence?  If so, `takes` removes it. */
enum initial { INITIAL_NO, INITIAL_YES, INITIAL_OPEN };
enum initial outline_initial(struct outline *outline, struct transition transition, bool takes);

#endif
