# A type that Picket does not know is named with its line.
. "$(dirname "$0")/refuse"

cat >wide.c <<'C'
int main(void) {
    volatile unsigned _BitInt(200) x = 5;
    x = x * x;
    return (int)x;
}
C
refuse "wide.c:" "$PICKET" check wide.c
