# `seq` gives the verdicts of bench/programs/expected.tsv, under SC, TSO and PSO: data structures and counters.
ENGINE=seq sh -eu "$(dirname "$0")/../programs/expected.sh" dcl_singleton fib hazard_pointers increments indexer \
    last_zero nbw nbw_ring paper_figure_1 paper_figure_5 spsc_ring store_buffer_ring treiber_stack writer_readers
