# A variable without a definition is named.
. "$(dirname "$0")/refuse"

cat >user.c <<'C'
extern int mystery;
int main(void) {
    return mystery;
}
C
refuse "mystery" "$PICKET" check user.c
