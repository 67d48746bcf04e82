# The benchmark programs are C that compilers accept without a warning, and each has its rows in expected.tsv.
programs=$(cd "$(dirname "$0")/../../bench/programs" && pwd)
tab=$(printf '\t')

for file in "$programs"/*.c; do
    name=$(basename "$file" .c)
    grep -q "^$name$tab" "$programs/expected.tsv" || {
        echo "$name.c has no row in expected.tsv"
        exit 1
    }
done

while IFS=$tab read -r program arguments rest; do
    [ "$program" != program ] || continue
    [ "$arguments" != - ] || arguments=
    # shellcheck disable=SC2086
    clang-19 -std=c17 -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror -fsyntax-only $arguments "$programs/$program.c"
done <"$programs/expected.tsv"
