# Litmus tests; the corpus are those of tests/litmus.
. "$(dirname "$0")/from_corpus"

cp "$sources"/../litmus/*.litmus corpus
from_corpus litmus 3000
