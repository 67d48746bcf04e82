#include "report/story_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/describe.h"
#include "util/memory.h"

#define HEAP "heap object of "

void story_names_init(struct story_names *names, const struct machine *machine) {
    names->machine = machine;
    vector_init(&names->heap, sizeof(struct story_heap));
    vector_init(&names->members, sizeof(struct story_member));
}

void story_names_delete(struct story_names *names) {
    for (size_t i = 0; i < names->heap.count; i++) {
        free(((struct story_heap *)vector_at(&names->heap, i))->legend);
    }
    vector_delete(&names->heap);
    vector_delete(&names->members);
}

static struct story_heap *heap_at(struct story_names *names, uint64_t base) {
    for (size_t i = 0; i < names->heap.count; i++) {
        struct story_heap *heap = vector_at(&names->heap, i);
        if (heap->base == base) {
            return heap;
        }
    }
    struct story_heap heap = {.base = base, .type = "heap"};
    vector_push(&names->heap, &heap);
    return vector_at(&names->heap, names->heap.count - 1);
}

static const struct story_heap *heap_named(struct story_names *names, uint64_t base, const char *legend) {
    struct story_heap *heap = heap_at(names, base);
    if (heap->number == 0) {
        size_t before = 0;
        for (size_t i = 0; i < names->heap.count; i++) {
            const struct story_heap *other = vector_at(&names->heap, i);
            before += other->number > 0 && strcmp(other->type, heap->type) == 0;
        }
        heap->number = before + 1;
        heap->legend = memory_copy_text(legend);
    }
    return heap;
}

/* "next" of "p->next"; NULL if the variable is no member of what a pointer leads to, or one of an array. */
static const char *member_of(const char *variable) {
    const char *member = NULL;
    for (const char *at = strstr(variable, "->"); at; at = strstr(at + 2, "->")) {
        member = at + 2;
    }
    return member && !strchr(member, '[') ? member : NULL;
}

/* The member at an offset; NULL if none was noted, or if objects are arrays, with members of one name at several
 * offsets. */
static const char *member_at(const struct story_names *names, const char *type, uint64_t offset) {
    const char *name = NULL;
    for (size_t i = 0; i < names->members.count; i++) {
        const struct story_member *member = vector_at(&names->members, i);
        if (strcmp(member->type, type) == 0 && member->offset == offset) {
            name = member->name;
        }
    }
    for (size_t i = 0; name && i < names->members.count; i++) {
        const struct story_member *member = vector_at(&names->members, i);
        if (strcmp(member->type, type) == 0 && member->offset != offset && strcmp(member->name, name) == 0) {
            return NULL;
        }
    }
    return name;
}

void story_names_note(struct story_names *names, uint64_t address, const char *type, const char *variable) {
    char text[256];
    struct machine_object object;
    if (!*type || address < THREAD_BASE || !machine_object_at(names->machine, address, &object) || object.local) {
        return;
    }
    machine_describe(names->machine, object.base, 0, text, sizeof text);
    struct story_heap *heap = strncmp(text, HEAP, strlen(HEAP)) == 0 ? heap_at(names, object.base) : NULL;
    if (heap && strcmp(heap->type, "heap") == 0) {
        heap->type = type;
    }
    struct story_member member = {type, address - object.base, member_of(variable)};
    if (!heap || !member.name || strcmp(heap->type, type) != 0) {
        return;
    }
    for (size_t i = 0; i < names->members.count; i++) {
        const struct story_member *known = vector_at(&names->members, i);
        if (strcmp(known->type, type) == 0 && known->offset == member.offset) {
            return;
        }
    }
    vector_push(&names->members, &member);
}

/* Takes " (of thread 1)" out of a name if it is the thread's own. */
static void drop_owner(const struct story_names *names, uint32_t thread, char *text) {
    char owner[64];
    snprintf(owner, sizeof owner, " (of %s%s)", thread ? "thread " : "", machine_thread_name(names->machine, thread));
    char *at = strstr(text, owner);
    if (at) {
        memmove(at, at + strlen(owner), strlen(at + strlen(owner)) + 1);
    }
}

char *name_of(struct story_names *names, uint32_t thread, uint64_t address, unsigned size) {
    char text[256];
    struct machine_object object;
    if (machine_object_at(names->machine, address, &object)) {
        machine_describe(names->machine, object.base, 0, text, sizeof text);
        if (strncmp(text, HEAP, strlen(HEAP)) == 0) {
            const struct story_heap *heap = heap_named(names, object.base, text + strlen(HEAP));
            uint64_t offset = address - object.base;
            const char *member = offset > 0 ? member_at(names, heap->type, offset) : NULL;
            return offset == 0 ? memory_format("%s#%zu", heap->type, heap->number)
                   : member    ? memory_format("%s#%zu.%s", heap->type, heap->number, member)
                               : memory_format("%s#%zu+%" PRIu64, heap->type, heap->number, offset);
        }
    }
    machine_describe(names->machine, address, size, text, sizeof text);
    drop_owner(names, thread, text);
    return memory_copy_text(text);
}

char *access_name(struct story_names *names, uint32_t thread, uint64_t address, unsigned size, const char *variable) {
    char *name = name_of(names, thread, address, size);
    const char *member = member_of(variable);
    struct machine_object object;
    bool heap = machine_object_at(names->machine, address, &object) && !object.local && object.base >= THREAD_BASE;
    const char *number = heap ? strchr(name, '#') : NULL;
    if (member && number) {
        char *named = memory_format("%.*s.%s", (int)(number - name + strcspn(number, "+.")), name, member);
        free(name);
        name = named;
    }
    return name;
}

char *value_of(struct story_names *names, uint32_t thread, uint64_t address, unsigned size, const uint64_t value[2]) {
    char text[256];
    machine_describe_value(names->machine, address, size, value, text, sizeof text);
    if (text[0] == '&') {
        char *name = name_of(names, thread, value[0], 0);
        char *pointer = memory_format("&%s", name);
        free(name);
        return pointer;
    }
    return memory_copy_text(text);
}
