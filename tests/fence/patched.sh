# C programs: the patch applies, the result compiles with gcc and clang, and is what it was to be.
root=$(dirname "$0")/../..

# repair NAME FENCES OPTIONS...: fences for a copy of NAME.c, and the number of them that must come out.
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
    for compiler in gcc clang-19; do
        $compiler -std=c11 -pthread -Wall -Werror -Wno-unused-function -c -o patched/object.o "patched/$name.c"
    done
}

# patched COMMAND OPTIONS...: what the patched program is now.
patched() {
    command=$1
    shift
    "$PICKET" "$command" --quiet "$@" "patched/$name.c" >result || { echo "$name: $command $*"; cat "$name.fences"; exit 1; }
}

cp "$root"/bench/programs/*.h "$root"/bench/programs/*.c .

# Program, fences for robustness, for safety, for safety under PSO.
while read -r program robustness safety pso; do
    repair "$program" "$robustness"
    patched robust
    patched check
    repair "$program" "$safety" --for safety
    patched check
    repair "$program" "$pso" --for safety --model pso
    patched check --model pso --engine reach
done <<'END'
burns 1 1 2
dijkstra 1 1 2
lamport 2 2 3
parker 1 1 1
dekker 1 1 2
peterson 1 1 3
cilk_the 2 2 3
bakery 2 2 3
szymanski 3 2 3
END

# Programs that run for ever.
repair dekker 3 -DENDLESS
patched robust -DENDLESS
repair dekker 2 --for safety -DENDLESS
patched check --engine lazy -DENDLESS

cp "$root"/examples/*.c .
repair lost_wake_up 2
patched check
repair message_passing 1 --model pso
grep -q '^+ *atomic_thread_fence(memory_order_release);' patched/patch
patched check --model pso
