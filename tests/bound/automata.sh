# Thread automata: goals are reached within the bound or not; a lock of the bus is refused with its line.
automata=$(dirname "$0")/../../bench/automata
expect() {
    expected=$1
    shift
    code=0
    "$PICKET" check --quiet "$@" >said 2>&1 || code=$?
    [ "$code" = "$expected" ] || {
        echo "exit code $code instead of $expected: $*"
        cat said
        exit 1
    }
}
for program in dekker simple_dekker peterson burns; do
    expect 1 --engine rounds --rounds 3 "$automata/$program.aut"
    expect 1 --engine age --age 1 "$automata/$program.aut"
    expect 0 --engine rounds --rounds 2 "$automata/${program}_fenced.aut"
    expect 0 --engine age --age 0 "$automata/$program.aut"
done
expect 2 --engine rounds --rounds 2 "$automata/mcs_lock.aut"
grep -q 'mcs_lock.aut:[0-9]*: error: cannot be translated: a lock of the bus' said
