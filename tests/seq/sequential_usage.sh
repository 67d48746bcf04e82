# How `picket translate --sequential` is used, what its output says of itself, and what it refuses.
cat >good.c <<'END'
#include <assert.h>
#include <pthread.h>
int x, y, seen;
static void *writer(void *unused) {
    x = 1;
    y = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    seen = y;
    assert(seen == 0 || x == 1);
}
END

# expect CODE TEXT COMMAND...
expect() {
    expected=$1
    text=$2
    shift 2
    code=0
    "$@" >said 2>&1 || code=$?
    [ "$code" = "$expected" ] && grep -qF -e "$text" said || {
        echo "exit code $code instead of $expected, or without '$text': $*"
        head -n 30 said
        exit 1
    }
}
translate() {
    "$PICKET" translate --sequential "$@"
}

expect 0 "Memory model: TSO, by the abstraction etso.  2 threads" translate good.c
expect 0 "Memory model: SC, by the abstraction sc." translate --model sc good.c
expect 0 "Memory model: PSO, by the abstraction epso." translate --model pso good.c
expect 0 "by the abstraction tso." translate --abstraction tso good.c
expect 0 "by the abstraction pso." translate --model pso --abstraction pso good.c
expect 0 "5 rounds" translate --rounds 5 good.c
expect 0 "times below 4" translate --clock 4 good.c
expect 0 "at most 6 pending writes to a location" translate --queue 7 good.c
expect 0 "at most 7 pending writes of a thread" translate --queue 7 --abstraction tso good.c
expect 0 "iterates at most 9 times" translate --unroll 9 good.c
expect 0 "__CPROVER_assume" translate --dialect cbmc good.c
expect 0 '#line 5 "good.c"' translate good.c
expect 0 "memory_write(at_x, " translate good.c
translate good.c -o out.c
gcc -Wall -Wextra -Werror -fsyntax-only out.c
"$PICKET" show --save good.picket good.c
expect 0 "int main(void)" translate good.picket
expect 0 "--abstraction sc|tso|etso|pso|epso" "$PICKET" translate --help

expect 2 "does not belong to the memory model" translate --model sc --abstraction etso good.c
expect 2 "does not belong to the memory model" translate --abstraction epso good.c
expect 2 "does not belong to the memory model" translate --model pso --abstraction tso good.c
expect 2 "bad value for --abstraction" translate --abstraction arm good.c
expect 2 "bad value for --clock" translate --clock 0 good.c
expect 2 "bad value for --clock" translate --clock 256 good.c
expect 2 "bad value for --queue" translate --queue 0 good.c
expect 2 "--queue is at least 2" translate --queue 1 good.c
expect 2 "--clock goes with" translate --model sc --clock 2 good.c
expect 2 "--clock goes with" translate --abstraction tso --clock 2 good.c
expect 2 "--queue does not go with" translate --model sc --queue 2 good.c
expect 2 "do not go with --sequential" translate --age 1 good.c
expect 2 "do not go with --sequential" translate --copies 4 good.c
expect 2 "dialects svcomp and cbmc" translate --dialect picket good.c
expect 2 "go with --sequential" "$PICKET" translate --clock 2 good.c
expect 2 "go with --sequential" "$PICKET" translate --abstraction sc good.c

# refuse LINE TEXT BODY: a program with this body of main, and what is said of the line in it
refuse() {
    printf '%s\n' '#include <pthread.h>' '#include <stdio.h>' '#include <stdlib.h>' 'int __VERIFIER_nondet_int(void);' \
        'long word; char *bytes = (char *)&word;' 'static void *other(void *a) { word = 1; return a; }' \
        'int main(void) { pthread_t t; pthread_create(&t, 0, other, 0);' "$3" 'return 0; }' >bad.c
    rm -f out.c
    expect 2 "bad.c:$1:" translate bad.c -o out.c
    expect 2 "$2" translate bad.c -o out.c
    [ ! -e out.c ] || { echo "out.c was written" && exit 1; }
}
refuse 8 "word is accessed in several sizes" 'return bytes[1];'
refuse 8 "an object of a size that is not known before" 'int n = __VERIFIER_nondet_int(); free(malloc(n));'
refuse 8 "text that is formatted or read" 'char text[9]; snprintf(text, 9, "%ld", word); return text[0];'
