// check --model sc --engine brute => violation stack-overflow:3
static int down(int n) {
    return down(n + 1) + 1; // here
}

int main(void) {
    return down(0);
}
