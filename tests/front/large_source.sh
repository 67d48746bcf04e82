# Reading a program takes memory in proportion to its size: one long function, and one of many small loops.
awk 'BEGIN {
    print "int a[100];\nint main(void) {"
    for (i = 0; i < 20000; i++) printf "    a[%d] += a[%d] + %d;\n", i % 100, i * 7 % 100, i
    print "    return 0;\n}"
}' >long.c
awk 'BEGIN {
    print "int a[100];\nint main(void) {\n    int y = 0;"
    for (i = 0; i < 3000; i++) printf "    for (int k%d = 0; k%d < 2; k%d++) {\n        y += a[k%d];\n    }\n", i, i, i, i
    print "    return 0;\n}"
}' >loops.c
for program in long loops; do
    code=0
    "$PICKET" check --engine random --runs 1 --format json $program.c >report || code=$?
    memory=$(sed -n 's/^ "memory_mb": *\([0-9]*\),*$/\1/p' report)
    [ "$code" = 3 ] && [ "$memory" -lt 400 ] || {
        echo "$program.c: exit code $code, $memory MB"
        exit 1
    }
done
