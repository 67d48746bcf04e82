# Inline assembler.
. "$(dirname "$0")/from_corpus"

cp "$sources"/corpus/inline_asm/* corpus
from_corpus inline_asm 3000
