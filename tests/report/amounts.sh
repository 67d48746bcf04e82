# --quiet has the messages and the verdict, --full every step and buffer, and so has a replay.
. "$(dirname "$0")/reports"
cp "$here/two_threads.c" .
"$PICKET" check --quiet --engine explore --witness witness.json two_threads.c >quiet && exit 1
sed 's/ (found with [0-9]* steps)//; /^violation under/q' quiet | diff "$here/quiet.txt" -
for command in "check --engine explore two_threads.c" "replay witness.json"; do
    "$PICKET" $command --full >full && exit 1
    sed 1q full | grep -q '^two_threads.c:12:5: error: assertion "both < 2" failed \[assertion\]$'
    grep -q 'writes x = 1 to its buffer' full || { cat full; exit 1; }
    grep -q 'buffer: x=1' full
    grep -q '^Memory at the error:$' full
done
