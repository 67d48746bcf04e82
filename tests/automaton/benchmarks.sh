# The automata of bench/automata: numbers of threads, states and transitions, and what is reachable under SC and TSO.
root=$(dirname "$0")/../..
automata=$root/bench/automata

# size FILE THREADS STATES TRANSITIONS
size() {
    found=$(awk '/^thread/ { threads++ }
        /^transition/ { transitions++; states[threads " " $2]; states[threads " " $3] }
        END { for (s in states) n++; print threads, n, transitions }' "$automata/$1.aut")
    [ "$found" = "$2 $3 $4" ] || {
        echo "$1: $found, not $2 $3 $4"
        exit 1
    }
}

# check FILE MODEL ENGINE WORD
check() {
    "$PICKET" check --quiet --model "$2" --engine "$3" --timeout 50 "$automata/$1.aut" >report || true
    grep -q "^$4" report || {
        echo "$1 $2 $3: not $4"
        cat report
        exit 1
    }
}

size parker 2 11 10
size peterson 2 14 18
size dekker 2 24 30
size lamport 3 33 36
size mcs_lock 4 52 50
size clh_lock 3 43 41
size lock_free_stack 4 46 50
"$root/bench/lamport" 3 small | cmp - "$automata/lamport.aut"

count=0
for file in "$automata"/*.aut; do
    name=$(basename "$file" .aut)
    check "$name" sc reach safe
    check "$name" sc brute safe
    case $name in
    *_fenced | mcs_lock | clh_lock | lock_free_stack | nbw_w_r | nbw_w_lr_rl) check "$name" tso brute safe ;;
    *) check "$name" tso brute violation ;;
    esac
    count=$((count + 1))
done
[ "$count" -ge 24 ]

# The printed programs, small.
"$root/bench/diamond" 3 >diamond.aut
"$root/bench/loop" 3 >loop.aut
"$root/bench/lamport" 2 >lamport.aut
"$root/bench/lamport" 2 fenced >lamport_fenced.aut
automata=.
for name in diamond loop lamport lamport_fenced; do
    check $name sc reach safe
done
check diamond tso brute violation
check loop tso lazy violation
check lamport tso brute violation
