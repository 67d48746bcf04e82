# Printed sequential programs, read back by `seq` under SC, with the paper's parameters: the verdicts of the protocols under
# TSO and PSO, and with a clock of 1 those under SC.
programs=$(cd "$(dirname "$0")/../../bench/programs" && pwd)

# verdict WANTED MODEL PROGRAM [OPTION...] -- [ARGUMENT...]
verdict() {
    wanted=$1
    model=$2
    program=$3
    shift 3
    "$PICKET" translate --sequential --model "$model" --rounds 2 --unroll 1 "$programs/$program.c" "$@" >printed.c
    "$PICKET" check --engine seq --model sc --quiet --witness witness.json printed.c >said || true
    grep -q "^$wanted under SC" said || { echo "$program $* under $model: $(cat said)"; exit 1; }
}

for model in tso pso; do
    for program in dekker peterson szymanski lamport; do
        verdict violation $model $program --
    done
    for program in dekker peterson szymanski; do
        verdict safe $model $program -- -DFENCES=PSO
        verdict safe $model $program --clock 1 --
    done
done
verdict violation pso dekker -- -DFENCES=TSO
verdict violation tso stack -- -DUNSAFE
# What main asserts after joining needs no round of its own.
for model in tso pso; do
    verdict violation $model parker --queue 3 --clock 3 -- -DWATCHED
    verdict safe $model parker --queue 3 --clock 3 -- -DWATCHED -DFENCES=PSO
    verdict safe $model parker --queue 3 --clock 1 -- -DWATCHED
done
verdict violation tso fib --clock 2 -- -DN=2 -DUNSAFE -DJOIN
