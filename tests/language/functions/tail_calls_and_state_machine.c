// run => native
// A state machine of functions that return the next function.
#include <stdio.h>

struct machine;
typedef struct {
    struct state (*run)(struct machine *);
} step;
struct state {
    struct state (*run)(struct machine *);
};
struct machine {
    const char *input;
    int numbers, words;
};

static struct state start(struct machine *m);

static struct state number(struct machine *m) {
    while (*m->input >= '0' && *m->input <= '9')
        m->input++;
    m->numbers++;
    return (struct state){start};
}

static struct state word(struct machine *m) {
    while (*m->input >= 'a' && *m->input <= 'z')
        m->input++;
    m->words++;
    return (struct state){start};
}

static struct state start(struct machine *m) {
    while (*m->input == ' ')
        m->input++;
    if (!*m->input)
        return (struct state){NULL};
    return (struct state){*m->input <= '9' ? number : word};
}

int main(void) {
    struct machine m = {"one 2 three 44 five666 7", 0, 0};
    struct state s = {start};
    int steps = 0;
    while (s.run) {
        s = s.run(&m);
        steps++;
    }
    printf("%d %d %d\n", m.numbers, m.words, steps);
    return 0;
}
