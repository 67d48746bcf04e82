// check --model sc --engine brute => violation division-by-zero:4
int main(void) {
    volatile unsigned char zero = 0;
    return 5u % zero; // here
}
