# A function without a definition is named, with its caller's line, if it can be reached.
. "$(dirname "$0")/refuse"

cat >caller.c <<'C'
extern int mystery(int);
int main(void) {
    return mystery(5);
}
C
refuse "mystery" "$PICKET" check caller.c
refuse "caller.c:3" "$PICKET" check caller.c
cat >unused.c <<'C'
extern int mystery(int);
int unused(void) { return mystery(5); }
int main(void) { return 0; }
C
expect 0 "" "$PICKET" check --engine brute unused.c
