# What automata mean: values, guards, choices, goals, cells, the lock.
. "$(dirname "$0")/../bad_input/refuse"

# verdict MODEL ENGINE TEXT: the program on stdin, and what the report must say.
verdict() {
    cat >program.aut
    for engine in $2; do
        "$PICKET" check --quiet --model "$1" --engine "$engine" program.aut >report || true
        grep -q "$3" report || {
            echo "$1 $engine: expected '$3'"
            cat program.aut report
            exit 1
        }
    done
}

# holds EXPRESSION: it is not 0.  r is 5 and s is -3.
holds() {
    verdict sc "brute reach explore" "^program.aut:3:[0-9]*: error: the thread is in its final state.* \[goal\]$" <<AUT
thread a
initial q0
final yes
transition q0 q1 local r 5
transition q1 q2 local s -3
transition q2 yes check $1
end
AUT
}

holds "== + r s 2"
holds "== - s r -8"
holds "== * r s -15"
holds "== / r s -1"
holds "== % s r -3"
holds "== & r 4 4"
holds "&& < s r <= s -3"
holds "&& > r s >= r 5"
holds "|| 0 != r s"
holds "! && r 0"
holds "== ! 7 0"
holds "== nothing 0"
holds "== + 2147483647 1 -2147483648"
holds "== / -2147483648 -1 -2147483648"
holds "== % -2147483648 -1 0"
holds "== * 65536 65536 0"

# Division by zero is an error of the run, at its line.
verdict sc "brute reach explore" "^program.aut:3:.* \[division-by-zero\]$" <<'AUT'
thread a
initial q0
transition q0 q1 local r / 1 zero
end
AUT
verdict sc "brute reach explore" "^program.aut:3:.* \[division-by-zero\]$" <<'AUT'
thread a
initial q0
transition q0 q1 check % 1 zero
end
AUT

# A thread whose checks all fail stops: no error, no deadlock, and the others continue.
verdict tso "brute explore" "^safe" <<'AUT'
thread a
initial q0
final q2
transition q0 q1 write 1 0
transition q1 q2 check 0
end
AUT
verdict tso "brute explore" "error: the thread is in its final state \[goal\]$" <<'AUT'
thread a
initial q0
transition q0 q1 write 1 0
transition q1 q2 check 0
end
thread b
initial q0
final q2
transition q0 q1 read r 0
transition q1 q2 check == r 1
end
AUT

# Several transitions that are possible: each is taken.
for goal in one two; do
    verdict sc "brute reach explore" "goal" <<AUT
thread a
initial q0
final $goal
transition q0 one noop
transition q0 two check == r 0
transition q0 three check != r 0
end
AUT
done
verdict sc "brute reach explore" "^safe" <<'AUT'
thread a
initial q0
final three
transition q0 one noop
transition q0 two check == r 0
transition q0 three check != r 0
end
AUT

# A thread may leave its final state and come back: the goal is that all are in theirs at the same time.
verdict sc "brute reach" "error: all threads are in their final states \[goal\]$" <<'AUT'
thread a
initial q0
final q1
transition q0 q1 write 1 0
transition q1 q2 read r 1
transition q2 q1 check == r 1
end
thread b
initial q0
final q2
transition q0 q1 write 1 1
transition q1 q1_ read r 0
transition q1_ q2 check == r 1
end
AUT

# Computed addresses: in the array, and outside of it.
verdict sc "brute reach explore" "goal" <<'AUT'
memory_size 8
thread a
initial q0
final q4
transition q0 q1 local p 3
transition q1 q2 write 9 + p 4
transition q2 q3 read r 7
transition q3 q4 check == r 9
end
AUT
for address in "+ p 8" "- p 1" "* 65536 - p 32768"; do
    verdict sc "brute reach explore" "^program.aut:4:.* \[\(out-of-bounds\|wild-pointer\)\]$" <<AUT
memory_size 8
thread a
initial q0
transition q0 q1 write 1 $address
end
AUT
done

# An endless loop without any step is no reason to hang.
verdict sc "brute reach" "^safe" <<'AUT'
thread a
initial q0
transition q0 q1 noop
transition q1 q0 local r ! r
end
AUT
verdict sc "brute reach" "^safe" <<'AUT'
thread a
initial q0
transition q0 q1 mfence
transition q1 q0 local r & 3 + r 1
end
AUT
cat >counter.aut <<'AUT'
thread a
initial q0
transition q0 q0 local r + r 1
end
AUT
expect 3 "time-out" "$PICKET" check --quiet --model sc --engine reach --timeout 0.3 counter.aut

# The lock: an increment between lock and unlock is not lost, and others may read in between.
increments() {
    for t in a b; do
        cat <<AUT
thread $t
initial q0
transition q0 q1 $1
transition q1 q2 read r 0
transition q2 q3 write + r 1 0
transition q3 q4 $2
transition q4 q5 write 1 $([ $t = a ] && echo 1 || echo 2)
end
AUT
    done
    cat <<'AUT'
thread judge
initial q0
final lost
transition q0 q1 read a 1
transition q1 q2 read b 2
transition q2 q3 check && a b
transition q3 q4 read sum 0
transition q4 lost check == sum 1
end
AUT
}
for model in sc tso pso; do
    increments lock unlock | verdict $model "brute auto explore" "^safe"
    increments noop noop | verdict $model "brute explore" "goal"
done
verdict tso "brute explore" "goal" <<'AUT'
thread a
initial q0
final inside
transition q0 q1 lock
transition q1 inside write 1 0
transition inside q3 unlock
end
thread b
initial q0
final seen
transition q0 q1 read r 0
transition q1 seen check == r 0
end
AUT
# Nothing of another thread reaches memory, and no other thread passes lock.
for command in lock "write 1 1"; do
    verdict sc "brute reach explore" "^safe" <<AUT
thread a
initial q0
final inside
transition q0 q1 lock
transition q1 inside read r 1
end
thread b
initial q0
final q3
transition q0 q1 read r 2
transition q1 q2 $command
transition q2 q3 check == r 7
end
AUT
done
verdict tso "brute explore" "unlock-not-owner" <<'AUT'
thread a
initial q0
transition q0 q1 unlock
end
AUT

# The language by name.
cp program.aut program.text
expect 1 "unlock-not-owner" "$PICKET" check --quiet --engine brute --lang aut program.text
expect 1 "unlock-not-owner" "$PICKET" replay picket-witness.json
refuse "not a file that Picket reads" "$PICKET" check program.text
expect 1 "unlock-not-owner" "$PICKET" check --quiet --engine reach program.aut
