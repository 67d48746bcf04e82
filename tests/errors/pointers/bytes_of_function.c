// check --model sc --engine brute => violation misused-pointer:4
int main(void) {
    unsigned char *volatile p = (unsigned char *)main;
    return *p; // here
}
