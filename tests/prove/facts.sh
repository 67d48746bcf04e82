# Facts hold in all states: of programs whose classes share code, and whose main does more than one step before its first
# thread.
root=$(dirname "$(readlink -f "$0")")/../..
check() {
    "$PICKET" show --save program.picket "$@" >shown
    "$(dirname "$PICKET")/tests/prove/unit_prove_facts" --saved program.picket || { echo "$*"; exit 1; }
}
for threads in 2 3; do
    check --threads $threads "$root/tests/prove/found_lock.c"
    check --threads $threads -DTTAS "$root/tests/prove/inferred_locks.c"
    check --threads $threads "$root/tests/prove/inferred_once.c"
done
for name in clh_lock treiber_stack spsc_ring apr_thread_pool; do
    check "$root/bench/programs/$name.c"
done
