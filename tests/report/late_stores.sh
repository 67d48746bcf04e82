# A late store: where it waits, what passes it, who reads the outdated value.  Under TSO loads pass it, under PSO stores.
. "$(dirname "$0")/reports"
reports two_threads --engine reach two_threads.c
reports late_pso --engine reach --model pso late_pso.c
reports moved_drain --engine explore moved_drain.c
