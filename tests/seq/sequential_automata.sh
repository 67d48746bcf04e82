# Thread automata as printed sequential programs: the goal is reached under TSO, and not under SC.
automata=$(dirname "$0")/../../bench/automata
for automaton in dekker burns; do
    for model in sc tso; do
        [ $model = sc ] && expected=0 || expected=1
        "$PICKET" translate --sequential --model $model --rounds 2 --unroll 1 "$automata/$automaton.aut" -o printed.c
        gcc -Wall -Wextra -Werror -fsyntax-only printed.c
        code=0
        "$PICKET" check --quiet --model sc --engine reach printed.c >said 2>&1 || code=$?
        [ "$code" = "$expected" ] || { echo "$automaton $model: exit code $code" && cat said && exit 1; }
        [ "$code" = 0 ] || grep -q "goal" said
    done
done
