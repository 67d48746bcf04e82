# Command lines.
. "$(dirname "$0")/from_corpus"

cp "$sources"/corpus/options/* corpus
from_corpus options 10000 -close_fd_mask=2
