// check --model sc --engine brute => violation out-of-bounds:5
int main(void) {
    int a[3] = {1, 2, 3};
    volatile int i = 3;
    return a[i]; // here
}
