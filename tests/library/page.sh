# docs/library.md is what tools/library_page.awk makes of the sources, and the build makes it too.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root/src/front/lib"
awk -f "$root/tools/library_page.awk" ../../ir/assumption.h ../../ir/instruction.h ../library.c ./*.c >"$OLDPWD/page"
cd "$OLDPWD"
cmp page "$root/docs/library.md" || {
    echo "docs/library.md is not current: copy src/front/lib/library.md of a build to it"
    exit 1
}
built=$(dirname "$PICKET")/src/front/lib/library.md
[ ! -e "$built" ] || cmp "$built" page
# Every function of the library is on the page, and every assumption that the library notes.
for name in pthread_mutex_lock pthread_cond_wait getenv strtok malloc_usable_size picket_assume; do
    grep -q "^| .$name. |" page || { echo "$name is not on the page"; exit 1; }
done
grep -q '`sqrt`' page
grep -q '^| .getenv. | .* | environment |$' page
grep -q '^| .pthread_cond_timedwait. | .* | spurious |$' page
grep -q '^| .strdup. | .* | malloc |$' page
grep -q '^| .pthread_mutex_destroy. | .* | misuse |$' page
grep -q '^| .__VERIFIER_nondet_uint. | any value of 32 bits, unsigned |$' page
! grep -q '`width`\|`selector`' page
