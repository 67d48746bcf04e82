# Dekker, Lamport, Peterson and Szymanski, with and without fences, translated to SC and printed as C: another verifier
# gives the verdict that Picket gives for the same file. Skipped where none is installed.
programs=$(cd "$(dirname "$0")/../../bench/programs" && pwd)
if command -v cbmc >/dev/null; then
    dialect=cbmc
    verify() {
        timeout 15 cbmc --unwind 6 --no-unwinding-assertions "$1"
    }
elif command -v esbmc >/dev/null; then
    dialect=svcomp
    verify() {
        timeout 15 esbmc --unwind 6 --no-unwinding-assertions "$1"
    }
else
    echo "skipped: neither cbmc nor esbmc is installed"
    exit 77
fi
answers=0
for program in dekker lamport peterson szymanski; do
    for fences in NONE TSO; do
        "$PICKET" translate --rounds 2 --copies 4 --dialect "$dialect" -DFENCES=$fences -o copy.c "$programs/$program.c"
        code=0
        "$PICKET" check --engine brute --model sc --quiet copy.c >/dev/null || code=$?
        verify copy.c >said 2>&1 || true
        case $code-$(grep -oE 'VERIFICATION (SUCCESSFUL|FAILED)' said) in
        0-*SUCCESSFUL | 1-*FAILED) answers=$((answers + 1)) ;;
        *VERIFICATION*) echo "$program, fences $fences: Picket says $code, but:" && tail -n 20 said && exit 1 ;;
        *) echo "$program, fences $fences: no answer in time" ;;
        esac
    done
done
[ "$answers" -gt 0 ] || exit 77
