# Litmus tests, printed as C and read back, have as many executions as before; those that keep addresses as numbers are
# refused.
. "$(dirname "$0")/round_trip"
for file in "$(dirname "$0")"/../litmus/*.litmus; do
    if grep -qE '=[[:space:]]*[a-z][;}[:space:]]|\$[a-z]' "$file" && ! "$PICKET" translate "$file" >/dev/null 2>said; then
        grep -q 'addresses as numbers' said || complain "$file: $(cat said)"
        continue
    fi
    print_and_read "$file" "" svcomp || continue
    same_check "$file"
done
round_trip_end 60
