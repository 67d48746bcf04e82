# The four protocols of the paper's Table 1: without fences an error within two rounds, and with stores of age 1; with
# fences none.  The translated C says the same under SC, to Picket and, if it is there, to cbmc or esbmc.
here=$(dirname "$0")
programs=$here/../../bench/programs

# expect CODE COMMAND...
expect() {
    expected=$1
    shift
    code=0
    "$@" >said 2>&1 || code=$?
    [ "$code" = "$expected" ] || {
        echo "exit code $code instead of $expected: $*"
        cat said
        exit 1
    }
}

other=
for tool in cbmc esbmc; do
    [ -n "$other" ] || ! command -v $tool >/dev/null || other=$tool
done
[ -n "$other" ] || echo "skipped: neither cbmc nor esbmc is here"

for program in dekker lamport peterson szymanski; do
    for fences in none TSO; do
        [ $fences = none ] && arguments= code=1 || arguments=-DFENCES=TSO code=0
        expect $code "$PICKET" check --quiet --engine rounds --rounds 2 $arguments "$programs/$program.c"
        expect $code "$PICKET" check --quiet --engine age --age 1 $arguments "$programs/$program.c"
        "$PICKET" translate --rounds 2 $arguments "$programs/$program.c" -o translated.c
        expect $code "$PICKET" check --quiet --engine reach --model sc translated.c
        case $other in
        cbmc)
            "$PICKET" translate --dialect cbmc --rounds 2 $arguments "$programs/$program.c" -o translated.c
            expect $((code * 10)) timeout 50 cbmc --unwind 4 translated.c
            ;;
        esbmc) expect $code timeout 50 esbmc --unwind 4 --no-unwinding-assertions translated.c ;;
        esac
    done
done
