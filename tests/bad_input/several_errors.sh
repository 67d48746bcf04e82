# Several errors in one program are all reported.
. "$(dirname "$0")/refuse"

cat >two.c <<'C'
extern void first_missing(void), second_missing(void);
int main(void) {
    first_missing();
    second_missing();
    return 0;
}
C
refuse "first_missing" "$PICKET" check two.c
refuse "second_missing" "$PICKET" check two.c
