# A C syntax error is reported at its line.
. "$(dirname "$0")/refuse"

printf 'int main(void) {\n    int x = ;\n    return x;\n}\n' >broken.c
refuse "broken.c:2" "$PICKET" check broken.c
refuse "broken.c:2" "$PICKET" run broken.c
