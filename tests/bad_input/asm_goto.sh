# asm goto is not supported, and is said to be.
. "$(dirname "$0")/refuse"

cat >jump.c <<'C'
int main(void) {
    __asm__ goto("jmp %l0" : : : : out);
    return 1;
out:
    return 0;
}
C
refuse "jump.c:2" "$PICKET" check jump.c
