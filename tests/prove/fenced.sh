# bench/programs with all fences: at least 27 of them are proved without a question.  Without fences, algorithms for
# mutual exclusion that TSO breaks are not proved.
root=$(dirname "$(readlink -f "$0")")/../..
proved=0
for file in "$root"/bench/programs/*.c; do
    # What is asserted is another question: it may take longer than this.
    "$PICKET" prove -DFENCES=ROBUST --quiet --timeout 0.5 --format json "$file" >out.json 2>/dev/null || true
    if grep -q '"adds_state": false' out.json && grep -q '"pair_queries": 0,' out.json; then
        proved=$((proved + 1))
    fi
done
echo "$proved proved without a question"
[ "$proved" -ge 27 ]
for name in dekker peterson lamport burns szymanski bakery; do
    code=0
    "$PICKET" prove --quiet --timeout 1 "$root/bench/programs/$name.c" >out || code=$?
    [ "$code" = 1 ] || [ "$code" = 3 ] || { echo "$name: exit code $code"; exit 1; }
done
