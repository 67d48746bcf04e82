# The fences that `picket check` proposes for an error are a patch that applies, and after which the program is safe.
root=$(dirname "$(readlink -f "$0")")/../..

# helped MODEL FILE ARGUMENT...: the proposal repairs a copy of the program
helped() {
    model=$1
    name=$2
    shift 2
    rm -rf copy
    mkdir copy
    cp "$root/bench/programs/"*.h "$root/bench/programs/$name.c" copy 2>/dev/null || cp "$root/examples/$name.c" copy
    code=0
    (cd copy && "$PICKET" check --model "$model" --witness ../witness.json "$name.c" "$@") >report || code=$?
    [ $code = 1 ] || { echo "$name: exit code $code"; cat report; exit 1; }
    sed -n '/^help: with these fences/,$p' report | sed -n '/^--- a/,/^$/p' >fences.patch
    [ -s fences.patch ] || { echo "$name: no fences are proposed"; cat report; exit 1; }
    (cd copy && patch -p1 -s <../fences.patch)
    (cd copy && "$PICKET" check --model "$model" "$name.c" "$@" >../after) || { echo "$name: not safe with the fences"; cat after; exit 1; }
}

helped tso dekker
helped pso message_passing
helped pso spsc_ring
helped tso hazard_pointers

code=0
"$PICKET" check --format json --witness witness.json "$root/examples/dekker.c" >json || code=$?
[ $code = 1 ]
grep -q '"help": "--- a/' json || { echo "no help in JSON"; cat json; exit 1; }

# As a fix in SARIF: the same lines at the same places.
code=0
"$PICKET" check --sarif sarif --witness witness.json "$root/examples/dekker.c" >report || code=$?
[ $code = 1 ]
grep -A60 '"fixes"' sarif >fixes
grep -q '"uri": ".*examples/dekker.c"' fixes
grep -q '"text": " *atomic_thread_fence(memory_order_seq_cst);\\n"' fixes || { cat fixes; exit 1; }
for line in $(sed -n 's/^@@ -\([0-9]*\),.*/\1/p' report); do # of three lines that stay
    grep -q "\"startLine\": $((line + 3))" fixes || { echo "nothing is inserted after line $line + 2"; cat fixes; exit 1; }
done

# Where it cannot be decided what is safe, a fence that stops this execution, and no more is claimed.
cp "$root/tests/explain/crowd.c" .
code=0
"$PICKET" check --witness witness.json --json json crowd.c >report || code=$?
[ $code = 1 ]
grep -q 'help: this fence stops this execution under TSO; whether others end in an error is not known' report || { cat report; exit 1; }
grep -q '"help_checked": false' json
sed -n '/^--- a/,/^$/p' report >fences.patch
patch -p1 -s <fences.patch
[ "$(grep -c atomic_thread_fence crowd.c)" = 1 ]

# No fence helps where SC has the error, and none is proposed; nor is one sought with --no-explain.
code=0
"$PICKET" check --witness witness.json -DUNSAFE "$root/bench/programs/stack.c" >report || code=$?
[ $code = 1 ]
grep -q 'needs no store buffer' report || { cat report; exit 1; }
! grep -q '^help:' report
"$PICKET" check --witness witness.json --no-explain "$root/examples/dekker.c" >report || true
! grep -q '^help:' report || { cat report; exit 1; }
