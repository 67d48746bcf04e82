# Bad automata: each gets an error at its place and exit code 2.
. "$(dirname "$0")/../bad_input/refuse"

# bad PLACE TEXT: what is on stdin is refused at line:column PLACE with TEXT.
bad() {
    cat >bad.aut
    refuse "bad.aut:$1: error: $2" "$PICKET" check bad.aut
}

bad 3:18 "unknown instruction 'writ'" <<'AUT'
thread a
initial q0
transition q0 q1 writ 1 0
end
AUT
bad 3:17 "expected an instruction" <<'AUT'
thread a
initial q0
transition q0 q1
end
AUT
bad 4:1 "undefined state: no transition of thread a leaves its initial state q7" <<'AUT'
thread a
initial q7
transition q0 q1 noop
end
AUT
bad 5:1 "undefined state: no transition of thread a has to do with its final state q7" <<'AUT'
thread a
initial q0
final q7
transition q0 q1 noop
end
AUT
bad 1:1 "thread a has no 'end'" <<'AUT'
thread a
initial q0
transition q0 q1 noop
AUT
bad 4:8 "thread a, which begins in line 1, has no 'end'" <<'AUT'
thread a
initial q0
transition q0 q1 noop
thread b
initial q0
transition q0 q1 noop
end
AUT
bad 3:1 "thread a has no initial state" <<'AUT'
thread a
transition q0 q1 noop
end
AUT
bad 3:9 "thread a has two initial states" <<'AUT'
thread a
initial q0
initial q1
transition q0 q1 noop
end
AUT
bad 5:8 "a second thread a, the first is in line 1" <<'AUT'
thread a
initial q0
transition q0 q1 noop
end
thread a
initial q0
transition q0 q1 noop
end
AUT
bad 3:24 "2147483648 does not fit into 32 bits" <<'AUT'
thread a
initial q0
transition q0 q1 write 2147483648 0
end
AUT
bad 3:26 "99999999999999999999 does not fit into 32 bits" <<'AUT'
thread a
initial q0
transition q0 q1 write 1 99999999999999999999
end
AUT
bad 3:18 "address 65536 is out of range: cells have the numbers 0 to 65535" <<'AUT'
thread a
initial q0
transition q0 q1 write 1 65536
end
AUT
bad 3:18 "address -1 is out of range" <<'AUT'
thread a
initial q0
transition q0 q1 read r -1
end
AUT
bad 4:18 "address 4 is out of range: cells have the numbers 0 to 3" <<'AUT'
memory_size 4
thread a
initial q0
transition q0 q1 read r 4
end
AUT
bad 1:13 "'0' is not a number of cells" <<'AUT'
memory_size 0
AUT
bad 3:23 "'3' is not the name of a register" <<'AUT'
thread a
initial q0
transition q0 q1 read 3 0
end
AUT
bad 3:28 "expected an expression" <<'AUT'
thread a
initial q0
transition q0 q1 check == r
end
AUT
bad 3:24 "unknown operator '^'" <<'AUT'
thread a
initial q0
transition q0 q1 check ^ r 1
end
AUT
bad 3:24 "'3x' is not a number" <<'AUT'
thread a
initial q0
transition q0 q1 check 3x
end
AUT
bad 3:28 "unexpected '2'" <<'AUT'
thread a
initial q0
transition q0 q1 local r 1 2
end
AUT
bad 1:1 "unknown word 'tread'" <<'AUT'
tread a
AUT
bad 1:1 "'end' outside of a thread" <<'AUT'
end
AUT
bad 1 "there is no thread" <<'AUT'
# nothing
AUT

# Expressions that are too deep, by much.
for depth in 201 100000; do
    {
        printf 'thread a\ninitial q0\ntransition q0 q1 check '
        awk -v n=$depth 'BEGIN { for (i = 0; i < n; i++) printf "! "; print "r\nend" }'
    } | bad 3:424 "the expression is nested more than 200 deep"
done
{
    printf 'thread a\ninitial q0\ntransition q0 q1 check '
    awk 'BEGIN { for (i = 0; i < 200; i++) printf "! "; print "r\nend" }'
} >deep.aut
expect 0 "" "$PICKET" check --engine brute deep.aut

# Several errors are all told.
cat >several.aut <<'AUT'
thread a
initial q0
transition q0 q1 jump
transition q1 q2 fly
end
AUT
refuse "several.aut:3:18" "$PICKET" check several.aut
refuse "several.aut:4:18" "$PICKET" check several.aut

printf 'thread a\000\n' >zero.aut
refuse "zero.aut:1:9" "$PICKET" check zero.aut
head -c 3000 /dev/urandom >noise.aut
refuse "noise.aut" "$PICKET" check noise.aut
refuse "missing.aut" "$PICKET" check missing.aut
cp several.aut other.aut
refuse "cannot be read together" "$PICKET" check several.aut other.aut
