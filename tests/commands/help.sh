# `--help` of every command: exit code 0, options under headings, no line wider than 100 characters, and no option of
# another command.
for command in check robust fence prove run replay litmus translate show; do
    "$PICKET" $command --help >out 2>error </dev/null
    grep -q "^usage: picket $command " out
    grep -q "^The report:$\|^The search:$\|^The question:$" out
    ! [ -s error ]
    awk 'length($0) > 100 { print "too wide: " $0; bad = 1 } END { exit bad }' out
    # An option stands below a heading, and no heading without one.
    awk '/^[A-Z].*:$/ { if (empty) exit 1; empty = 1 } /^  -/ { empty = 0; found = 1 } END { exit empty || !found }' out || {
        echo "picket $command --help: a heading without options"
        cat out
        exit 1
    }
done
"$PICKET" check --help >out
"$PICKET" check -h | cmp - out
grep -q '^  --unroll N  ' out
! grep -q -e '--for\b' out
"$PICKET" fence --help | grep -q '^  --for robustness|safety|trf  '
"$PICKET" replay --help | grep -q '^  --trust  '
