// run => native
// Assignment of nested structs and arrays of structs copies every byte.
#include <stdio.h>

struct inner {
    int id;
    char name[11];
};
struct outer {
    struct inner rows[3];
    struct {
        short x, y;
    } at;
    const char *label;
};

static struct outer table[4];

static void show(const struct outer *o) {
    printf("%s (%d,%d):", o->label, o->at.x, o->at.y);
    for (int i = 0; i < 3; i++) {
        printf(" %d=%s", o->rows[i].id, o->rows[i].name);
    }
    printf("\n");
}

int main(void) {
    struct outer first = {{{1, "one"}, {2, "two"}, {3, "three"}}, {4, -5}, "first"};
    table[0] = first;
    table[1] = table[0];
    table[1].rows[1].name[0] = 'T';
    table[1].label = "second";
    table[1].at.x = 99;
    struct outer *p = &table[2];
    *p = table[1];
    p->rows[2] = p->rows[0];
    p->label = "third";
    table[3] = (struct outer){.label = "fourth", .rows[1] = {.id = 7, .name = "seven"}};
    for (int i = 0; i < 4; i++) {
        show(&table[i]);
    }
    table[3] = *p = *&table[0];
    show(&table[3]);
    show(p);
    return 0;
}
