# C programs: the patch applies, the result compiles, and is what it was to be.
root=$(dirname "$0")/../..

# repair NAME OPTIONS...: fences for a copy of NAME.c, and the number of them that must come out.
repair() {
    name=$1
    fences=$2
    shift 2
    "$PICKET" fence "$@" "$name.c" >"$name.fences" || { echo "$name $*: exit code $?"; exit 1; }
    grep -q "^$fences fence" "$name.fences" || { echo "$name $*:"; cat "$name.fences"; exit 1; }
    mkdir -p patched
    cp "$name.c" ./*.h patched
    sed -n '/^--- /,$p' "$name.fences" >patched/patch
    (cd patched && patch -p1 -s <patch)
    ${CC:-cc} -std=c11 -pthread -Wall -Werror -Wno-unused-function -c -o patched/object.o "patched/$name.c"
}

cp "$root"/bench/programs/*.h "$root"/bench/programs/*.c .
cp "$root"/examples/*.c .

for name in dekker peterson; do
    repair $name 1
    "$PICKET" robust patched/$name.c >result
    "$PICKET" check --quiet patched/$name.c >result
    repair $name 1 --for safety
    "$PICKET" check --quiet patched/$name.c >result
    repair $name 2 --for safety --model pso
    "$PICKET" check --quiet --model pso patched/$name.c >result
done

repair lost_wake_up 2
"$PICKET" check --quiet patched/lost_wake_up.c >result
repair message_passing 1 --model pso
grep -q '^+ *atomic_thread_fence(memory_order_release);' patched/patch
"$PICKET" check --quiet --model pso patched/message_passing.c >result

# Programs of the benchmarks, with headers beside them.
for name in burns dijkstra lamport parker; do
    "$PICKET" fence --for safety --timeout 50 $name.c >$name.fences || { echo "$name: exit code $?"; exit 1; }
    mkdir -p patched
    cp $name.c ./*.h patched
    sed -n '/^--- /,$p' $name.fences >patched/patch
    (cd patched && patch -p1 -s <patch)
    "$PICKET" check --quiet patched/$name.c >result || { echo "$name is not repaired"; cat $name.fences; exit 1; }
done
