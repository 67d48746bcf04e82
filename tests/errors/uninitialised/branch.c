// check --model sc --engine brute => safe assuming uninitialised, arguments
// check --model sc --engine brute --check uninit => violation uninitialised:8
int main(int argc, char **argv) {
    (void)argv;
    int x;
    if (argc > 5)
        x = 1;
    if (x) // here
        return 1;
    return 0;
}
