/* An outline: the sequence of a turned race as a set of events, without what they touch.  Mostly the turned race is
 * covered already by what is asleep or pending, and mostly the happens-before relation alone shows it; then the
 * sequence itself need not be made. */
#ifndef PICKET_EXPLORE_OUTLINE_H
#define PICKET_EXPLORE_OUTLINE_H

#include "explore/race.h"

struct outline {
    const struct chronological *chronological;
    uint32_t first; /* the events of the sequence are not before this one ... */
    uint32_t end;   /* ... and before this, the turned one */
    uint32_t count; /* how many there are, with the turned one */
    struct transition turned;
    bool has_turned;      /* is the turned one still in it? */
    bool simple;          /* what the turned one depends on has not changed */
    struct vector events; /* of uint64_t: a row of bits, without the turned one */
};

void outline_init(struct outline *outline, const struct chronological *chronological);
void outline_delete(struct outline *outline);

/* The outline of the sequence that turns the race around; false if only the sequence itself can tell. */
bool outline_make(struct outline *outline, uint32_t earlier, const struct turned *turned);

/* Is a transition a weak initial of the sequence?  If so and `takes`, it is taken out. */
enum initial { INITIAL_NO, INITIAL_YES, INITIAL_OPEN };
enum initial outline_initial(struct outline *outline, struct transition transition, bool takes);

#endif
