# Algorithms whose threads run for ever get a conclusive answer without an option; tests/automaton has the answers.
root=$(dirname "$(readlink -f "$0")")/../..
count=0
for file in "$root"/bench/automata/*.aut; do
    code=0
    "$PICKET" check --timeout 100 --no-explain --quiet --witness witness.json "$file" >report || code=$?
    [ $code -le 1 ] || { echo "$file: exit code $code"; cat report; exit 1; }
    count=$((count + 1))
done
[ $count -ge 20 ] || { echo "only $count programs"; exit 1; }
