static void increment(int *count) {
    int seen = *count;
    *count = seen + 1;
}
