# On a terminal: Ctrl-Z stops all engines, fg continues them, Ctrl-C ends the run with a report.
sources=$(cd "$(dirname "$0")" && pwd)
"$PICKET" show --save server.picket "$sources/server.c"
cat >command <<COMMAND
echo \$\$ >pid
exec "$PICKET" check -j 1 --timeout 100 --color never server.picket
COMMAND

# The keys come when the run has come so far that they mean something; a busy machine gets ten seconds for each.
wait_for() {
    for i in $(seq 200); do
        ! eval "$1" || return 0
        sleep 0.05
    done
    echo "never: $1" >late
}
state() {
    cut -d' ' -f3 "/proc/$(cat pid)/stat" 2>/dev/null || echo gone
}
cat >shell <<'SHELL'
set -m
sh ./command
while [ ! -e continue ]; do
    sleep 0.05
done
fg
echo "code $?"
SHELL
keys() {
    wait_for '[ -s pid ] && [ -n "$(cat "/proc/$(cat pid)/task/$(cat pid)/children")" ]'
    sleep 0.5
    printf '\032'
    wait_for '[ "$(state)" = T ]'
    touch continue
    wait_for '[ "$(state)" != T ]'
    sleep 0.5
    printf '\003'
    sleep 2
}
keys | script -qec 'sh ./shell' typed >/dev/null || true
tr -d '\r' <typed >shown
[ ! -e late ] || { cat late shown; exit 1; }
grep -q 'undecided under TSO: it was interrupted' shown && grep -q 'code 3' shown || { cat shown; exit 1; }
