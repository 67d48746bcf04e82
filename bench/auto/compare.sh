#!/bin/sh
# `picket check` without an engine beside the best single engine, on every row of bench/programs/expected.tsv: the time of
# both by the clock, and whether the answer is right.
#
#     bench/auto/compare.sh [-j N] [LIMIT]      default: all cores, 20 seconds for each run
root=$(dirname "$(readlink -f "$0")")/../..
picket=${PICKET:-$root/build/release/picket}
jobs=
if [ "$1" = -j ]; then
    jobs="-j $2"
    shift 2
fi
limit=${1:-20}
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
tail -n +2 "$root/bench/programs/expected.tsv" >"$scratch/rows"

# once ENGINE: verdict and seconds of the engine's part, the front end apart
once() {
    # shellcheck disable=SC2086 # arguments and jobs are several words
    timeout $((limit + 10)) "$picket" check --engine "$1" ${2:-} --no-shrink --timeout "$limit" --model $model --format json \
        --witness "$scratch/witness" $arguments "$root/bench/programs/$program.c" >"$scratch/json" 2>/dev/null </dev/null
    sed -n 's/^ "verdict": "\(.*\)",$/\1/p; s/^ "time_s": \(.*\),$/\1/p' "$scratch/json" | tr '\n' ' '
}

tab=$(printf '\t')
printf 'program\targuments\tmodel\tverdict\tauto\tbest\tengine\tratio\n'
while IFS="$tab" read -r program arguments sc tso pso traces slow; do
    [ "$arguments" != - ] || arguments=
    for model in sc tso pso; do
        eval "wanted=\$$model"
        [ "$wanted" != - ] || continue
        best=
        for engine in explore reach; do
            # shellcheck disable=SC2046 # two words
            set -- $(once $engine)
            if [ "$1" = "$wanted" ] && { [ -z "$best" ] || [ "$(echo "$2 < $best" | bc)" = 1 ]; }; then
                best=$2
                name=$engine
            fi
        done
        # shellcheck disable=SC2046
        set -- $(once auto "$jobs")
        mark=
        [ "$1" = "$wanted" ] || [ "$1" = undecided ] || mark=' WRONG'
        [ -n "$best" ] && ratio=$(echo "scale=2; $2 / ($best + 0.001)" | bc) || ratio=-
        printf '%s\t%s\t%s\t%s%s\t%s\t%s\t%s\t%s\n' "$program" "$arguments" $model "$1" "$mark" "$2" "${best:--}" \
            "${name:--}" "$ratio"
    done
done <"$scratch/rows"
