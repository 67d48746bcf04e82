# The translation is exact on litmus tests with two threads: those of tests/litmus, and, if it is there, every third of
# a large collection that is not part of the project.
here=$(dirname "$0")
exactness=$(dirname "$PICKET")/tests/bound/unit_bound
reference=$here/../../../shared/litmus/x86
[ -e "$reference" ] || echo "the reference tests are not here"

# Files with two threads.
pairs() {
    grep -lE '^ *P0 *\| *P1 *;' "$@" 2>/dev/null || true
}

number=0
for file in $(pairs "$here"/../litmus/*.litmus) $(pairs "$reference"/*.litmus | awk 'NR % 3 == 1'); do
    number=$((number + 1))
    "$PICKET" show --save "$number.picket" "$file" >/dev/null
done
# A test that is too large for the time is not told, but most must be.
for program in *.picket; do
    timeout 1 "$exactness" --programs "$program" >>said 2>&1 || [ $? = 124 ] || {
        cat said
        exit 1
    }
done
awk '/bounds exact/ { exact += $1; untold += $4; wrong += $7 }
    END { print exact " bounds exact, " untold " not told, " wrong " programs not exact"; exit wrong > 0 || exact < 4 * untold }' said
