# The idempotent LIFO and anchor queues gain no state by the store buffer, for any number of thieves.  What they assert is
# another question, which may take longer than this.
root=$(dirname "$(readlink -f "$0")")/../..
for name in idempotent_lifo idempotent_anchor; do
    "$PICKET" prove --quiet --timeout 1 --format json "$root/bench/programs/$name.c" >out.json 2>/dev/null || true
    grep -q '"adds_state": false' out.json || { echo "$name"; exit 1; }
done
