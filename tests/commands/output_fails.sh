# A full disk and a closed pipe are noticed, and nothing half-written is left under the final name.
. "$(dirname "$0")/../bad_input/refuse"
cat >bad.c <<'C'
#include <assert.h>
int main(void) {
    assert(0);
}
C
[ -c /dev/full ] || exit 77

# full COMMAND...: its output goes to a full disk
full() {
    code=0
    "$@" >/dev/full 2>complaint || code=$?
    if [ "$code" != 2 ] || ! grep -q 'cannot write to standard output: No space left' complaint; then
        echo "$*: exit code $code"
        cat complaint
        exit 1
    fi
}
for command in check 'check --format json' robust 'robust --format json' fence prove show translate; do
    # shellcheck disable=SC2086 # a command and its option
    full "$PICKET" $command bad.c
done
full "$PICKET" replay picket-witness.json
full "$PICKET" --help

# closed COMMAND...: no process reads its output
closed() {
    { { "$@" 2>complaint || echo $? >code; } | :; } || true
    if [ "$(cat code)" != 2 ] || ! grep -q 'cannot write to standard output: Broken pipe' complaint; then
        echo "$*: exit code $(cat code)"
        cat complaint
        exit 1
    fi
}
# More than a pipe holds, so that it cannot all be written before the reader is gone.
{
    echo 'int a[10];'
    echo 'int main(void) {'
    i=0
    while [ $i -lt 3000 ]; do
        echo "    a[$((i % 10))] += $i;"
        i=$((i + 1))
    done
    echo '}'
} >long.c
closed "$PICKET" show long.c
closed "$PICKET" translate long.c

expect 2 'cannot write the witness to /dev/full: No space left' "$PICKET" check --witness /dev/full bad.c
expect 2 'cannot write the witness to missing/w.json' "$PICKET" check --witness missing/w.json bad.c
expect 2 'No space left' "$PICKET" show --save /dev/full bad.c
expect 2 'No space left' "$PICKET" translate -o /dev/full bad.c

# A symbolic link is not followed, and what it points to stays as it was.
echo kept >target
for command in 'check --witness' 'show --save' 'translate -o'; do
    ln -sf target link
    # shellcheck disable=SC2086
    expect 2 'symbolic link' "$PICKET" $command link bad.c
    [ "$(cat target)" = kept ]
done

# A file that was there is replaced as a whole, and keeps its permissions; nothing else remains.
mkdir fresh
echo old >fresh/w.json
chmod 600 fresh/w.json
expect 1 '' "$PICKET" check --witness fresh/w.json bad.c
[ "$(ls fresh)" = w.json ]
[ "$(stat -c %a fresh/w.json)" = 600 ]
grep -q '"version"' fresh/w.json
