# The final states of litmus tests are those that `explore` finds, under all models: every file of tests/litmus, and the
# reference tests, if they are there.
. "$(dirname "$0")/../bad_input/refuse"
here=$(dirname "$0")
reference=$here/../../../shared/litmus/x86
[ -d "$reference" ] || reference=

# states ENGINE MODEL: name and final states of each test
states() {
    # shellcheck disable=SC2086 # perhaps no directory
    "$PICKET" litmus --engine "$1" --model "$2" "$here/../litmus" $reference |
        sed -n '/^Test /p; /^States /,/^\(Loop \)\{0,1\}\(Ok\|No\)$/p' | sed 's/^Loop //'
}

for model in sc tso pso; do
    states explore $model >by_explore
    states seq $model >by_seq
    cmp by_explore by_seq
done
[ "$(grep -c ';$' by_seq)" -gt 100 ]
refuse "are collected by the engines explore, seq and brute" "$PICKET" litmus --engine reach "$here/../litmus/sb.litmus"
