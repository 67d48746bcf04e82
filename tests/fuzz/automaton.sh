# Thread automata; the corpus is that of the benchmarks.
. "$(dirname "$0")/from_corpus"

cp "$sources"/../../bench/automata/*.aut corpus
from_corpus automaton 2000
