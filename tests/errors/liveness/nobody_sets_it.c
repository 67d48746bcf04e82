// check --model tso --engine brute => safe
// check --model tso --engine brute --check liveness => violation liveness:8
// check --model tso --engine explore --check liveness => violation liveness:8
// A loop that waits for a flag that is never set is an error only on request.
static int flag;

int main(void) {
    while (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 0) { // here
        ;
    }
    return 0;
}
