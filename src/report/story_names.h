/* Names and values in a report's rows: locals as in C, heap objects by type and number. */
#ifndef PICKET_REPORT_STORY_NAMES_H
#define PICKET_REPORT_STORY_NAMES_H

#include "machine/machine.h"

/* A heap object.  Those of one type are numbered as they are named first. */
struct story_heap {
    uint64_t base;
    const char *type; /* "node"; "heap" if it is not known */
    size_t number;    /* from 1; 0: it has not been named */
    char *legend;     /* "24 bytes from f.c:12" */
};

/* A member of the heap objects of one type. */
struct story_member {
    const char *type;
    uint64_t offset;
    const char *name;
};

struct story_names {
    const struct machine *machine;
    struct vector heap;    /* of struct story_heap */
    struct vector members; /* of struct story_member */
};

void story_names_init(struct story_names *names, const struct machine *machine);
void story_names_delete(struct story_names *names);

/* An access to this variable ("p->next") through a pointer to this type leads to this address: if that is in a heap
 * object, it has that type, and a member of that name. */
void story_names_note(struct story_names *names, uint64_t address, const char *type, const char *variable);

/* What a thread calls an address.  The caller frees the text. */
char *name_of(struct story_names *names, uint32_t thread, uint64_t address, unsigned size);
/* Likewise of an access, whose position names the variable ("p->next") or has "". */
char *access_name(struct story_names *names, uint32_t thread, uint64_t address, unsigned size, const char *variable);
char *value_of(struct story_names *names, uint32_t thread, uint64_t address, unsigned size, const uint64_t value[2]);

#endif
