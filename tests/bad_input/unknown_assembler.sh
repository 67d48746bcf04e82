# Assembler that Picket does not know is shown with its line.
. "$(dirname "$0")/refuse"

cat >cpuid.c <<'C'
int main(void) {
    int x = 1;
    __asm__ volatile("vpxor %%ymm0, %%ymm0, %%ymm0" : "+r"(x));
    return x;
}
C
refuse "vpxor" "$PICKET" check cpuid.c
refuse "cpuid.c:3" "$PICKET" check cpuid.c
