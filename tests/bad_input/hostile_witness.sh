# An untrusted witness makes the compiler run nothing and write nothing.
. "$(dirname "$0")/refuse"
cat >bad.c <<'C'
#include <assert.h>
int main(void) {
    assert(VALUE);
}
C
expect 1 bad.c:3 "$PICKET" check -DVALUE=0 -I . -std=gnu11 -Wall -include stddef.h bad.c
mv picket-witness.json good.json
expect 1 bad.c:3 "$PICKET" replay good.json

# hand ARGUMENT...: a witness that hands these to the compiler
hand() {
    list=
    for argument; do
        list="$list, \"$argument\""
    done
    tr '\n' ' ' <good.json | sed "s|\"clang_args\": \[[^]]*\]|\"clang_args\": [\"-DVALUE=0\"$list]|" >witness.json
}

echo '-DVALUE=0' >arguments
for argument in -fplugin=x.so -fpass-plugin=x.so -MFdepend -MD -ofile --config=x -Wp,-MD,depend -Wl,-x -save-temps @arguments; do
    hand $argument
    refuse "hands '$argument' to the compiler" "$PICKET" replay witness.json
done
hand -Xclang -load -Xclang x.so
refuse "hands '-Xclang' to the compiler" "$PICKET" replay witness.json
hand -I @arguments
refuse "hands '@arguments' to the compiler" "$PICKET" replay witness.json
hand -include
refuse "hands '-include' to the compiler" "$PICKET" replay witness.json
[ ! -e depend ]
hand -funsigned-char
refuse "hands '-funsigned-char' to the compiler" "$PICKET" replay witness.json
expect 1 bad.c:3 "$PICKET" replay --trust witness.json

# A name of a file is no option, whatever it begins with.
cp bad.c ./-DVALUE=1.c
cp bad.c ./@bad.c
name() {
    tr '\n' ' ' <good.json | sed "s|\"files\": \[[^]]*\]|\"files\": [\"$1\"]|" >witness.json
}
# Read as C with the same macros, only its name differs from the program of the witness.
name -DVALUE=1.c
refuse 'the program has changed' "$PICKET" replay witness.json
name @bad.c
refuse 'a name that begins with @' "$PICKET" replay witness.json
