# Every failing allocation of the commands that search little or not at all ends with a message or does no harm.
. "$(dirname "$0")/each_fails"

"$PICKET" check --engine brute dekker.aut >said || [ $? = 1 ]
each_fails 2 show dekker.aut
each_fails 3 litmus sb.litmus
each_fails 2 run program.picket
each_fails 2 replay picket-witness.json
each_fails 2 translate program.picket
each_fails 20 translate --sequential program.picket
each_fails 40 translate --rounds 2 program.picket
