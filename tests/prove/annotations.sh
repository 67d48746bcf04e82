# Annotations cost nothing elsewhere: programs that have them compile without warnings, other commands see the program
# that is left without them, and --emit writes the abstracted program as C that Picket reads again.
root=$(dirname "$(readlink -f "$0")")/../..
for name in figure_3 figure_6 claims overflow; do
    gcc -Wall -Wextra -Werror -O2 -pthread -I"$root/include" -c "$root/tests/prove/$name.c" -o out.o
    [ $name != claims ] || continue # it has variables that only annotations mention
    # The same lines with all annotations taken away.
    sed 's/picket_[rm][a-z_]*([a-z]*, .*);/;/; s/picket_[ci][a-z]*(.*);/;/' "$root/tests/prove/$name.c" >"$name.c"
    ! grep -q 'picket_claim(\|picket_reads(' "$name.c" || { grep -n 'picket_claim(\|picket_reads(' "$name.c"; exit 1; }
    "$PICKET" show "$name.c" >without
    (cd "$root/tests/prove" && "$PICKET" show "$name.c") | sed 's/:[0-9]*:[0-9]*//' >with
    sed 's/:[0-9]*:[0-9]*//' without | diff - with
done

"$PICKET" prove --quiet --emit abstracted.c -DASSERTED "$root/tests/prove/figure_6.c" >out
grep -q 'picket_nondet' abstracted.c
"$PICKET" check --model sc --engine reach abstracted.c --format json --timeout 5 >out || true
! grep -q '"verdict": "error"' out
code=0
"$PICKET" prove --emit /no/such/file "$root/tests/prove/figure_6.c" 2>said || code=$?
[ "$code" = 2 ]
grep -q 'cannot write /no/such/file' said
