# Two files that both define main.
. "$(dirname "$0")/refuse"

echo 'int main(void) { return 1; }' >one.c
echo 'int main(void) { return 2; }' >two.c
refuse "main" "$PICKET" check one.c two.c
