// check --model sc --engine brute => violation misused-pointer:6
static int data[4];

int main(void) {
    void (*volatile f)(void) = (void (*)(void))data;
    f(); // here
    return 0;
}
