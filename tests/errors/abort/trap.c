// check --model sc --engine brute => violation abort:5
int main(void) {
    volatile int x = 1;
    if (x)
        __builtin_trap(); // here
    return 0;
}
