# All reference tests under PSO.
. "$(dirname "$0")/compare"
compare pso
