# Generated programs (accesses, locks of every kind, waiting loops, choices, assumptions, threads, atomic sections) have
# as printed sequential programs, read back by `reach`, the verdicts that `brute` gives.  Left out are programs that
# access bytes in several sizes, which are refused, and those with errors that are not looked for.
#
#     SEED=1 COUNT=8 sh -eu tests/seq/sequential_generated.sh
seed=${SEED:-1}
count=${COUNT:-8}
echo "seeds $seed to $((seed + count - 1))"
"$(dirname "$PICKET")/tests/emit/write_generated" "$seed" "$count" svcomp

# verdict FILE MODEL ENGINE: the verdict and the kind of error
verdict() {
    "$PICKET" check --format json --model "$2" --engine "$3" --timeout 4 --memory 2000 "$1" >report 2>/dev/null || true
    sed -n 's/.*"verdict": *"\([a-z]*\)".*/\1/p; s/.*"kind": *"\([-a-z]*\)".*/\1/p' report | sort | tr '\n' ' '
}

compared=0
refused=0
last=$((seed + count))
while [ "$seed" -lt "$last" ]; do
    for model in sc tso pso; do
        [ $model = sc ] && bounds= || bounds="--clock 4 --queue 4"
        # shellcheck disable=SC2086
        if ! "$PICKET" translate --sequential --model $model --rounds 4 $bounds "$seed.picket" -o printed.c 2>said; then
            grep -q "accessed in several sizes" said || { cat said && exit 1; }
            refused=$((refused + 1))
            continue
        fi
        gcc -Wall -Wextra -Werror -fsyntax-only printed.c
        expected=$(verdict "$seed.picket" $model brute)
        found=$(verdict printed.c sc reach)
        case "$expected $found" in
        *deadlock* | *dangling* | *free* | *undecided*) continue ;;
        esac
        [ "$expected" = "$found" ] || {
            echo "seed $seed $model: $found, and $expected of brute"
            exit 1
        }
        compared=$((compared + 1))
    done
    seed=$((seed + 1))
done
echo "$compared compared, $refused refused"
[ "$compared" -ge "$count" ]
