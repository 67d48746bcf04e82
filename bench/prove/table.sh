#!/bin/sh
# Prints the programs of expected.tsv as the paper's Table 1; README.md says what the columns are.
#
#     bench/prove/table.sh [PART-OF-A-NAME]
root=$(dirname "$(readlink -f "$0")")/../..
picket=${PICKET:-$root/picket}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# field NAME: of the report in $scratch/report.
field() {
    sed -n "s/^ \"$1\": \([^,]*\),*\$/\1/p" "$scratch/report"
}

# states MODEL THREADS: the final states, or nothing if not all of them are known.
states() {
    if timeout 15 "$picket" check --engine brute --collect states --timeout 10 --format json --model "$1" --threads "$2" \
        $arguments "$root/$program" >"$scratch/found" 2>/dev/null && grep -q '"bounded": false' "$scratch/found"; then
        sed -n '/"final_states"/,/\]/p' "$scratch/found" | tr -d , | sort
    fi
}

# same_states THREADS: + or -, ? if that is not known.
same_states() {
    sc=$(states sc "$1")
    tso=$(states tso "$1")
    if [ -z "$sc" ] || [ -z "$tso" ]; then
        echo '?'
    elif [ "$sc" = "$tso" ]; then
        echo +
    else
        echo -
    fi
}

is_robust() {
    timeout 15 "$picket" robust --quiet --timeout 10 --threads "$1" $arguments "$root/$program" >/dev/null 2>&1
    case $? in
    0) echo + ;;
    1) echo - ;;
    *) echo '?' ;;
    esac
}

printf '%-16s %5s %5s %3s %3s %3s %3s %8s %8s\n' name SV SR RB RA RM LM queries time
while IFS='	' read -r name program arguments _; do
    case $name in name) continue ;; *"${1:-}"*) ;; *) continue ;; esac
    [ "$arguments" != - ] || arguments=
    "$picket" prove --quiet --timeout 20 --witness "$scratch/witness" --format json $arguments "$root/$program" \
        >"$scratch/report" 2>/dev/null
    case $(field adds_state) in false) adds=+ ;; *) adds=- ;; esac
    printf '%-16s %5s %5s %3s %3s %3s %3s %8s %8.2f\n' "$name" "$(same_states 2)/$(same_states 3)" \
        "$(is_robust 2)/$(is_robust 3)" "$adds" "$(field abstractions)" "$(field right_movers)" "$(field left_movers)" \
        "$(field queries)" "$(field time_s)"
done <"$root/bench/prove/expected.tsv"
