# `seq` gives the verdicts of bench/programs/expected.tsv, under SC, TSO and PSO: locks.
ENGINE=seq sh -eu "$(dirname "$0")/../programs/expected.sh" bakery burns clh_lock dekker lamport mcs_lock parker \
    peterson pgsql reader_writer_lock sense_barrier seqlock szymanski ticket_lock ttas_lock
