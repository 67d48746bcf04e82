// check --model sc --engine brute => violation abort:5
int main(void) {
    volatile int x = 1;
    if (x)
        __asm__ volatile("ud2"); // here
    return 0;
}
