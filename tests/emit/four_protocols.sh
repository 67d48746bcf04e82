# Dekker, Lamport, Peterson and Szymanski with fences, printed as C: another verifier agrees that they are safe under
# SC. Skipped where none is installed.
programs=$(cd "$(dirname "$0")/../../bench/programs" && pwd)
if command -v cbmc >/dev/null; then
    dialect=cbmc
    verify() {
        cbmc --unwind 4 "$1"
    }
elif command -v esbmc >/dev/null; then
    dialect=svcomp
    verify() {
        esbmc --unwind 4 --no-unwinding-assertions "$1"
    }
else
    echo "skipped: neither cbmc nor esbmc is installed"
    exit 77
fi
for program in dekker lamport peterson szymanski; do
    "$PICKET" check --model sc "$programs/$program.c" | grep -q safe
    "$PICKET" translate --dialect "$dialect" -o copy.c "$programs/$program.c"
    verify copy.c >said 2>&1 || { echo "$program:" && tail -n 20 said && exit 1; }
    grep -q 'VERIFICATION SUCCESSFUL' said
done
