# Control characters in names of files and in texts of the program do not reach a terminal, and JSON stays JSON.
. "$(dirname "$0")/refuse"
name=$(printf 'clear\033[2J.c')
printf '#include <assert.h>\nint main(void) {\n    int x = 0;\n    assert(x && "\033]0;title\007 \377 g\303\274te \342\200\256");\n}\n' >"$name"

plain() {
    if LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" said; then
        echo "a control character in the output of: $*"
        cat -v said
        exit 1
    fi
}

expect 1 'clear\x1b[2J.c:4:5: error: assertion "x && "\x1b]0;title\x07 \xff' "$PICKET" check "$name"
plain check
grep -q "$(printf 'g\303\274te')" said # what is no control character is left alone
grep -qF '\xe2\x80\xae' said          # writing from right to left
expect 1 'clear\x1b[2J.c:4' "$PICKET" replay picket-witness.json
plain replay
expect 2 'clear\x1b[2J.h' "$PICKET" check "$(printf 'clear\033[2J.h')"
plain check of nothing

# JSON has escapes of its own; bytes that are no UTF-8 are shown, and a witness keeps them as they are.
expect 1 '"file": "clear\u001B[2J.c"' "$PICKET" check --format json "$name"
odd=$(printf 'odd\377.c')
cp "$name" "$odd"
expect 1 '"file": "odd\\xff.c"' "$PICKET" check --format json "$odd"
grep -q '"bytes": "6f6464ff2e63"' picket-witness.json
expect 1 'odd\xff.c:4' "$PICKET" replay picket-witness.json
