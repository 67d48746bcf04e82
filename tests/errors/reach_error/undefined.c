// check --model sc --engine brute => violation reach_error:11
// reach_error without a body is the error itself.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 4);
    if (n * n == 9)
        reach_error(); // here
    return 0;
}
