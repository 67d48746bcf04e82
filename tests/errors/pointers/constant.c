// check --model sc --engine brute => violation write-to-constant:6
static const int limit = 5;

int main(void) {
    int *p = (int *)&limit;
    *p = 6; // here
    return 0;
}
