# Makes C strings of C files: embed.sh FILE...
set -eu
echo '/* Made by embed.sh. */'
echo '#include "seq/print/memory_texts.h"'
echo 'const struct memory_text memory_texts[] = {'
for file; do
    echo "{\"$(basename "$file" .c)\","
    sed '/^#include/d; s/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$/\\n"/' "$file"
    echo '},'
done
echo '{0}};'
