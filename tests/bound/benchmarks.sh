# Every benchmark program is translated to C that gcc and clang compile without warnings, and within two rounds the
# engine `rounds` says nothing else than exploration does: no violation where there is none, and those that two rounds
# suffice for.
here=$(dirname "$0")
programs=$here/../../bench/programs
# Violations that need more rounds, or are deadlocks.
needs_more="parker"
last=
while IFS='	' read -r program arguments sc tso rest; do
    [ "$program" != "$last" ] && [ "$program" != program ] || continue
    last=$program
    [ "$arguments" != - ] || arguments=
    "$PICKET" translate --rounds 2 $arguments "$programs/$program.c" -o translated.c
    gcc -std=gnu17 -fsyntax-only -Wall -Wextra -Wno-unused -Werror -I "$here/../../include" translated.c
    clang-19 -std=gnu17 -fsyntax-only -Wall -Wextra -Wno-unused -Werror -I "$here/../../include" translated.c
    code=0
    "$PICKET" check --engine rounds --rounds 2 --timeout 2 --quiet $arguments "$programs/$program.c" >said 2>&1 || code=$?
    case $tso/$code in
    safe/[03] | violation/1) ;;
    *)
        case " $needs_more " in
        *" $program "*) ;;
        *)
            echo "$program $arguments: $tso under TSO, but rounds says:"
            cat said
            exit 1
            ;;
        esac
        ;;
    esac
done <"$programs/expected.tsv"
