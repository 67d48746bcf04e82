# The litmus tests of this directory: final states, number of executions and verdicts under all models, in herd's form.
here=$(dirname "$0")
for model in sc tso pso; do
    "$PICKET" litmus --model $model "$here" >said
    diff "$here/expected-$model.log" said
    "$PICKET" litmus --model $model -j 3 "$here" >said_by_three
    cmp said said_by_three
done
