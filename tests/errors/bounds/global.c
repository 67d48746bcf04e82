// check --model sc --engine brute => violation out-of-bounds:7
static int numbers[8];

static int sum(int n) {
    int total = 0;
    for (int i = 0; i < n; i++)
        total += numbers[i]; // here
    return total;
}

int main(void) {
    return sum(8) + sum(9);
}
