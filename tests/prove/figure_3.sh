# The facts about Fig. 3, among them those about all items below a bound, hold in all states of two and of three threads.
source=$(cd "$(dirname "$0")" && pwd)/figure_3.c
for threads in 2 3; do
    "$PICKET" show --threads $threads --save program.picket -DPLAIN "$source" >shown
    "$(dirname "$PICKET")/tests/prove/unit_prove_facts" --saved program.picket
done
