// check --model sc --engine brute => violation null-pointer:4
int main(void) {
    void (*volatile f)(void) = 0;
    f(); // here
    return 0;
}
