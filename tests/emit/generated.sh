# Generated programs (accesses of mixed sizes, every kind of lock, waiting loops, choices, assumptions, threads, atomic
# sections, ends of objects), printed as C and read back, have the verdicts and numbers of executions that they had.
#
#     SEED=1 COUNT=40 sh -eu tests/emit/generated.sh
. "$(dirname "$0")/round_trip"
seed=${SEED:-1}
count=${COUNT:-40}
echo "seeds $seed to $((seed + count - 1))"
last=$((seed + count))
for dialect in svcomp picket; do
    "$(dirname "$PICKET")/tests/emit/write_generated" "$seed" "$((count / 2))" "$dialect"
    end=$((seed + count / 2))
    while [ "$seed" -lt "$end" ] && [ "$seed" -lt "$last" ]; do
        mv "$seed.picket" original.picket
        for compiler in gcc clang-19; do
            # shellcheck disable=SC2086
            "$compiler" $warnings -fsyntax-only "$seed.c" >warned 2>&1 || complain "seed $seed: $(head -n 4 warned)"
        done
        "$PICKET" show --save copy.picket "$seed.c" || complain "seed $seed: the copy cannot be read"
        same_check "seed $seed" --engine brute
        rm -f "$seed.c"
        seed=$((seed + 1))
    done
done
round_trip_end 60
