# What `lazy` and the oracle do not do, they say.
cat >p.aut <<'AUT'
thread one
initial a
final b
transition a b write 1 0
end
AUT
for line in 'check --engine lazy --model pso' 'check --engine lazy --check races' 'check --engine lazy --check uninit' \
    'check --engine oracle' 'robust --engine lazy' 'robust --engine oracle --model pso'; do
    code=0
    # shellcheck disable=SC2086
    "$PICKET" $line p.aut >report 2>message || code=$?
    [ $code -eq 2 ] || { echo "$line: exit code $code"; exit 1; }
    [ -s message ]
done
