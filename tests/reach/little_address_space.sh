# Searches of states work where the address space is limited, and say so where they cannot.
. "$(dirname "$0")/../bad_input/refuse"
"$PICKET" show --save safe.picket -DFENCES=TSO "$(dirname "$0")/../../bench/programs/lamport.c"
# A sanitized build cannot run in so little address space.
(ulimit -v 4000000 && "$PICKET" --version >version 2>&1) || exit 77
for engine in reach lazy; do
    (
        ulimit -v 4000000
        expect 0 'safe under TSO' "$PICKET" check --engine $engine safe.picket
        ulimit -v 200000
        expect 3 'no address space left (ulimit -v)' "$PICKET" check --engine $engine safe.picket
        grep -q 'undecided under TSO: memory is full' said
    )
done
