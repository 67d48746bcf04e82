# What the rooms of src/ may know of each other: includes go as the table in docs/design.md says, every room is in it, and
# kinds of operations on synchronisation objects are named only where operations are defined, read, run and shown.
root=$(dirname "$(readlink -f "$0")")/../..
cd "$root/src"

# Rows of the table: | `room` | what lives there | `room` `room` |
sed -n 's/^| `\([a-z/]*\)` |.*| *\([`a-z/ ]*\) *|$/\1 \2/p' ../docs/design.md | tr -d '`' >"$OLDPWD/table"

bad=
for room in $(find . -mindepth 1 -type d ! -path './front/lib*' | sed 's,^\./,,'); do
    grep -q "^$room " "$OLDPWD/table" || { echo "no row in docs/design.md for $room"; exit 1; }
    allowed=$(sed -n "s,^$room ,,p" "$OLDPWD/table")
    [ "$allowed" != 'all ' ] && [ "$allowed" != all ] || continue
    found=$(grep -rho '#include "[a-z/]*/' --include='*.[ch]' "$room" | sed 's/.*"//; s,/$,,' | sort -u)
    for other in $found; do
        case " $room $allowed " in
        *" $other "*) ;;
        *) bad="$bad $room->$other" ;;
        esac
    done
done
[ -z "$bad" ] || { echo "includes against docs/design.md:$bad"; exit 1; }

kinds='SYNC_(MUTEX|COND|READ|WRITE|SPIN|SEM|BARRIER|ONCE)_'
named=$(grep -rlE "$kinds" --include='*.[ch]' . | grep -vE '^\./(ir|machine|front|explain|report|emit)/' || true)
[ -z "$named" ] || { echo "kinds of operations are named in: $named"; exit 1; }

# Every path that the documentation names exists; NAME stands for a name.
cd ..
for page in README.md CONTRIBUTING.md docs/*.md tests/README.md bench/programs/README.md; do
    for path in $(grep -ohE '`(src|docs|tests|bench|examples|include|tools)/[A-Za-z0-9_./-]*`' "$page" | grep -v NAME | tr -d '`'); do
        [ -e "$path" ] || ls "$path".* >/dev/null 2>&1 || { echo "$page names $path, which does not exist"; exit 1; }
    done
done
