# The printed C, compiled by gcc and run, prints what Picket says that the program prints. Threads included.
. "$(dirname "$0")/round_trip"
tests=$(dirname "$0")/..

find "$tests/language" "$tests/library/threads" "$tests/library/mutex" "$tests/library/sync" -name '*.c' | sort >files
while read -r file; do
    grep -q '^// run => native' "$file" || continue
    "$PICKET" translate -o copy.c "$file"
    gcc -O1 -mcx16 -w copy.c -o copy -lm -lpthread -latomic || { complain "$file: cannot be linked"; continue; }
    first=0
    "$PICKET" run "$file" >first </dev/null 2>/dev/null || first=$?
    second=0
    timeout 20 ./copy >second </dev/null 2>/dev/null || second=$?
    compared=$((compared + 1))
    [ "$first" = "$second" ] && cmp -s first second || complain "$file: exit codes $first and $second, $(diff first second | head -n 4)"
done <files
round_trip_end 40
