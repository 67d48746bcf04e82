#!/bin/sh
# Every violation of bench/programs/expected.tsv: what its shortest execution costs, whether SC has it, and the time.
#
#     bench/witness/table.sh [ENGINE...]      default: auto
#
# The last lines say how many were shown to be shortest, and where the answer about SC is not that of the table.
root=$(dirname "$(readlink -f "$0")")/../..
picket=${PICKET:-$root/build/release/picket}
[ $# -gt 0 ] || set -- auto
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
field() {
    sed -n "s/^ \"$1\": \\(.*[^,]\\),\\{0,1\\}\$/\\1/p" "$scratch/json"
}
violations=0
shortest=0
wrong=0
printf 'program\targuments\tmodel\tengine\tlate\tswitches\tsteps\tfound with\tshortest\tsc\tseconds\n'
tail -n +2 "$root/bench/programs/expected.tsv" >"$scratch/rows"
for engine in "$@"; do
    while read -r program rest; do
        slow=${rest##*	}
        rest=${rest%	*}
        rest=${rest%	*}
        pso=${rest##*	}
        rest=${rest%	*}
        tso=${rest##*	}
        rest=${rest%	*}
        sc=${rest##*	}
        arguments=${rest%	*}
        [ "$arguments" != - ] || arguments=
        for model in sc tso pso; do
            eval "wanted=\$$model"
            [ "$wanted" = violation ] || continue
            # shellcheck disable=SC2086 # arguments are several words
            timeout 120 "$picket" check --engine "$engine" --model $model --format json --witness "$scratch/witness" \
                $arguments "$root/bench/programs/$program.c" >"$scratch/json" 2>/dev/null </dev/null
            [ "$(field verdict)" = '"violation"' ] || { echo "$program $arguments $model: $(field verdict)"; continue; }
            violations=$((violations + 1))
            [ "$(field shortest)" != true ] || shortest=$((shortest + 1))
            known=false
            [ "$sc" != violation ] || known=true
            [ "$(field sc)" = null ] || [ "$(field sc)" = $known ] || {
                wrong=$((wrong + 1))
                echo "$program $arguments $model: sc is $(field sc)"
            }
            printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$program" "$arguments" $model "$engine" "$(field late)" \
                "$(field switches)" "$(field length)" "$(field shrunk_from)" "$(field shortest)" "$(field sc)" "$(field explain_s)"
        done
    done <"$scratch/rows"
done
echo "$violations violations, $shortest shown to be shortest, $wrong with the wrong word about SC"
