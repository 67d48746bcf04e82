# `--switches N`: verdicts that name the bound, the fewest switches, and engines that do not know the option.
. "$(dirname "$0")/../bad_input/refuse"

examples=$(dirname "$0")/../../examples
for engine in switches brute; do
    expect 0 "safe within bounds under TSO (at most 1 context switches)" \
        "$PICKET" check --engine $engine --switches 1 "$examples/dekker.c"
    expect 1 "dekker.c:39" "$PICKET" check --engine $engine --switches 6 --witness $engine.json "$examples/dekker.c"
    expect 0 "safe under SC: no error" "$PICKET" check --engine $engine --switches 1000 --model sc "$examples/dekker.c"
done
expect 1 "dekker.c:39" "$PICKET" check --engine switches --witness fewest.json "$examples/dekker.c"
# a context per run of steps of one thread: one switch fewer than there are, and no execution has fewer
threads=$(grep -o '"thread": [0-9][0-9]*' fewest.json | uniq | wc -l)
expect 1 "dekker.c:39" "$PICKET" check --engine brute --switches $((threads - 1)) "$examples/dekker.c"
expect 0 "safe within bounds" "$PICKET" check --engine brute --switches $((threads - 2)) "$examples/dekker.c"
expect 2 "--switches for the engines switches and brute" "$PICKET" check --engine explore --switches 3 "$examples/dekker.c"
expect 2 "--switches" "$PICKET" check --engine switches --switches many "$examples/dekker.c"
expect 2 "--rounds is for" "$PICKET" check --engine switches --rounds 3 "$examples/dekker.c"

# A shortest execution under SC has as many switches as that engine needs, and no execution with fewer has the error.
programs=$examples/../bench/programs
shortest() {
    code=0
    "$PICKET" check --engine explore --model sc --format json --witness shortest.json "$@" >report.json || code=$?
    [ $code = 1 ] && grep -q '"shortest": true' report.json || { echo "$*"; cat report.json; exit 1; }
    switches=$(sed -n 's/^ "switches": \([0-9]*\),*$/\1/p' report.json)
    expect 1 "violation under SC" "$PICKET" check --engine switches --model sc --switches "$switches" --no-explain "$@"
    expect 0 "safe within bounds" "$PICKET" check --engine switches --model sc --switches $((switches - 1)) "$@"
}
shortest -DN=2 -DUNSAFE -DJOIN "$programs/fib.c"
shortest -DN=2 -DUNSAFE "$programs/fib.c"
shortest -DUNSAFE "$programs/stack.c"
shortest "$(dirname "$0")/../report/lost_update.c"
shortest "$(dirname "$0")/../report/use_after_free.c"
