# The test runner takes nothing for a test that it does not understand: a C file without a test, with `->` for `=>`, with an
# unknown word after `=>` or with a blank first line fails.  At the end it lists the slowest tests.
runner=$(dirname "$PICKET")/tests/run
[ -x "$runner" ] || exit 77

# runs SUMMARY TEXT FIRST-LINES: what the runner says of a file that begins like this
runs() {
    printf '%b\nint main(void) { return 0; }\n' "$3" >program.c
    "$runner" --picket "$PICKET" program.c >said 2>&1 || true
    [ "$(tail -n 1 said)" = "$1" ] && grep -qF -e "$2" said || {
        echo "for $3:"
        cat said
        exit 1
    }
}

runs "1 passed, 0 failed" "s of CPU time: program.c: run => exit 0" "// run => exit 0"
runs "2 passed, 0 failed" "safe traces 1" "// Prose.\n// run => exit 0\n// check => safe traces 1"
runs "0 passed, 1 failed" "no test in the first comment" "// Prose."
runs "0 passed, 1 failed" "no test in the first comment" "\n// run => exit 0"
runs "0 passed, 1 failed" "no test in the first comment" "#include <stdio.h>"
runs "0 passed, 1 failed" '`->` in place of `=>`: `// check -> safe`' "// check -> safe"
runs "1 passed, 1 failed" '`->` in place of `=>`' "// check => safe\n// check -> safe"
for expectation in "safe trace 1" "safe within" "violation" "violation assertion:" "exits 0" "safe assuming" "undecided 3" \
    'error text' "safe traces" "native code"; do
    runs "0 passed, 1 failed" 'unknown expectation: `// check => '"$expectation" "// check => $expectation"
done
# A block comment opens the tests' own sources, which are no tests.
runs "0 passed, 0 failed" "0 passed" "/* A source. */"

# Any number of names can be left out.
mkdir many
without=
for number in $(seq 100); do
    printf '// run => exit 0\nint main(void) { return 0; }\n' >"many/program_$number.c"
    [ "$number" -le 2 ] || without="$without --without program_$number.c"
done
# shellcheck disable=SC2086 # the options are to be split into words
"$runner" --picket "$PICKET" $without many >said 2>&1 || true
[ "$(tail -n 1 said)" = "2 passed, 0 failed" ] || {
    cat said
    exit 1
}
