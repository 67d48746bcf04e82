# Bitcode that is cut off, or is no bitcode at all.
. "$(dirname "$0")/refuse"

echo 'int main(void) { return 0; }' >good.c
clang-19 -c -emit-llvm good.c -o good.bc
head -c 700 good.bc >cut.bc
refuse "cut.bc" "$PICKET" check cut.bc
echo "this is no bitcode" >text.bc
refuse "text.bc" "$PICKET" check text.bc
: >empty.bc
refuse "empty.bc" "$PICKET" check empty.bc
echo "this is no assembly" >text.ll
refuse "text.ll" "$PICKET" check text.ll
