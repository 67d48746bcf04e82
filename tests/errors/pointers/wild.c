// check --model sc --engine brute => violation wild-pointer:4
int main(void) {
    int *volatile p = (int *)0x123456789abc;
    return *p; // here
}
