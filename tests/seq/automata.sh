# Goals of thread automata: `seq` reaches those that `reach` reaches, and no others.  Loops that need not end keep it from
# deciding most of the others without a bound.
automata=$(dirname "$0")/../../bench/automata
checked=0
for file in "$automata"/*.aut; do
    name=$(basename "$file" .aut)
    case $name in
    clh_lock | lock_free_stack | mcs_lock) # these lock the bus
        code=0
        "$PICKET" check --quiet --engine seq "$file" >said 2>&1 || code=$?
        [ $code = 2 ] && grep -q "$name.aut:[0-9]*: .*lock of the bus" said || { echo "$name: exit code $code"; exit 1; }
        continue
        ;;
    esac
    for model in sc tso pso; do
        expected=0
        "$PICKET" check --quiet --engine reach --model $model "$file" >expected 2>&1 || expected=$?
        code=0
        "$PICKET" check --quiet --engine seq --model $model --unroll 1 "$file" >said 2>&1 || code=$?
        [ $code = $expected ] || { echo "$name $model: $code, not $expected"; cat expected said; exit 1; }
        [ $code = 0 ] || grep -q "\[goal\]$" said
        checked=$((checked + 1))
    done
done
[ $checked -ge 60 ]

# Their threads never end, so there are no final states; a goal ends the search for them.
"$PICKET" check --engine seq --collect states "$automata/nbw_w_r.aut" | grep -q "safe under TSO"
code=0
"$PICKET" check --engine seq --model pso --collect states "$automata/nbw_w_r.aut" >said || code=$?
[ $code = 1 ] && grep -q "error: the thread is in its final state \[goal\]$" said
