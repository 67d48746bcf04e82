# A file that does not exist.
. "$(dirname "$0")/refuse"

refuse "missing.c" "$PICKET" check missing.c
refuse "No such file" "$PICKET" run missing.c
refuse "missing.json" "$PICKET" replay missing.json
