# Every row of bench/programs/expected.tsv comes out as it says, under SC, TSO and PSO.
#
#     ENGINE=brute SLOW=yes PICKET=build/test/picket sh -eu tests/programs/expected.sh [PROGRAM...]
#
# ENGINE is the engine to use, `explore` if it is not set. SLOW checks the rows too that are too large for a test. With
# names of programs, only their rows are checked. Leaves files in the working directory.
programs=$(cd "$(dirname "$0")/../../bench/programs" && pwd)
engine=${ENGINE:-explore}
slowest=${SLOW:-no}
[ "$slowest" = yes ] && limit=1000 || limit=50
tab=$(printf '\t')
failures=0
checked=0

complain() {
    echo "$*"
    failures=$((failures + 1))
}

# field NAME: what the last report says under this name
field() {
    sed -n 's/^ *"'"$1"'": *"\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' report
}

# check MODEL [OPTION...]: leaves the report on the saved program in the file `report`
check() {
    model=$1
    shift
    "$PICKET" check --engine "$engine" --model "$model" "$@" --timeout "$limit" --format json --witness witness.json \
        program.picket >report 2>complaint || true
}

# part N LIST: the N-th of a list such as 3/4/4
part() {
    echo "$2" | cut -d / -f "$1"
}

# compare ROW MODEL VERDICT TRACES
compare() {
    [ "$3" != - ] || return 0
    [ "$engine" != seq ] || set -- "$1" "$2" "$3" - # a solver counts no traces
    counting=
    if [ "$4" != - ] && [ "$engine" = brute ]; then
        counting='--collect traces'
    fi
    # shellcheck disable=SC2086
    check "$2" $counting
    checked=$((checked + 1))
    [ "$(field verdict)" = "$3" ] || complain "$1, $2: $(field verdict) instead of $3 $(cat complaint)"
    if [ "$4" != - ]; then
        count=$(field "${counting:+different_}traces")
        [ "$count" = "$4" ] || complain "$1, $2: $count traces instead of $4"
    fi
    if [ "$engine" = explore ] && [ "$(field redundant)" != 0 ]; then
        complain "$1, $2: $(field redundant) redundant executions"
    fi
}

# wanted PROGRAM NAME...: is the program among the names, if there are any?
wanted() {
    [ $# -gt 1 ] || return 0
    program=$1
    shift
    for name; do
        [ "$name" != "$program" ] || return 0
    done
    return 1
}

while IFS=$tab read -r program arguments sc tso pso traces slow; do
    [ "$program" != program ] || continue
    wanted "$program" "$@" || continue
    case $engine-$slow in
    *-yes) [ "$slowest" = yes ] || continue ;;
    brute-brute) [ "$slowest" = yes ] || continue ;;
    brute-traces) traces=- ;;
    esac
    row=$program
    [ "$arguments" = - ] && arguments= || row="$program $arguments"
    # shellcheck disable=SC2086
    "$PICKET" show --save program.picket $arguments "$programs/$program.c" || complain "$row: cannot be read"
    compare "$row" sc "$sc" "$(part 1 "$traces")"
    compare "$row" tso "$tso" "$(part 2 "$traces")"
    compare "$row" pso "$pso" "$(part 3 "$traces")"
done <"$programs/expected.tsv"

echo "$checked checks with $engine, $failures wrong"
[ "$failures" = 0 ] && [ "$checked" -gt 0 ]
