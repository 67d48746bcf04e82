# Dekker's and Peterson's algorithm, with the paper's parameters.
. "$(dirname "$0")/sequential_protocols"
row dekker "" 1 2 2 2 0 1 1
row dekker "-DFENCES=PSO" 1 2 2 2 0 0 0
row peterson "" 1 3 2 2 0 1 1
row peterson "-DFENCES=TSO" 1 3 2 2 0 0 1
row peterson "-DFENCES=PSO" 1 3 2 2 0 0 0
