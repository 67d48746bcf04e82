# The programs of Fig. 6 of the paper: verdict, robustness, and for the automata no more SC queries than its column RQ.
# Those of Figs. 8 and 9, which grow with N: a violation, for Fig. 9 with the same number of queries whatever N is.
automata=$(dirname "$0")/../../bench/automata

field() {
    sed -n 's/^ *"'"$1"'": *"\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' report
}

# decide FILE: sets `verdict` and `queries`.
decide() {
    "$PICKET" check --engine lazy --format json "$1" >report || [ $? -eq 1 ]
    verdict=$(field verdict)
    queries=$(field queries)
}

# row NAME VERDICT ROBUST RQ
row() {
    decide "$automata/$1.aut"
    echo "$1: $verdict, $queries queries"
    [ "$verdict" = "$2" ]
    [ "$queries" -le "$4" ]
    code=0
    "$PICKET" robust --engine oracle "$automata/$1.aut" >robust || code=$?
    [ $code -eq "$3" ]
}

row parker violation 1 4
row peterson violation 1 12
row dekker violation 1 30
row lamport violation 1 27
row mcs_lock safe 0 30
row clh_lock safe 0 70
row lock_free_stack safe 0 14

# The same as C.
programs=$(dirname "$0")/../../bench/programs
for line in 'parker violation 1' 'peterson violation 1' 'dekker violation 1' 'lamport violation 1' 'mcs_lock safe 0' \
    'clh_lock safe 0' 'treiber_stack safe 0'; do
    # shellcheck disable=SC2086
    set -- $line
    decide "$programs/$1.c"
    echo "$1.c: $verdict, $queries queries"
    [ "$verdict" = "$2" ]
    code=0
    "$PICKET" robust --engine oracle "$programs/$1.c" >robust || code=$?
    [ $code -eq "$3" ]
done

generators=$(dirname "$0")/../../bench
for n in 2 5 16; do
    sh "$generators/loop" $n >loop.aut
    decide loop.aut
    echo "loop $n: $verdict, $queries queries"
    [ "$verdict" = violation ]
    [ "$queries" -eq 3 ]
    sh "$generators/diamond" $n >diamond.aut
    decide diamond.aut
    [ "$verdict" = violation ]
done
for n in 2 3; do
    sh "$generators/lamport" $n fenced >lamport.aut
    decide lamport.aut
    [ "$verdict" = safe ]
    [ "$queries" -eq 1 ]
    sh "$generators/lamport" $n >lamport.aut
    decide lamport.aut
    [ "$verdict" = violation ]
done
