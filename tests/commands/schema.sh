# Every JSON report satisfies docs/report.schema.json: every command, every engine, every verdict, bad input and usage.
schema=$(cd "$(dirname "$0")/../../docs" && pwd)/report.schema.json
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
validate=$(dirname "$PICKET")/tests/commands/validate
number=0

# report CODE ARGUMENT...: picket with these arguments ends with this code and a report that satisfies the schema
report() {
    wanted=$1
    shift
    number=$((number + 1))
    code=0
    "$PICKET" "$@" --format json >"report-$number.json" 2>complaint || code=$?
    if [ "$code" != "$wanted" ] || ! "$validate" "$schema" "report-$number.json"; then
        echo "picket $*: exit code $code instead of $wanted"
        cat "report-$number.json" complaint
        exit 1
    fi
}

cat >small.c <<'C'
#include <assert.h>
#include <pthread.h>
static int x, y;
static void *other(void *unused) {
    y = 1;
    FENCE;
    return x ? unused : &x;
}
int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, other, NULL);
    x = 1;
    FENCE;
    int seen = y;
    pthread_join(thread, &result);
    assert(seen || !result);
}
C
"$PICKET" show --save broken.picket -DFENCE= small.c
"$PICKET" show --save fenced.picket '-DFENCE=__sync_synchronize()' small.c
for engine in auto explore lazy reach seq brute random; do
    report 1 check --engine $engine broken.picket
    [ $engine = random ] && code=3 || code=0
    report $code check --engine $engine fenced.picket
done
for engine in rounds age; do
    report 0 check --engine $engine --$engine 1 fenced.picket
done
for what in states traces; do
    report 0 check --engine brute --collect $what --model sc broken.picket
done
report 1 check --engine brute --check races broken.picket
report 3 check --engine explore --timeout 0.001 "$examples/../bench/programs/safestack.c"
report 1 robust broken.picket
report 0 robust fenced.picket
report 1 robust --engine oracle broken.picket
report 0 fence -DFENCE= small.c
report 0 fence --for safety --model pso '-DFENCE=__sync_synchronize()' small.c
report 1 prove broken.picket
report 0 prove fenced.picket

# What is wrong with the input, each error with its place.
printf 'int main(void) {\n    one();\n    two();\n    return unknown;\n}\n' >bad.c
for command in check robust fence prove; do
    report 2 $command bad.c
    grep -q '"line": 4' "report-$number.json"
    report 2 $command missing.c
    report 2 $command --no-such-option bad.c
    report 2 $command
    report 2 $command --model pdp11 bad.c
done
report 2 robust --model sc broken.picket
report 2 check --engine oracle broken.picket
report 2 check --engine seq --check leaks broken.picket

# The schema is held to what is printed: a report that lacks a field, or has another one, does not pass.
sed '/"verdict"/d' report-1.json >wrong.json
! "$validate" "$schema" wrong.json 2>complaint
sed 's/"verdict": "[a-z]*"/"verdict": "perhaps"/' report-1.json >wrong.json
! "$validate" "$schema" wrong.json 2>complaint
sed 's/"verdict"/"surprise": 1, "verdict"/' report-1.json >wrong.json
! "$validate" "$schema" wrong.json 2>complaint
