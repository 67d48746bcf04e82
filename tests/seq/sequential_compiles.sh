# Printed sequential programs: gcc and clang have no warning, in both dialects and for all abstractions; no function of
# threads is called; a bound that the heading names is the one that was given.  cbmc, where it is there, agrees.
programs=$(dirname "$0")/../../bench/programs
printed=0
for program in "$programs"/*.c; do
    name=$(basename "$program" .c)
    for abstraction in sc tso etso pso epso; do
        # Each program in two of the five; over all programs every abstraction is used.
        printed=$((printed + 1))
        [ $((printed % 5)) -lt 2 ] || continue
        case $abstraction in
        sc) model=sc ;;
        *) model=${abstraction#e} ;;
        esac
        [ $((printed % 2)) = 0 ] && dialect=svcomp || dialect=cbmc
        "$PICKET" translate --sequential --model $model --abstraction $abstraction --dialect $dialect --unroll 1 \
            "$program" -o printed.c 2>said || {
            [ "$name" = apr_pools ] && grep -q "apr_pools.c:44:.*not supported: .* accessed in several sizes" said &&
                continue
            echo "$name $abstraction: $(cat said)"
            exit 1
        }
        gcc -Wall -Wextra -Werror -fsyntax-only printed.c
        clang-19 -Wall -Wextra -Werror -fsyntax-only printed.c
        ! grep -E 'pthread_|thrd_|malloc\(unsigned|<pthread.h>' printed.c
        grep -q "by the abstraction $abstraction\." printed.c
        grep -q "Not looked for: deadlocks" printed.c
    done
done
if command -v cbmc >/dev/null; then
    for fences in NONE TSO; do
        [ $fences = NONE ] && expected=10 || expected=0
        "$PICKET" translate --sequential --dialect cbmc --unroll 1 --rounds 2 --clock 2 --queue 2 -DFENCES=$fences \
            "$programs/dekker.c" -o printed.c
        code=0
        timeout 50 cbmc --unwind 6 printed.c >said || code=$?
        [ $code = $expected ] || { echo "cbmc: $code instead of $expected" && exit 1; }
    done
fi
