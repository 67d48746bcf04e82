// check --model sc --engine brute --check uninit => safe assuming arguments
int main(int argc, char **argv) {
    (void)argv;
    int x, y[3];
    if (argc > 5)
        x = 1;
    else
        x = 0;
    y[0] = x;
    y[1] = y[0];
    return y[1];
}
