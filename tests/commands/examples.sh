# The examples show what their comments say, and README.md shows what Picket prints.
. "$(dirname "$0")/../bad_input/refuse"

root=$(cd "$(dirname "$0")/../.." && pwd)
examples=$root/examples

# says CODE FIRST-LINE LAST-BUT-ONE COMMAND...: exit code, the first line of the report and its verdict
says() {
    code=0
    wanted=$1
    first=$2
    verdict=$3
    shift 3
    "$@" --witness witness.json >said 2>&1 || code=$?
    [ "$code" = "$wanted" ] && [ "$(sed -n 1p said)" = "$first" ] && grep -qxF -e "$verdict" said || {
        echo "$*: exit code $code, expected $wanted, \"$first\" and \"$verdict\""
        cat said
        exit 1
    }
}

# safe MODEL ARGUMENTS...: no error, and nothing bounds that
safe() {
    line="safe under $1: no error is reachable in any execution"
    model=$(echo "$1" | tr '[:upper:]' '[:lower:]')
    shift
    says 0 "$line" "$line" "$PICKET" check --engine brute --model "$model" "$@"
}

# violation MODEL WHERE WHAT ARGUMENTS...: the error is the first line
violation() {
    model=$(echo "$1" | tr '[:upper:]' '[:lower:]')
    first="$2: error: $3 [assertion]"
    verdict="violation under $1, replayed; saved as witness.json (picket replay shows it again)"
    shift 3
    says 1 "$first" "$verdict" "$PICKET" check --engine brute --no-shrink --model "$model" "$@"
}

inside='assertion "inside == 1" failed'
violation TSO "$examples/dekker.c:39:5" "$inside" "$examples/dekker.c"
safe TSO -DFENCED "$examples/dekker.c"
safe SC "$examples/dekker.c"
violation TSO "$examples/peterson.c:31:5" "$inside" "$examples/peterson.c"
safe TSO -DFENCED "$examples/peterson.c"
violation PSO "$examples/peterson.c:31:5" "$inside" -DFENCED "$examples/peterson.c"
safe PSO -DFENCED -DORDERED "$examples/peterson.c"
safe TSO "$examples/message_passing.c"
violation PSO "$examples/message_passing.c:28:5" 'assertion "message == 42" failed' \
    "$examples/message_passing.c"
safe PSO -DRELEASE "$examples/message_passing.c"
expect 1 "deadlock" "$PICKET" check --engine brute "$examples/lost_wake_up.c"
expect 0 "safe" "$PICKET" check --engine brute --model sc "$examples/lost_wake_up.c"
expect 0 "safe" "$PICKET" check --engine brute -DFENCED "$examples/lost_wake_up.c"
expect 3 "" "$PICKET" check --engine random --runs 1000 -DFENCED "$examples/dekker.c"
expect 1 "dekker.c" "$PICKET" check --engine random --runs 1000 "$examples/dekker.c"

# README.md shows a report between "prints" and "The first lines", indented by four; time and memory vary.
awk '/^The first lines/ { exit } shown { sub(/^    /, ""); print } /message_passing.c` prints$/ { shown = 1 }' "$root/README.md" |
    sed '1d' | sed -e :last -e '/^\n*$/{$d;N;b last' -e '}' | sed '$d' >shown
(
    cd "$root" || exit 2
    "$PICKET" check --model pso --witness "$OLDPWD/witness.json" examples/message_passing.c || true
) | sed '/^  by /,$d' | sed "s#saved as .*witness.json#saved as picket-witness.json#; s/ (found with [0-9]* steps)//; s/ *$//" >printed
grep -q "OUTDATED" shown
diff shown printed
