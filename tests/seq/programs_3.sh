# `seq` gives the verdicts of bench/programs/expected.tsv, under SC, TSO and PSO: work-stealing queues.
ENGINE=seq sh -eu "$(dirname "$0")/../programs/expected.sh" idempotent_fifo idempotent_lifo
