# A limit ends the engines rounds and age with exit code 3 and what is known by then.
program=$(dirname "$0")/../../bench/programs/lamport.c
for engine in rounds age; do
    # On a busy machine the first bound may take longer.
    for seconds in 2 10 40; do
        code=0
        "$PICKET" check --quiet --engine $engine --timeout $seconds -DFENCES=TSO "$program" >said 2>&1 || code=$?
        cat said
        [ $code = 3 ]
        ! grep -q "the time-out was reached, at $engine [2-9]; no error with $engine [1-9]" said || break
    done
    grep -q "the time-out was reached, at $engine [2-9]; no error with $engine [1-9]" said
done
code=0
"$PICKET" check --quiet --engine rounds --rounds 9 --timeout 1 -DFENCES=TSO "$program" >said 2>&1 || code=$?
cat said
[ $code = 3 ]
grep -q "the time-out was reached, at rounds 9$" said
