// check --model sc --engine brute => violation write-to-constant:4
int main(void) {
    char *text = "constant";
    text[0] = 'C'; // here
    return 0;
}
