// run => native
// Structs with floats and mixed classes passed in registers and in memory.
#include <stdio.h>

struct point {
    float x, y;
};
struct triple {
    float x, y, z;
};
struct quad {
    float a, b, c, d;
};
struct pair {
    double a, b;
};
struct mixed {
    int i;
    double d;
};
struct reversed {
    double d;
    char c;
};
struct small {
    char c;
    float f;
};
struct large {
    long a[3];
    double d;
};
struct wide {
    long double x;
};
struct nested {
    struct point p;
    struct small s;
};

static struct point add(struct point a, struct point b) {
    return (struct point){a.x + b.x, a.y + b.y};
}
static struct triple scale(struct triple t, float by) {
    return (struct triple){t.x * by, t.y * by, t.z * by};
}
static struct quad swap(struct quad q) {
    return (struct quad){q.d, q.c, q.b, q.a};
}
static struct pair divide(struct pair p) {
    return (struct pair){p.a / p.b, p.b / p.a};
}
static struct mixed step(struct mixed m, int n) {
    m.i += n;
    m.d *= n;
    return m;
}
static struct reversed turn(struct reversed r) {
    r.c++;
    r.d = -r.d;
    return r;
}
static struct small shrink(struct small s) {
    s.c--;
    s.f /= 2;
    return s;
}
static struct large grow(int x, struct large l, double y) {
    l.a[0] += x;
    l.a[2] -= x;
    l.d += y;
    return l;
}
static struct wide widen(struct wide w) {
    w.x += 0.5L;
    return w;
}
static struct nested rebuild(struct nested n) {
    n.p = add(n.p, n.p);
    n.s = shrink(n.s);
    return n;
}

int main(void) {
    struct point p = add((struct point){1, 2}, (struct point){0.5f, 0.25f});
    printf("%g %g\n", p.x, p.y);
    struct triple t = scale((struct triple){1, 2, 3}, 1.5f);
    printf("%g %g %g\n", t.x, t.y, t.z);
    struct quad q = swap((struct quad){1, 2, 3, 4});
    printf("%g %g %g %g\n", q.a, q.b, q.c, q.d);
    struct pair r = divide((struct pair){3, 8});
    printf("%g %g\n", r.a, r.b);
    struct mixed m = step((struct mixed){10, 1.25}, 4);
    printf("%d %g\n", m.i, m.d);
    struct reversed v = turn((struct reversed){6.5, 'a'});
    printf("%g %c\n", v.d, v.c);
    struct small s = shrink((struct small){'z', 5});
    printf("%c %g\n", s.c, s.f);
    struct large l = grow(5, (struct large){{1, 2, 3}, 4.5}, 0.25);
    printf("%ld %ld %ld %g\n", l.a[0], l.a[1], l.a[2], l.d);
    struct wide w = widen((struct wide){1.25L});
    printf("%Lg\n", w.x);
    struct nested n = rebuild((struct nested){{1, 3}, {'q', 9}});
    printf("%g %g %c %g\n", n.p.x, n.p.y, n.s.c, n.s.f);
    return 0;
}
