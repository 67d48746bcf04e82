# Fences for mutual exclusion of two threads, by patch.
. "$(dirname "$0")/patched"
repair_all <<'END'
burns 1 1 2
dijkstra 1 1 2
lamport 2 2 3
dekker 1 1 2
peterson 1 1 3
END

# Programs that run for ever.
repair dekker 3 -DENDLESS
patched robust -DENDLESS
repair dekker 2 --for safety -DENDLESS
patched check --engine lazy -DENDLESS
