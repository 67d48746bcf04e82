# Objects that are larger than the machine's memory for them are refused by name, with file and line; the largest that
# fit are answered.
. "$(dirname "$0")/refuse"

cat >global.c <<'C'
static char small[10];
static char large[(1ul << 31)];
int main(void) {
    large[5] = 1;
    return small[1];
}
C
refuse "global.c:2: error: not supported: 'large' has 2147483648 bytes" "$PICKET" run global.c
refuse "global.c:2" "$PICKET" check --engine brute global.c
refuse "global.c:2" "$PICKET" translate global.c

cat >thread_local.c <<'C'
static _Thread_local char large[(1ul << 32)];
int main(void) {
    large[5] = 1;
    return 0;
}
C
refuse "thread_local.c:1: error: not supported: 'large' has 4294967296 bytes" "$PICKET" run thread_local.c

cat >initialised.c <<'C'
static char large[(1ul << 31)] = {1};
int main(void) {
    return large[5];
}
C
refuse "initialised.c:1: error: not supported: 'large'" "$PICKET" run initialised.c

# Each of them fits, but not all together.
for storage in "static" "static _Thread_local"; do
    cat >together.c <<C
$storage char one[(1ul << 31) - 100000];
$storage char two[(1ul << 31) - 100000];
$storage char three[(1ul << 31) - 100000];
int main(void) {
    one[5] = two[5] = three[5] = 1;
    return 0;
}
C
    refuse "together.c:1: error: not supported: 'one'" "$PICKET" run together.c
done

# Private thread-locals that together exceed the stack of a thread lie elsewhere.
{
    for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
        echo "static _Thread_local char part_$i[1000000];"
    done
    echo "int main(void) {"
    for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
        echo "part_$i[999999] = $i; if (part_$i[999999] != $i || part_$i[0] != 0) return 1;"
    done
    echo "return 7; }"
} >parts.c
expect 7 "" "$PICKET" run parts.c

# Unused ones do no harm, and neither do those that are hardly used.
cat >fits.c <<'C'
static char large[(1ul << 31) - 4096];
static char unused[(1ul << 40)];
int main(void) {
    large[(1ul << 31) - 4097] = 3;
    return large[(1ul << 31) - 4097];
}
C
expect 3 "" "$PICKET" run fits.c
