# `reach` and `brute` agree under SC on the C programs of the tests: the verdict, with one thread and with two.
root=$(dirname "$0")/..
word() {
    sed -n 's/.*"verdict": "\([a-z]*\)".*/\1/p' report
}
count=0
for file in "$root"/models/*.c "$root"/models/*/*.c "$root"/errors/deadlock/*.c "$root"/errors/assertion/*.c \
    "$root"/errors/locks/*.c "$root"/errors/threads/*.c "$root"/explore/*.c; do
    [ -f "$file" ] || continue
    "$PICKET" check --model sc --engine brute --timeout 2 --format json "$file" >report 2>/dev/null || true
    expected=$(word)
    case $expected in
    safe | violation) ;;
    *) continue ;;
    esac
    for jobs in 1 2; do
        "$PICKET" check --model sc --engine reach -j $jobs --timeout 20 --format json "$file" >report 2>/dev/null || true
        [ "$(word)" = "$expected" ] || {
            echo "$file -j $jobs: not $expected"
            cat report
            exit 1
        }
    done
    count=$((count + 1))
done
echo "$count programs"
[ "$count" -ge 20 ]
