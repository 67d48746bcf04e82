// check --model tso --engine brute => violation null-pointer:8
struct thing {
    long a, b;
};

int main(void) {
    struct thing *volatile p = 0;
    p->b = 1; // here
    return 0;
}
