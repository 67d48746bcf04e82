# A failed read of a waiting loop closes a cycle that no execution without it has: `explore` alone does not see it, and
# must not have the last word.
cat >waits.aut <<'AUT'
thread t0
initial s0
final goal
transition s0 s1 write 1 0
transition s1 s2 read r1 1
transition s2 s3 write 1 1
transition s3 goal check == r1 0
end
thread t1
initial s0
final goal
transition s0 s1 read r0 1
transition s1 s2 write 1 1
transition s2 w2 read r2 1
transition w2 s3 check == r2 1
transition w2 s2 check == r2 0
transition s3 w3 read r3 0
transition w3 s4 check == r3 1
transition w3 s3 check == r3 0
transition s4 goal check == r0 0
end
AUT
for i in 1 2 3 4 5; do
    code=0
    "$PICKET" robust waits.aut >report || code=$?
    [ $code = 1 ] || { cat report; exit 1; }
done
