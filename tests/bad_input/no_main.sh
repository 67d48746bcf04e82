# A program without main.
. "$(dirname "$0")/refuse"

echo 'int helper(void) { return 1; }' >library.c
refuse "main" "$PICKET" check library.c
