# Witnesses, replayed on one program.
. "$(dirname "$0")/from_corpus"

cp "$sources"/corpus/witness/* corpus
from_corpus witness 10000
