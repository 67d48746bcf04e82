# Signals while engines work in child processes: no child remains, and what was found so far is reported.
sources=$(cd "$(dirname "$0")" && pwd)
"$PICKET" show --save server.picket "$sources/server.c"

# children PID: the processes that it has made
children() {
    cat "/proc/$1/task/$1/children" 2>/dev/null || true
}

# begin: $picket is a run with one thread, of which two children are there, in a process group of its own
begin() {
    setsid "$PICKET" check -j 1 --timeout 100 server.picket >report 2>complaint &
    picket=$!
    for i in $(seq 200); do
        set -- $(children $picket)
        [ $# -ge 2 ] && break
        sleep 0.05
    done
    [ $# -ge 2 ] || { echo "no children"; cat report complaint; exit 1; }
    all=$*
    sleep 0.3
}

# gone: none of the children is left, after at most five seconds
gone() {
    for i in $(seq 100); do
        left=
        for child in $all; do
            [ ! -e "/proc/$child" ] || [ "$(cut -d' ' -f3 /proc/$child/stat)" = Z ] || left="$left $child"
        done
        [ -n "$left" ] || return 0
        sleep 0.05
    done
    echo "still there after $1:$left"
    exit 1
}

# running: how many of the children run or could
running() {
    count=0
    for child in $all; do
        [ "$(cut -d' ' -f3 /proc/$child/stat)" = T ] || count=$((count + 1))
    done
    echo $count
}

# The parent dies: so do the children, those that are stopped, too.
begin
kill -KILL $picket
wait $picket 2>/dev/null || true
gone 'the death of the parent'

# Ctrl-C reaches the whole group: the parent alone ends the run, with a report.
begin
kill -s INT -- "-$picket"
code=0
wait $picket || code=$?
[ $code = 3 ] || { echo "exit code $code after Ctrl-C"; cat report complaint; exit 1; }
grep -q '^undecided under TSO: it was interrupted' report || { cat report; exit 1; }
gone Ctrl-C

# Ctrl-Z and fg: the kernel continues all; those that waited for their turn are stopped again.
begin
kill -s STOP -- "-$picket"
sleep 0.2
kill -s CONT -- "-$picket"
sleep 1
least=9
for i in $(seq 20); do
    now=$(running)
    [ "$now" -ge "$least" ] || least=$now
    sleep 0.05
done
[ "$least" -le 1 ] || { echo "$least children run beside each other with -j 1"; exit 1; }
kill -INT $picket
code=0
wait $picket || code=$?
[ $code = 3 ] || { echo "exit code $code"; exit 1; }

# A child that is killed from outside is named, and the others continue.
begin
set -- $all
kill -KILL $1
sleep 0.5
kill -INT $picket
wait $picket || true
grep -q 'failed: was ended by signal 9' report || { cat report; exit 1; }
gone 'the end'

# So does the limit.
begin=$(date +%s)
code=0
"$PICKET" check --timeout 1 --format json server.picket >report.json || code=$?
[ $code = 3 ]
[ $(($(date +%s) - begin)) -le 10 ]
grep -q '"message": "the time-out was reached' report.json

# Memory counts for all together: the largest hands in and ends.
code=0
"$PICKET" check --memory 100 --timeout 5 --format json server.picket >report.json || code=$?
[ $code = 3 ] || { echo "exit code $code"; cat report.json; exit 1; }
grep -q '"state": "memory full"' report.json || { cat report.json; exit 1; }
