# Every failing allocation of a search ends with a message and the results so far, or does no harm.
. "$(dirname "$0")/each_fails"

each_fails 5 check --engine explore program.picket
each_fails 5 check --engine explore --format json --quiet program.picket
verdict_only=yes # who answers first, and where the others stand, is not always the same
each_fails 60 check program.picket
each_fails 40 check --engine reach dekker.aut
verdict_only=
each_fails 5 check --engine brute --no-explain dekker.aut
each_fails 5 check --engine reach --no-explain dekker.aut
each_fails 20 check --engine lazy --no-explain dekker.aut
each_fails 80 check --engine rounds --no-explain dekker.aut
each_fails 20 check --engine seq program.picket
each_fails 5 check --engine explore --no-explain sb.litmus
verdict_only=yes
each_fails 60 robust dekker.aut
each_fails 400 fence dekker.aut
verdict_only=
each_fails 10 robust --engine oracle dekker.aut
# Not `prove`: Z3 does not survive this, even while it is loaded.
