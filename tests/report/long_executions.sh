# Of many rows those are shown that the error depends on, then the nearest; rows that say the same are one.
. "$(dirname "$0")/reports"
reports long --engine explore long.c
reports repeated --engine explore repeated.c
[ "$("$PICKET" check --full --engine explore long.c | grep -c ' writes unrelated ')" = 30 ]
