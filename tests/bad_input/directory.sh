# A directory instead of a file.
. "$(dirname "$0")/refuse"

mkdir folder.c
refuse "folder.c" "$PICKET" check folder.c
