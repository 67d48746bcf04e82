# Lists, counters and publication: a stack with a lock, fib with N = 2, double-checked locking, queues.
. "$(dirname "$0")/sequential_protocols"
row stack "-DUNSAFE" 2 2 2 2 1 1 1
row fib "-DN=2 -DJOIN" 2 2 2 2 0 0 0
row fib "-DN=2 -DUNSAFE -DJOIN" 2 2 3 2 1 1 1
row dcl_singleton "" 1 2 2 2 0 0 1
row ticket_lock "" 1 3 2 3 0 0 1
