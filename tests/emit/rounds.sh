# The translation to SC within two rounds, or with stores at most one round old, printed as C: compilers take it, and
# read back it has the verdict of the engine that does the same in one go.
. "$(dirname "$0")/round_trip"
programs=$(cd "$(dirname "$0")/../../bench/programs" && pwd)

for program in dekker lamport peterson szymanski; do
    for fences in NONE TSO; do
        [ "$fences" = NONE ] && expected=violation || expected=safe
        for bound in '--rounds 2' '--age 1'; do
            # shellcheck disable=SC2086
            "$PICKET" translate $bound -o copy.c -DFENCES=$fences "$programs/$program.c" ||
                { complain "$program $bound: cannot be printed"; continue; }
            for compiler in gcc clang-19; do
                # shellcheck disable=SC2086
                "$compiler" $warnings -fsyntax-only copy.c >warned 2>&1 || complain "$program $bound: $(head -n 4 warned)"
            done
            outcome 30 copy.c --engine brute --model sc >second
            compared=$((compared + 1))
            grep -q "\"verdict\": \"$expected\"" second || complain "$program, fences $fences, $bound: $(cat second)"
        done
    done
done
round_trip_end 15
