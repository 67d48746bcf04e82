# Limits hold while the input is being read: a source on which the compiler would run for hours and fill the memory.
{
    echo '#define A0 x x x x x x x x x x'
    for i in 1 2 3 4 5 6 7 8 9; do
        before=$((i - 1))
        echo "#define A$i A$before A$before A$before A$before A$before A$before A$before A$before A$before A$before"
    done
    echo 'int y = A9;'
} >bomb.c

# stopped REASON COMMAND...: exit code 3, the reason, and no compiler left
stopped() {
    reason=$1
    shift
    code=0
    "$@" >out 2>&1 || code=$?
    if [ "$code" != 3 ] || ! grep -q "$reason while the input was being read" out; then
        echo "$*: exit code $code"
        cat out
        exit 1
    fi
}

for command in check robust fence prove; do
    stopped 'the time-out was reached' "$PICKET" $command --timeout 0.2 bomb.c
done
stopped 'the memory limit was reached' "$PICKET" check --memory 150 bomb.c
stopped '"message": "the time-out was reached' "$PICKET" check --timeout 0.2 --format json bomb.c
grep -q '"verdict": "undecided"' out
stopped '"message": "the time-out was reached' "$PICKET" robust --timeout 0.2 --format json bomb.c
grep -q '"verdict": "undecided"' out

sh -c 'trap - INT; exec "$@"' - "$PICKET" check --format json bomb.c >out 2>&1 &
process=$!
until [ "$(cat "/proc/$process/comm")" = picket ]; do
    sleep 0.01
done
sleep 0.3
kill -INT "$process"
code=0
wait "$process" || code=$?
[ "$code" = 3 ]
grep -q '"message": "it was interrupted while the input was being read"' out
