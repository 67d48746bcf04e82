// check --model sc --engine brute => violation dangling-pointer:10
static int *escape(int x) {
    int local = x;
    int *volatile p = &local;
    return p;
}

int main(void) {
    int *p = escape(3);
    return *p; // here
}
