# The benchmark programs, printed as C and read back, have the verdicts and numbers of traces that expected.tsv says.
. "$(dirname "$0")/round_trip"
programs=$(cd "$(dirname "$0")/../../bench/programs" && pwd)

while IFS=$tab read -r program arguments sc tso pso traces slow; do
    [ "$program" != program ] && [ "$slow" != yes ] || continue
    [ "$arguments" != - ] || arguments=
    print_and_read "$programs/$program.c" "$arguments" svcomp || continue
    place=0
    for model in sc tso pso; do
        place=$((place + 1))
        eval "verdict=\$$model"
        [ "$verdict" != - ] || continue
        outcome 30 copy.picket --engine explore --model "$model" >second
        compared=$((compared + 1))
        grep -q "\"verdict\": \"$verdict\"" second || complain "$program $arguments under $model: not $verdict"
        count=$(echo "$traces" | cut -d / -f "$place")
        [ "$verdict" != safe ] || [ "$count" = - ] || grep -q "\"traces\": $count," second ||
            complain "$program $arguments under $model: not $count traces: $(cat second)"
    done
done <"$programs/expected.tsv"
round_trip_end 100
