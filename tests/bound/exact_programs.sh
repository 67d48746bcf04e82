# The translation is exact on the small programs of tests/models and tests/bound.
here=$(dirname "$0")
exactness=$(dirname "$PICKET")/tests/bound/unit_bound_1
number=0
for file in "$here"/../models/*.c "$here"/*.c; do
    grep -q '^// check' "$file" || continue
    number=$((number + 1))
    "$PICKET" show --save "$number.picket" "$file" >/dev/null
done
# A program that is too large for the time is not told, but most must be.
for program in *.picket; do
    timeout 1 "$exactness" --programs "$program" >>said 2>&1 || [ $? = 124 ] || {
        echo "$program"
        cat said
        exit 1
    }
done
awk '/bounds exact/ { exact += $1; untold += $4; wrong += $7 }
    END { print exact " bounds exact, " untold " not told, " wrong " programs not exact"; exit wrong > 0 || exact < 2 * untold }' said
