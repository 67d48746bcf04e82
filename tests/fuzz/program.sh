# Saved programs whose checksum is right and nothing else need be.
. "$(dirname "$0")/from_corpus"

for source in "$sources"/corpus/program/* "$sources"/../litmus/sb.litmus "$sources"/../../bench/automata/simple_dekker.aut; do
    "$PICKET" show --save "corpus/$(basename "$source")" "$source"
done
from_corpus program 2000
