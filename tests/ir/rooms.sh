# What the rooms of src/ may know of each other: includes go from the right to the left only, and kinds of operations on
# synchronisation objects are named only where operations are defined, read, run and shown.
root=$(dirname "$(readlink -f "$0")")/../..
cd "$root/src"

# allowed ROOM ROOM...: the rooms whose headers a room may include, besides its own.
bad=
allowed() {
    room=$1
    shift
    found=$(grep -rho '#include "[a-z/]*/' --include='*.[ch]' "$room" | sed 's/.*"//; s,/$,,' | sort -u)
    for other in $found; do
        case " $room $* " in
        *" $other "*) ;;
        *) bad="$bad $room->$other" ;;
        esac
    done
}
allowed util
allowed ir util
allowed front ir util
allowed machine ir util
allowed engine machine ir util
allowed explore engine machine ir util
allowed reach engine machine ir util
allowed fence explore reach engine machine ir util
allowed bound ir util
allowed emit ir util
allowed seq engine machine ir util seq/print seq/memory emit
allowed seq/print emit ir util
allowed seq/memory
allowed prove engine machine ir util
allowed report engine machine ir util
[ -z "$bad" ] || { echo "includes against the design:$bad"; exit 1; }

kinds='SYNC_(MUTEX|COND|READ|WRITE|SPIN|SEM|BARRIER|ONCE)_'
named=$(grep -rlE "$kinds" --include='*.[ch]' . | grep -vE '^\./(ir|machine|front|report|emit)/' || true)
[ -z "$named" ] || { echo "kinds of operations are named in: $named"; exit 1; }
