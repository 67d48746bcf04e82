# A misspelt command or option: the name that may have been meant; exit code 2.  A word that is near to nothing gets none.
says() {
    text=$1
    shift
    code=0
    "$PICKET" "$@" >out 2>error </dev/null || code=$?
    [ "$code" = 2 ] && grep -qF -e "$text" error && ! [ -s out ] || {
        echo "picket $*: exit code $code"
        cat out error
        exit 1
    }
}

echo 'int main(void) { return 0; }' >program.c
says "picket: unknown command 'chek': is 'check' meant?" chek program.c
says "picket: unknown command 'robst': is 'robust' meant?" robst
says "unknown option --modl: is --model meant? (picket check --help lists all)" check --modl tso program.c
says "unknown option --time-out=3: is --timeout meant?" check --time-out=3 program.c
says "picket check has no option --for (picket check --help lists its options)" check --for safety program.c
says "unknown option --xyzzy (picket check --help lists them)" check --xyzzy program.c
says "picket: unknown command 'frobnicate'" frobnicate
! grep -q meant error
touch program.cc
says "not a file that Picket reads: .c, .i, .bc, .ll, .litmus, .aut, or a saved program" check program.cc
