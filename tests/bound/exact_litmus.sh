# The translation is exact on litmus tests: those of tests/litmus, and, if they are there, the tests with two threads of
# a large collection that is not part of the project (every second one).
here=$(dirname "$0")
exactness=$(dirname "$PICKET")/tests/bound/unit_bound
reference=$here/../../../shared/litmus/x86
number=0
for file in "$here"/../litmus/*.litmus $(grep -LE '^ *P0 *\|.*P2' "$reference"/*.litmus 2>/dev/null | awk 'NR % 2'); do
    number=$((number + 1))
    "$PICKET" show --save "$number.picket" "$file" >/dev/null
done
[ -e "$reference" ] || echo "the reference tests are not here: only $number tests"
# A test that is too large for the time is not told, but most must be.
for program in *.picket; do
    timeout 2 "$exactness" --programs "$program" >>said 2>&1 || [ $? = 124 ] || {
        cat said
        exit 1
    }
done
awk '{ exact += $1; untold += $4; wrong += $7 }
    END { print exact " bounds exact, " untold " not told, " wrong " programs not exact"; exit wrong > 0 || exact < 9 * untold }' said
