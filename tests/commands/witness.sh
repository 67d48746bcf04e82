# A witness replays, shows where the error is, and is the same for the same seed.
. "$(dirname "$0")/../bad_input/refuse"

cat >race.c <<'C'
#include <assert.h>
#include <pthread.h>
static int x, y;
static void *run(void *unused) {
    x = 1;
    return (void *)(long)y;
}
int main(void) {
    pthread_t t;
    void *seen;
    pthread_create(&t, NULL, run, NULL);
    y = 1;
    int mine = x;
    pthread_join(t, &seen);
    assert(mine || seen);
    return 0;
}
C
expect 1 "race.c:15" "$PICKET" check --engine random --runs 1000 --seed 7 --witness one.json race.c
expect 1 "race.c:15" "$PICKET" check --engine random --runs 1000 --seed 7 --witness two.json race.c
cmp one.json two.json
expect 1 "race.c:15" "$PICKET" replay one.json
grep -q " 5 x = 1;$" said
for field in version files clang_args model program_hash kind file line thread steps; do
    grep -q "\"$field\"" one.json
done
expect 1 "race.c:15" "$PICKET" check --engine brute race.c
[ -s picket-witness.json ]

# A witness says which Picket has made it, by the number that --version prints.
[ "picket $(sed -n 's/^ "picket": "\(.*\)",$/\1/p' one.json)" = "$("$PICKET" --version)" ]
