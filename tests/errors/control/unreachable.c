// check --model sc --engine brute => violation unreachable:9
static int pick(int x) {
    switch (x) {
    case 0:
        return 5;
    case 1:
        return 6;
    }
    __builtin_unreachable(); // here
}

int main(void) {
    return pick(0) + pick(1) + pick(2);
}
