# Commands and options that do not exist, or lack their value.
. "$(dirname "$0")/refuse"

echo 'int main(void) { return 0; }' >good.c
refuse "frobnicate" "$PICKET" frobnicate good.c
refuse "--frobnicate" "$PICKET" check --frobnicate good.c
refuse "weird" "$PICKET" check --model weird good.c
refuse "weird" "$PICKET" check --engine weird good.c
refuse "--runs" "$PICKET" check --engine random --runs many good.c
refuse "--model" "$PICKET" check good.c --model
refuse "" "$PICKET" check
refuse "" "$PICKET"
